"""Jokers' legal moves as a lazy list, because there are some 255 trades, and their notation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from itertools import combinations

from engines.jokers import deck
from engines.jokers.deck import HAND_SIZE, SAFETY_DEPTH
from engines.jokers.melds import is_full_hand
from engines.jokers.model import Declare, Discard, Done, Keep, Move, State, Take, Trade, TurnUp
from engines.kit.lazy_moves import LazyMoves, as_segment
from engines.kit.notation import NUMBER, Notation, PartFormat, RepeatedPart, verb

CARD = PartFormat(deck.parse_card, deck.card_name)
NOTATION = Notation[Move](
    "Jokers",
    verb("trade", Trade, RepeatedPart(CARD, 1, 8), usage="Name 1 to 8 cards to trade, such as 4C 9D joker."),
    verb("safety", TurnUp, NUMBER, usage="Name the safety card to turn up: 1 or 2."),
    verb("take", Take, NUMBER, usage="Name a depth in the discard pile, 1 for its top card."),
    verb("keep", Keep),
    verb("discard", Discard, CARD, usage="Name the card to discard, such as 4C."),
    verb("declare", Declare),
    verb("done", Done),
)

DECLARE, DONE, KEEP = Declare(), Done(), Keep()
TAKE_MOVES = tuple(Take(depth) for depth in range(1, 14))
DISCARD_MOVES = tuple(Discard(card) for card in range(deck.CARD_KINDS))
TURN_UP_MOVES = (TurnUp(1), TurnUp(2))


def legal_moves(state: State, seat: int) -> Sequence[Move]:
    """Return trades (each set of cards once, in the hand's order) and other moves, or the choices for a safety card."""
    if seat != state.turn or state.phase == "over":
        return ()
    if state.phase == "turn":
        return _turn_moves(state, seat)
    if state.phase == "safety":
        return _take_moves(safety_reach(state))
    return _discard_moves(state.hands[seat])


def safety_reach(state: State) -> int:
    """Return how deep the turned-up safety card reaches into the discard pile (K4)."""
    return 0 if state.turned is None else min(SAFETY_DEPTH[state.turned], len(state.discard))


def _turn_moves(state: State, seat: int) -> Sequence[Move]:
    """Return the moves of a normal moment."""
    hand = state.hands[seat]
    down = state.down[seat] if state.discard else (False, False)
    others = _other_moves(tuple(down), state.declared is None and is_full_hand(hand))
    most = _max_trade(state)
    return _trade_moves(deck.hand_cards(hand), most, others) if most else others


def _max_trade(state: State) -> int:
    """Return how many cards may be traded now (K3)."""
    return min(HAND_SIZE, len(state.draw)) if state.trades else 0


def _trade_moves(hand: tuple[int, ...], most: int, others: Sequence[Move]) -> Sequence[Move]:
    """Return every set of up to this many cards to trade, small ones first, and then the other moves.

    `hand` is sorted; each set is listed once, in that order.
    """
    places = _trade_places(len(hand), hand[-2:] == (deck.JOKER, deck.JOKER), most)
    return LazyMoves((partial(_trade_move, hand, places), len(places)), as_segment(others))


def _trade_move(hand: tuple[int, ...], places: Sequence[tuple[int, ...]], place: int) -> Trade:
    return Trade(tuple([hand[i] for i in places[place]]))


@cache
def _trade_places(size: int, alike: bool, most: int) -> tuple[tuple[int, ...], ...]:
    """Return the ways to pick up to this many places of a hand. If the last two cards are alike, the last needs the
    other."""
    picks = (pick for number in range(1, most + 1) for pick in combinations(range(size), number))
    return tuple(pick for pick in picks if not alike or pick[-1] < size - 1 or pick[-2:] == (size - 2, size - 1))


@cache
def _other_moves(down: tuple[bool, ...], can_declare: bool) -> tuple[Move, ...]:
    """Return the moves that turn up a face-down safety card, declare if allowed, and end the turn."""
    turn_ups = tuple(move for move, is_down in zip(TURN_UP_MOVES, down, strict=True) if is_down)
    return (*turn_ups, DECLARE, DONE) if can_declare else (*turn_ups, DONE)


@cache
def _take_moves(reach: int) -> tuple[Move, ...]:
    """Return the moves that take a card from up to that depth of the discard pile, or keep the safety card."""
    return (*TAKE_MOVES[:reach], KEEP)


def _discard_moves(hand: int) -> tuple[Move, ...]:
    """Return a discard for each card of a hand, without repetitions."""
    return tuple([DISCARD_MOVES[card] for card in dict.fromkeys(deck.hand_cards(hand))])
