"""Mending and housekeeping of several bots on one store: whoever is told, the one whose part it is does it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
import pytest

from cogs.table.scheduling.change_feed import RARELY
from cogs.table.scheduling.retention import LEFT, ROUND
from engines.hosting.matches import Matches
from tests.contract.helper import Helper
from tests.contract.helpers import HELPERS
from tests.plain.inn import PEOPLE
from tests.plain.payloads import PUBLIC_THREAD
from tests.plain.ring import right, ring, settle, since

SEED = "0e" * 16


@pytest.mark.parametrize("told", [(0,), (1,), (0, 1)], ids=["holder", "other", "both"])
@pytest.mark.parametrize("helper", HELPERS.values(), ids=list(HELPERS))
async def test_a_table_that_goes_with_its_thread_is_posted_once_by_the_holder(
    helper: Helper, told: Sequence[int]
) -> None:
    async with ring(SEED) as made:
        first = made.inns[0]
        match = await first.seat(helper.game, PEOPLE[: helper.game.seats[0]], {})
        await settle(made)
        table, start = await first.surface(match, "table"), len(first.wire.by)
        place = made.store.infos[match].place
        del first.wire.channels[int(table["channel_id"])][int(table["id"])]
        thread: Any = {"id": place.thread, "type": PUBLIC_THREAD, "guild_id": place.guild, "parent_id": place.channel}
        gone = discord.RawThreadDeleteEvent(thread)
        for number in told:
            made.inns[number].bot.dispatch("raw_thread_delete", gone)
        for inn in made.inns:
            await inn.quiet()
        await settle(made)
        there = first.wire.channels[int(table["channel_id"])]
        assert [int(each["id"]) for each in there.values() if each["components"]] == [
            int((await first.surface(match, "table"))["id"])
        ]
        assert [said for said in since(made, start, "1") if not said.startswith("GET")] == []
        await right(made, match)


@pytest.mark.parametrize("told", [(0,), (1,), (0, 1)], ids=["holder", "other", "both"])
@pytest.mark.parametrize("helper", HELPERS.values(), ids=list(HELPERS))
async def test_somebody_is_forgotten_once_by_whoever_holds_the_first_part(helper: Helper, told: Sequence[int]) -> None:
    async with ring(SEED) as made:
        first, second = made.inns
        match = await first.seat(helper.game, PEOPLE[: helper.game.seats[0]], {})
        await settle(made)
        start, user = len(first.wire.by), first.wire.people[PEOPLE[0]]
        await second.matches.forget_person(user)
        for number in told:
            made.inns[number].bot.housekeeping.forget()
        for _ in range(RARELY + 1):
            await settle(made)
        assert made.store.to_forget == []
        assert user not in {seat.user for seat in made.store.infos[match].seats}
        table = await first.surface(match, "table")
        there = first.wire.channels[int(table["channel_id"])].values()
        assert len([each for each in there if LEFT in each.get("content", "")]) == 1
        assert since(made, start, "1") == []
        await right(made, match)


async def test_what_was_forgotten_is_cleared_away_by_one_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    cleared: list[str] = []
    wipe = Matches.wipe

    async def counted(matches: Matches) -> bool:
        cleared.append("01"[matches is made.inns[1].matches])
        return await wipe(matches)

    async with ring(SEED) as made:
        monkeypatch.setattr(Matches, "wipe", counted)
        for inn in made.inns:
            await inn.later(ROUND)
        assert cleared
        assert set(cleared) == {"0"}
