"""The errors for illegal moves of Wizard (C3)."""

from __future__ import annotations

from engines.kit import cards
from engines.kit.errors import IllegalMove
from engines.kit.turns import out_of_turn_error
from engines.wizard.deck import CARD_NAMES, JESTER, SUIT, has_suit
from engines.wizard.house_rules import forbidden_bid
from engines.wizard.model import Bid, Move, Play, State
from engines.wizard.moves import is_bidding_sealed


def check(state: State, seat: int, move: Move) -> None:
    """Raise IllegalMove for a move out of turn, out of phase or against W3, W4, W7 and W12."""
    if seat == state.turn or is_bidding_sealed(state):
        if isinstance(move, Play):
            hand, card, follow = state.hands[seat], move.card, state.follow
            if (state.phase == "play" and card in hand) and (
                follow is None or SUIT[card] == follow or card >= JESTER or not has_suit(hand, follow)  # W7
            ):
                return
        elif isinstance(move, Bid):
            if (
                state.phase == "bid"
                and state.bids[seat] is None
                and 0 <= move.tricks <= state.trick_count
                and move.tricks != forbidden_bid(state.hook, state.trick_count, state.bids)  # W12
            ):
                return
        elif state.phase == "trump" and 0 <= move.suit < 4:
            return
    raise _refusal(state, seat, move)


def _refusal(state: State, seat: int, move: Move) -> IllegalMove:
    """Return the error for a move that the rules do not allow."""
    if is_bidding_sealed(state):
        if state.bids[seat] is not None:
            return IllegalMove(None, "You have bid. Now the others bid.")
    elif seat != state.turn or state.phase == "over":
        return out_of_turn_error(state)
    if isinstance(move, Play):
        return _play_refusal(state, seat, move.card)
    if isinstance(move, Bid):
        return _bid_refusal(state, move.tricks)
    if state.phase != "trump":
        return IllegalMove("W3", "You do not name the trump now.")
    return IllegalMove(None, "The trump is clubs, diamonds, hearts or spades.")


def _bid_refusal(state: State, tricks: int) -> IllegalMove:
    if state.phase == "trump":
        return IllegalMove("W3", "Name the trump suit first. Bidding comes next.")
    if state.phase == "play":
        return IllegalMove("W4", "Bidding is over in this round. Play a card.")
    if tricks == forbidden_bid(state.hook, state.trick_count, state.bids):
        total = state.trick_count
        return IllegalMove("W12", f"You bid last, and the bids may not add up to {total}. Bid another number.")
    return IllegalMove("W4", f"Bid a number from 0 to {state.trick_count} in this round.")


def _play_refusal(state: State, seat: int, card: int) -> IllegalMove:
    if state.phase != "play":
        rule, wanted = ("W3", "Name the trump suit") if state.phase == "trump" else ("W4", "Make your bid")
        return IllegalMove(rule, f"You cannot play cards yet. {wanted} first.")
    if card not in state.hands[seat]:
        return CARD_NAMES.not_in_hand_error(card)
    suit = "the suit" if state.follow is None else cards.SUIT_WORDS[state.follow]
    return IllegalMove("W7", f"You must follow {suit}, or play a Wizard or a Jester.")
