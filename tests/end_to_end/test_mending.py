"""What Discord tells of servers, channels and threads mends what was given up there, with nobody asking for it."""

from __future__ import annotations

from itertools import count
from typing import Any

import discord
import pytest

from cogs.table.surfaces.reposting import Mending
from engines.store.match_store import Status
from engines.store.partition import WHOLE, Part
from tests.end_to_end.players import THREE, hand, join, look, move, open_lobby, seat_and_start, table, turn
from tests.end_to_end.world import World, words


async def lost(w: World, match: str) -> str:
    """Why the table is given up; empty where it is not."""
    kept = await w.bot.keeper.surface(match, "table")
    assert kept is not None
    return kept.lost


async def assert_right(w: World, match: str) -> None:
    """The table is shown as it is, and hands tell of no trouble."""
    name = await turn(w, match)
    assert await lost(w, match) == ""
    assert f"Waiting for {name} to" in words(await table(w, match))
    assert all("⚠" not in words(hand(w, each, match)) for each in THREE)


async def settle(w: World) -> None:
    """Let the bot do what it was told to, and show what may wait."""
    for _ in range(3):
        await w.env.settle()
        await w.env.advance_time(4)


async def test_whatever_may_end_a_trouble_has_it_tried_again(inn: World) -> None:
    match = await seat_and_start(inn, rounds=3)
    thread = inn.thread
    for archived, taken_out in ((False, False), (True, True), (True, False)):  # else the bot takes it out
        inn.lock(thread)
        if archived:
            inn.archive(thread)
        await move(inn, match)
        assert await lost(inn, match)
        inn.lock(thread, locked=False)
        if taken_out:
            inn.env.backend.edit_channel(thread.id, {}, thread_metadata={"archived": False})
        await settle(inn)
        await assert_right(inn, match)
    inn.grant(inn.table, view_channel=False)
    await move(inn, match)
    assert await lost(inn, match)
    inn.grant(inn.table, view_channel=None)
    await settle(inn)
    await assert_right(inn, match)
    guild = inn.bot.get_guild(inn.guild.id)
    assert guild is not None
    roleless = guild.me._copy(guild.me)
    roleless._roles = discord.utils.SnowflakeList([1])
    everyone = guild.default_role
    mute = discord.Role(guild=guild, state=guild._state, data=_role(everyone))
    mine = Part.all(8).number(guild.id)
    elsewhere = Part(frozenset(range(8)) - {mine}, 8)
    for event, args in {
        "ready": (),
        "session": (elsewhere.only(mine),),
        "guild_join": (guild,),
        "member_update": (roleless, guild.me),
        "guild_role_update": (mute, everyone),
    }.items():
        inn.env.inject_error("PATCH", f"/channels/{thread.id}/messages/*", status=403, code=50001, times=1)
        await move(inn, match)
        await inn.tell("session", elsewhere)
        await settle(inn)
        assert await lost(inn, match), event
        await inn.tell(event, *args)
        await settle(inn)
        await assert_right(inn, match)


def _role(like: discord.Role) -> Any:
    """A role that may do nothing, as Discord tells of it."""
    flags = {"position": 0, "color": 0, "hoist": False, "managed": False, "mentionable": False, "flags": 0}
    return {"id": str(like.id), "name": like.name, "permissions": "0", **flags}


async def test_a_table_is_not_given_up_after_its_trouble_has_ended(inn: World, monkeypatch: pytest.MonkeyPatch) -> None:
    match = await seat_and_start(inn, rounds=2)
    thread, poster, troubles = inn.thread, inn.bot.keeper.showing.poster, ["locked"]
    give_up, mending = poster._give_up, inn.bot.get_cog("Mending")
    assert isinstance(mending, Mending)

    async def given_up_late(*args: Any) -> None:
        if troubles:  # Discord is slow to say why, and it is over meanwhile
            troubles.pop()
            inn.lock(thread, locked=False)
            await mending.on_session(WHOLE)
            await inn.bot.tasks._running["mend 0"]
        await give_up(*args)

    monkeypatch.setattr(poster, "_give_up", given_up_late)
    monkeypatch.setattr(mending, "_numbers", count())
    inn.lock(thread)
    await move(inn, match)
    await settle(inn)
    await assert_right(inn, match)


async def test_a_thread_and_then_a_channel_are_deleted(inn: World) -> None:
    match = await seat_and_start(inn, rounds=2)
    inn.delete_channel(inn.thread)
    await settle(inn)
    await assert_right(inn, match)
    assert (await look(inn, match)).info.place.thread == 0
    assert any("Waiting for" in words(message) for message in inn.public(inn.table))
    inn.delete_channel(inn.table)
    await settle(inn)
    assert "gone" in await lost(inn, match)
    assert all("gone" in words(hand(inn, each, match)) for each in THREE)


