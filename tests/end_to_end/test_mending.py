"""What Discord tells of servers, channels and threads mends what was given up there; locked threads come back, too."""

from __future__ import annotations

from itertools import count
from typing import Any, cast

import discord
import pytest

from engines.store.match_store import Status
from engines.store.partition import ALL_SERVERS, Partition
from tests.end_to_end.players import THREE
from tests.end_to_end.simulated_server import SimulatedServer, reply_text
from tests.end_to_end.test_calls import thread_mentions
from tests.messages import button_labels, client_text, message_text, move_buttons


async def assert_right(w: SimulatedServer, match: str) -> None:
    """The table is shown as it is, and hands tell of no trouble."""
    name = await w.due_name_now(match)
    assert await w.loss_reason(match) == ""
    assert f"Waiting for {name} to" in await w.table_text(match)
    assert all("⚠" not in w.hand_text(each, match) for each in THREE)


async def settle_bot(w: SimulatedServer) -> None:
    """Let the bot do what it was told to, and show what may wait."""
    for _ in range(3):
        await w.env.settle()
        await w.env.advance_time(4)


async def test_each_event_that_may_end_a_trouble_starts_another_try(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=3)
    thread = server.thread
    for archived, taken_out in ((False, False), (True, True), (True, False)):  # else the bot takes it out
        server.lock_thread(thread)
        if archived:
            server.archive_thread(thread)
        await server.make_move(match)
        assert await server.loss_reason(match)
        server.lock_thread(thread, locked=False)
        if taken_out:
            server.archive_thread(thread, archived=False)
        await settle_bot(server)
        await assert_right(server, match)
    server.grant_permissions(server.table, view_channel=False)
    await server.make_move(match)
    assert await server.loss_reason(match)
    server.grant_permissions(server.table, view_channel=None)
    await settle_bot(server)
    await assert_right(server, match)
    guild = server.bot.get_guild(server.guild.id)
    assert guild is not None
    roleless = guild.me._copy(guild.me)
    roleless._roles = discord.utils.SnowflakeList([1])
    everyone = guild.default_role
    role: Any = {"id": str(everyone.id), "name": everyone.name, "permissions": "0"}
    role |= dict.fromkeys(("position", "color", "hoist", "managed", "mentionable", "flags"), 0)
    mute = discord.Role(guild=guild, state=guild._state, data=role)
    mine = Partition.all_of(8).number_of(guild.id)
    elsewhere = Partition(frozenset(range(8)) - {mine}, 8)
    for event, args in {
        "ready": (),
        "session": (elsewhere.only_number(mine),),
        "guild_join": (guild,),
        "member_update": (roleless, guild.me),
        "guild_role_update": (mute, everyone),
    }.items():
        server.env.inject_error("PATCH", f"/channels/{thread.id}/messages/*", status=403, code=50001, times=1)
        await server.make_move(match)
        await server.dispatch_event("session", elsewhere)
        await settle_bot(server)
        assert await server.loss_reason(match), event
        await server.dispatch_event(event, *args)
        await settle_bot(server)
        await assert_right(server, match)


async def test_a_table_is_not_given_up_after_its_trouble_has_ended(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=2)
    thread, poster, troubles = server.thread, server.bot.reconciler.surface_sync.poster, ["locked"]
    give_up, mending = poster._give_up, cast(Any, server.bot.get_cog("Reposting"))

    async def given_up_late(*args: Any) -> None:
        if troubles:  # Discord is slow to say why, and it is over meanwhile
            troubles.pop()
            server.lock_thread(thread, locked=False)
            await mending.on_session(ALL_SERVERS)
            await server.bot.tasks._running["mend 0"]
        await give_up(*args)

    server.patch(poster, "_give_up", given_up_late)
    server.patch(mending, "_numbers", count())
    server.lock_thread(thread)
    await server.make_move(match)
    await settle_bot(server)
    await assert_right(server, match)


async def test_a_thread_and_then_a_channel_are_deleted(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=2)
    server.delete_channel(server.thread)
    await settle_bot(server)
    await assert_right(server, match)
    assert (await server.load_snapshot(match)).info.place.thread == 0
    assert (await server.find_table(match))["channel_id"] == str(server.table.id)
    for _ in range(2):
        await server.make_move(match)
        await assert_right(server, match)
        assert str(server.table.id) in server.hand_text(await server.due_name_now(match), match)
    server.delete_channel(server.table)
    await settle_bot(server)
    assert "gone" in await server.loss_reason(match)
    assert all("gone" in server.hand_text(each, match) for each in THREE)
    await server.make_move(match)
    assert "You can go on playing here" in server.hand_text(await server.due_name_now(match), match)
    await server.play_out(match)
    assert all("Scoring" in button_labels(server.find_hand(name, match)) for name in THREE)


