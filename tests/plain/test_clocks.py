"""Whole matches of every game in which everybody else has stopped answering; and who comes back."""

from __future__ import annotations

import json
import logging
from random import Random

import pytest

from cogs.table.scheduling.computer_turns import INSTEAD, PAUSE
from engines.hosting.match import MISSES, Look
from engines.store.match_store import Status
from players import player
from tests.contract.helper import Helper
from tests.contract.helpers import HELPERS
from tests.plain.inn import PEOPLE, Plain, plain
from tests.plain.wire import Sent

SEED = "0c" * 16
HOUR = 3600
SILENT = 4096
MOST = 4000  # moves
EVERY = pytest.mark.parametrize("helper", HELPERS.values(), ids=list(HELPERS))


async def begun(inn: Plain, helper: Helper, clock: str = "1 hour") -> str:
    """A match of just enough people that has begun; its id."""
    return await inn.seat(helper.game, PEOPLE[: helper.game.seats[0]], {**helper.short, "clock": clock})


async def move(inn: Plain, look: Look, seat: int, rng: Random) -> None:
    """Make any move by a click on a hand."""
    notation = look.game.write(rng.choice(look.moves(seat)))
    hand = await inn.surface(look.info.id, "hand", seat)
    custom_id = f"m:{look.info.id}:{look.decisions()[seat].number}:{notation}"
    await inn.click(PEOPLE[seat], hand, custom_id)


async def wait(inn: Plain, look: Look) -> None:
    """Let time pass until somebody has moved for those the match waits for."""
    out, searches = look.runs_out(), player(look.game, INSTEAD).budget is not None
    await inn.later(PAUSE if out is None else out - inn.bot.clock() + PAUSE * searches)


def loud(inn: Plain, since: int, seat: int) -> list[Sent]:
    """The hands that were sent anew since then, to be heard."""
    sent = (each for each in inn.wire.sent[since:] if each.method == "POST" and each.by == seat + 1)
    sent = (each for each in sent if each.path.endswith("/messages"))
    return [each for each in sent if not json.loads(each.said)["flags"] & SILENT]


@EVERY
async def test_a_match_in_which_everybody_else_stopped_answering_goes_on_to_its_result(
    helper: Helper, caplog: pytest.LogCaptureFixture
) -> None:
    rng, told = Random(SEED), set()
    async with plain(SEED) as inn:
        match = await begun(inn, helper)
        for _ in range(MOST):
            look = await inn.look(match)
            if look.info.status is not Status.RUNNING:
                break
            if 0 in look.due():
                await move(inn, look, 0, rng)
            else:
                await wait(inn, look)
            now = await inn.look(match)
            assert now.info.moves > look.info.moves, "the match stands still"
            if late := max((each for each in now.late if each > look.info.moves), default=0):
                name = now.info.seats[now.mover(late)].name
                assert f"{name}'s time ran out" in str(await inn.surface(match, "table")), "it is not said"
                told.add(now.mover(late))
        assert look.info.status is Status.OVER
        others = set(range(1, len(look.info.seats)))
        assert told == others
        saved = await inn.store.load(match)
        assert saved is not None
        for seat in others:
            made = [row for row in saved.moves if row.seat == seat]
            assert sum(bool(row.user) for row in made) <= MISSES
            assert {row.level for row in made} == {"normal"}
            assert look.info.seats[seat].away == (len(made) >= MISSES)
            assert "The computer plays" not in str(await inn.surface(match, "hand", seat)), (
                "the result is for them, too"
            )
    assert not [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


@EVERY
async def test_who_is_away_is_told_nothing_hidden_is_not_called_and_comes_back_by_any_click(helper: Helper) -> None:
    rng = Random(SEED)
    for action in ("here", "more", "hand"):
        async with plain(SEED) as inn:
            match = await begun(inn, helper)
            seat = (await inn.look(match)).due()[0]
            await inn.matches.give_seat(match, seat, "normal", 0)
            await inn.catch_up(match)
            hand, table = await inn.surface(match, "hand", seat), await inn.surface(match, "table")
            assert "The computer plays in your place until you are back" in str(hand)
            assert "is away: the computer plays there" in str(table)
            assert "attachment://" not in str(hand["components"]), "somebody who is away is shown their cards"
            since = len(inn.wire.sent)
            for _ in range(4):
                look = await inn.look(match)
                person = next((each for each in look.due() if each != seat), None)
                await (inn.later(PAUSE) if person is None else move(inn, look, person, rng))
            await inn.later(2 * HOUR)
            assert loud(inn, since, seat) == []
            if (await inn.look(match)).info.status is not Status.RUNNING:
                continue
            other = (seat + 1) % len(look.info.seats)
            await inn.click(PEOPLE[other], table, f"t:{match}:here")
            assert (await inn.look(match)).info.seats[seat].away, "somebody else took the seat"
            await inn.click(PEOPLE[seat], hand if action == "here" else table, f"t:{match}:{action}")
            assert (await inn.look(match)).info.seats[seat].present
            assert "until you are back" not in str(await inn.surface(match, "hand", seat))
