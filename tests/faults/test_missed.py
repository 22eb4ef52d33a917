"""What is deleted while the bot has no session is told to nobody: a new session's servers are looked through."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.faults.evening import Evening, start_evening
from tests.faults.skipping import run_skipping
from tests.faults.test_mishaps import RIGHT

SEED = 1916


async def wait_for_turns() -> None:
    """Some turns are taken."""
    await asyncio.sleep(20)


async def wait_until_right(here: Evening) -> None:
    """All is right within seconds, while nobody does anything."""
    await asyncio.sleep(RIGHT)
    assert await here.find_wrong() == []
    assert here.log == []


def hand_message_id(here: Evening, game: str) -> int:
    """The message at which everybody can ask for their hand."""
    found = here.newest_table(here.tables[game])
    assert found is not None
    return found.id


def channel_request_statuses(here: Evening, channel: int) -> list[int]:
    """What became of each time that the bot asked for a channel."""
    entries = here.playground.simulation.request_log.entries_since(0)
    return [each["status"] for each in entries if (each["method"], each["path"]) == ("GET", f"/channels/{channel}")]


def test_what_is_deleted_while_there_is_no_session_is_missed_and_a_quiet_thread_is_not(tmp_path: Path) -> None:
    async def told() -> None:
        async with start_evening(SEED, tmp_path) as here:
            await wait_for_turns()
            async with here.nobody_clicking():
                await asyncio.sleep(RIGHT)
                thread, channel, quiet, busy = (here.tables[game] for game in ("wizard", "jest", "jokers", "court"))
                here.perform("Ada", "archive", channel_id=quiet.lobby.id)
                await asyncio.sleep(1)
                before = hand_message_id(here, "jokers")
                here.playground.simulation.gateway.invalidate_sessions()
                here.perform("Ada", "delete_channel", channel_id=thread.lobby.id)
                here.perform("Ada", "delete_channel", channel_id=channel.channel)
                here.playground.simulation.faults.start_server_errors(2, 503, "^/channels/[0-9]+$")
                assert await here.find_wrong() != []
                await wait_until_right(here)
                assert hand_message_id(here, "jokers") == before
                assert sorted(
                    channel_request_statuses(here, thread.lobby.id) + channel_request_statuses(here, quiet.lobby.id)
                )[:2] == [200, 404]
                assert channel_request_statuses(here, channel.channel)[-1:] == [404]
                assert (
                    channel_request_statuses(here, busy.channel) + channel_request_statuses(here, busy.lobby.id) == []
                )

    run_skipping(told)
