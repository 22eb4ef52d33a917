"""What Discord tells of servers, channels and threads mends what was given up there, with nobody asking for it."""

from __future__ import annotations

from itertools import count
from typing import Any

import discord
import pytest

from cogs.table.surfaces.reposting import Reposting
from engines.store.match_store import Status
from engines.store.partition import ALL_SERVERS, Partition
from tests.end_to_end.players import (
    THREE,
    due_name_now,
    find_hand,
    find_table,
    join_lobby,
    load_snapshot,
    make_move,
    open_lobby,
    seat_and_start,
)
from tests.end_to_end.world import SimulatedServer, message_text


async def loss_reason(w: SimulatedServer, match: str) -> str:
    """Why the table is given up; empty where it is not."""
    kept = await w.bot.reconciler.surface(match, "table")
    assert kept is not None
    return kept.lost


async def assert_right(w: SimulatedServer, match: str) -> None:
    """The table is shown as it is, and hands tell of no trouble."""
    name = await due_name_now(w, match)
    assert await loss_reason(w, match) == ""
    assert f"Waiting for {name} to" in message_text(await find_table(w, match))
    assert all("⚠" not in message_text(find_hand(w, each, match)) for each in THREE)


async def settle_bot(w: SimulatedServer) -> None:
    """Let the bot do what it was told to, and show what may wait."""
    for _ in range(3):
        await w.env.settle()
        await w.env.advance_time(4)


async def test_whatever_may_end_a_trouble_has_it_tried_again(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=3)
    thread = inn.thread
    for archived, taken_out in ((False, False), (True, True), (True, False)):  # else the bot takes it out
        inn.lock_thread(thread)
        if archived:
            inn.archive_thread(thread)
        await make_move(inn, match)
        assert await loss_reason(inn, match)
        inn.lock_thread(thread, locked=False)
        if taken_out:
            inn.env.backend.edit_channel(thread.id, {}, thread_metadata={"archived": False})
        await settle_bot(inn)
        await assert_right(inn, match)
    inn.grant_permissions(inn.table, view_channel=False)
    await make_move(inn, match)
    assert await loss_reason(inn, match)
    inn.grant_permissions(inn.table, view_channel=None)
    await settle_bot(inn)
    await assert_right(inn, match)
    guild = inn.bot.get_guild(inn.guild.id)
    assert guild is not None
    roleless = guild.me._copy(guild.me)
    roleless._roles = discord.utils.SnowflakeList([1])
    everyone = guild.default_role
    mute = discord.Role(guild=guild, state=guild._state, data=_powerless_role(everyone))
    mine = Partition.all_of(8).number_of(guild.id)
    elsewhere = Partition(frozenset(range(8)) - {mine}, 8)
    for event, args in {
        "ready": (),
        "session": (elsewhere.only_number(mine),),
        "guild_join": (guild,),
        "member_update": (roleless, guild.me),
        "guild_role_update": (mute, everyone),
    }.items():
        inn.env.inject_error("PATCH", f"/channels/{thread.id}/messages/*", status=403, code=50001, times=1)
        await make_move(inn, match)
        await inn.dispatch_event("session", elsewhere)
        await settle_bot(inn)
        assert await loss_reason(inn, match), event
        await inn.dispatch_event(event, *args)
        await settle_bot(inn)
        await assert_right(inn, match)


def _powerless_role(like: discord.Role) -> Any:
    """A role that may do nothing, as Discord tells of it."""
    flags = {"position": 0, "color": 0, "hoist": False, "managed": False, "mentionable": False, "flags": 0}
    return {"id": str(like.id), "name": like.name, "permissions": "0", **flags}


