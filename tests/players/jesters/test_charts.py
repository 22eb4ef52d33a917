"""Jesters' charts of rolls against what the rules work out: met, mended by one tool, and rolled again."""

from __future__ import annotations

from itertools import product

import pytest

from engines.jesters.components import effects
from engines.jesters.components.catalogue import Task, components
from engines.jesters.requirements.evaluation import chance, met, read
from engines.jesters.requirements.rerolls import best_reroll
from players.jesters.charts import Stake, after, chart, hoped, rerolls, tools, valued
from players.jesters.masks import before, everything, hits, keeping, place
from tests.engines.jesters.positions import card

TASKS = [*components().performances, *components().favorites]
PAIR = read("pair, one blue")


def roll(number: int, dice: int) -> tuple[int, ...]:
    """The faces behind a bit."""
    return tuple([number // 6**die % 6 + 1 for die in range(dice)])


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_as_many_rolls_meet_a_task_as_is_likely(task: Task) -> None:
    colours = tuple(sorted(task.colours))
    assert hits(task.requirement, colours).bit_count() / 6 ** len(colours) == float(chance(task.requirement, colours))
    for faces in product(range(1, 7), repeat=len(colours)):
        found = bool(hits(task.requirement, colours) >> place(faces) & 1)
        assert found == met(task.requirement, zip(colours, faces, strict=True)), faces


@pytest.mark.parametrize("bottom", ["±1 any", "±3 blue", "±2 red", "turn blue", "turn red", "±1 green"])
def test_a_tool_mends_just_the_rolls_that_its_card_can(bottom: str) -> None:
    number, colours = card(bottom=bottom), (0, 1, 1)
    (tool,) = tools((number,), frozenset(range(4)))
    mended = before(tool, hits(PAIR, colours), colours)
    for faces in product(range(1, 7), repeat=len(colours)):
        ways = [
            (*faces[:die], face, *faces[die + 1 :])
            for die, colour in enumerate(colours)
            for face in effects.faces(number, colour, faces[die])
        ]
        expected = any(met(PAIR, zip(colours, way, strict=True)) for way in ways)
        assert bool(mended >> place(faces) & 1) == expected, faces


@pytest.mark.parametrize("colours", [(0, 1), (1, 1), (0, 1, 2)])
def test_a_roll_that_misses_is_rolled_again_as_is_likeliest(colours: tuple[int, ...]) -> None:
    chances = {number: share for share, mask in rerolls(PAIR, colours) for number in range(216) if mask >> number & 1}
    assert len(chances) == (everything(len(colours)) & ~hits(PAIR, colours)).bit_count()
    for number, share in chances.items():
        dice = tuple(zip(colours, roll(number, len(colours)), strict=True))
        assert share == float(best_reroll(PAIR, dice).chance)


def test_without_cards_a_roll_is_worth_its_chance() -> None:
    assert hoped(PAIR, (0, 1), (), (), Stake(6.0, 1.0, 0)) == pytest.approx(6 * float(chance(PAIR, (0, 1))))


def test_each_card_more_helps() -> None:
    worth = [hoped(PAIR, (0, 1), (), (), Stake(12.0, 1.0, cards)) for cards in range(4)]
    assert worth == sorted(set(worth))
    assert hoped(PAIR, (0, 1), ((2, 1),), (), Stake(12.0, 1.0, 3)) > worth[3]
    assert hoped(PAIR, (0, 1), (), (1,), Stake(12.0, 1.0, 3)) > worth[3]
    assert max(worth) < 12


def test_what_is_kept_and_met_already_is_worth_the_whole_prize() -> None:
    values = valued(chart(PAIR, (0, 1, 2), (), ()), Stake(6.0, 1.0, 3))
    assert after(values, keeping((4, 4, 1), (2,))) == 6
    assert after(values, keeping((4, 4, 1), (0,))) < 6
