"""Chances and help in Jesters: the best reroll, dice to perform with, what a move does to an attempt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from cogs.jesters.tasks import percent
from engines.jesters.components import effects
from engines.jesters.components.catalogue import COLOURS, Reroll
from engines.jesters.model import Move, UseGift, View
from engines.jesters.requirements import prospects, rerolls
from engines.jesters.requirements.evaluation import Die, Requirement, chance, missing, reroll_chance
from engines.jesters.requirements.rerolls import Best

MEETS, CLOSER = "meets it", "brings it closer"
NOTHING = (0, 0, 0)  # is what dice lack that meet it

Dice = tuple[Die, ...]


def shown(view: View) -> Dice:
    """The dice of the attempt as they count: colour and face."""
    assert view.attempt is not None
    return tuple((die.colour, die.face) for die in view.attempt.dice)


def best_reroll(view: View) -> Best:
    """The likeliest reroll, with its dice by number, and whether it is known to be the best one."""
    best = rerolls.best_reroll(prospects.task(view).requirement, shown(view))
    return best._replace(places=tuple(place + 1 for place in best.places))


def every_die(view: View) -> range:
    """The numbers of all dice of the attempt."""
    assert view.attempt is not None
    return range(1, len(view.attempt.dice) + 1)


# Choosing dice to perform with


def fitting(requirement: Requirement, owned: Sequence[int], number: int) -> tuple[int, ...]:
    """So many of one's dice by colour, those of the colours asked for first: first as many as asked for, then more."""
    asked = requirement.colours
    order = [colour for colour in range(4) for _ in range(min(asked[colour], owned[colour]))]
    order += [colour for colour in range(4) if asked[colour] for _ in range(owned[colour] - asked[colour])]
    order += [colour for colour in range(4) if not asked[colour] for _ in range(owned[colour])]
    return tuple(order[:number].count(colour) for colour in range(4))


def chance_of(requirement: Requirement, counts: Sequence[int]) -> Fraction:
    """The chance that so many dice of each colour meet it without changes."""
    return chance(requirement, [colour for colour in range(4) for _ in range(counts[colour])])


# Cards and Gifts


def effect(view: View, move: Move) -> str | None:
    """Whether a move without luck would meet the requirement, or bring it closer."""
    requirement, dice = prospects.task(view).requirement, shown(view)
    after = prospects.after(view, move)
    if after is None:
        return None
    lack = _lack(requirement, tuple(sorted(after)))
    if lack == NOTHING:
        return MEETS
    return CLOSER if lack < _lack(requirement, tuple(sorted(dice))) else None


@lru_cache(4096)
def _lack(requirement: Requirement, dice: Dice) -> tuple[int, int, int]:
    """What dice lack, to compare: colours, dice, points. Sorted, since many changes make the same of them."""
    lack = missing(requirement, dice)
    return NOTHING if lack is None else (sum(lack.colours), lack.dice, lack.points)


def lucky(view: View, moves: Sequence[Move]) -> Iterator[str]:
    """Gifts that leave it to luck, and how likely they do it."""
    requirement, dice = prospects.task(view).requirement, shown(view)
    extra = [
        (reroll_chance(requirement, (*dice, (move.colour, 1)), [len(dice)]), move)
        for move in moves
        if isinstance(move, UseGift) and move.colour is not None
    ]
    for gift in dict.fromkeys(move.gift for _, move in extra):
        best, found = max(((c, m) for c, m in extra if m.gift == gift), key=lambda each: each[0])
        if best:
            yield f"Gift {gift} (a {COLOURS[found.colour or 0]} die, {percent(best)})"
    again = prospects.chance(view, every_die(view))
    for move in moves:
        if again and isinstance(move, UseGift) and isinstance(effects.effect(move.gift), Reroll):
            yield f"Gift {move.gift} (rolls all dice again, {percent(again)})"
