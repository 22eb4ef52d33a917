"""What a seat sees of Glimpse, put together field by field."""

from __future__ import annotations

from tests.example.engines.glimpse.model import State, View


def view(state: State, seat: int | None) -> View:
    """Its own hand, glimpse and guess, and the card face down where it is its own; the rest is for everybody."""
    return View(
        seat=seat,
        seats=len(state.hands),
        deals=state.deals,
        deal=state.deal,
        phase=state.phase,
        turn=state.turn,
        hand=() if seat is None else tuple(state.hands[seat]),
        hand_sizes=tuple(len(hand) for hand in state.hands),
        glimpse=None if seat is None else state.glimpses[seat],
        laid=state.laid if seat == state.turn else None,
        guessed=tuple(guess is not None for guess in state.guesses),
        guess=None if seat is None else state.guesses[seat],
        turned=tuple(state.turned),
        scores=tuple(state.scores),
        numbers=tuple(state.numbers),
    )
