"""Wizard's legal moves and their notation: `trump H`, `bid 2`, `play 10H`, `play wizard`.

With special cards also `trump none`, `raise`, `lower` and `pass 4C`.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.kit import notation
from engines.kit.notation import NUMBER, Notation, PartFormat, Verb, Words, verb
from engines.wizard import deck
from engines.wizard.deck import CARD_KINDS, JESTER, SUIT, has_suit
from engines.wizard.house_rules import forbidden_bid
from engines.wizard.model import Bid, LowerBid, Move, NameTrump, PassCard, Play, RaiseBid, State

NO_TRUMP = "none"
CARD = PartFormat(deck.parse_card, deck.card_name)


def _parse_trump(words: Words) -> NameTrump:
    text = " ".join(words)
    return NameTrump(None if text.lower() == NO_TRUMP else notation.SUIT.parse(text))


def _format_trump(move: NameTrump) -> tuple[str]:
    return (NO_TRUMP if move.suit is None else notation.SUIT.format(move.suit),)


NOTATION = Notation[Move](
    "Wizard",
    Verb("trump", NameTrump, _parse_trump, _format_trump),
    verb("bid", Bid, NUMBER, usage="A bid is a whole number, 0 or more."),
    verb("play", Play, CARD),
    verb("pass", PassCard, CARD),
    verb("raise", RaiseBid),
    verb("lower", LowerBid),
)

# All moves are created once. They are immutable, and creating one costs more than playing it.
PLAY_MOVES = tuple(Play(card) for card in range(CARD_KINDS))
BID_MOVES = tuple(Bid(tricks) for tricks in range(21))
TRUMP_MOVES = tuple(NameTrump(suit) for suit in range(4))
CHAMELEON_MOVES = (*TRUMP_MOVES, NameTrump(None))
PASS_MOVES = tuple(PassCard(card) for card in range(CARD_KINDS))
RAISE, LOWER = RaiseBid(), LowerBid()


def legal_moves(state: State, seat: int) -> Sequence[Move]:
    """Return bids from 0 up, suits in order, or the playable cards of the hand, without repetitions."""
    if state.phase != "play":
        return _other_moves(state, seat)
    if seat != state.turn:
        return ()
    hand, follow = state.hands[seat], state.follow
    if follow is not None and has_suit(hand, follow):
        hand = [card for card in hand if SUIT[card] == follow or card >= JESTER]  # W7
    if len(hand) > 1 and hand[-2] >= JESTER:  # there can be several identical ones of these
        hand = list(dict.fromkeys(hand))
    return [PLAY_MOVES[card] for card in hand]


def _other_moves(state: State, seat: int) -> Sequence[Move]:
    """Return the moves outside the tricks."""
    if state.phase == "pass":  # W24
        return [PASS_MOVES[card] for card in dict.fromkeys(state.hands[seat])] if state.passes[seat] is None else ()
    if seat != state.turn and not is_bidding_sealed(state):
        return ()
    match state.phase:
        case "bid":
            return _legal_bids(state, seat)
        case "trump":
            return TRUMP_MOVES if state.swap is None else CHAMELEON_MOVES  # W3, W23
        case "adjust":
            return [move for move in (RAISE, LOWER) if is_bid_possible(state, adjusted_bid(state, move))]
    return ()


def adjusted_bid(state: State, move: RaiseBid | LowerBid) -> int:
    """Return the bid of the seat in turn after it is changed (W25)."""
    return (state.bids[state.turn] or 0) + (1 if isinstance(move, RaiseBid) else -1)


def is_bid_possible(state: State, tricks: int) -> bool:
    """Whether a bid is from 0 to the number of cards of the round (W4, W25)."""
    return 0 <= tricks <= state.trick_count


def is_bidding_sealed(state: State) -> bool:
    """Whether all seats that have not bid may do so now (W16, W17)."""
    return state.phase == "bid" and state.bidding != "open"


def _legal_bids(state: State, seat: int) -> Sequence[Move]:
    if state.bids[seat] is not None:
        return ()
    bids = BID_MOVES[: state.trick_count + 1]
    hooked = forbidden_bid(state.hook, state.trick_count, state.bids)
    return bids if hooked is None else (*bids[:hooked], *bids[hooked + 1 :])  # W12
