"""Wizard's legal moves and their notation: `trump H`, `bid 2`, `play 10H`, `play wizard`."""

from __future__ import annotations

from collections.abc import Sequence

from engines.kit import notation
from engines.kit.notation import NUMBER, Notation, PartFormat, verb
from engines.wizard import deck
from engines.wizard.deck import CARD_KINDS, JESTER, SUIT, has_suit
from engines.wizard.house_rules import forbidden_bid
from engines.wizard.model import Bid, Move, NameTrump, Play, State

NOTATION = Notation[Move](
    "Wizard",
    verb("trump", NameTrump, notation.SUIT),
    verb("bid", Bid, NUMBER, usage="A bid is a whole number, 0 or more."),
    verb("play", Play, PartFormat(deck.parse_card, deck.card_name)),
)

# All moves are created once. They are immutable, and creating one costs more than playing it.
PLAY_MOVES = tuple(Play(card) for card in range(CARD_KINDS))
BID_MOVES = tuple(Bid(tricks) for tricks in range(21))
TRUMP_MOVES = tuple(NameTrump(suit) for suit in range(4))


def legal_moves(state: State, seat: int) -> Sequence[Move]:
    """Return bids from 0 up, suits in order, or the playable cards of the hand, without repetitions."""
    if seat != state.turn and not is_bidding_sealed(state):
        return ()
    if state.phase != "play":
        return _legal_bids(state, seat) if state.phase == "bid" else TRUMP_MOVES if state.phase == "trump" else ()
    hand, follow = state.hands[seat], state.follow
    if follow is not None and has_suit(hand, follow):
        hand = [card for card in hand if SUIT[card] == follow or card >= JESTER]  # W7
    if len(hand) > 1 and hand[-2] >= JESTER:  # there can be several identical ones of these
        hand = list(dict.fromkeys(hand))
    return [PLAY_MOVES[card] for card in hand]


def is_bidding_sealed(state: State) -> bool:
    """Whether all seats that have not bid may do so now (W16, W17)."""
    return state.phase == "bid" and state.bidding != "open"


def _legal_bids(state: State, seat: int) -> Sequence[Move]:
    if state.bids[seat] is not None:
        return ()
    bids = BID_MOVES[: state.trick_count + 1]
    hooked = forbidden_bid(state.hook, state.trick_count, state.bids)
    return bids if hooked is None else (*bids[:hooked], *bids[hooked + 1 :])  # W12
