"""What a seat sees of Jokers, put together field by field."""

from __future__ import annotations

from engines.jokers import deck
from engines.jokers.model import State, View


def view(state: State, seat: int | None) -> View:
    """Everything but the other hand, the draw pile's cards and the safety cards that are face down."""
    return View(
        seat=seat,
        rounds=state.rounds,
        starter=state.starter,
        round=state.round,
        phase=state.phase,
        turn=state.turn,
        hand=() if seat is None else deck.held(state.hands[seat]),
        hand_sizes=tuple(map(deck.size, state.hands)),
        known=tuple(map(deck.held, state.known)),
        draw=len(state.draw),
        discard=tuple(state.discard),
        safety=tuple(map(_used, state.safety, state.down)),
        turned=state.turned,
        trades=state.trades,
        idle=state.idle,
        still=state.still,
        declared=state.declared,
        scores=tuple(state.scores),
        sheet=tuple(tuple(row) for row in state.sheet),
        last=state.last,
        numbers=tuple(state.numbers),
    )


def _used(cards: list[int], down: list[bool]) -> tuple[int | None, ...]:
    """The safety cards that were used; None for one that nobody may see."""
    return tuple(None if is_down else card for card, is_down in zip(cards, down, strict=True))
