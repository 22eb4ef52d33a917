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
from tests.end_to_end.simulated_server import SimulatedServer, reply_text
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
async def test_broken_connections_cost_a_moment(
    server: SimulatedServer, method: str, error: Failure, after: bool
) -> None:
    match = await server.seat_and_start(rounds=2)
    server.cut_connections(method, "/channels/*", after=after, error=error, times=None)
    await server.make_move(match)
    server.open_dms()
    await server.env.advance_time(10)
    await check_all_right(server, match)


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("seed", range(3))
async def test_a_match_over_connections_that_often_break_ends(server: SimulatedServer, seed: int, after: bool) -> None:
    match = await server.seat_and_start(rounds=2)
    server.cut_connections("*", "/channels/*", after=after, times=None, percent=20, chance=random.Random(seed))
    choose = random_chooser(seed)
    while await server.status(match) is Status.RUNNING:
        await server.make_move(match, choose)
        await server.env.advance_time(30)
    server.open_dms()
    await server.env.advance_time(15)
    assert [m for m in server.public_messages(server.thread) if "your turn" in message_text(m)] == []
    assert "win" in await server.table_text(match)
    assert all("Scoring" in button_labels(server.find_hand(name, match)) for name in THREE)


@pytest.mark.mishap
async def test_an_unforeseen_error_is_tried_again(server: SimulatedServer, caplog: pytest.LogCaptureFixture) -> None:
    match, poster = await server.seat_and_start(rounds=2), server.bot.reconciler.surface_sync.poster

    async def broken(*args: Any, **more: Any) -> None:
        raise ValueError(f"the {'ace'} of spades is hidden in here")

    with server.patched(poster, "edit", broken):
        await server.make_move(match)
        await server.env.advance_time(30)
    assert caplog.text.count("ValueError") >= 2
    assert "ace of spades" not in caplog.text
    await server.env.advance_time(60)
    await check_all_right(server, match)


@pytest.mark.parametrize(("error", "seconds"), [(lambda: discord.RateLimited(90), 90), (None, 60)])
async def test_a_request_that_has_to_wait_is_not_sent_before(
    server: SimulatedServer, error: Failure | None, seconds: int
) -> None:
    match = await server.seat_and_start(rounds=2)
    channel = server.find_hand(seat_after(await server.due_name_now(match)), match)["channel_id"]
    path = f"/channels/{channel}/messages/*"
    if error is None:
        server.env.inject_error("PATCH", path, status=403, code=40003, times=1)
    else:
        server.cut_connections("PATCH", path, error=error)
    await server.make_move(match)
    before = len(server.sent_requests())
    await server.env.advance_time(seconds - 1)
    sent = [path for _, path in server.sent_requests(before)]
    assert [path for path in sent if "/members/" not in path] == []  # whether who is called is still there
    await server.env.advance_time(2)
    await check_all_right(server, match)
    assert not server.bot.reconciler.connectivity.is_down


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("times", [1, 2, None])
async def test_somebody_who_made_a_move_is_told_of_no_trouble(
    server: SimulatedServer, after: bool, times: int | None
) -> None:
    match, name = await server.start_due(rounds=2)
    message = server.find_hand(name, match)
    server.cut_connections("POST", "/interactions/*/callback", after=after, times=times)
    result = await server.press_button(name, message, move_buttons(message)[0])
    server.open_dms()
    await server.env.advance_time(10)
    assert await server.move_count(match) == 1
    for told_text in (reply_text(result), *map(message_text, server.inbox_messages(name))):
        assert "wrong" not in told_text
    await check_all_right(server, match)


@pytest.mark.parametrize("after", [False, True])
async def test_an_answer_whose_connection_breaks_once_is_given_all_the_same(
    server: SimulatedServer, after: bool
) -> None:
    match, name = await server.start_due(rounds=2)
    shown_hand = await server.show_hand(name, match)
    server.cut_connections("POST", "/interactions/*/callback", after=after)
    await server.press_button(name, shown_hand, move_buttons(shown_hand)[0])
    (now,) = server.private_messages(name)
    assert "Waiting for" in message_text(now)
    assert move_buttons(now) == []


async def test_a_hand_on_demand_whose_answer_is_lost_is_brought_up_to_date_all_the_same(
    server: SimulatedServer,
) -> None:
    server.close_dms("Bela")
    match = await server.seat_and_start(rounds=2)
    while await server.due_name_now(match) != "Bela":
        await server.make_move(match)
    shown_hand = await server.show_hand("Bela", match)
    server.cut_connections("POST", "/interactions/*/callback", times=None)
    server.cut_connections("PATCH", "/webhooks/*", times=2)
    await server.press_button("Bela", shown_hand, move_buttons(shown_hand)[0])
    server.connection_cuts.clear()
    await server.env.advance_time(5)
    assert (await server.load_snapshot(match)).movers[-1] == THREE.index("Bela")
    (now,) = [message for message in server.private_messages("Bela") if message["id"] == shown_hand["id"]]
    assert move_buttons(now) == []
    assert "Waiting for" in message_text(now)


