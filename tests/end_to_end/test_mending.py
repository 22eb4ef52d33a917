"""What Discord tells of servers, channels and threads mends what was given up there; locked threads come back, too."""

from __future__ import annotations

from itertools import count
from typing import Any, cast

import discord
import pytest

from engines.store.match_store import Status
from engines.store.partition import ALL_SERVERS, Partition
from tests.end_to_end.players import THREE
from tests.end_to_end.test_calls import thread_mentions
from tests.end_to_end.world import SimulatedServer, reply_text
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


async def test_whatever_may_end_a_trouble_has_it_tried_again(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start(rounds=3)
    thread = inn.thread
    for archived, taken_out in ((False, False), (True, True), (True, False)):  # else the bot takes it out
        inn.lock_thread(thread)
        if archived:
            inn.archive_thread(thread)
        await inn.make_move(match)
        assert await inn.loss_reason(match)
        inn.lock_thread(thread, locked=False)
        if taken_out:
            inn.env.backend.edit_channel(thread.id, {}, thread_metadata={"archived": False})
        await settle_bot(inn)
        await assert_right(inn, match)
    inn.grant_permissions(inn.table, view_channel=False)
    await inn.make_move(match)
    assert await inn.loss_reason(match)
    inn.grant_permissions(inn.table, view_channel=None)
    await settle_bot(inn)
    await assert_right(inn, match)
    guild = inn.bot.get_guild(inn.guild.id)
    assert guild is not None
    roleless = guild.me._copy(guild.me)
    roleless._roles = discord.utils.SnowflakeList([1])
    everyone = guild.default_role
    told: Any = {"id": str(everyone.id), "name": everyone.name, "permissions": "0"}
    told |= dict.fromkeys(("position", "color", "hoist", "managed", "mentionable", "flags"), 0)
    mute = discord.Role(guild=guild, state=guild._state, data=told)
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
        await inn.make_move(match)
        await inn.dispatch_event("session", elsewhere)
        await settle_bot(inn)
        assert await inn.loss_reason(match), event
        await inn.dispatch_event(event, *args)
        await settle_bot(inn)
        await assert_right(inn, match)


async def test_a_table_is_not_given_up_after_its_trouble_has_ended(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start(rounds=2)
    thread, poster, troubles = inn.thread, inn.bot.reconciler.surface_sync.poster, ["locked"]
    give_up, mending = poster._give_up, cast(Any, inn.bot.get_cog("Reposting"))

    async def given_up_late(*args: Any) -> None:
        if troubles:  # Discord is slow to say why, and it is over meanwhile
            troubles.pop()
            inn.lock_thread(thread, locked=False)
            await mending.on_session(ALL_SERVERS)
            await inn.bot.tasks._running["mend 0"]
        await give_up(*args)

    inn.patch(poster, "_give_up", given_up_late)
    inn.patch(mending, "_numbers", count())
    inn.lock_thread(thread)
    await inn.make_move(match)
    await settle_bot(inn)
    await assert_right(inn, match)


async def test_a_thread_and_then_a_channel_are_deleted(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start(rounds=2)
    inn.delete_channel(inn.thread)
    await settle_bot(inn)
    await assert_right(inn, match)
    assert (await inn.load_snapshot(match)).info.place.thread == 0
    assert (await inn.find_table(match))["channel_id"] == str(inn.table.id)
    for _ in range(2):
        await inn.make_move(match)
        await assert_right(inn, match)
        assert str(inn.table.id) in inn.hand_text(await inn.due_name_now(match), match)
    inn.delete_channel(inn.table)
    await settle_bot(inn)
    assert "gone" in await inn.loss_reason(match)
    assert all("gone" in inn.hand_text(each, match) for each in THREE)
    await inn.make_move(match)
    assert "You can go on playing here" in inn.hand_text(await inn.due_name_now(match), match)
    await inn.play_out(match)
    assert all("Scoring" in button_labels(inn.find_hand(name, match)) for name in THREE)


@pytest.mark.parametrize("away", [False, True])
async def test_with_its_channel_a_lobby_is_closed_and_no_match(inn: SimulatedServer, away: bool) -> None:
    begun = await inn.seat_and_start(rounds=2)
    match = await inn.fill_lobby("Bela", rounds=2)
    inn.delete_channel(inn.thread)
    await settle_bot(inn)
    assert await inn.status(match) is Status.LOBBY, "its own channel is there"
    if away:
        await inn.restart(lambda: inn.delete_channel(inn.table))
    else:
        inn.delete_channel(inn.table)
    await settle_bot(inn)
    said = [message_text(message) for message in inn.inbox_messages("Bela")]
    assert sum("This match was closed before it started. Its channel was deleted." in each for each in said) == 1
    assert not any("will appear here" in each for each in said)
    assert await inn.status(begun) is Status.RUNNING
    assert "gone" in inn.hand_text("Bela", begun)


async def test_what_was_deleted_while_the_bot_was_put_out_is_missed_later(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start(rounds=2)
    with inn.patched(inn.bot.get_cog("Reposting"), "_start_search", lambda guild, channel: None):
        for channel in (inn.thread, inn.table):
            inn.delete_channel(channel)
        await settle_bot(inn)
    assert await inn.loss_reason(match) == ""
    await inn.dispatch_event("guild_join", inn.bot.get_guild(inn.guild.id))
    await settle_bot(inn)
    assert "gone" in await inn.loss_reason(match)


@pytest.mark.parametrize("killed", [False, True])
async def test_what_was_deleted_during_a_restart_is_missed_after_it(inn: SimulatedServer, killed: bool) -> None:
    match = await inn.seat_and_start(rounds=2)
    thread, posted = inn.thread, len(inn.public_messages(inn.table))
    await inn.restart(lambda: inn.delete_channel(thread), killed=killed)
    await settle_bot(inn)
    await assert_right(inn, match)
    assert (await inn.load_snapshot(match)).info.place.thread == 0
    assert len(inn.public_messages(inn.table)) == posted + 1
    await inn.restart(lambda: inn.delete_channel(inn.table), killed=killed)
    await settle_bot(inn)
    assert "gone" in await inn.loss_reason(match)


@pytest.mark.parametrize("quiet", [False, True])
async def test_a_start_asks_for_a_quiet_thread_and_for_no_other_channel(inn: SimulatedServer, quiet: bool) -> None:
    match = await inn.seat_and_start(rounds=2)
    await settle_bot(inn)
    if quiet:
        inn.archive_thread(inn.thread)
    before, number = await inn.find_table(match), len(inn.sent_requests())
    await inn.restart()
    await settle_bot(inn)
    asked = [path for method, path in inn.sent_requests(number) if method == "GET" and path.startswith("/channels/")]
    assert asked == ([f"/channels/{inn.thread.id}"] if quiet else [])
    assert (await inn.find_table(match))["id"] == before["id"]


async def test_status_finds_deleted_tables_and_direct_messages_that_are_open_again(inn: SimulatedServer) -> None:
    inn.close_dms("Bela")
    match = await inn.seat_and_start(rounds=2)
    assert inn.inbox_messages("Bela") == []
    inn.open_dms()
    old = await inn.find_table(match)
    inn.delete_message(old)
    await inn["Bela"].slash(inn.table, "wizard status", match=match)
    await settle_bot(inn)
    assert [match in str(message["components"]) for message in inn.inbox_messages("Bela")] == [True]
    assert (await inn.find_table(match))["id"] != old["id"]
    await assert_right(inn, match)


async def test_who_is_in_no_server_with_the_bot_has_not_closed_their_direct_messages(inn: SimulatedServer) -> None:
    channel = inn["Bela"].user.dm_channel  # whose first hand meets the bot put out
    inn.env.inject_error("POST", f"/channels/{channel.id}/messages", status=403, code=50278, times=1)
    match = await inn.seat_and_start(rounds=2)
    await inn.dispatch_event("guild_join", inn.bot.get_guild(inn.guild.id))
    await settle_bot(inn)
    assert [match in str(message["components"]) for message in inn.inbox_messages("Bela")] == [True]
    name, hand = await inn.due_hand(match)
    channel = inn[name].user.dm_channel
    inn.delete_message(hand)
    inn.env.inject_error("POST", f"/channels/{channel.id}/messages", status=403, code=50278, times=1)
    await inn.make_move(match)
    await settle_bot(inn)
    assert inn.inbox_messages(name) == []
    await inn.dispatch_event("guild_join", inn.bot.get_guild(inn.guild.id))
    await settle_bot(inn)
    assert len(inn.inbox_messages(name)) == 1


async def test_a_bot_that_is_put_out_as_a_match_begins_makes_no_thread(inn: SimulatedServer) -> None:
    match = await inn.fill_lobby("Bela", "Chidi", rounds=1)
    ask, guilds = inn.bot.matches.lobbies.server_settings, inn.bot._connection._guilds
    guild = guilds[inn.guild.id]

    async def put_out(server: int) -> Any:
        found = await ask(server)
        guilds.pop(server, None)
        return found

    inn.env.inject_error("POST", rf"/channels/{inn.table.id}/messages/*/threads", status=403, code=50001, times=1)
    with inn.patched(inn.bot.matches.lobbies, "server_settings", put_out):
        there = await inn.bot.surfaces.find_surface(match, "lobby")
        made = await inn.bot.reconciler.surface_sync._threads.make_thread(await inn.load_snapshot(match), there)
    guilds[inn.guild.id] = guild
    assert made.info.place.thread == 0
    assert inn.table.threads == []


REASON = "its thread is locked. Unlock it, or give me Manage Threads"


@pytest.mark.parametrize("how", ["locked", "archived", 160005, 50013])  # Discord says so in several ways
async def test_a_locked_thread_is_given_up_with_its_reason_and_comes_back(inn: SimulatedServer, how: Any) -> None:
    match = await inn.seat_and_start(rounds=2)
    thread = inn.thread
    inn.lock_thread(thread)
    if how == "archived":
        inn.archive_thread(thread)
    elif how != "locked":
        inn.env.inject_error("PATCH", f"/channels/{thread.id}/messages/*", status=403, code=how, times=None)
    await inn.make_move(match)
    assert REASON in await inn.loss_reason(match)
    for name in THREE:
        assert REASON in inn.hand_text(name, match)
    before = len(inn.sent_requests())
    await inn.make_move(match)
    await inn.env.advance_time(60)
    assert [request for request in inn.sent_requests(before) if f"/channels/{thread.id}" in request[1]] == []
    assert REASON in reply_text(await inn["Ada"].user.slash("wizard status"))
    assert REASON in await inn.loss_reason(match)  # tried again, in vain
    name, hand = await inn.due_hand(match)
    assert REASON in message_text(hand)
    assert move_buttons(hand)
    inn.lock_thread(thread, locked=False)
    inn.open_dms()
    await inn["Ada"].user.slash("wizard status")
    assert await inn.loss_reason(match) == ""
    assert f"Waiting for {name} to" in await inn.table_text(match)
    assert all("locked" not in inn.hand_text(each, match) for each in THREE)
    await inn.play_out(match)


async def test_a_match_ends_in_a_locked_thread_and_its_result_is_posted_later(inn: SimulatedServer) -> None:
    match, thread = await inn.seat_and_start(rounds=1), inn.thread
    inn.lock_thread(thread)
    await inn.play_out(match)
    assert await inn.status(match) is Status.OVER
    assert all("Scoring" in button_labels(inn.find_hand(name, match)) for name in THREE)
    assert REASON in inn.hand_text("Ada", match)
    assert "win" not in await inn.table_text(match)
    inn.lock_thread(thread, locked=False)
    said = reply_text(await inn["Ada"].user.slash("wizard status"))
    assert match in said
    assert "win" in said
    assert "win" in await inn.table_text(match)


async def test_who_manages_threads_writes_in_locked_ones(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start(rounds=1)
    inn.grant_permissions(inn.table, manage_threads=True)
    inn.lock_thread(inn.thread)
    inn.archive_thread(inn.thread)
    await inn.make_move(match)
    assert await inn.loss_reason(match) == ""
    assert f"Waiting for {await inn.due_name_now(match)} to" in await inn.table_text(match)


async def test_a_mention_in_a_locked_archive_goes_when_it_is_opened(inn: SimulatedServer) -> None:
    for name in THREE:
        inn.close_dms(name)
    match = await inn.seat_and_start(rounds=1)
    (old,) = thread_mentions(inn)
    inn.lock_thread(inn.thread)
    inn.archive_thread(inn.thread)
    await inn.make_move(match)
    await inn.env.advance_time(60)
    assert [mention["id"] for mention in thread_mentions(inn)] == [old["id"]]
    inn.lock_thread(inn.thread, locked=False)
    await inn["Ada"].user.slash("wizard status")
    (mention,) = thread_mentions(inn)
    assert inn[await inn.due_name_now(match)].mention in message_text(mention)


async def test_check_knows_what_a_voice_channel_and_a_locked_thread_ask_for(inn: SimulatedServer) -> None:
    voice = inn.guild.create_voice_channel("parlour")
    inn.grant_permissions(voice, connect=False)
    for command in ("motley check", "wizard new"):
        assert "**Connect**" in reply_text(await inn["Ada"].slash(voice, command))
    inn.grant_permissions(voice, connect=None, create_public_threads=False)
    said = reply_text(await inn["Ada"].slash(voice, "motley check"))
    assert "Connect" not in said
    assert "thread" not in said  # there are none in a voice channel
    match = await inn.seat_and_start(rounds=1, channel=voice)
    assert "Your hand" in client_text(await inn.show_hand("Ada", match))
    await inn.seat_and_start()
    inn.lock_thread(inn.thread)
    for command in ("motley check", "jest new"):
        assert "**Manage Threads**" in reply_text(await inn["Ada"].slash(inn.thread, command))
    inn.lock_thread(inn.thread, locked=False)
    assert "Manage Threads" not in reply_text(await inn["Ada"].slash(inn.thread, "motley check"))
