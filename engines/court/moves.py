"""The Court's moves: ready-made values, lists of what a hand can do, and their notation."""

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
        usage="Name a card and, where it does not attack everybody, the seats, such as QH B C.",
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
    """What the seat owes, or what its hand allows in this phase; each kind of card once, in the hand's order."""
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
    """Placing a Mage on each starting square on which none stands."""
    return [move for move in PLACE_MOVES if move.square not in mages]


def _step_moves(hand: Sequence[int]) -> Sequence[Move]:
    """Phase One with that hand (T4): its number cards; or without one its court cards, and skipping."""
    listed: list[Move] = []
    last = -1
    for card in hand:  # it is sorted: cards alike lie side by side
        if card in NUMBER_CARDS and card != last:
            listed.append(STEP_MOVES[card])
            last = card
    return listed or [*[STEP_MOVES[card] for card in dict.fromkeys(hand) if card in COURT_CARDS], SKIP]


def _hinder_moves(state: State, seat: int) -> Sequence[Move]:
    """Phase Two (T8): what the seat's hand can do."""
    hand, mages = state.hands[seat], state.mages
    them, hurt = other_seats(len(mages), seat), state.health[seat] < FULL_HEALTH
    listed: list[Move] = []
    last = -1
    for card in hand:  # it is sorted: cards alike lie side by side
        if card != last:
            listed += _card_moves(card, them, hurt)
            last = card
    return LazyMoves(as_segment(listed), _menhir_moves((*mages, *state.menhirs))) if hand[-1] == MENHIR else listed


def _menhir_moves(occupied: Iterable[int]) -> Segment[Move]:
    """The Menhir on each of some 480 squares: those that hold neither a Mage nor a Menhir and are no starting squares.

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
    """What a seat can do with a card in Phase Two, but for setting the Menhir."""
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
    """All seats but one."""
    return tuple(other for other in range(seats) if other != seat)


@cache
def attack_targets(card: int, others: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Whom a court card may attack (T9), in each way that it may: `()` is everybody."""
    if len(others) < 3 or card % 13 not in (JACK, QUEEN):
        return ((),)
    one = tuple(combinations(others, 1))
    return one if card % 13 == JACK else (*one, *combinations(others, 2))