@pytest.mark.parametrize("away", [False, True])
async def test_with_its_channel_a_lobby_is_closed_and_no_match(server: SimulatedServer, away: bool) -> None:
    started_match = await server.seat_and_start(rounds=2)
    match = await server.fill_lobby("Bela", rounds=2)
    server.delete_channel(server.thread)
    await settle_bot(server)
    assert await server.status(match) is Status.LOBBY, "its own channel is there"
    if away:
        await server.restart(lambda: server.delete_channel(server.table))
    else:
        server.delete_channel(server.table)
    await settle_bot(server)
    inbox_texts = [message_text(message) for message in server.inbox_messages("Bela")]
    assert (
        sum("This match was cancelled before it started. Its channel was deleted." in each for each in inbox_texts) == 1
    )
    assert not any("will appear here" in each for each in inbox_texts)
    assert await server.status(started_match) is Status.RUNNING
    assert "gone" in server.hand_text("Bela", started_match)


async def test_a_message_deleted_while_the_bot_was_removed_is_missed_later(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=2)
    with server.patched(server.bot.get_cog("Reposting"), "_start_search", lambda guild, channel: None):
        for channel in (server.thread, server.table):
            server.delete_channel(channel)
        await settle_bot(server)
    assert await server.loss_reason(match) == ""
    await server.dispatch_event("guild_join", server.bot.get_guild(server.guild.id))
    await settle_bot(server)
    assert "gone" in await server.loss_reason(match)


@pytest.mark.parametrize("killed", [False, True])
async def test_a_message_deleted_during_a_restart_is_missed_after_it(server: SimulatedServer, killed: bool) -> None:
    match = await server.seat_and_start(rounds=2)
    thread, posted = server.thread, len(server.public_messages(server.table))
    await server.restart(lambda: server.delete_channel(thread), killed=killed)
    await settle_bot(server)
    await assert_right(server, match)
    assert (await server.load_snapshot(match)).info.place.thread == 0
    assert len(server.public_messages(server.table)) == posted + 1
    await server.restart(lambda: server.delete_channel(server.table), killed=killed)
    await settle_bot(server)
    assert "gone" in await server.loss_reason(match)


@pytest.mark.parametrize("quiet", [False, True])
async def test_a_start_asks_for_a_quiet_thread_and_for_no_other_channel(server: SimulatedServer, quiet: bool) -> None:
    match = await server.seat_and_start(rounds=2)
    await settle_bot(server)
    if quiet:
        server.archive_thread(server.thread)
    before, number = await server.find_table(match), len(server.sent_requests())
    await server.restart()
    await settle_bot(server)
    asked_paths = [
        path for method, path in server.sent_requests(number) if method == "GET" and path.startswith("/channels/")
    ]
    assert asked_paths == ([f"/channels/{server.thread.id}"] if quiet else [])
    assert (await server.find_table(match))["id"] == before["id"]


async def test_status_finds_deleted_tables_and_direct_messages_that_are_open_again(server: SimulatedServer) -> None:
    server.close_dms("Bela")
    match = await server.seat_and_start(rounds=2)
    assert server.inbox_messages("Bela") == []
    server.open_dms()
    old = await server.find_table(match)
    server.delete_message(old)
    await server["Bela"].slash(server.table, "wizard status", match=match)
    await settle_bot(server)
    assert [match in str(message["components"]) for message in server.inbox_messages("Bela")] == [True]
    assert (await server.find_table(match))["id"] != old["id"]
    await assert_right(server, match)


async def test_somebody_who_is_in_no_server_with_the_bot_has_not_closed_their_direct_messages(
    server: SimulatedServer,
) -> None:
    channel = server["Bela"].user.dm_channel  # whose first hand meets the bot put out
    server.env.inject_error("POST", f"/channels/{channel.id}/messages", status=403, code=50278, times=1)
    match = await server.seat_and_start(rounds=2)
    await server.dispatch_event("guild_join", server.bot.get_guild(server.guild.id))
    await settle_bot(server)
    assert [match in str(message["components"]) for message in server.inbox_messages("Bela")] == [True]
    name, hand = await server.due_hand(match)
    channel = server[name].user.dm_channel
    server.delete_message(hand)
    server.env.inject_error("POST", f"/channels/{channel.id}/messages", status=403, code=50278, times=1)
    await server.make_move(match)
    await settle_bot(server)
    assert server.inbox_messages(name) == []
    await server.dispatch_event("guild_join", server.bot.get_guild(server.guild.id))
    await settle_bot(server)
    assert len(server.inbox_messages(name)) == 1


