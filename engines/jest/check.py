"""The errors for illegal moves of Jest (C3)."""

from __future__ import annotations

from engines.jest.model import Move, Offer, State
from engines.kit.errors import IllegalMove
from engines.kit.seats import letter_range
from engines.kit.turns import out_of_turn_error


def check(state: State, seat: int, move: Move) -> None:
    """Raise IllegalMove for a move out of turn, out of phase or against J4 and J6."""
    if isinstance(move, Offer):
        if state.phase != "offer" or move.card not in state.dealt[seat]:
            raise _offer_refusal(state, seat)
    elif state.phase != "take" or state.waiting[0] != seat:
        raise _take_turn_refusal(state)
    elif move.source not in state.complete or (move.source == seat and len(state.complete) > 1):
        raise _take_refusal(state, seat, move.source)


def _offer_refusal(state: State, seat: int) -> IllegalMove:
    """Return the error for an offer that the seat may not make (J4)."""
    if state.phase == "over" or (state.phase == "take" and seat != state.waiting[0]):
        return out_of_turn_error(state)
    if state.phase == "take":
        return IllegalMove("J4", "The offers of this round are complete. Now players take cards.")
    return IllegalMove(None, "Choose one of your two cards.")


def _take_turn_refusal(state: State) -> IllegalMove:
    if state.phase == "offer":
        return IllegalMove("J4", "First everyone chooses a card to offer face down.")
    return out_of_turn_error(state)


def _take_refusal(state: State, seat: int, source: int) -> IllegalMove:
    """Return the error for a card that the seat may not take (J6)."""
    if not 0 <= source < len(state.jests):
        return IllegalMove(None, f"The offers are {letter_range(len(state.jests))}.")
    if source == seat and seat in state.complete:
        return IllegalMove("J6", "You may take from your own offer only if no other offer is complete.")
    return IllegalMove("J6", "That offer has lost a card. Take from an offer that still has both.")
