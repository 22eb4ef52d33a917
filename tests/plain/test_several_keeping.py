"""Mending and housekeeping of several bots on one store: whoever is told, the one whose part it is does it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
import pytest

from cogs.table.scheduling.change_feed import SWEEPS_PER_CHECK
from cogs.table.scheduling.retention import CLEANUP_SECONDS, LEFT_TEXT
from engines.hosting.matches import Matches
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.plain.inn import PEOPLE
from tests.plain.payloads import PUBLIC_THREAD
from tests.plain.ring import check_all_right, requests_since, settle_ring, start_ring

SEED = "0e" * 16


@pytest.mark.parametrize("told", [(0,), (1,), (0, 1)], ids=["holder", "other", "both"])
@pytest.mark.parametrize("helper", HELPERS.values(), ids=list(HELPERS))
async def test_a_table_that_goes_with_its_thread_is_posted_once_by_the_holder(
    helper: GameHelper, told: Sequence[int]
) -> None:
    async with start_ring(SEED) as made:
        first = made.inns[0]
        match = await first.seat_match(helper.game, PEOPLE[: helper.game.seats[0]], {})
        await settle_ring(made)
        table, start = await first.surface_message(match, "table"), len(first.wire.requests_by_bot)
        place = made.store.infos[match].place
        del first.wire.channels[int(table["channel_id"])][int(table["id"])]
        thread: Any = {"id": place.thread, "type": PUBLIC_THREAD, "guild_id": place.guild, "parent_id": place.channel}
        gone = discord.RawThreadDeleteEvent(thread)
        for number in told:
            made.inns[number].bot.dispatch("raw_thread_delete", gone)
        for inn in made.inns:
            await inn.wait_quiet()
        await settle_ring(made)
        there = first.wire.channels[int(table["channel_id"])]
        assert [int(each["id"]) for each in there.values() if each["components"]] == [
            int((await first.surface_message(match, "table"))["id"])
        ]
        assert [said for said in requests_since(made, start, "1") if not said.startswith("GET")] == []
        await check_all_right(made, match)


@pytest.mark.parametrize("told", [(0,), (1,), (0, 1)], ids=["holder", "other", "both"])
@pytest.mark.parametrize("helper", HELPERS.values(), ids=list(HELPERS))
async def test_somebody_is_forgotten_once_by_whoever_holds_the_first_part(
    helper: GameHelper, told: Sequence[int]
) -> None:
    async with start_ring(SEED) as made:
        first, second = made.inns
        match = await first.seat_match(helper.game, PEOPLE[: helper.game.seats[0]], {})
        await settle_ring(made)
        start, user = len(first.wire.requests_by_bot), first.wire.people[PEOPLE[0]]
        await second.matches.request_forgetting(user)
        for number in told:
            made.inns[number].bot.retention.start_forgetting()
        for _ in range(SWEEPS_PER_CHECK + 1):
            await settle_ring(made)
        assert made.store.to_forget == []
        assert user not in {seat.user for seat in made.store.infos[match].seats}
        table = await first.surface_message(match, "table")
        there = first.wire.channels[int(table["channel_id"])].values()
        assert len([each for each in there if LEFT_TEXT in each.get("content", "")]) == 1
        assert requests_since(made, start, "1") == []
        await check_all_right(made, match)


async def test_what_was_forgotten_is_cleared_away_by_one_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    cleared: list[str] = []
    wipe = Matches.wipe_deleted

    async def counted(matches: Matches) -> bool:
        cleared.append("01"[matches is made.inns[1].matches])
        return await wipe(matches)

    async with start_ring(SEED) as made:
        monkeypatch.setattr(Matches, "wipe_deleted", counted)
        for inn in made.inns:
            await inn.pass_time(CLEANUP_SECONDS)
        assert cleared
        assert set(cleared) == {"0"}
