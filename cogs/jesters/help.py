"""Chances and advice in Jesters: the best reroll, the dice to perform with, the effect of a move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from cogs.jesters.tasks import percent_text
from engines.jesters import effects, prospects
from engines.jesters.components.catalogue import COLOURS, Reroll
from engines.jesters.model import FAVORITE_TARGET, Move, UseGift
from engines.jesters.requirements import rerolls
from engines.jesters.requirements.evaluation import Die, Requirement, missing_dice, reroll_chance, success_chance
from engines.jesters.requirements.rerolls import BestReroll
from engines.jesters.view import View

MEETS, CLOSER = "succeeds", "gets closer"
NOTHING_MISSING = (0, 0, 0)  # for dice that meet the requirement

Dice = tuple[Die, ...]


def attempt_dice(view: View) -> Dice:
    """Return the dice of the attempt as (colour, face)."""
    assert view.attempt is not None
    return tuple((die.colour, die.face) for die in view.attempt.dice)


def best_reroll(view: View) -> BestReroll:
    """Return the reroll with the best chance, its dice by number, and whether it is certainly the best."""
    best = rerolls.best_reroll(prospects.attempted_task(view).requirement, attempt_dice(view))
    return best._replace(places=tuple(place + 1 for place in best.places))


def all_die_numbers(view: View) -> range:
    """Return the numbers of all dice of the attempt."""
    assert view.attempt is not None
    return range(1, len(view.attempt.dice) + 1)


# Choosing dice to perform with


def choose_dice(requirement: Requirement, owned: Sequence[int], number: int) -> tuple[int, ...]:
    """Return `number` of the owned dice by colour: the required ones first, then more of those colours, then others."""
    required = requirement.colours
    order = [colour for colour in range(4) for _ in range(min(required[colour], owned[colour]))]
    order += [colour for colour in range(4) if required[colour] for _ in range(owned[colour] - required[colour])]
    order += [colour for colour in range(4) if not required[colour] for _ in range(owned[colour])]
    return tuple(order[:number].count(colour) for colour in range(4))


def roll_chance(requirement: Requirement, counts: Sequence[int]) -> Fraction:
    """Return the chance that these dice, counted by colour, meet the requirement without changes."""
    return success_chance(requirement, [colour for colour in range(4) for _ in range(counts[colour])])


def chance_with_all(view: View, target: int) -> Fraction:
    """Return the chance that all dice of the view's seat meet a task without changes."""
    assert view.seat is not None
    return roll_chance(effects.task(target, view.favorite).requirement, view.dice[view.seat])


def rank_targets(view: View) -> list[int]:
    """Return what the view's seat can perform, the likeliest with all its dice first."""
    targets = [*([] if view.seat in view.done else [FAVORITE_TARGET]), *view.board]
    return sorted(targets, key=lambda target: chance_with_all(view, target), reverse=True)


# Cards and Gifts


def move_effect(view: View, move: Move) -> str | None:
    """Return whether a move meets the requirement or brings it closer, or None. Moves that need luck return None."""
    requirement, dice = prospects.attempted_task(view).requirement, attempt_dice(view)
    after = prospects.dice_after_move(view, move)
    if after is None:
        return None
    lack = _missing_counts(requirement, tuple(sorted(after)))
    if lack == NOTHING_MISSING:
        return MEETS
    return CLOSER if lack < _missing_counts(requirement, tuple(sorted(dice))) else None


@lru_cache(4096)
def _missing_counts(requirement: Requirement, dice: Dice) -> tuple[int, int, int]:
    """What the dice lack: colours, dice, points. Callers sort the dice, so that equal ones share a cache entry."""
    lack = missing_dice(requirement, dice)
    return NOTHING_MISSING if lack is None else (sum(lack.colours), lack.dice, lack.points)


def luck_texts(view: View, moves: Sequence[Move]) -> Iterator[str]:
    """Yield the Gifts that need luck, with their chances."""
    requirement, dice = prospects.attempted_task(view).requirement, attempt_dice(view)
    extra = [
        (reroll_chance(requirement, (*dice, (move.colour, 1)), [len(dice)]), move)
        for move in moves
        if isinstance(move, UseGift) and move.colour is not None
    ]
    for gift in dict.fromkeys(move.gift for _, move in extra):
        best, found = max(((c, m) for c, m in extra if m.gift == gift), key=lambda each: each[0])
        if best:
            yield f"Gift {gift} (a {COLOURS[found.colour or 0]} die, {percent_text(best)})"
    chance = prospects.success_chance(view, all_die_numbers(view))
    for move in moves:
        if chance and isinstance(move, UseGift) and isinstance(effects.gift_effect(move.gift), Reroll):
            yield f"Gift {move.gift} (rerolls all dice, {percent_text(chance)})"
