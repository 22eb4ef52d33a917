"""A thread that is locked or in the archive: the reason is told, the match goes on in hands, and comes back."""

from __future__ import annotations

import pytest

from engines.store.match_store import Status
from tests.end_to_end.players import (
    THREE,
    hand,
    hand_on_demand,
    look,
    move,
    play_out,
    seat_and_start,
    table,
    turn,
)
from tests.end_to_end.world import World, labels, move_buttons, told, words
from tests.messages import everything

REASON = "the thread is locked: I need Manage Threads, or unlock it"


async def lost(w: World, match: str) -> str:
    """Why the table is given up; empty where it is not."""
    kept = await w.bot.keeper.surface(match, "table")
    assert kept is not None
    return kept.lost


@pytest.mark.parametrize("archived", [False, True])
async def test_a_locked_thread_is_given_up_with_its_reason_and_comes_back(inn: World, archived: bool) -> None:
    match = await seat_and_start(inn, rounds=2)
    thread = inn.thread
    inn.lock(thread)
    if archived:
        inn.archive(thread)
    await move(inn, match)
    assert REASON in await lost(inn, match)
    for name in THREE:
        assert REASON in words(hand(inn, name, match))
    before = len(inn.sent())
    await move(inn, match)
    await inn.env.advance_time(60)
    assert [request for request in inn.sent(before) if f"/channels/{thread.id}" in request[1]] == []
    assert REASON in told(await inn["Ada"].user.slash("wizard status"))
    assert REASON in await lost(inn, match)  # tried again, in vain
    assert REASON in words(hand(inn, await turn(inn, match), match))
    assert move_buttons(hand(inn, await turn(inn, match), match))
    inn.lock(thread, locked=False)
    await inn["Ada"].user.slash("wizard status")
    name = await turn(inn, match)
    assert await lost(inn, match) == ""
    assert f"Waiting for {name} to" in words(await table(inn, match))
    assert all("locked" not in words(hand(inn, each, match)) for each in THREE)
    assert name in words(await table(inn, match))
    await play_out(inn, match)


async def test_in_a_locked_thread_a_match_is_played_to_its_end(inn: World) -> None:
    match = await seat_and_start(inn, rounds=1)
    inn.lock(inn.thread)
    await play_out(inn, match)
    assert (await look(inn, match)).info.status is Status.OVER
    assert all("Scoring" in labels(hand(inn, name, match)) for name in THREE)
    assert REASON in words(hand(inn, "Ada", match))


async def test_who_manages_threads_writes_in_locked_ones(inn: World) -> None:
    match = await seat_and_start(inn, rounds=1)
    inn.grant(inn.table, manage_threads=True)
    inn.lock(inn.thread)
    inn.archive(inn.thread)
    await move(inn, match)
    assert await lost(inn, match) == ""
    assert f"Waiting for {await turn(inn, match)} to" in words(await table(inn, match))


@pytest.mark.parametrize("code", [160005, 50013])
async def test_every_way_in_which_discord_says_so_is_understood(inn: World, code: int) -> None:
    match = await seat_and_start(inn, rounds=1)
    inn.lock(inn.thread)
    inn.env.inject_error("PATCH", f"/channels/{inn.thread.id}/messages/*", status=403, code=code, times=None)
    await move(inn, match)
    assert REASON in await lost(inn, match)


async def test_a_mention_in_a_locked_archive_goes_when_it_is_opened(inn: World) -> None:
    for name in THREE:
        inn.close_dms(name)
    match = await seat_and_start(inn, rounds=1)
    (old,) = [m for m in inn.public(inn.thread) if "your turn" in words(m)]
    inn.lock(inn.thread)
    inn.archive(inn.thread)
    await move(inn, match)
    await inn.env.advance_time(60)
    assert [m["id"] for m in inn.public(inn.thread) if "your turn" in words(m)] == [old["id"]]
    inn.lock(inn.thread, locked=False)
    await inn["Ada"].user.slash("wizard status")
    (mention,) = [m for m in inn.public(inn.thread) if "your turn" in words(m)]
    assert inn[await turn(inn, match)].mention in words(mention)


async def test_where_too_many_threads_are_open_the_channel_serves(inn: World) -> None:
    inn.env.inject_error("POST", "/channels/*/messages/*/threads", status=400, code=160006, times=None)
    match = await seat_and_start(inn, rounds=1)
    assert inn.table.threads == []
    assert (await table(inn, match))["channel_id"] == str(inn.table.id)
    await play_out(inn, match)


async def test_a_thread_waits_where_discord_is_too_busy_to_make_it(inn: World) -> None:
    inn.env.inject_error("POST", "/channels/*/messages/*/threads", status=429, times=1)
    match = await seat_and_start(inn, rounds=1)
    await inn.env.advance_time(5)
    assert (await table(inn, match))["channel_id"] == str(inn.thread.id) != str(inn.table.id)


async def test_check_knows_what_a_voice_channel_asks_for(inn: World) -> None:
    voice = inn.guild.create_voice_channel("parlour")
    inn.grant(voice, connect=False)
    assert "**Connect**" in told(await inn["Ada"].slash(voice, "motley check"))
    assert "**Connect**" in told(await inn["Ada"].slash(voice, "wizard new"))
    inn.grant(voice, connect=None, create_public_threads=False)
    said = told(await inn["Ada"].slash(voice, "motley check"))
    assert "Connect" not in said
    assert "thread" not in said  # there are none in a voice channel
    match = await seat_and_start(inn, rounds=1, channel=voice)
    shown = await hand_on_demand(inn, "Ada", match)
    assert "Your hand" in everything(shown)


async def test_check_knows_what_a_locked_thread_asks_for(inn: World) -> None:
    await seat_and_start(inn, rounds=1)
    inn.lock(inn.thread)
    assert "**Manage Threads**" in told(await inn["Ada"].slash(inn.thread, "motley check"))
    assert "**Manage Threads**" in told(await inn["Ada"].slash(inn.thread, "jest new"))
    inn.lock(inn.thread, locked=False)
    assert "Manage Threads" not in told(await inn["Ada"].slash(inn.thread, "motley check"))


async def test_the_result_of_a_match_that_ended_in_a_locked_thread_is_posted_when_somebody_asks(inn: World) -> None:
    match = await seat_and_start(inn, rounds=1)
    thread = inn.thread
    inn.lock(thread)
    await play_out(inn, match)
    assert "win" not in words(await table(inn, match))
    inn.lock(thread, locked=False)
    said = told(await inn["Ada"].user.slash("wizard status"))
    assert match in said
    assert "win" in said
    assert "win" in words(await table(inn, match))
