"""Illegal moves of Glimpse and their error messages."""

from __future__ import annotations

from engines.kit.errors import IllegalMove
from engines.kit.turns import out_of_turn_error
from tests.example.engines.glimpse.model import Lay, Move, State
from tests.example.engines.glimpse.moves import guessing_seats


def check(state: State, seat: int, move: Move) -> None:
    """Raise IllegalMove if a move is out of turn, out of phase, or not in the hand."""
    if seat not in guessing_seats(state) and not (state.phase == "lay" and seat == state.turn):
        raise out_of_turn_error(state)
    if isinstance(move, Lay):
        if state.phase == "guess":
            raise IllegalMove("G5", "A card lies face down. Guess first whether it is a fool or a wizard.")
        if move.card not in state.hands[seat]:
            raise IllegalMove(None, f"You do not hold {move.card}.")
    elif state.phase == "lay":
        raise IllegalMove("G4", "There is nothing to guess yet. It is your turn to lay a card.")
