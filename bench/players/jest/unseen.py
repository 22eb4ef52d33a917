"""The cards of Jest that nobody has seen, for `bench.players.seer`."""

from __future__ import annotations

from engines.jest.model import State


def shuffle_unseen(state: State) -> None:
    """Shuffle the deck by the state's own chance."""
    state.deck = state.chance.shuffle(state.deck)
