"""Whole matches of every game in which everybody else has stopped answering; and who comes back."""

from __future__ import annotations

import logging
from random import Random

import pytest

from cogs.table.scheduling.computer_turns import MOVE_PAUSE, SUBSTITUTE_LEVEL
from engines.hosting.match import MAX_MISSED
from engines.store.match_store import Status
from players import make_player
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.plain.plain_bot import PEOPLE, PlainBot, start_plain_bot
from tests.plain.test_calls import count_calls

SEED = "0c" * 16
HOUR = 3600

MOST = 4000  # moves
EVERY = pytest.mark.parametrize("helper", HELPERS.values(), ids=list(HELPERS))


async def start_match(plain_bot: PlainBot, helper: GameHelper, clock: str = "1 hour") -> str:
    return await plain_bot.seat_match(
        helper.game, PEOPLE[: helper.game.seats[0]], {**helper.short_options, "clock": clock}
    )


@EVERY
async def test_a_match_in_which_everybody_else_stopped_answering_goes_on_to_its_result(
    helper: GameHelper, caplog: pytest.LogCaptureFixture
) -> None:
    rng, movers = Random(SEED), set()
    async with start_plain_bot(SEED) as plain_bot:
        match = await start_match(plain_bot, helper)
        for _ in range(MOST):
            snapshot = await plain_bot.load_snapshot(match)
            if snapshot.info.status is not Status.RUNNING:
                break
            if 0 in snapshot.due_seats():
                await plain_bot.click_move(snapshot, 0, rng)
            else:
                out, searches = snapshot.deadline(), make_player(snapshot.game, SUBSTITUTE_LEVEL).budget is not None
                if out is None:
                    await plain_bot.pass_pause(match)
                else:
                    await plain_bot.pass_time(out - plain_bot.bot.clock.now() + MOVE_PAUSE * searches)
            now = await plain_bot.load_snapshot(match)
            assert now.info.moves > snapshot.info.moves, "the match stands still"
            if late := max((each for each in now.timeout_moves if each > snapshot.info.moves), default=0):
                name = now.info.seats[now.mover_of(late)].name
                assert f"{name}'s time ran out" in str(await plain_bot.surface_message(match, "table")), (
                    "it is not said"
                )
                movers.add(now.mover_of(late))
        assert snapshot.info.status is Status.OVER
        others = set(range(1, len(snapshot.info.seats)))
        assert movers == others
        saved = await plain_bot.store.load(match)
        assert saved is not None
        for seat in others:
            moves = [row for row in saved.moves if row.seat == seat]
            assert sum(bool(row.user) for row in moves) <= MAX_MISSED
            assert {row.level for row in moves} == {"normal"}
            assert snapshot.info.seats[seat].is_away == (len(moves) >= MAX_MISSED)
            assert "The computer plays" not in str(await plain_bot.surface_message(match, "hand", seat))
    assert not [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


@EVERY
async def test_somebody_who_is_away_is_told_nothing_hidden_is_not_called_and_comes_back_by_any_click(
    helper: GameHelper,
) -> None:
    rng = Random(SEED)
    for action in ("here", "more", "hand"):
        async with start_plain_bot(SEED) as plain_bot:
            match = await start_match(plain_bot, helper)
            seat = (await plain_bot.load_snapshot(match)).due_seats()[0]
            await plain_bot.matches.seating.give_seat_to_computer(match, seat, "normal", 0)
            await plain_bot.show_match(match)
            hand, table = (
                await plain_bot.surface_message(match, "hand", seat),
                await plain_bot.surface_message(match, "table"),
            )
            assert "The computer is playing for you" in str(hand)
            assert "is away: the computer plays for them" in str(table)
            assert "attachment://" not in str(hand["components"]), "somebody who is away is shown their cards"
            start = len(plain_bot.wire.sent_requests)
            for _ in range(4):
                snapshot = await plain_bot.load_snapshot(match)
                person = next((each for each in snapshot.due_seats() if each != seat), None)
                await (plain_bot.pass_pause(match) if person is None else plain_bot.click_move(snapshot, person, rng))
            await plain_bot.pass_time(2 * HOUR)
            assert count_calls(plain_bot, start, seat) == 0
            if (await plain_bot.load_snapshot(match)).info.status is not Status.RUNNING:
                continue
            other = (seat + 1) % len(snapshot.info.seats)
            await plain_bot.press(PEOPLE[other], match, "here")
            assert (await plain_bot.load_snapshot(match)).info.seats[seat].is_away, "somebody else took the seat"
            await plain_bot.click_control(PEOPLE[seat], hand if action == "here" else table, f"t:{match}:{action}")
            assert (await plain_bot.load_snapshot(match)).info.seats[seat].owner_plays
            assert "until you are back" not in str(await plain_bot.surface_message(match, "hand", seat))
