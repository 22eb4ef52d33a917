"""What helps in an attempt, from the view: what the dice lack, what would complete it, and with which chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from engines.jesters.components import effects
from engines.jesters.components.catalogue import Favorite, Performance
from engines.jesters.model import Attempt, Move, Spend, UseGift, View
from engines.jesters.requirements import evaluation
from engines.jesters.requirements.evaluation import Die, Missing

ASKED = 3  # S20: no requirement asks for more dice of one colour


def task(view: View) -> Performance | Favorite:
    """What is being performed. Only while there is an attempt."""
    return effects.task(_attempt(view).target, view.favorite)


def met(view: View) -> bool:
    """Whether the dice meet the requirement as they lie."""
    return evaluation.met(task(view).requirement, _dice(_attempt(view)))


def missing(view: View) -> Missing | None:
    """What the dice lack; None where they lack nothing."""
    return evaluation.missing(task(view).requirement, _dice(_attempt(view)))


def after(view: View, move: Move) -> list[Die] | None:
    """The dice after a move in which there is no luck, and of a Gift of another colour, if it meets the requirement."""
    dice = _dice(_attempt(view))
    match move:
        case Spend(_, die, face):
            return _turned(dice, die, face)
        case UseGift(_, int(die)):
            return _turned(dice, die, 7 - dice[die - 1][1])
        case UseGift(gift, None, None) if numbers := to_paint(view, gift):
            colour = effects.paint(gift)
            assert colour is not None
            return _painted(_attempt(view), numbers, colour)
    return None


def to_paint(view: View, gift: int) -> tuple[int, ...]:
    """The fewest dice, by number, that meet the requirement once that Gift has changed their colour; () if none do."""
    attempt, colour = _attempt(view), effects.paint(gift)
    if colour is not None:
        for numbers in _paintable(attempt, colour):
            if _meets(view, _painted(attempt, numbers, colour)):
                return numbers
    return ()


def chance(view: View, marked: Sequence[int] | None = None) -> Fraction:
    """The chance that the requirement is met after rerolling those dice, by number; by default the marked ones.

    While dice are marked for a Gift of another colour there is no luck in it: 1 or 0.
    """
    attempt = _attempt(view)
    numbers = attempt.marked if marked is None else marked
    colour = effects.paint(attempt.marking)
    if colour is not None:
        return Fraction(_meets(view, _painted(attempt, numbers, colour)))
    places = [number - 1 for number in numbers]
    return evaluation.reroll_chance(task(view).requirement, _dice(attempt), places)


def _attempt(view: View) -> Attempt:
    if view.attempt is None:
        raise ValueError("no dice lie rolled")
    return view.attempt


def _dice(attempt: Attempt) -> list[Die]:
    return [(die.colour, die.face) for die in attempt.dice]


def _meets(view: View, dice: Sequence[Die]) -> bool:
    return evaluation.met(task(view).requirement, dice)


def _painted(attempt: Attempt, numbers: Sequence[int], colour: int) -> list[Die]:
    """The dice once those are of that colour."""
    return [(colour if number in numbers else die.colour, die.face) for number, die in enumerate(attempt.dice, 1)]


def _turned(dice: Sequence[Die], number: int, face: int) -> list[Die]:
    """The dice once that one shows another face."""
    return [*dice[: number - 1], (dice[number - 1][0], face), *dice[number:]]


def _paintable(attempt: Attempt, colour: int) -> Iterator[tuple[int, ...]]:
    """The dice that may get a colour, the fewest first: no requirement asks for more of one. Dice alike come once."""
    others = [number for number, die in enumerate(attempt.dice, 1) if die.colour != colour]
    tried: set[tuple[tuple[int, int], ...]] = set()
    for size in range(1, ASKED + 1):
        for numbers in combinations(others, size):
            alike = tuple(sorted([attempt.dice[number - 1][1:] for number in numbers]))
            if alike not in tried:
                tried.add(alike)
                yield numbers