async def test_a_table_is_not_given_up_after_its_trouble_has_ended(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await seat_and_start(inn, rounds=2)
    thread, poster, troubles = inn.thread, inn.bot.reconciler.surface_sync.poster, ["locked"]
    give_up, mending = poster._give_up, inn.bot.get_cog("Reposting")
    assert isinstance(mending, Reposting)

    async def given_up_late(*args: Any) -> None:
        if troubles:  # Discord is slow to say why, and it is over meanwhile
            troubles.pop()
            inn.lock_thread(thread, locked=False)
            await mending.on_session(ALL_SERVERS)
            await inn.bot.tasks._running["mend 0"]
        await give_up(*args)

    monkeypatch.setattr(poster, "_give_up", given_up_late)
    monkeypatch.setattr(mending, "_numbers", count())
    inn.lock_thread(thread)
    await make_move(inn, match)
    await settle_bot(inn)
    await assert_right(inn, match)


async def test_a_thread_and_then_a_channel_are_deleted(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    inn.delete_channel(inn.thread)
    await settle_bot(inn)
    await assert_right(inn, match)
    assert (await load_snapshot(inn, match)).info.place.thread == 0
    assert any("Waiting for" in message_text(message) for message in inn.public_messages(inn.table))
    inn.delete_channel(inn.table)
    await settle_bot(inn)
    assert "gone" in await loss_reason(inn, match)
    assert all("gone" in message_text(find_hand(inn, each, match)) for each in THREE)


@pytest.mark.parametrize("away", [False, True])
async def test_a_lobby_in_a_channel_that_is_deleted_is_closed_and_a_match_there_goes_on(
    inn: SimulatedServer, away: bool
) -> None:
    begun = await seat_and_start(inn, rounds=2)
    match = await open_lobby(inn, rounds=2)
    await join_lobby(inn, match, "Bela")
    inn.delete_channel(inn.thread)
    await settle_bot(inn)
    assert (await load_snapshot(inn, match)).info.status is Status.LOBBY, "its own channel is there"
    if away:
        await inn.restart(lambda: inn.delete_channel(inn.table))
    else:
        inn.delete_channel(inn.table)
    await settle_bot(inn)
    said = [message_text(message) for message in inn.inbox_messages("Bela")]
    assert sum("This match was closed before it started. Its channel was deleted." in each for each in said) == 1
    assert not any("will appear here" in each for each in said)
    assert (await load_snapshot(inn, begun)).info.status is Status.RUNNING
    assert "gone" in message_text(find_hand(inn, "Bela", begun))


async def test_a_channel_that_was_deleted_while_the_bot_was_put_out_is_missed_when_it_is_back(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await seat_and_start(inn, rounds=2)
    mending, guild = inn.bot.get_cog("Reposting"), inn.bot.get_guild(inn.guild.id)
    assert isinstance(mending, Reposting)
    with monkeypatch.context() as untold:
        untold.setattr(mending, "_start_search", lambda guild, channel: None)
        for channel in (inn.thread, inn.table):
            inn.delete_channel(channel)
        await settle_bot(inn)
    assert await loss_reason(inn, match) == ""
    await inn.dispatch_event("guild_join", guild)
    await settle_bot(inn)
    assert "gone" in await loss_reason(inn, match)


@pytest.mark.parametrize("killed", [False, True])
async def test_what_was_deleted_while_the_bot_was_away_is_missed_after_its_start(
    inn: SimulatedServer, killed: bool
) -> None:
    match = await seat_and_start(inn, rounds=2)
    thread, posted = inn.thread, len(inn.public_messages(inn.table))
    await inn.restart(lambda: inn.delete_channel(thread), killed=killed)
    await settle_bot(inn)
    await assert_right(inn, match)
    assert (await load_snapshot(inn, match)).info.place.thread == 0
    assert len(inn.public_messages(inn.table)) == posted + 1
    await inn.restart(lambda: inn.delete_channel(inn.table), killed=killed)
    await settle_bot(inn)
    assert "gone" in await loss_reason(inn, match)


@pytest.mark.parametrize("quiet", [False, True])
async def test_a_start_asks_for_a_quiet_thread_and_for_no_other_channel(inn: SimulatedServer, quiet: bool) -> None:
    match = await seat_and_start(inn, rounds=2)
    await settle_bot(inn)
    if quiet:
        inn.archive_thread(inn.thread)
    before, number = await find_table(inn, match), len(inn.sent_requests())
    await inn.restart()
    await settle_bot(inn)
    assert [
        path for method, path in inn.sent_requests(number) if method == "GET" and path.startswith("/channels/")
    ] == ([f"/channels/{inn.thread.id}"] if quiet else [])
    assert (await find_table(inn, match))["id"] == before["id"]


# Of which nobody tells the bot


async def test_status_finds_deleted_tables_and_direct_messages_that_are_open_again(inn: SimulatedServer) -> None:
    inn.close_dms("Bela")
    match = await seat_and_start(inn, rounds=2)
    assert inn.inbox_messages("Bela") == []
    inn.open_dms()
    old = await find_table(inn, match)
    inn.delete_message(old)
    await inn["Bela"].slash(inn.table, "wizard status", match=match)
    await settle_bot(inn)
    assert [match in str(message["components"]) for message in inn.inbox_messages("Bela")] == [True]
    assert (await find_table(inn, match))["id"] != old["id"]
    await assert_right(inn, match)


async def test_who_is_in_no_server_with_the_bot_has_not_closed_their_direct_messages(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due_name_now(inn, match)
    channel = inn[name].user.dm_channel
    inn.delete_message(find_hand(inn, name, match))
    inn.env.inject_error("POST", f"/channels/{channel.id}/messages", status=403, code=50278, times=1)
    await make_move(inn, match)
    await settle_bot(inn)
    assert inn.inbox_messages(name) == []
    await inn.dispatch_event("guild_join", inn.bot.get_guild(inn.guild.id))
    await settle_bot(inn)
    assert len(inn.inbox_messages(name)) == 1


async def test_a_first_hand_that_met_the_bot_put_out_comes_when_it_is_invited_again(inn: SimulatedServer) -> None:
    channel = inn["Bela"].user.dm_channel
    inn.env.inject_error("POST", f"/channels/{channel.id}/messages", status=403, code=50278, times=2)
    match = await seat_and_start(inn, rounds=2)
    await inn.dispatch_event("guild_join", inn.bot.get_guild(inn.guild.id))
    await settle_bot(inn)
    assert [match in str(message["components"]) for message in inn.inbox_messages("Bela")] == [True]


async def test_a_bot_that_is_put_out_as_a_match_begins_makes_no_thread(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await open_lobby(inn, rounds=1)
    await join_lobby(inn, match, "Bela", "Chidi")
    ask, guilds = inn.bot.matches.server_settings, inn.bot._connection._guilds
    guild = guilds[inn.guild.id]

    async def put_out(server: int) -> Any:
        found = await ask(server)
        guilds.pop(server, None)
        return found

    inn.env.inject_error("POST", rf"/channels/{inn.table.id}/messages/*/threads", status=403, code=50001, times=1)
    with monkeypatch.context() as patched:
        patched.setattr(inn.bot.matches, "server_settings", put_out)
        there = await inn.bot.reconciler.surface(match, "lobby")
        made = await inn.bot.reconciler.surface_sync._threads.make_thread(await load_snapshot(inn, match), there)
    guilds[inn.guild.id] = guild
    assert made.info.place.thread == 0
    assert inn.table.threads == []
