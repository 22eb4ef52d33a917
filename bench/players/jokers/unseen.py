"""The cards of Jokers that nobody has seen, for `bench.players.seer`."""

from __future__ import annotations

from engines.jokers.model import State


def shuffle_unseen(state: State) -> None:
    """Shuffle the draw pile and the face-down safety cards (K2) by the state's own chance."""
    down = [(seat, at) for seat, flags in enumerate(state.down) for at, flag in enumerate(flags) if flag]
    state.draw = state.chance.shuffle([*state.draw, *(state.safety[seat][at] for seat, at in down)])
    for seat, at in down:
        state.safety[seat][at] = state.draw.pop()
