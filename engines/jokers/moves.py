"""Jokers' moves as a list that is not built: some 255 trades, each made when it is looked at; and their notation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from itertools import combinations

from engines.jokers import deck
from engines.jokers.deck import DEPTH, HAND
from engines.jokers.melds import full
from engines.jokers.model import Declare, Discard, Done, Keep, Move, State, Take, Trade, TurnUp
from engines.kit.lazy_moves import Choices, built
from engines.kit.notation import NUMBER, Kind, Notation, Several, verb

CARD = Kind(deck.card, deck.name)
NOTATION = Notation[Move](
    "Jokers",
    verb("trade", Trade, Several(CARD, 1, 8), said="Name the cards to trade, 1 to 8 of them, such as 4C 9D joker."),
    verb("safety", TurnUp, NUMBER, said="Name the safety card to turn up: 1 or 2."),
    verb("take", Take, NUMBER, said="Name a depth of the discard pile, 1 for its top card."),
    verb("keep", Keep),
    verb("discard", Discard, CARD, said="Name the one card to discard, such as 4C."),
    verb("declare", Declare),
    verb("done", Done),
)

DECLARE, DONE, KEEP = Declare(), Done(), Keep()
TAKES = tuple(Take(depth) for depth in range(1, 14))
DISCARDS = tuple(Discard(card) for card in range(deck.KINDS))
TURN_UPS = (TurnUp(1), TurnUp(2))


def legal(state: State, seat: int) -> Sequence[Move]:
    """Trades (each set of cards once, in the hand's order) and the others; or what a safety card asks for."""
    if seat != state.turn or state.phase == "over":
        return ()
    if state.phase == "turn":
        return _turn(state, seat)
    if state.phase == "safety":
        return _takes(reach(state))
    return _discards(state.hands[seat])


def reach(state: State) -> int:
    """How deep into the discard pile the safety card turned up reaches (K4)."""
    return 0 if state.turned is None else min(DEPTH[state.turned], len(state.discard))


def _turn(state: State, seat: int) -> Sequence[Move]:
    """The moves of an open moment."""
    hand = state.hands[seat]
    down = state.down[seat] if state.discard else (False, False)
    others = _others(tuple(down), state.declared is None and full(hand))
    most = _most(state)
    return _trades(deck.held(hand), most, others) if most else others


def _most(state: State) -> int:
    """How many cards may be traded now (K3)."""
    return min(HAND, len(state.draw)) if state.trades else 0


def _trades(hand: tuple[int, ...], most: int, others: Sequence[Move]) -> Sequence[Move]:
    """The moves of an open moment: every set of up to so many cards to trade, small ones first, and then the others.

    `hand` is sorted; each set is listed once, in that order.
    """
    places = _places(len(hand), hand[-2:] == (deck.JOKER, deck.JOKER), most)
    return Choices((partial(_trade, hand, places), len(places)), built(others))


def _trade(hand: tuple[int, ...], places: Sequence[tuple[int, ...]], place: int) -> Trade:
    return Trade(tuple([hand[i] for i in places[place]]))


@cache
def _places(size: int, alike: bool, most: int) -> tuple[tuple[int, ...], ...]:
    """The ways to pick up to so many places of a hand; where the last two are alike, the last only with the other."""
    picks = (pick for number in range(1, most + 1) for pick in combinations(range(size), number))
    return tuple(pick for pick in picks if not alike or pick[-1] < size - 1 or pick[-2:] == (size - 2, size - 1))


@cache
def _others(down: tuple[bool, ...], declare: bool) -> tuple[Move, ...]:
    """Turning up a safety card that is down, declaring where it is allowed, and being done."""
    turn_ups = tuple(move for move, is_down in zip(TURN_UPS, down, strict=True) if is_down)
    return (*turn_ups, DECLARE, DONE) if declare else (*turn_ups, DONE)


@cache
def _takes(reach: int) -> tuple[Move, ...]:
    """Taking a card from the discard pile no deeper than that, or keeping the safety card."""
    return (*TAKES[:reach], KEEP)


def _discards(hand: int) -> tuple[Move, ...]:
    """Discarding each card of a hand, each kind once."""
    return tuple([DISCARDS[card] for card in dict.fromkeys(deck.held(hand))])
