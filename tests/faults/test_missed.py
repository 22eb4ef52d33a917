"""What is deleted while the bot has no session is told to nobody: a new session's servers are looked through."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.faults.evening import Evening, evening
from tests.faults.skipping import run
from tests.faults.test_mishaps import RIGHT

SEED = 1916


async def begun() -> None:
    """Some turns are taken."""
    await asyncio.sleep(20)


async def until_right(here: Evening) -> None:
    """All is right within seconds, while nobody does anything."""
    await asyncio.sleep(RIGHT)
    assert await here.wrong() == []
    assert here.log == []


def stands(here: Evening, game: str) -> int:
    """The message at which everybody can ask for their hand."""
    found = here.table_of(here.tables[game])
    assert found is not None
    return found.id


def asked(here: Evening, channel: int) -> list[int]:
    """What became of each time that the bot asked for a channel."""
    entries = here.playground.house.log.since(0)
    return [each["status"] for each in entries if (each["method"], each["path"]) == ("GET", f"/channels/{channel}")]


def test_what_is_deleted_while_there_is_no_session_is_missed_and_a_quiet_thread_is_not(tmp_path: Path) -> None:
    async def told() -> None:
        async with evening(SEED, tmp_path) as here:
            await begun()
            async with here.stillness():
                await asyncio.sleep(RIGHT)
                thread, channel, quiet, busy = (here.tables[game] for game in ("wizard", "jest", "jokers", "court"))
                here.act("Ada", "archive", channel_id=quiet.lobby.id)
                await asyncio.sleep(1)
                before = stands(here, "jokers")
                here.playground.house.gateway.invalidate()
                here.act("Ada", "delete_channel", channel_id=thread.lobby.id)
                here.act("Ada", "delete_channel", channel_id=channel.channel)
                here.playground.house.faults.break_down(2, 503, "^/channels/[0-9]+$")
                assert await here.wrong() != []
                await until_right(here)
                assert stands(here, "jokers") == before
                assert sorted(asked(here, thread.lobby.id) + asked(here, quiet.lobby.id))[:2] == [200, 404]
                assert asked(here, channel.channel)[-1:] == [404]
                assert asked(here, busy.channel) + asked(here, busy.lobby.id) == []

    run(told)
