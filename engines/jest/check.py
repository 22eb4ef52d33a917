"""What Jest's rules refuse, and in which words (C3)."""

from __future__ import annotations

from engines.jest.model import Move, Offer, State
from engines.kit.errors import IllegalMove
from engines.kit.seats import letter_range
from engines.kit.turns import out_of_turn_error


def check(state: State, seat: int, move: Move) -> None:
    """Refuse what is out of turn, out of phase or against J4 and J6."""
    if isinstance(move, Offer):
        if state.phase != "offer" or move.card not in state.dealt[seat]:
            raise _offer_refusal(state, seat)
    elif state.phase != "take" or state.waiting[0] != seat:
        raise _take_turn_refusal(state)
    elif move.source not in state.complete or (move.source == seat and len(state.complete) > 1):
        raise _take_refusal(state, seat, move.source)


def _offer_refusal(state: State, seat: int) -> IllegalMove:
    """Why a seat may not offer that (J4)."""
    if state.phase == "over" or (state.phase == "take" and seat != state.waiting[0]):
        return out_of_turn_error(state)
    if state.phase == "take":
        return IllegalMove("J4", "The offers of this round are made. Now cards are taken.")
    return IllegalMove(None, "Choose one of the two cards that you were dealt.")


def _take_turn_refusal(state: State) -> IllegalMove:
    if state.phase == "offer":
        return IllegalMove("J4", "First everybody chooses which card to offer face down.")
    return out_of_turn_error(state)


def _take_refusal(state: State, seat: int, source: int) -> IllegalMove:
    """Why nothing may be taken there (J6)."""
    if not 0 <= source < len(state.jests):
        return IllegalMove(None, f"There are offers {letter_range(len(state.jests))}.")
    if source == seat and seat in state.complete:
        return IllegalMove("J6", "You may take from your own offer only when no other one is complete.")
    return IllegalMove("J6", "A card of that offer is gone. Take from one that still has both.")
