"""Discord quarantines the bot, over real sockets: it writes to nobody new for an hour, and then all hands come."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from pathlib import Path

import pytest

from playground.server import Playground
from playground.simulation.faults import ContactStep
from tests.faults.evening import SEATED, Evening, start_evening
from tests.faults.skipping import run_skipping

SEED = 1916
PEOPLE = sorted({name for names in SEATED.values() for name in names})
REACHED = 2  # people whom the bot writes to before the quarantine
HOUR, SLACK = 3600, 300  # seconds


def reached_people(here: Evening) -> list[str]:
    return [name for name in PEOPLE if here.world.is_contacted(here.find_person(name).id)]


async def show_hand_at_table(here: Evening, name: str) -> None:
    """Somebody without a message plays by the button at the table."""
    table = next(each for each in here.tables.values() if name in each.people)
    message = here.newest_table(table)
    assert message is not None
    asked = await here.press_control(name, message, f"t:{table.match}:hand")
    assert asked is not None
    assert asked.original is not None
    assert asked.original.visible_to == here.find_person(name).id


async def sit_through_quarantine(step: ContactStep, folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    def impose(playground: Playground) -> None:
        playground.simulation.faults.start_quarantine(REACHED + 1, step)

    async with start_evening(SEED, folder, prepare=impose) as here:
        async with here.nobody_clicking():
            await show_hand_at_table(here, PEOPLE[-1])
            await asyncio.sleep(1)  # a hand that was on its way arrives
            reached, refusals = reached_people(here), here.counts["status 403"]
            assert len(reached) == REACHED
            assert 1 <= refusals <= len(PEOPLE) - REACHED, "those that were under way"
            await asyncio.sleep(HOUR - SLACK)
            assert (reached_people(here), here.counts["status 403"]) == (reached, refusals)
            here.playground.simulation.faults.clear()
            await asyncio.sleep(2 * SLACK)
            assert reached_people(here) == PEOPLE
            assert not await here.find_wrong()
        await asyncio.sleep(SLACK / 10)  # they play
        assert not here.unanswered, here.unanswered
        assert not here.wrong_answers, here.wrong_answers
        assert not here.log, here.log
    errors = [each.getMessage() for each in caplog.records if each.levelno == logging.ERROR]
    assert len(errors) == 1, errors
    assert "20026" in errors[0]


@pytest.mark.parametrize("step", ContactStep)
def test_in_a_quarantine_people_play_on_and_all_hands_come_afterwards(
    step: ContactStep, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    run_skipping(partial(sit_through_quarantine, step, tmp_path, caplog))
