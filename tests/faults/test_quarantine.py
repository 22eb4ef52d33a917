"""Discord quarantines the bot, over real sockets: it writes to nobody new for an hour, and then all hands come."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from pathlib import Path

import pytest

from playground.server import Playground
from playground.simulation.faults import ContactStep
from tests.faults.playground_run import SEATED, PlaygroundRun, start_playground_run
from tests.faults.skipped_time import run_skipping

SEED = 1916
PEOPLE = sorted({name for names in SEATED.values() for name in names})
REACHED = 2  # people whom the bot writes to before the quarantine
HOUR, SLACK = 3600, 300  # seconds


def reached_people(run: PlaygroundRun) -> list[str]:
    return [name for name in PEOPLE if run.world.is_contacted(run.find_person(name).id)]


async def show_hand_at_table(run: PlaygroundRun, name: str) -> None:
    """Somebody without a message plays by the button at the table."""
    table = next(each for each in run.tables.values() if name in each.people)
    message = run.newest_table(table)
    assert message is not None
    reply = await run.press_control(name, message, f"t:{table.match}:hand")
    assert reply is not None
    assert reply.original is not None
    assert reply.original.visible_to == run.find_person(name).id


async def sit_through_quarantine(step: ContactStep, folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    def impose(playground: Playground) -> None:
        playground.simulation.faults.start_quarantine(REACHED + 1, step)

    async with start_playground_run(SEED, folder, prepare=impose) as run:
        async with run.nobody_clicking():
            await show_hand_at_table(run, PEOPLE[-1])
            await asyncio.sleep(1)  # a hand that was on its way arrives
            reached_count, refusals = reached_people(run), run.counts["status 403"]
            assert len(reached_count) == REACHED
            assert 1 <= refusals <= len(PEOPLE) - REACHED, "those that were under way"
            await asyncio.sleep(HOUR - SLACK)
            assert (reached_people(run), run.counts["status 403"]) == (reached_count, refusals)
            run.playground.simulation.faults.clear()
            await asyncio.sleep(2 * SLACK)
            assert reached_people(run) == PEOPLE
            assert not await run.find_wrong()
        await asyncio.sleep(SLACK / 10)  # they play
        assert not run.unanswered, run.unanswered
        assert not run.wrong_answers, run.wrong_answers
        assert not run.log, run.log
    errors = [each.getMessage() for each in caplog.records if each.levelno == logging.ERROR]
    assert len(errors) == 1, errors
    assert "20026" in errors[0]


@pytest.mark.parametrize("step", ContactStep)
def test_in_a_quarantine_people_play_on_and_all_hands_come_afterwards(
    step: ContactStep, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    run_skipping(partial(sit_through_quarantine, step, tmp_path, caplog))
