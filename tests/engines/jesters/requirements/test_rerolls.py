"""Jesters: the best reroll, against every other one; and how much is looked at to find it."""

from __future__ import annotations

import os
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from engines.jesters.components.catalogue import all_components
from engines.jesters.requirements import evaluation, rerolls
from engines.jesters.requirements.evaluation import is_met, machine_for, parse_requirement, reroll_chance
from engines.jesters.requirements.machine import Die
from engines.jesters.requirements.rerolls import best_reroll
from tests.engines.jesters import reference_requirements

MORE = 20 if os.environ.get("MOTLEY_SOAK") else 1
RED, BLUE, GREEN, PURPLE = range(4)
OWN = sorted({str(task.requirement) for task in (*all_components().performances, *all_components().favorites)})
TEXTS = [
    *("sum >= 15", "sum >= 22, one red", "2 dice sum <= 6", "3 dice sum <= 7, one blue", "4 dice >= 4, two red"),
    *("pair, one blue", "4 alike, two red, two blue", "pair and 3 alike, one green", "3 alike and 3 alike, two red"),
    *("run of 4, one red", "run of 6, two blue, one purple", "5 different, one red, one green", "each 6 6, one red"),
    *("3 alike, two blue", "run of 3, one blue, two purple", "2 dice sum <= 5, two blue", "each 1/2/3 4/5/6, one red"),
    *("each 1/3 2/4 2/5 1/6, two red, two blue", "each 1/2/3/4/5/6 6, one red, one green"),
]
NINE: tuple[Die, ...] = (
    *((RED, 4), (RED, 6), (BLUE, 4), (BLUE, 5), (GREEN, 2), (GREEN, 2), (GREEN, 2), (PURPLE, 5), (PURPLE, 2)),
)


def random_dice(rng: Random, number: int) -> tuple[Die, ...]:
    """Dice of any or of few colours that show all faces, or few of them."""
    low = rng.randint(1, 6)
    high = rng.randint(low, 6) if rng.random() < 0.6 else 6
    colours = rng.choice([(0, 1, 2, 3), (0, 1, 2, 3), (0, 1), (1, 2), (3,)])
    return tuple((rng.choice(colours), rng.randint(low, high)) for _ in range(number))


def all_dice(rng: Random) -> tuple[Die, ...]:
    low = rng.randint(1, 6)
    high = rng.randint(low, 6)
    return tuple((colour, rng.randint(low, high)) for colour in range(4) for _ in range(5))


def all_choices(number: int) -> list[tuple[int, ...]]:
    return [some for size in range(1, number + 1) for some in combinations(range(number), size)]


def test_the_best_reroll_is_that_of_the_examples() -> None:
    requirement = parse_requirement("each 6 6, one red")  # all but the one die that fits
    found = best_reroll(requirement, NINE)
    assert found == (1 - Fraction(5, 6) ** 8, (0, 2, 3, 4, 5, 6, 7, 8), True)
    assert best_reroll(requirement, NINE[::-1]).places == (0, 1, 2, 3, 4, 5, 6, 8)
    dice = ((RED, 1), (GREEN, 2), (GREEN, 5), (RED, 1), (GREEN, 1), (BLUE, 6))  # some of which cannot matter
    assert best_reroll(parse_requirement("3 dice >= 4, three green"), dice) == (Fraction(1, 4), (1, 4), True)


@pytest.mark.parametrize("text", sorted({*TEXTS, *OWN}))
def test_the_best_reroll_is_the_best_of_all_by_the_book(text: str) -> None:
    rng, requirement = Random(text), parse_requirement(text)
    for number in (1, 2, 3, 4, *([5] if MORE > 1 else [])):
        dice = random_dice(rng, number)
        found = best_reroll(requirement, dice)
        every = {some: reference_requirements.hit_share(text, dice, some) for some in all_choices(number)}
        assert found.is_exact
        assert (found.chance, every[found.places]) == (max(every.values()),) * 2, dice


