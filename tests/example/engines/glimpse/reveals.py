"""The moves of Glimpse that show something hidden, and what a player is told of it."""

from __future__ import annotations

from collections.abc import Sequence

from engines.kit.contract import Event
from tests.example.engines.glimpse.model import CardTurned, DealBegun, State


def seats_shown(state: State, after: State, seat: int) -> frozenset[int]:
    """Return the seats that learn something: at the last guess the card and all guesses (G6), and by a deal (G2)."""
    if state.phase != "guess" or after.phase == "guess":
        return frozenset()
    everybody = frozenset(range(len(state.hands)))
    if after.deal > state.deal:
        return everybody
    return frozenset(
        other for other in everybody if everybody - {state.turn, seat, other} or not _knows_card(state, other)
    )


def reveal_text(events: Sequence[Event], reader: int) -> str:
    """Return a sentence on what a move with these events revealed."""
    if any(isinstance(event, DealBegun) for event in events):
        return "New cards were dealt."
    (card,) = (event.card for event in events if isinstance(event, CardTurned))
    return f"The card turned out to be {card}."


def _knows_card(state: State, seat: int) -> bool:
    """Return whether the seat knows the card face down: as its owner, or as the last one, which it glimpsed (G3)."""
    if seat == state.turn:
        return True
    is_neighbour = state.turn == (seat + 1) % len(state.hands)
    return is_neighbour and not state.hands[state.turn] and state.laid == state.glimpses[seat]
