"""Wizard's moves: which are legal, and how they are written: `trump H`, `bid 2`, `play 10H`, `play wizard`."""

from __future__ import annotations

from collections.abc import Sequence

from engines.kit import notation
from engines.kit.notation import NUMBER, Kind, Notation, verb
from engines.wizard import deck
from engines.wizard.deck import JESTER, KINDS, SUIT, holds
from engines.wizard.model import Bid, Move, NameTrump, Play, State

NOTATION = Notation[Move](
    "Wizard",
    verb("trump", NameTrump, notation.SUIT),
    verb("bid", Bid, NUMBER, said="A bid is a whole number, 0 or more."),
    verb("play", Play, Kind(deck.card, deck.name)),
)

# They are frozen, and making one costs more than playing it: all are made once.
PLAYS = tuple(Play(card) for card in range(KINDS))
BIDS = tuple(Bid(tricks) for tricks in range(21))
TRUMPS = tuple(NameTrump(suit) for suit in range(4))


def legal(state: State, seat: int) -> Sequence[Move]:
    """Bids from 0 up, suits in order, or the cards of the hand that may be played, each kind once."""
    if seat != state.turn:
        return ()
    if state.phase != "play":
        return BIDS[: state.round + 1] if state.phase == "bid" else TRUMPS if state.phase == "trump" else ()
    hand, follow = state.hands[seat], state.follow
    if follow is not None and holds(hand, follow):
        hand = [card for card in hand if SUIT[card] == follow or card >= JESTER]  # W7
    if len(hand) > 1 and hand[-2] >= JESTER:  # of these there can be more than one
        hand = list(dict.fromkeys(hand))
    return [PLAYS[card] for card in hand]