async def test_a_bot_that_is_put_out_as_a_match_begins_makes_no_thread(server: SimulatedServer) -> None:
    match = await server.fill_lobby("Bela", "Chidi", rounds=1)
    ask, guilds = server.bot.matches.lobbies.server_settings, server.bot._connection._guilds
    guild = guilds[server.guild.id]

    async def put_out(guild_id: int) -> Any:
        found = await ask(guild_id)
        guilds.pop(guild_id, None)
        return found

    server.env.inject_error("POST", rf"/channels/{server.table.id}/messages/*/threads", status=403, code=50001, times=1)
    with server.patched(server.bot.matches.lobbies, "server_settings", put_out):
        lobby_surface = await server.bot.surfaces.find_surface(match, "lobby")
        thread_made = await server.bot.reconciler.surface_sync._threads.make_thread(
            await server.load_snapshot(match), lobby_surface
        )
    guilds[server.guild.id] = guild
    assert thread_made.info.place.thread == 0
    assert server.table.threads == []


REASON = "its thread is locked. Unlock it, or give me Manage Threads"


@pytest.mark.parametrize("how", ["locked", "archived", 160005, 50013])  # Discord says so in several ways
async def test_a_locked_thread_is_given_up_with_its_reason_and_comes_back(server: SimulatedServer, how: Any) -> None:
    match = await server.seat_and_start(rounds=2)
    thread = server.thread
    server.lock_thread(thread)
    if how == "archived":
        server.archive_thread(thread)
    elif how != "locked":
        server.env.inject_error("PATCH", f"/channels/{thread.id}/messages/*", status=403, code=how, times=None)
    await server.make_move(match)
    assert REASON in await server.loss_reason(match)
    for name in THREE:
        assert REASON in server.hand_text(name, match)
    before = len(server.sent_requests())
    await server.make_move(match)
    await server.env.advance_time(60)
    assert [request for request in server.sent_requests(before) if f"/channels/{thread.id}" in request[1]] == []
    assert REASON in reply_text(await server["Ada"].user.slash("wizard status"))
    assert REASON in await server.loss_reason(match)  # tried again, in vain
    name, hand = await server.due_hand(match)
    assert REASON in message_text(hand)
    assert move_buttons(hand)
    server.lock_thread(thread, locked=False)
    server.open_dms()
    await server["Ada"].user.slash("wizard status")
    assert await server.loss_reason(match) == ""
    assert f"Waiting for {name} to" in await server.table_text(match)
    assert all("locked" not in server.hand_text(each, match) for each in THREE)
    await server.play_out(match)


async def test_a_match_ends_in_a_locked_thread_and_its_result_is_posted_later(server: SimulatedServer) -> None:
    match, thread = await server.seat_and_start(rounds=1), server.thread
    server.lock_thread(thread)
    await server.play_out(match)
    assert await server.status(match) is Status.OVER
    assert all("Scoring" in button_labels(server.find_hand(name, match)) for name in THREE)
    assert REASON in server.hand_text("Ada", match)
    assert "win" not in await server.table_text(match)
    server.lock_thread(thread, locked=False)
    reply = reply_text(await server["Ada"].user.slash("wizard status"))
    assert match in reply
    assert "win" in reply
    assert "win" in await server.table_text(match)


async def test_somebody_who_manages_threads_writes_in_locked_ones(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=1)
    server.grant_permissions(server.table, manage_threads=True)
    server.lock_thread(server.thread)
    server.archive_thread(server.thread)
    await server.make_move(match)
    assert await server.loss_reason(match) == ""
    assert f"Waiting for {await server.due_name_now(match)} to" in await server.table_text(match)


async def test_a_mention_in_a_locked_archive_goes_when_it_is_opened(server: SimulatedServer) -> None:
    for name in THREE:
        server.close_dms(name)
    match = await server.seat_and_start(rounds=1)
    (old,) = thread_mentions(server)
    server.lock_thread(server.thread)
    server.archive_thread(server.thread)
    await server.make_move(match)
    await server.env.advance_time(60)
    assert [mention["id"] for mention in thread_mentions(server)] == [old["id"]]
    server.lock_thread(server.thread, locked=False)
    await server["Ada"].user.slash("wizard status")
    (mention,) = thread_mentions(server)
    assert server[await server.due_name_now(match)].mention in message_text(mention)


async def test_check_knows_what_a_voice_channel_and_a_locked_thread_ask_for(server: SimulatedServer) -> None:
    voice = server.guild.create_voice_channel("parlour")
    server.grant_permissions(voice, connect=False)
    for command in ("motley check", "wizard new"):
        assert "**Connect**" in reply_text(await server["Ada"].slash(voice, command))
    server.grant_permissions(voice, connect=None, create_public_threads=False)
    reply = reply_text(await server["Ada"].slash(voice, "motley check"))
    assert "Connect" not in reply
    assert "thread" not in reply  # there are none in a voice channel
    match = await server.seat_and_start(rounds=1, channel=voice)
    assert "Your hand" in client_text(await server.show_hand("Ada", match))
    await server.seat_and_start()
    server.lock_thread(server.thread)
    for command in ("motley check", "jest new"):
        assert "**Manage Threads**" in reply_text(await server["Ada"].slash(server.thread, command))
    server.lock_thread(server.thread, locked=False)
    assert "Manage Threads" not in reply_text(await server["Ada"].slash(server.thread, "motley check"))