@pytest.mark.parametrize("after", [False, True])
async def test_a_lobby_whose_answer_was_lost_is_there_once(server: SimulatedServer, after: bool) -> None:
    server.cut_connections("POST", "/interactions/*/callback", after=after)
    match = await server.fill_lobby("Bela", "Chidi", rounds=1)
    assert len([m for m in server.public_messages(server.table) if "Join" in button_labels(m)]) == 1
    assert "Chidi" in await server.lobby_text(match)
    await server.start_match(match)
    await server.play_out(match)


@pytest.mark.mishap
async def test_a_move_whose_hand_is_not_drawn_is_made(
    server: SimulatedServer, caplog: pytest.LogCaptureFixture
) -> None:
    match, name = await server.start_due(rounds=2)
    message = server.find_hand(name, match)

    async def broken(*args: Any, **more: Any) -> None:
        raise ValueError("no picture")

    with server.patched(server.bot.actions.hands, "redraw_hand", broken):
        reply = reply_text(await server.press_button(name, message, move_buttons(message)[0]))
    assert "saved" in reply
    assert "wrong" not in reply
    assert "try again" not in reply
    assert "ValueError" in caplog.text
    await server.env.advance_time(10)
    await check_all_right(server, match)


@pytest.mark.parametrize("whose", ["table", "answer", "hand", "hand on demand"])
async def test_an_edit_that_is_carried_out_after_a_newer_one_is_put_right(server: SimulatedServer, whose: str) -> None:
    match = await server.seat_and_start(rounds=2)
    mover = await server.due_name_now(match)
    other = next(name for name in THREE if name != mover)
    where = {"answer": server[mover].user.dm_channel, "hand": server[other].user.dm_channel}.get(whose, server.thread)
    path = {"answer": "*/callback", "hand on demand": "/webhooks/*"}.get(whose, f"/channels/{where.id}/messages/*")
    if whose == "hand on demand":
        await server.show_hand(other, match)

    def shown() -> list[str]:
        return [re.sub(r"<t:\d+", "", message_text(message)) for message in server.messages(where)]

    async with cut_short(server, path=path, times=None if whose == "answer" else 1):
        await server.make_move(match)
    await server.make_move(match)
    right = shown()
    await server.env.carry_out_late()
    assert shown() != right
    await server.env.advance_time(SOON)
    assert shown() == right
    await check_all_right(server, match)


@asynccontextmanager
async def cut_short(w: SimulatedServer, **what: Any) -> AsyncIterator[None]:
    """Such requests are cut short in here, and can be carried out late; two seconds pass after it."""
    w.cut_connections(error=TimeoutError, later=True, **what)
    yield
    assert w.env.late_requests
    w.connection_cuts.clear()
    await w.env.advance_time(2)


async def test_a_hand_that_is_carried_out_after_its_farewell_is_taken_away_again(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=2)
    mover = await server.due_name_now(match)
    other = next(name for name in THREE if name != mover)
    channel = server[other].user.dm_channel
    async with cut_short(server, path=f"/channels/{channel.id}/messages/*", times=1):
        await server.make_move(match)
    message = server.find_hand(other, match)["id"]
    await server.leave_match(match, other)

    def has_farewell() -> bool:
        (stands,) = [message_text(each) for each in server.messages(channel) if each["id"] == message]
        return "You are no longer at this table" in stands

    assert has_farewell()
    await server.env.carry_out_late()
    assert not has_farewell()
    await server.env.advance_time(SOON)
    assert has_farewell()


async def test_a_mention_that_is_carried_out_after_a_newer_one_calls_nobody_who_has_moved(
    server: SimulatedServer,
) -> None:
    for name in THREE:
        server.close_dms(name)
    match = await server.seat_and_start(game="jest", clock="none")

    def named() -> list[str]:
        mention_texts = [mention["content"] for mention in server.public_messages(server.thread)]
        return [name for name in THREE for each in mention_texts if server[name].mention in each]

    async def move_of(name: str) -> None:
        own = await server.show_hand(name, match)
        await server.press_button(name, own, move_buttons(own)[0])

    assert named() == list(THREE)
    (mention,) = [each for each in server.public_messages(server.thread) if server["Ada"].mention in each["content"]]
    async with cut_short(
        server, method="PATCH", path=f"/channels/{server.thread.id}/messages/{mention['id']}", times=1
    ):
        await move_of(THREE[0])
    await move_of(THREE[1])
    assert named() == [THREE[2]]
    await server.env.carry_out_late()
    assert named() == list(THREE[1:])
    await server.env.advance_time(SOON)
    assert named() == [THREE[2]]
