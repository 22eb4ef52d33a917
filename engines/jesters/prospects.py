"""What helps in an attempt, from the view: what the dice lack, what would complete it, and with which chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from engines.jesters import effects
from engines.jesters.components.catalogue import Favorite, Performance
from engines.jesters.model import Attempt, Move, Spend, UseGift
from engines.jesters.requirements import evaluation
from engines.jesters.requirements.evaluation import Die, MissingDice
from engines.jesters.view import View

MAX_ASKED = 3  # S20: no requirement asks for more dice of one colour


def attempted_task(view: View) -> Performance | Favorite:
    """What is being performed. Only while there is an attempt."""
    return effects.task(_current_attempt(view).target, view.favorite)


def meets_requirement(view: View) -> bool:
    """Whether the dice meet the requirement as they lie."""
    return evaluation.is_met(attempted_task(view).requirement, _die_pairs(_current_attempt(view)))


def missing_dice(view: View) -> MissingDice | None:
    """What the dice lack; None where they lack nothing."""
    return evaluation.missing_dice(attempted_task(view).requirement, _die_pairs(_current_attempt(view)))


def dice_after_move(view: View, move: Move) -> list[Die] | None:
    """The dice after a move in which there is no luck, and of a Gift of another colour, if it meets the requirement."""
    dice = _die_pairs(_current_attempt(view))
    match move:
        case Spend(_, die, face):
            return _turned_dice(dice, die, face)
        case UseGift(_, int(die)):
            return _turned_dice(dice, die, 7 - dice[die - 1][1])
        case UseGift(gift, None, None) if numbers := fewest_dice_to_paint(view, gift):
            colour = effects.paint_colour(gift)
            assert colour is not None
            return _painted_dice(_current_attempt(view), numbers, colour)
    return None


def fewest_dice_to_paint(view: View, gift: int) -> tuple[int, ...]:
    """The fewest dice, by number, that meet the requirement once that Gift has changed their colour; () if none do."""
    attempt, colour = _current_attempt(view), effects.paint_colour(gift)
    if colour is not None:
        for numbers in _paintable_dice(attempt, colour):
            if _dice_meet(view, _painted_dice(attempt, numbers, colour)):
                return numbers
    return ()


def success_chance(view: View, marked: Sequence[int] | None = None) -> Fraction:
    """The chance that the requirement is met after rerolling those dice, by number; by default the marked ones.

    While dice are marked for a Gift of another colour there is no luck in it: 1 or 0.
    """
    attempt = _current_attempt(view)
    numbers = attempt.marked if marked is None else marked
    colour = effects.paint_colour(attempt.marking)
    if colour is not None:
        return Fraction(_dice_meet(view, _painted_dice(attempt, numbers, colour)))
    places = [number - 1 for number in numbers]
    return evaluation.reroll_chance(attempted_task(view).requirement, _die_pairs(attempt), places)


def _current_attempt(view: View) -> Attempt:
    if view.attempt is None:
        raise ValueError("no dice lie rolled")
    return view.attempt


def _die_pairs(attempt: Attempt) -> list[Die]:
    return [(die.colour, die.face) for die in attempt.dice]


def _dice_meet(view: View, dice: Sequence[Die]) -> bool:
    return evaluation.is_met(attempted_task(view).requirement, dice)


def _painted_dice(attempt: Attempt, numbers: Sequence[int], colour: int) -> list[Die]:
    """The dice once those are of that colour."""
    return [(colour if number in numbers else die.colour, die.face) for number, die in enumerate(attempt.dice, 1)]


def _turned_dice(dice: Sequence[Die], number: int, face: int) -> list[Die]:
    """The dice once that one shows another face."""
    return [*dice[: number - 1], (dice[number - 1][0], face), *dice[number:]]


def _paintable_dice(attempt: Attempt, colour: int) -> Iterator[tuple[int, ...]]:
    """The dice that may get a colour, the fewest first: no requirement asks for more of one. Dice alike come once."""
    others = [number for number, die in enumerate(attempt.dice, 1) if die.colour != colour]
    tried: set[tuple[tuple[int, int], ...]] = set()
    for size in range(1, MAX_ASKED + 1):
        for numbers in combinations(others, size):
            alike = tuple(sorted([attempt.dice[number - 1][1:] for number in numbers]))
            if alike not in tried:
                tried.add(alike)
                yield numbers
