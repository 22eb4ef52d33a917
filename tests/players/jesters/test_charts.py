"""Jesters' charts of rolls against what the rules work out: met, mended by one tool, and rolled again."""

from __future__ import annotations

from itertools import product

import pytest

from engines.jesters import effects
from engines.jesters.components.catalogue import Task, all_components
from engines.jesters.requirements.evaluation import is_met, parse_requirement, success_chance
from engines.jesters.requirements.rerolls import best_reroll
from players.jesters import charts
from players.jesters.charts import Stake, build_chart, card_tools, expected_value, group_values, mean_value
from players.jesters.masks import all_rolls_mask, mendable_rolls, reroll_mask, roll_index, success_rolls
from tests.engines.jesters.positions import card_with

TASKS = [*all_components().performances, *all_components().favorites]
PAIR = parse_requirement("pair, one blue")


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_as_many_rolls_meet_a_task_as_is_likely(task: Task) -> None:
    colours = tuple(sorted(task.natural_colours))
    hits = success_rolls(task.requirement, colours)
    assert hits.bit_count() / 6 ** len(colours) == float(success_chance(task.requirement, colours))
    for faces in product(range(1, 7), repeat=len(colours)):
        assert bool(hits >> roll_index(faces) & 1) == is_met(task.requirement, zip(colours, faces, strict=True)), faces


@pytest.mark.parametrize("bottom", ["±1 any", "±3 blue", "±2 red", "turn blue", "turn red", "±1 green"])
def test_a_tool_mends_just_the_rolls_that_its_card_can(bottom: str) -> None:
    number, colours = card_with(bottom=bottom), (0, 1, 1)
    (tool,) = card_tools((number,), frozenset(range(4)))
    mended = mendable_rolls(tool, success_rolls(PAIR, colours), colours)
    for faces in product(range(1, 7), repeat=len(colours)):
        rolls = [
            (*faces[:die], face, *faces[die + 1 :])
            for die, colour in enumerate(colours)
            for face in effects.reachable_faces(number, colour, faces[die])
        ]
        expected = any(is_met(PAIR, zip(colours, way, strict=True)) for way in rolls)
        assert bool(mended >> roll_index(faces) & 1) == expected, faces


@pytest.mark.parametrize("colours", [(0, 1), (1, 1), (0, 1, 2)])
def test_a_roll_that_misses_is_rolled_again_as_is_likeliest(colours: tuple[int, ...]) -> None:
    masks = charts.reroll_chances(PAIR, colours)
    chances = {number: share for share, mask in masks for number in range(216) if mask >> number & 1}
    assert len(chances) == (all_rolls_mask(len(colours)) & ~success_rolls(PAIR, colours)).bit_count()
    for number, share in chances.items():
        faces = (number // 6**die % 6 + 1 for die in range(len(colours)))
        assert share == float(best_reroll(PAIR, tuple(zip(colours, faces, strict=True))).chance)


def test_a_roll_is_worth_its_chance_and_each_card_more_helps() -> None:
    worth = [expected_value(PAIR, (0, 1), (), (), Stake(12.0, 1.0, cards)) for cards in range(4)]
    assert worth[0] == pytest.approx(12 * float(success_chance(PAIR, (0, 1))))
    assert worth == sorted(set(worth))
    assert expected_value(PAIR, (0, 1), ((2, 1),), (), Stake(12.0, 1.0, 3)) > worth[3]
    assert expected_value(PAIR, (0, 1), (), (1,), Stake(12.0, 1.0, 3)) > worth[3]
    assert max(worth) < 12


def test_dice_that_meet_the_task_already_are_worth_the_whole_prize() -> None:
    values = group_values(build_chart(PAIR, (0, 1, 2), (), ()), Stake(6.0, 1.0, 3))
    assert mean_value(values, reroll_mask((4, 4, 1), (2,))) == 6
    assert mean_value(values, reroll_mask((4, 4, 1), (0,))) < 6
