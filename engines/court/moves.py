"""The Court's moves: ready-made values, lists of what a hand can do, and their notation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, partial
from itertools import combinations

from engines.court import board, deck
from engines.court.board import SQUARES, STARTS
from engines.court.deck import ACES, COURTS, JACK, MENHIR, NUMBERS, QUEEN
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
from engines.kit.lazy_moves import Choices, Part, built
from engines.kit.notation import SEAT, SUIT, Kind, Notation, Several, verb

ONE_CARD = "Name one card, such as 4H."
CARD = Kind(deck.card, deck.name)
SQUARE = Kind(board.square, board.name)
NOTATION = Notation[Move](
    "Jester's Court",
    verb("place", Place, SQUARE),
    verb("give", Give, SUIT),
    verb("move", Step, CARD, said=ONE_CARD),
    verb("skip", Skip),
    verb("push", Push, CARD, SEAT, said="Name a card and the seat whose Mage it moves, such as 4H B."),
    verb(
        "attack",
        Attack,
        CARD,
        Several(SEAT, most=3, sort=True),
        said="Name a card and, where it does not attack everybody, the seats, such as QH B C.",
    ),
    verb("strike", Strike, CARD, said=ONE_CARD),
    verb("heal", Heal, CARD, said=ONE_CARD),
    verb("menhir", SetMenhir, SQUARE),
    verb("discard", Discard, CARD, said=ONE_CARD),
)

SKIP = Skip()
STEP_OF = tuple(Step(card) for card in range(52))
PLACES = tuple(map(Place, STARTS))
SET_ON = tuple(SetMenhir(square) for square in SQUARES if square not in STARTS)
_SET_PLACES = {move.square: place for place, move in enumerate(SET_ON)}


def legal(state: State, seat: int) -> Sequence[Move]:
    """What the seat owes, or what its hand allows in this phase; each kind of card once, in the hand's order."""
    if state.owed:
        owed = state.owed[0]
        if seat != owed.seat:
            return ()
        if owed.what == "place":
            return _places(state.mages)
        return [Give(suit) for suit in state.banners[seat]]
    if seat != state.turn or state.phase == "over":
        return ()
    hand = state.hands[seat]
    if state.phase == "move":
        return _steps(hand)
    return _hinders(state, seat)


def _places(mages: Sequence[int]) -> Sequence[Move]:
    """Placing a Mage on each starting square on which none stands."""
    return [move for move in PLACES if move.square not in mages]


def _steps(hand: Sequence[int]) -> Sequence[Move]:
    """Phase One with that hand (T4): its number cards; or without one its court cards, and skipping."""
    listed: list[Move] = []
    last = -1
    for card in hand:  # it is sorted: cards alike lie side by side
        if card in NUMBERS and card != last:
            listed.append(STEP_OF[card])
            last = card
    return listed or [*[STEP_OF[card] for card in dict.fromkeys(hand) if card in COURTS], SKIP]


def _hinders(state: State, seat: int) -> Sequence[Move]:
    """Phase Two (T8): what the seat's hand can do."""
    hand, mages = state.hands[seat], state.mages
    them, hurt = others(len(mages), seat), state.health[seat] < FULL_HEALTH
    listed: list[Move] = []
    last = -1
    for card in hand:  # it is sorted: cards alike lie side by side
        if card != last:
            listed += _uses(card, them, hurt)
            last = card
    return Choices(built(listed), _settings((*mages, *state.menhirs))) if hand[-1] == MENHIR else listed


def _settings(standing: Iterable[int]) -> Part[Move]:
    """The Menhir on each of some 480 squares: those that hold neither a Mage nor a Menhir and are no starting squares.

    `standing`: the squares of all Mages and Menhirs.
    """
    taken = sorted([_SET_PLACES[square] for square in standing if square in _SET_PLACES])
    return partial(_setting, taken), len(SET_ON) - len(taken)


def _setting(taken: Sequence[int], place: int) -> SetMenhir:
    for square in taken:
        place += square <= place
    return SET_ON[place]


@cache
def _uses(card: int, others: tuple[int, ...], hurt: bool) -> tuple[Move, ...]:
    """What a seat can do with a card in Phase Two, but for setting the Menhir."""
    return (*_plays(card, others, hurt), Discard(card))


def _plays(card: int, others: tuple[int, ...], hurt: bool) -> tuple[Move, ...]:
    if card in NUMBERS:
        return tuple(Push(card, other) for other in others)
    if card in COURTS:
        return tuple(Attack(card, targets) for targets in targets_of(card, others))
    if card in ACES:
        return (Strike(card), Heal(card)) if hurt else (Strike(card),)
    return ()


@cache
def others(seats: int, seat: int) -> tuple[int, ...]:
    """All seats but one."""
    return tuple(other for other in range(seats) if other != seat)


@cache
def targets_of(card: int, others: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Whom a court card may attack (T9), in each way that it may: `()` is everybody."""
    if len(others) < 3 or card % 13 not in (JACK, QUEEN):
        return ((),)
    one = tuple(combinations(others, 1))
    return one if card % 13 == JACK else (*one, *combinations(others, 2))
