"""What helps in an attempt, from a view: what the dice lack, what would complete it, and how likely that is."""

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

MAX_ASKED = 3  # S20: no requirement needs more dice of one colour


def attempted_task(view: View) -> Performance | Favorite:
    """Return the task of the attempt. There must be one."""
    return effects.task(_current_attempt(view).target, view.favorite)


def meets_requirement(view: View) -> bool:
    """Whether the dice meet the requirement now."""
    return evaluation.is_met(attempted_task(view).requirement, _die_pairs(_current_attempt(view)))


def missing_dice(view: View) -> MissingDice | None:
    """Return what the dice lack, or None if they lack nothing."""
    return evaluation.missing_dice(attempted_task(view).requirement, _die_pairs(_current_attempt(view)))


def dice_after_move(view: View, move: Move) -> list[Die] | None:
    """Return the dice after a move without luck. For a Gift of another colour: if that meets the requirement."""
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
    """Return the fewest dice (numbers) that meet the requirement once that Gift changes their colour; () if none do."""
    attempt, colour = _current_attempt(view), effects.paint_colour(gift)
    if colour is not None:
        for numbers in _paintable_dice(attempt, colour):
            if _dice_meet(view, _painted_dice(attempt, numbers, colour)):
                return numbers
    return ()


def success_chance(view: View, marked: Sequence[int] | None = None) -> Fraction:
    """Return the chance to meet the requirement after rerolling those dice, by number; by default the marked ones.

    While dice are marked for a Gift of another colour there is no luck involved: the chance is 1 or 0.
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
        raise ValueError("there are no rolled dice")
    return view.attempt


def _die_pairs(attempt: Attempt) -> list[Die]:
    return [(die.colour, die.face) for die in attempt.dice]


def _dice_meet(view: View, dice: Sequence[Die]) -> bool:
    return evaluation.is_met(attempted_task(view).requirement, dice)


def _painted_dice(attempt: Attempt, numbers: Sequence[int], colour: int) -> list[Die]:
    """Return the dice after these have been painted in that colour."""
    return [(colour if number in numbers else die.colour, die.face) for number, die in enumerate(attempt.dice, 1)]


def _turned_dice(dice: Sequence[Die], number: int, face: int) -> list[Die]:
    """Return the dice after one has been turned to another face."""
    return [*dice[: number - 1], (dice[number - 1][0], face), *dice[number:]]


def _paintable_dice(attempt: Attempt, colour: int) -> Iterator[tuple[int, ...]]:
    """Return sets of dice that may be painted, smallest first, up to the most that requirements need, without equal
    ones."""
    others = [number for number, die in enumerate(attempt.dice, 1) if die.colour != colour]
    tried: set[tuple[tuple[int, int], ...]] = set()
    for size in range(1, MAX_ASKED + 1):
        for numbers in combinations(others, size):
            alike = tuple(sorted([attempt.dice[number - 1][1:] for number in numbers]))
            if alike not in tried:
                tried.add(alike)
                yield numbers
