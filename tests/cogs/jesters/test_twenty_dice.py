"""The cost of drawing a hand of Jesters with all twenty dice, in interpreter steps instead of seconds."""

from __future__ import annotations

from random import Random

import pytest

from cogs.jesters import help as jesters_help
from engines.jesters.components.catalogue import all_components
from engines.jesters.model import GIFTS, State
from engines.jesters.requirements import evaluation, rerolls
from engines.jesters.requirements.evaluation import is_met
from engines.jesters.requirements.machine import RequirementMachine
from tests.cogs.jesters.states import BENCH
from tests.engines.jesters.positions import parse_position

PERFORMANCES = sorted({str(each.requirement): each.id for each in all_components().performances}.items())
CARDS = " ".join(map(str, range(1, 21)))


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the steps of all machines from now on, with empty caches."""
    for remembered in (evaluation._machine_slot, rerolls.best_reroll, jesters_help._missing_counts):
        remembered.cache_clear()
    taken, plain = [0], RequirementMachine.step

    def step(self: RequirementMachine, state: int, die: int) -> int:
        taken[0] += 1
        return plain(self, state, die)

    monkeypatch.setattr(RequirementMachine, "step", step)
    return taken


def attempt_with_all_dice(number: int) -> State:
    """Return an attempt with all dice, failing if possible, with twenty cards and every Gift."""
    rng, wanted = Random(number), all_components().performances[number - 1].requirement
    for _ in range(200):
        low = rng.randint(1, 6)
        dice = [(place // 5, rng.randint(low, rng.randint(low, 6))) for place in range(20)]
        if not is_met(wanted, dice):
            break
    rolled = " ".join("RBGP"[colour] + str(face) for colour, face in dice)
    gifts = " ".join(map(str, GIFTS))
    return parse_position(f"seats: 4 | board: {number} | perform: {number} {rolled} | hands: {CARDS} | gifts: {gifts}")


@pytest.mark.parametrize(("requirement", "number"), PERFORMANCES)
def test_drawing_an_attempt_with_all_dice_is_little_work(requirement: str, number: int, steps: list[int]) -> None:
    state = attempt_with_all_dice(number)
    steps[0] = 0
    BENCH.hand(state, 0)
    assert steps[0] < rerolls.MAX_STEPS + 150_000, requirement
    steps[0] = 0
    BENCH.hand(state, 0)
    assert steps[0] < 60_000, requirement  # the second time, with warm caches


def test_drawing_a_turn_with_all_dice_is_little_work(steps: list[int]) -> None:
    boards = [PERFORMANCES[place : place + 5] for place in range(0, len(PERFORMANCES), 5)]
    for some in boards:
        board = " ".join(str(number) for _, number in some)
        state = parse_position(f"seats: 4 | board: {board} | hands: {CARDS} | dice: 5 red 5 blue 5 green 5 purple")
        steps[0] = 0
        BENCH.hand(state, 0)
        assert steps[0] < 500_000, board
