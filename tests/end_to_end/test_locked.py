"""A thread that is locked or in the archive: the reason is told, the match goes on in hands, and comes back."""

from __future__ import annotations

import pytest

from engines.store.match_store import Status
from tests.end_to_end.players import (
    THREE,
    due_name_now,
    find_hand,
    find_table,
    load_snapshot,
    make_move,
    play_out,
    seat_and_start,
    show_hand,
)
from tests.end_to_end.world import SimulatedServer, button_labels, message_text, move_buttons, reply_text
from tests.messages import client_text

REASON = "its thread is locked. Unlock it, or give me Manage Threads"


async def loss_reason(w: SimulatedServer, match: str) -> str:
    """Why the table is given up; empty where it is not."""
    kept = await w.bot.reconciler.surface(match, "table")
    assert kept is not None
    return kept.lost


@pytest.mark.parametrize("archived", [False, True])
async def test_a_locked_thread_is_given_up_with_its_reason_and_comes_back(inn: SimulatedServer, archived: bool) -> None:
    match = await seat_and_start(inn, rounds=2)
    thread = inn.thread
    inn.lock_thread(thread)
    if archived:
        inn.archive_thread(thread)
    await make_move(inn, match)
    assert REASON in await loss_reason(inn, match)
    for name in THREE:
        assert REASON in message_text(find_hand(inn, name, match))
    before = len(inn.sent_requests())
    await make_move(inn, match)
    await inn.env.advance_time(60)
    assert [request for request in inn.sent_requests(before) if f"/channels/{thread.id}" in request[1]] == []
    assert REASON in reply_text(await inn["Ada"].user.slash("wizard status"))
    assert REASON in await loss_reason(inn, match)  # tried again, in vain
    assert REASON in message_text(find_hand(inn, await due_name_now(inn, match), match))
    assert move_buttons(find_hand(inn, await due_name_now(inn, match), match))
    inn.lock_thread(thread, locked=False)
    await inn["Ada"].user.slash("wizard status")
    name = await due_name_now(inn, match)
    assert await loss_reason(inn, match) == ""
    assert f"Waiting for {name} to" in message_text(await find_table(inn, match))
    assert all("locked" not in message_text(find_hand(inn, each, match)) for each in THREE)
    assert name in message_text(await find_table(inn, match))
    await play_out(inn, match)


async def test_in_a_locked_thread_a_match_is_played_to_its_end(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=1)
    inn.lock_thread(inn.thread)
    await play_out(inn, match)
    assert (await load_snapshot(inn, match)).info.status is Status.OVER
    assert all("Scoring" in button_labels(find_hand(inn, name, match)) for name in THREE)
    assert REASON in message_text(find_hand(inn, "Ada", match))


async def test_who_manages_threads_writes_in_locked_ones(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=1)
    inn.grant_permissions(inn.table, manage_threads=True)
    inn.lock_thread(inn.thread)
    inn.archive_thread(inn.thread)
    await make_move(inn, match)
    assert await loss_reason(inn, match) == ""
    assert f"Waiting for {await due_name_now(inn, match)} to" in message_text(await find_table(inn, match))


@pytest.mark.parametrize("code", [160005, 50013])
async def test_every_way_in_which_discord_says_so_is_understood(inn: SimulatedServer, code: int) -> None:
    match = await seat_and_start(inn, rounds=1)
    inn.lock_thread(inn.thread)
    inn.env.inject_error("PATCH", f"/channels/{inn.thread.id}/messages/*", status=403, code=code, times=None)
    await make_move(inn, match)
    assert REASON in await loss_reason(inn, match)


async def test_a_mention_in_a_locked_archive_goes_when_it_is_opened(inn: SimulatedServer) -> None:
    for name in THREE:
        inn.close_dms(name)
    match = await seat_and_start(inn, rounds=1)
    (old,) = [m for m in inn.public_messages(inn.thread) if "your turn" in message_text(m)]
    inn.lock_thread(inn.thread)
    inn.archive_thread(inn.thread)
    await make_move(inn, match)
    await inn.env.advance_time(60)
    assert [m["id"] for m in inn.public_messages(inn.thread) if "your turn" in message_text(m)] == [old["id"]]
    inn.lock_thread(inn.thread, locked=False)
    await inn["Ada"].user.slash("wizard status")
    (mention,) = [m for m in inn.public_messages(inn.thread) if "your turn" in message_text(m)]
    assert inn[await due_name_now(inn, match)].mention in message_text(mention)


async def test_where_too_many_threads_are_open_the_channel_serves(inn: SimulatedServer) -> None:
    inn.env.inject_error("POST", "/channels/*/messages/*/threads", status=400, code=160006, times=None)
    match = await seat_and_start(inn, rounds=1)
    assert inn.table.threads == []
    assert (await find_table(inn, match))["channel_id"] == str(inn.table.id)
    await play_out(inn, match)


async def test_a_thread_waits_where_discord_is_too_busy_to_make_it(inn: SimulatedServer) -> None:
    inn.env.inject_error("POST", "/channels/*/messages/*/threads", status=429, times=1)
    match = await seat_and_start(inn, rounds=1)
    await inn.env.advance_time(5)
    assert (await find_table(inn, match))["channel_id"] == str(inn.thread.id) != str(inn.table.id)


async def test_check_knows_what_a_voice_channel_asks_for(inn: SimulatedServer) -> None:
    voice = inn.guild.create_voice_channel("parlour")
    inn.grant_permissions(voice, connect=False)
    assert "**Connect**" in reply_text(await inn["Ada"].slash(voice, "motley check"))
    assert "**Connect**" in reply_text(await inn["Ada"].slash(voice, "wizard new"))
    inn.grant_permissions(voice, connect=None, create_public_threads=False)
    said = reply_text(await inn["Ada"].slash(voice, "motley check"))
    assert "Connect" not in said
    assert "thread" not in said  # there are none in a voice channel
    match = await seat_and_start(inn, rounds=1, channel=voice)
    shown = await show_hand(inn, "Ada", match)
    assert "Your hand" in client_text(shown)


async def test_check_knows_what_a_locked_thread_asks_for(inn: SimulatedServer) -> None:
    await seat_and_start(inn, rounds=1)
    inn.lock_thread(inn.thread)
    assert "**Manage Threads**" in reply_text(await inn["Ada"].slash(inn.thread, "motley check"))
    assert "**Manage Threads**" in reply_text(await inn["Ada"].slash(inn.thread, "jest new"))
    inn.lock_thread(inn.thread, locked=False)
    assert "Manage Threads" not in reply_text(await inn["Ada"].slash(inn.thread, "motley check"))


async def test_the_result_of_a_match_that_ended_in_a_locked_thread_is_posted_when_somebody_asks(
    inn: SimulatedServer,
) -> None:
    match = await seat_and_start(inn, rounds=1)
    thread = inn.thread
    inn.lock_thread(thread)
    await play_out(inn, match)
    assert "win" not in message_text(await find_table(inn, match))
    inn.lock_thread(thread, locked=False)
    said = reply_text(await inn["Ada"].user.slash("wizard status"))
    assert match in said
    assert "win" in said
    assert "win" in message_text(await find_table(inn, match))
