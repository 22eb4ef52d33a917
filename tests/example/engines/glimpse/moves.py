"""Glimpse's legal moves and their notation: `lay 9`, `guess fool`, `guess wizard`."""

from __future__ import annotations

from collections.abc import Sequence

from engines.kit.notation import NUMBER, Notation, PartFormat, verb
from tests.example.engines.glimpse.deck import DECK, kind_name
from tests.example.engines.glimpse.model import Guess, Lay, Move, State

WIZARD_BY_KIND = {kind_name(wizard): wizard for wizard in (False, True)}
NOTATION = Notation[Move](
    "Glimpse",
    verb("lay", Lay, NUMBER, usage=f"A card is a number from {DECK[0]} to {DECK[-1]}."),
    verb(
        "guess",
        Guess,
        PartFormat(lambda word: WIZARD_BY_KIND.get(word.lower()), kind_name),
        usage="Guess fool or wizard.",
    ),
)


def legal_moves(state: State, seat: int) -> Sequence[Move]:
    """Return the cards of the hand on the seat's turn, or both guesses if the seat has not guessed."""
    if state.phase == "lay" and seat == state.turn:
        return [Lay(card) for card in state.hands[seat]]
    return [Guess(wizard) for wizard in WIZARD_BY_KIND.values()] if seat in guessing_seats(state) else ()


def guessing_seats(state: State) -> Sequence[int]:
    """Return the seats that still have to guess (G5)."""
    if state.phase != "guess":
        return ()
    return [seat for seat, guess in enumerate(state.guesses) if guess is None and seat != state.turn]
