"""Finds the reroll that most likely meets a requirement: exactly, or marked as approximate.

Dice of one kind and face are equal, so the search decides how many of each to keep. If keeping a die changes nothing
for the others, it may as well be rerolled, because more dice never hurt. This leaves few enough cases for twenty dice
and most requirements. The steps of the search are counted, and the count does not depend on caches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from engines.jesters.requirements.evaluation import Requirement, machine_for, reroll_chance
from engines.jesters.requirements.machine import MET_STATE, Die, KindCounts, RequirementMachine

MAX_STEPS: Final = 400_000  # of the machine; enough for exact results with S20's requirements and twenty dice

DieClass = tuple[int, int]  # a kind and a face


class BestReroll(NamedTuple):
    """A chance, the places of the dice to reroll for it (from 0), and whether no other reroll is better."""

    chance: Fraction
    places: tuple[int, ...]
    is_exact: bool


class _StepLimitExceeded(Exception):
    """The search would take more steps than allowed."""


@lru_cache(4096)
def best_reroll(requirement: Requirement, dice: tuple[Die, ...], max_steps: int = MAX_STEPS) -> BestReroll:
    """Return the best reroll of one or more of these dice. It rerolls no die without a benefit.

    If that takes too many steps, return the best reroll of one, two or all dice.
    """
    try:
        return _RerollSearch(machine_for(requirement), dice, max_steps).find_best()
    except _StepLimitExceeded:
        return _best_simple_reroll(requirement, dice)


class _RerollSearch:
    """A search over all choices of dice to keep."""

    def __init__(self, roll: RequirementMachine, dice: Sequence[Die], steps: int) -> None:
        self._roll = roll
        self._dice = dice
        self._steps_left = steps
        self._counts = sorted(Counter((roll.kind_of(colour), face) for colour, face in dice).items())
        self._successes: dict[tuple[int, KindCounts], int] = {}

    def find_best(self) -> BestReroll:
        """Return the best chance, with the smallest reroll among those considered, without dice that do not matter."""
        found = [each for each in self._keep_options() if any(each[1])]
        sure = [each for each in found if each[0] == MET_STATE]
        chances = (
            (self._reroll_chance(state, rerolled), -sum(rerolled), counts_kept)
            for state, rerolled, counts_kept in sure or found
        )
        chance, _, counts_kept = max(chances)
        return BestReroll(chance, self._reroll_places(self._keep_harmless(chance, list(counts_kept))), is_exact=True)

    def _keep_options(self) -> Iterator[tuple[int, KindCounts, tuple[int, ...]]]:
        """By class: how many dice may be kept, the resulting state, and the number of rerolled dice by kind."""
        nothing = self._roll.count_kinds(())
        found: dict[tuple[int, KindCounts], tuple[int, ...]] = {(self._roll.start_state, nothing): ()}
        for own, number in self._counts:
            after: dict[tuple[int, KindCounts], tuple[int, ...]] = {}
            for (state, rerolled), counts_kept in found.items():
                for keep, then in self._keep_counts(state, own, number):
                    after.setdefault((then, _add_kind(rerolled, own[0], number - keep)), (*counts_kept, keep))
            found = after
        return ((state, rerolled, counts_kept) for (state, rerolled), counts_kept in found.items())

    def _keep_counts(self, state: int, own: DieClass, number: int) -> Iterator[tuple[int, int]]:
        """Return how many dice of a class may be kept, with the state after each, as long as the state changes."""
        yield 0, state
        for keep in range(1, number + 1):
            self._spend_steps(1)
            then = self._roll.step(state, _die_number(own))
            if then == state:
                return
            state = then
            yield keep, state

    def _keep_harmless(self, chance: Fraction, counts_kept: list[int]) -> list[int]:
        """Also keep dice that leave the chance unchanged, as long as at least one die is rerolled."""
        for place, (_, number) in enumerate(self._counts):
            while counts_kept[place] < number and sum(counts_kept) < len(self._dice) - 1:
                counts_kept[place] += 1
                if self._chance_keeping(counts_kept) < chance:
                    counts_kept[place] -= 1
                    break
        return counts_kept

    def _chance_keeping(self, counts_kept: Sequence[int]) -> Fraction:
        state, rerolled = self._roll.start_state, self._roll.count_kinds(())
        for (own, number), keep in zip(self._counts, counts_kept, strict=True):
            self._spend_steps(keep)
            for _ in range(keep):
                state = self._roll.step(state, _die_number(own))
            rerolled = _add_kind(rerolled, own[0], number - keep)
        return self._reroll_chance(state, rerolled)

    def _reroll_chance(self, state: int, rerolled: KindCounts) -> Fraction:
        return Fraction(self._count_successes(self._roll.canonical_state(state), rerolled), 6 ** sum(rerolled))

    def _count_successes(self, state: int, rerolled: KindCounts) -> int:
        """Return how many outcomes of this many dice meet the requirement from that canonical state."""
        if state == MET_STATE or not any(rerolled):
            return 6 ** sum(rerolled) if state == MET_STATE else 0
        found = self._successes.get((state, rerolled))
        if found is None:
            self._spend_steps(6)
            kind = max(kind for kind, number in enumerate(rerolled) if number)
            rest, roll = _add_kind(rerolled, kind, -1), self._roll
            to = [roll.canonical_state(roll.step(state, _die_number((kind, face)))) for face in range(1, 7)]
            found = self._successes[state, rerolled] = sum([self._count_successes(then, rest) for then in to])
        return found

    def _reroll_places(self, counts_kept: Sequence[int]) -> tuple[int, ...]:
        """Return the places of the dice that are not kept; of equal dice, the first ones."""
        rerolled = {own: number - keep for (own, number), keep in zip(self._counts, counts_kept, strict=True)}
        found = []
        for place, (colour, face) in enumerate(self._dice):
            own = self._roll.kind_of(colour), face
            if rerolled[own]:
                rerolled[own] -= 1
                found.append(place)
        return tuple(found)

    def _spend_steps(self, steps: int) -> None:
        self._steps_left -= steps
        if self._steps_left < 0:
            raise _StepLimitExceeded


def _best_simple_reroll(requirement: Requirement, dice: tuple[Die, ...]) -> BestReroll:
    """Return the best reroll of one, two or all dice. Equal dice are tried once."""
    sets: dict[tuple[Die, ...], tuple[int, ...]] = {}
    for size in sorted({1, min(2, len(dice)), len(dice)}):
        for places in combinations(range(len(dice)), size):
            sets.setdefault(tuple(sorted(dice[place] for place in places)), places)
    chances = [(reroll_chance(requirement, dice, some), some) for some in sets.values()]
    chance, places = max(chances, key=lambda found: found[0])  # the first of the smallest
    return BestReroll(chance, places, is_exact=False)


def _die_number(own: DieClass) -> int:
    """Return the machine's number for the die."""
    return 6 * own[0] + own[1] - 1


def _add_kind(kinds: KindCounts, kind: int, number: int) -> KindCounts:
    """Return the counts with more dice of that kind."""
    return (*kinds[:kind], kinds[kind] + number, *kinds[kind + 1 :])
