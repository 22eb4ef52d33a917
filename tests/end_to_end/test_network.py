"""Connections that break, before a request was applied or after it, and whatever else goes wrong on the way."""

from __future__ import annotations

import random
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import discord
import pytest
from aiohttp import ClientPayloadError, ServerDisconnectedError

from engines.store.match_store import Status
from tests.end_to_end.players import THREE, random_chooser, seat_after
from tests.end_to_end.world import SimulatedServer, reply_text
from tests.messages import button_labels, message_text, move_buttons

SOON = 6  # seconds in which it is put right
Failure = Callable[[], Exception]
BROKEN: list[Failure] = [ServerDisconnectedError, ClientPayloadError, ConnectionResetError, TimeoutError]


async def check_all_right(w: SimulatedServer, match: str) -> None:
    """Table and hands show how the match stands, and nothing is left of what stood before."""
    name = await w.due_name_now(match)
    assert f"Waiting for {name} to" in await w.table_text(match)
    tables = [m for m in w.public_messages(w.thread) if "Show my hand" in str(m["components"]) and not m["content"]]
    assert len(tables) == 1
    assert move_buttons(w.find_hand(name, match))
    for other in THREE:
        assert len(w.public_messages(w[other].user.dm_channel)) == 1
        assert bool(move_buttons(w.find_hand(other, match))) == (other == name)


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("error", BROKEN)
@pytest.mark.parametrize("method", ["PATCH", "POST", "DELETE"])
async def test_broken_connections_cost_a_moment(inn: SimulatedServer, method: str, error: Failure, after: bool) -> None:
    match = await inn.seat_and_start(rounds=2)
    inn.cut_connections(method, "/channels/*", after=after, error=error, times=None)
    await inn.make_move(match)
    inn.open_dms()
    await inn.env.advance_time(10)
    await check_all_right(inn, match)


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("seed", range(3))
async def test_a_match_over_connections_that_often_break_ends(inn: SimulatedServer, seed: int, after: bool) -> None:
    match = await inn.seat_and_start(rounds=2)
    inn.cut_connections("*", "/channels/*", after=after, times=None, percent=20, chance=random.Random(seed))
    choose = random_chooser(seed)
    while await inn.status(match) is Status.RUNNING:
        await inn.make_move(match, choose)
        await inn.env.advance_time(30)
    inn.open_dms()
    await inn.env.advance_time(15)
    assert [m for m in inn.public_messages(inn.thread) if "your turn" in message_text(m)] == []
    assert "win" in await inn.table_text(match)
    assert all("Scoring" in button_labels(inn.find_hand(name, match)) for name in THREE)


@pytest.mark.mishap
async def test_what_nobody_foresaw_is_tried_again(inn: SimulatedServer, caplog: pytest.LogCaptureFixture) -> None:
    match, poster = await inn.seat_and_start(rounds=2), inn.bot.reconciler.surface_sync.poster

    async def broken(*args: Any, **more: Any) -> None:
        raise ValueError(f"the {'ace'} of spades is hidden in here")

    with inn.patched(poster, "edit", broken):
        await inn.make_move(match)
        await inn.env.advance_time(30)
    assert caplog.text.count("ValueError") >= 2
    assert "ace of spades" not in caplog.text
    await inn.env.advance_time(60)
    await check_all_right(inn, match)


@pytest.mark.parametrize(("error", "seconds"), [(lambda: discord.RateLimited(90), 90), (None, 60)])
async def test_what_has_to_wait_is_not_sent_before(inn: SimulatedServer, error: Failure | None, seconds: int) -> None:
    match = await inn.seat_and_start(rounds=2)
    channel = inn.find_hand(seat_after(await inn.due_name_now(match)), match)["channel_id"]
    path = f"/channels/{channel}/messages/*"
    if error is None:
        inn.env.inject_error("PATCH", path, status=403, code=40003, times=1)
    else:
        inn.cut_connections("PATCH", path, error=error)
    await inn.make_move(match)
    before = len(inn.sent_requests())
    await inn.env.advance_time(seconds - 1)
    sent = [path for _, path in inn.sent_requests(before)]
    assert [path for path in sent if "/members/" not in path] == []  # whether who is called is still there
    await inn.env.advance_time(2)
    await check_all_right(inn, match)
    assert not inn.bot.reconciler.connectivity.is_down


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("times", [1, 2, None])
async def test_who_made_a_move_is_told_of_no_trouble(inn: SimulatedServer, after: bool, times: int | None) -> None:
    match, name = await inn.start_due(rounds=2)
    message = inn.find_hand(name, match)
    inn.cut_connections("POST", "/interactions/*/callback", after=after, times=times)
    result = await inn.press_button(name, message, move_buttons(message)[0])
    inn.open_dms()
    await inn.env.advance_time(10)
    assert await inn.move_count(match) == 1
    for said in (reply_text(result), *map(message_text, inn.inbox_messages(name))):
        assert "wrong" not in said
    await check_all_right(inn, match)


@pytest.mark.parametrize("after", [False, True])
async def test_an_answer_whose_connection_breaks_once_is_given_all_the_same(inn: SimulatedServer, after: bool) -> None:
    match, name = await inn.start_due(rounds=2)
    shown = await inn.show_hand(name, match)
    inn.cut_connections("POST", "/interactions/*/callback", after=after)
    await inn.press_button(name, shown, move_buttons(shown)[0])
    (now,) = inn.private_messages(name)
    assert "Waiting for" in message_text(now)
    assert move_buttons(now) == []