@pytest.mark.parametrize("text", sorted({*TEXTS, *OWN}))
def test_the_best_reroll_of_up_to_ten_dice_is_the_best_of_all_and_rerolls_no_die_for_nothing(text: str) -> None:
    rng, requirement = Random(text), parse_requirement(text)
    for number in (4, 5, 7, 9, 10):
        dice = random_dice(rng, number)
        found = best_reroll(requirement, dice)
        chances = {some: reroll_chance(requirement, dice, some) for some in all_choices(number)}
        assert found.is_exact
        assert (found.chance, chances[found.places]) == (max(chances.values()),) * 2, dice
        for place in found.places if len(found.places) > 1 else ():
            fewer = tuple(other for other in found.places if other != place)
            assert chances[fewer] < found.chance, (dice, place)


# --- how much is looked at


@pytest.mark.parametrize("text", OWN)
def test_with_all_twenty_dice_the_best_reroll_of_every_performance_is_exact(text: str) -> None:
    rng, requirement = Random(text), parse_requirement(text)
    rolls = [all_dice(rng) for _ in range(12 * MORE)]
    rolls.append(tuple((place // 5, place % 6 + 1) for place in range(20)))  # as many kinds of dice as can be
    for dice in rolls:
        found = best_reroll(requirement, dice)
        assert found.is_exact, dice
        assert reroll_chance(requirement, dice, found.places) == found.chance
        tried = [(place,) for place in range(20)] + [tuple(range(20))]
        assert max(reroll_chance(requirement, dice, some) for some in tried) <= found.chance


@pytest.mark.parametrize("text", ["4 alike, two red, two blue", "3 alike, two blue"])
def test_a_search_that_takes_too_long_is_not_called_exact(text: str) -> None:
    requirement, dice = parse_requirement(text), all_dice(Random(7))
    few = [some for some in all_choices(4) if len(some) < 3]
    found = best_reroll(requirement, dice[3:7], 0)
    assert not found.is_exact
    assert found.chance == max(reroll_chance(requirement, dice[3:7], some) for some in [*few, (0, 1, 2, 3)])
    assert reroll_chance(requirement, dice[3:7], found.places) == found.chance


@pytest.mark.parametrize("text", ["4 alike, two red, two blue", "3 alike, two blue", "3 alike and 3 alike, two red"])
def test_no_more_steps_are_taken_than_are_allowed(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = tuple((place // 5, place % 6 + 1) for place in range(20))
    roll, taken = machine_for(parse_requirement(text)), [0]
    plain = roll.step

    def step(state: int, die: int) -> int:
        taken[0] += 1
        return plain(state, die)

    monkeypatch.setattr(roll, "step", step)
    monkeypatch.setattr(rerolls, "_best_simple_reroll", lambda *_: None)
    for allowed in (50, 500, 2_000):
        taken[0] = 0
        assert best_reroll(parse_requirement(text), dice, allowed) is None
        assert allowed // 2 < taken[0] <= allowed
    best_reroll.cache_clear()


def test_cached_work_does_not_change_the_answer() -> None:
    requirement = parse_requirement("run of 3, one red, one green")
    dice = tuple((place % 4, place % 2 + 1) for place in range(20))
    cold = [best_reroll(requirement, dice, steps).is_exact for steps in (200, 2_000, 20_000, 200_000)]
    best_reroll.cache_clear()
    evaluation.success_chance(requirement, [*range(4)] * 5)
    assert [best_reroll(requirement, dice, steps).is_exact for steps in (200, 2_000, 20_000, 200_000)] == cold
    assert cold == sorted(cold)
    assert len({*cold}) == 2


def test_a_machine_that_has_found_too_much_begins_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation, "MAX_MACHINE_SIZE", 500)
    requirement, rng = parse_requirement("3 alike, one blue"), Random(1)
    for _ in range(30):
        dice = random_dice(rng, 9)
        assert is_met(requirement, dice) == reference_requirements.meets_requirement("3 alike, one blue", dice)
        best_reroll(requirement, dice)
        assert machine_for(requirement).cache_size < 6_000
    assert machine_for(requirement).cache_size <= 500