@pytest.mark.parametrize("away", [False, True])
async def test_a_lobby_in_a_channel_that_is_deleted_is_closed_and_a_match_there_goes_on(inn: World, away: bool) -> None:
    begun = await seat_and_start(inn, rounds=2)
    match = await open_lobby(inn, rounds=2)
    await join(inn, match, "Bela")
    inn.delete_channel(inn.thread)
    await settle(inn)
    assert (await look(inn, match)).info.status is Status.LOBBY, "its own channel is there"
    if away:
        await inn.restart(lambda: inn.delete_channel(inn.table))
    else:
        inn.delete_channel(inn.table)
    await settle(inn)
    said = [words(message) for message in inn.inbox("Bela")]
    assert sum("This match was closed before it started. Its channel was deleted." in each for each in said) == 1
    assert not any("will appear here" in each for each in said)
    assert (await look(inn, begun)).info.status is Status.RUNNING
    assert "gone" in words(hand(inn, "Bela", begun))


async def test_a_channel_that_was_deleted_while_the_bot_was_put_out_is_missed_when_it_is_back(
    inn: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await seat_and_start(inn, rounds=2)
    mending, guild = inn.bot.get_cog("Mending"), inn.bot.get_guild(inn.guild.id)
    assert isinstance(mending, Mending)
    with monkeypatch.context() as untold:
        untold.setattr(mending, "_look", lambda guild, channel: None)
        for channel in (inn.thread, inn.table):
            inn.delete_channel(channel)
        await settle(inn)
    assert await lost(inn, match) == ""
    await inn.tell("guild_join", guild)
    await settle(inn)
    assert "gone" in await lost(inn, match)


@pytest.mark.parametrize("killed", [False, True])
async def test_what_was_deleted_while_the_bot_was_away_is_missed_after_its_start(inn: World, killed: bool) -> None:
    match = await seat_and_start(inn, rounds=2)
    thread, posted = inn.thread, len(inn.public(inn.table))
    await inn.restart(lambda: inn.delete_channel(thread), killed=killed)
    await settle(inn)
    await assert_right(inn, match)
    assert (await look(inn, match)).info.place.thread == 0
    assert len(inn.public(inn.table)) == posted + 1
    await inn.restart(lambda: inn.delete_channel(inn.table), killed=killed)
    await settle(inn)
    assert "gone" in await lost(inn, match)


@pytest.mark.parametrize("quiet", [False, True])
async def test_a_start_asks_for_a_quiet_thread_and_for_no_other_channel(inn: World, quiet: bool) -> None:
    match = await seat_and_start(inn, rounds=2)
    await settle(inn)
    if quiet:
        inn.archive(inn.thread)
    before, number = await table(inn, match), len(inn.sent())
    await inn.restart()
    await settle(inn)
    assert [path for method, path in inn.sent(number) if method == "GET" and path.startswith("/channels/")] == (
        [f"/channels/{inn.thread.id}"] if quiet else []
    )
    assert (await table(inn, match))["id"] == before["id"]


# Of which nobody tells the bot


async def test_status_finds_deleted_tables_and_direct_messages_that_are_open_again(inn: World) -> None:
    inn.close_dms("Bela")
    match = await seat_and_start(inn, rounds=2)
    assert inn.inbox("Bela") == []
    inn.open_dms()
    old = await table(inn, match)
    inn.delete_message(old)
    await inn["Bela"].slash(inn.table, "wizard status", match=match)
    await settle(inn)
    assert [match in str(message["components"]) for message in inn.inbox("Bela")] == [True]
    assert (await table(inn, match))["id"] != old["id"]
    await assert_right(inn, match)


async def test_who_is_in_no_server_with_the_bot_has_not_closed_their_direct_messages(inn: World) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await turn(inn, match)
    channel = inn[name].user.dm_channel
    inn.delete_message(hand(inn, name, match))
    inn.env.inject_error("POST", f"/channels/{channel.id}/messages", status=403, code=50278, times=1)
    await move(inn, match)
    await settle(inn)
    assert inn.inbox(name) == []
    await inn.tell("guild_join", inn.bot.get_guild(inn.guild.id))
    await settle(inn)
    assert len(inn.inbox(name)) == 1


async def test_a_first_hand_that_met_the_bot_put_out_comes_when_it_is_invited_again(inn: World) -> None:
    channel = inn["Bela"].user.dm_channel
    inn.env.inject_error("POST", f"/channels/{channel.id}/messages", status=403, code=50278, times=2)
    match = await seat_and_start(inn, rounds=2)
    await inn.tell("guild_join", inn.bot.get_guild(inn.guild.id))
    await settle(inn)
    assert [match in str(message["components"]) for message in inn.inbox("Bela")] == [True]


async def test_a_bot_that_is_put_out_as_a_match_begins_makes_no_thread(
    inn: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await open_lobby(inn, rounds=1)
    await join(inn, match, "Bela", "Chidi")
    ask, guilds = inn.bot.matches.server, inn.bot._connection._guilds
    guild = guilds[inn.guild.id]

    async def put_out(server: int) -> Any:
        found = await ask(server)
        guilds.pop(server, None)
        return found

    inn.env.inject_error("POST", rf"/channels/{inn.table.id}/messages/*/threads", status=403, code=50001, times=1)
    with monkeypatch.context() as patched:
        patched.setattr(inn.bot.matches, "server", put_out)
        there = await inn.bot.keeper.surface(match, "lobby")
        made = await inn.bot.keeper.showing._threads.make(await look(inn, match), there)
    guilds[inn.guild.id] = guild
    assert made.info.place.thread == 0
    assert inn.table.threads == []