async def test_a_hand_on_demand_whose_answer_is_lost_is_brought_up_to_date_all_the_same(inn: SimulatedServer) -> None:
    inn.close_dms("Bela")
    match = await inn.seat_and_start(rounds=2)
    while await inn.due_name_now(match) != "Bela":
        await inn.make_move(match)
    shown = await inn.show_hand("Bela", match)
    inn.cut_connections("POST", "/interactions/*/callback", times=None)
    inn.cut_connections("PATCH", "/webhooks/*", times=2)
    await inn.press_button("Bela", shown, move_buttons(shown)[0])
    inn.connection_cuts.clear()
    await inn.env.advance_time(5)
    assert (await inn.load_snapshot(match)).movers[-1] == THREE.index("Bela")
    (now,) = [message for message in inn.private_messages("Bela") if message["id"] == shown["id"]]
    assert move_buttons(now) == []
    assert "Waiting for" in message_text(now)


@pytest.mark.parametrize("after", [False, True])
async def test_a_lobby_whose_answer_was_lost_is_there_once(inn: SimulatedServer, after: bool) -> None:
    inn.cut_connections("POST", "/interactions/*/callback", after=after)
    match = await inn.fill_lobby("Bela", "Chidi", rounds=1)
    assert len([m for m in inn.public_messages(inn.table) if "join the table" in message_text(m)]) == 1
    assert "Chidi" in await inn.lobby_text(match)
    await inn.start_match(match)
    await inn.play_out(match)


@pytest.mark.mishap
async def test_a_move_whose_hand_is_not_drawn_is_made(inn: SimulatedServer, caplog: pytest.LogCaptureFixture) -> None:
    match, name = await inn.start_due(rounds=2)
    message = inn.find_hand(name, match)

    async def broken(*args: Any, **more: Any) -> None:
        raise ValueError("no picture")

    with inn.patched(inn.bot.actions.hands, "redraw_hand", broken):
        said = reply_text(await inn.press_button(name, message, move_buttons(message)[0]))
    assert "saved" in said
    assert "wrong" not in said
    assert "try again" not in said
    assert "ValueError" in caplog.text
    await inn.env.advance_time(10)
    await check_all_right(inn, match)


@pytest.mark.parametrize("whose", ["table", "answer", "hand", "hand on demand"])
async def test_an_edit_that_is_carried_out_after_a_newer_one_is_put_right(inn: SimulatedServer, whose: str) -> None:
    match = await inn.seat_and_start(rounds=2)
    mover = await inn.due_name_now(match)
    other = next(name for name in THREE if name != mover)
    where = {"answer": inn[mover].user.dm_channel, "hand": inn[other].user.dm_channel}.get(whose, inn.thread)
    path = {"answer": "*/callback", "hand on demand": "/webhooks/*"}.get(whose, f"/channels/{where.id}/messages/*")
    if whose == "hand on demand":
        await inn.show_hand(other, match)

    def shown() -> list[str]:
        return [re.sub(r"<t:\d+", "", message_text(message)) for message in inn.messages(where)]

    async with cut_short(inn, path=path, times=None if whose == "answer" else 1):
        await inn.make_move(match)
    await inn.make_move(match)
    right = shown()
    inn.carry_out_late()
    assert shown() != right
    await inn.env.advance_time(SOON)
    assert shown() == right
    await check_all_right(inn, match)


@asynccontextmanager
async def cut_short(w: SimulatedServer, **what: Any) -> AsyncIterator[None]:
    """Such requests are cut short in here, and can be carried out late; two seconds pass after it."""
    w.cut_connections(error=TimeoutError, later=True, **what)
    yield
    assert w.late_requests
    w.connection_cuts.clear()
    await w.env.advance_time(2)


async def test_a_hand_that_is_carried_out_after_its_farewell_is_taken_away_again(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start(rounds=2)
    mover = await inn.due_name_now(match)
    other = next(name for name in THREE if name != mover)
    channel = inn[other].user.dm_channel
    async with cut_short(inn, path=f"/channels/{channel.id}/messages/*", times=1):
        await inn.make_move(match)
    message = inn.find_hand(other, match)["id"]
    await inn.leave_match(match, other)

    def has_farewell() -> bool:
        (stands,) = [message_text(each) for each in inn.messages(channel) if each["id"] == message]
        return "You are no longer at this table" in stands

    assert has_farewell()
    inn.carry_out_late()
    assert not has_farewell()
    await inn.env.advance_time(SOON)
    assert has_farewell()


async def test_a_mention_that_is_carried_out_after_a_newer_one_calls_nobody_who_has_moved(inn: SimulatedServer) -> None:
    for name in THREE:
        inn.close_dms(name)
    match = await inn.seat_and_start(game="jest", clock="none")

    def named() -> list[str]:
        said = [mention["content"] for mention in inn.public_messages(inn.thread)]
        return [name for name in THREE for each in said if inn[name].mention in each]

    async def move_of(name: str) -> None:
        own = await inn.show_hand(name, match)
        await inn.press_button(name, own, move_buttons(own)[0])

    assert named() == list(THREE)
    (mention,) = [each for each in inn.public_messages(inn.thread) if inn["Ada"].mention in each["content"]]
    async with cut_short(inn, method="PATCH", path=f"/channels/{inn.thread.id}/messages/{mention['id']}", times=1):
        await move_of(THREE[0])
    await move_of(THREE[1])
    assert named() == [THREE[2]]
    inn.carry_out_late()
    assert named() == list(THREE[1:])
    await inn.env.advance_time(SOON)
    assert named() == [THREE[2]]
