"""What Jest's rules refuse, and in which words (C3)."""

from __future__ import annotations

from engines.jest.model import Move, Offer, State
from engines.kit.contract import IllegalMove
from engines.kit.seats import span
from engines.kit.turns import out_of_turn


def check(state: State, seat: int, move: Move) -> None:
    """Refuse what is out of turn, out of phase or against J4 and J6."""
    if isinstance(move, Offer):
        if state.phase != "offer" or move.card not in state.dealt[seat]:
            raise _no_choice(state, seat)
    elif state.phase != "take" or state.waiting[0] != seat:
        raise _not_your_turn(state)
    elif move.source not in state.complete or (move.source == seat and len(state.complete) > 1):
        raise _no_offer(state, seat, move.source)


def _no_choice(state: State, seat: int) -> IllegalMove:
    """Why a seat may not offer that (J4)."""
    if state.phase == "over" or (state.phase == "take" and seat != state.waiting[0]):
        return out_of_turn(state)
    if state.phase == "take":
        return IllegalMove("J4", "The offers of this round are made. Now cards are taken.")
    return IllegalMove(None, "Choose one of the two cards that you were dealt.")


def _not_your_turn(state: State) -> IllegalMove:
    if state.phase == "offer":
        return IllegalMove("J4", "First everybody chooses which card to offer face down.")
    return out_of_turn(state)


def _no_offer(state: State, seat: int, source: int) -> IllegalMove:
    """Why nothing may be taken there (J6)."""
    if not 0 <= source < len(state.jests):
        return IllegalMove(None, f"There are offers {span(len(state.jests))}.")
    if source == seat and seat in state.complete:
        return IllegalMove("J6", "You may take from your own offer only when no other one is complete.")
    return IllegalMove("J6", "A card of that offer is gone. Take from one that still has both.")
