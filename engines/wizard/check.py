"""The errors for illegal moves of Wizard (C3)."""

from __future__ import annotations

from engines.kit import cards
from engines.kit.errors import IllegalMove
from engines.kit.turns import out_of_turn_error
from engines.wizard.deck import CARD_NAMES, JESTER, SUIT, has_suit
from engines.wizard.house_rules import forbidden_bid
from engines.wizard.model import Bid, LowerBid, Move, NameTrump, PassCard, Play, RaiseBid, State
from engines.wizard.moves import adjusted_bid, is_bid_possible, is_bidding_sealed


def check(state: State, seat: int, move: Move) -> None:
    """Raise IllegalMove for a move out of turn, out of phase or against W3, W4, W7, W12 and W23–W25."""
    if state.phase == "pass":
        if isinstance(move, PassCard) and state.passes[seat] is None and move.card in state.hands[seat]:  # W24
            return
    elif seat == state.turn or is_bidding_sealed(state):
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
        elif isinstance(move, NameTrump):
            if state.phase == "trump" and (state.swap is not None if move.suit is None else 0 <= move.suit < 4):
                return
        elif (
            isinstance(move, RaiseBid | LowerBid)
            and state.phase == "adjust"
            and is_bid_possible(state, adjusted_bid(state, move))  # W25
        ):
            return
    raise _refusal(state, seat, move)


def _refusal(state: State, seat: int, move: Move) -> IllegalMove:
    """Return the error for a move that the rules do not allow."""
    if state.phase == "pass":
        return _pass_refusal(state, seat, move)
    if is_bidding_sealed(state):
        if state.bids[seat] is not None:
            return IllegalMove(None, "You have already bid. Wait for the others.")
    elif seat != state.turn or state.phase == "over":
        return out_of_turn_error(state)
    if state.phase == "adjust":
        return _adjustment_refusal(state, move)
    match move:
        case Play(card):
            return _play_refusal(state, seat, card)
        case Bid(tricks):
            return _bid_refusal(state, tricks)
        case PassCard():
            return IllegalMove("W24", "You can pass a card only after a trick with the Carousel.")
        case RaiseBid() | LowerBid():
            return IllegalMove("W25", "You can change your bid only after taking the Weathervane.")
        case NameTrump(suit):
            return _trump_refusal(state, suit)


def _trump_refusal(state: State, suit: int | None) -> IllegalMove:
    if state.phase != "trump":
        return IllegalMove("W3", "You cannot name the trump suit now.")
    if suit is None:
        return IllegalMove("W23", "Only the Chameleon lets you play without trumps.")
    return IllegalMove(None, "The trump suit must be clubs, diamonds, hearts or spades.")


def _pass_refusal(state: State, seat: int, move: Move) -> IllegalMove:
    if state.passes[seat] is not None:
        return IllegalMove(None, "You have already chosen a card. Wait for the others.")
    if isinstance(move, PassCard):
        return CARD_NAMES.not_in_hand_error(move.card)
    return IllegalMove("W24", "The Carousel turns. First pass a card to the left.")


def _adjustment_refusal(state: State, move: Move) -> IllegalMove:
    if isinstance(move, RaiseBid):
        return IllegalMove("W25", f"Your bid cannot go above {state.trick_count} in this round. Lower your bid.")
    if isinstance(move, LowerBid):
        return IllegalMove("W25", "Your bid cannot go below 0. Raise your bid.")
    return IllegalMove("W25", "You took the Weathervane. First raise or lower your bid by one.")


def _bid_refusal(state: State, tricks: int) -> IllegalMove:
    if state.phase == "trump":
        return IllegalMove("W3", "Name the trump suit first. Bidding comes next.")
    if state.phase == "play":
        return IllegalMove("W4", "Bidding is over in this round. Play a card.")
    if tricks == forbidden_bid(state.hook, state.trick_count, state.bids):
        total = state.trick_count
        return IllegalMove("W12", f"You bid last, and the bids must not total {total}. Bid a different number.")
    return IllegalMove("W4", f"Bid a number from 0 to {state.trick_count} in this round.")


def _play_refusal(state: State, seat: int, card: int) -> IllegalMove:
    if state.phase != "play":
        rule, wanted = ("W3", "Name the trump suit") if state.phase == "trump" else ("W4", "Make your bid")
        return IllegalMove(rule, f"You cannot play cards yet. {wanted} first.")
    if card not in state.hands[seat]:
        return CARD_NAMES.not_in_hand_error(card)
    suit = "the suit" if state.follow is None else cards.SUIT_WORDS[state.follow]
    others = "a card that belongs to no suit" if state.specials else "a Wizard or a Jester"
    return IllegalMove("W7", f"You must follow {suit}, or play {others}.")
