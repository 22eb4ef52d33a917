"""The Court's moves: shared values, the legal moves of a hand, and their notation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, partial
from itertools import combinations

from engines.court import board, deck
from engines.court.board import SQUARES, START_SQUARES
from engines.court.deck import ACES, COURT_CARDS, JACK, MENHIR, NUMBER_CARDS, QUEEN
from engines.court.model import (
    FULL_HEALTH,
    Attack,
    Discard,
    Give,
    Heal,
    Move,
    Place,
    Push,
    SetMenhir,
    Skip,
    State,
    Step,
    Strike,
)
from engines.kit.lazy_moves import LazyMoves, Segment, as_segment
from engines.kit.notation import SEAT, SUIT, Notation, PartFormat, RepeatedPart, verb

ONE_CARD_HINT = "Name one card, such as 4H."
CARD = PartFormat(deck.parse_card, deck.card_name)
SQUARE = PartFormat(board.parse_square, board.square_name)
NOTATION = Notation[Move](
    "Jester's Court",
    verb("place", Place, SQUARE),
    verb("give", Give, SUIT),
    verb("move", Step, CARD, usage=ONE_CARD_HINT),
    verb("skip", Skip),
    verb("push", Push, CARD, SEAT, usage="Name a card and the seat whose Mage it moves, such as 4H B."),
    verb(
        "attack",
        Attack,
        CARD,
        RepeatedPart(SEAT, most=3, is_sorted=True),
        usage="Name a card and, unless it attacks everybody, the seats, such as QH B C.",
    ),
    verb("strike", Strike, CARD, usage=ONE_CARD_HINT),
    verb("heal", Heal, CARD, usage=ONE_CARD_HINT),
    verb("menhir", SetMenhir, SQUARE),
    verb("discard", Discard, CARD, usage=ONE_CARD_HINT),
)

SKIP = Skip()
STEP_MOVES = tuple(Step(card) for card in range(52))
PLACE_MOVES = tuple(map(Place, START_SQUARES))
SET_MENHIR_MOVES = tuple(SetMenhir(square) for square in SQUARES if square not in START_SQUARES)
_SET_MENHIR_PLACES = {move.square: place for place, move in enumerate(SET_MENHIR_MOVES)}


def legal_moves(state: State, seat: int) -> Sequence[Move]:
    """Return what the seat owes, or what its hand allows in this phase. Identical cards count once, in the hand's
    order."""
    if state.owed:
        owed = state.owed[0]
        if seat != owed.seat:
            return ()
        if owed.what == "place":
            return _place_moves(state.mages)
        return [Give(suit) for suit in state.banners[seat]]
    if seat != state.turn or state.phase == "over":
        return ()
    hand = state.hands[seat]
    if state.phase == "move":
        return _step_moves(hand)
    return _hinder_moves(state, seat)


def _place_moves(mages: Sequence[int]) -> Sequence[Move]:
    """Return one move for each starting square without a Mage."""
    return [move for move in PLACE_MOVES if move.square not in mages]


def _step_moves(hand: Sequence[int]) -> Sequence[Move]:
    """Return the moves of Phase One (T4): number cards; or, without any, court cards and skipping."""
    listed: list[Move] = []
    last = -1
    for card in hand:  # sorted, so identical cards are adjacent
        if card in NUMBER_CARDS and card != last:
            listed.append(STEP_MOVES[card])
            last = card
    return listed or [*[STEP_MOVES[card] for card in dict.fromkeys(hand) if card in COURT_CARDS], SKIP]


def _hinder_moves(state: State, seat: int) -> Sequence[Move]:
    """Return the moves of Phase Two for the seat's hand (T8)."""
    hand, mages = state.hands[seat], state.mages
    them, hurt = other_seats(len(mages), seat), state.health[seat] < FULL_HEALTH
    listed: list[Move] = []
    last = -1
    for card in hand:  # sorted, so identical cards are adjacent
        if card != last:
            listed += _card_moves(card, them, hurt)
            last = card
    return LazyMoves(as_segment(listed), _menhir_moves((*mages, *state.menhirs))) if hand[-1] == MENHIR else listed


def _menhir_moves(occupied: Iterable[int]) -> Segment[Move]:
    """Return moves that put the Menhir on each of some 480 squares without a piece that are not starting squares.

    `standing`: the squares of all Mages and Menhirs.
    """
    taken = sorted([_SET_MENHIR_PLACES[square] for square in occupied if square in _SET_MENHIR_PLACES])
    return partial(_menhir_move, taken), len(SET_MENHIR_MOVES) - len(taken)


def _menhir_move(taken: Sequence[int], place: int) -> SetMenhir:
    for square in taken:
        place += square <= place
    return SET_MENHIR_MOVES[place]


@cache
def _card_moves(card: int, others: tuple[int, ...], is_hurt: bool) -> tuple[Move, ...]:
    """Return the uses of a card in Phase Two, except for setting the Menhir."""
    return (*_effect_moves(card, others, is_hurt), Discard(card))


def _effect_moves(card: int, others: tuple[int, ...], is_hurt: bool) -> tuple[Move, ...]:
    if card in NUMBER_CARDS:
        return tuple(Push(card, other) for other in others)
    if card in COURT_CARDS:
        return tuple(Attack(card, targets) for targets in attack_targets(card, others))
    if card in ACES:
        return (Strike(card), Heal(card)) if is_hurt else (Strike(card),)
    return ()


@cache
def other_seats(seats: int, seat: int) -> tuple[int, ...]:
    """Return all seats except one."""
    return tuple(other for other in range(seats) if other != seat)


@cache
def attack_targets(card: int, others: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the sets of seats that a court card may attack (T9). `()` means everybody."""
    if len(others) < 3 or card % 13 not in (JACK, QUEEN):
        return ((),)
    one = tuple(combinations(others, 1))
    return one if card % 13 == JACK else (*one, *combinations(others, 2))
