"""Connections that break, before a request was applied or after it, and whatever else goes wrong on the way."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import aiohttp
import discord
import pytest

from engines.store.match_store import Status
from tests.end_to_end.players import (
    THREE,
    due_name_now,
    find_hand,
    find_lobby,
    find_table,
    join_lobby,
    leave_match,
    load_snapshot,
    make_move,
    open_lobby,
    play_out,
    random_chooser,
    seat_and_start,
    show_hand,
    start_match,
)
from tests.end_to_end.world import SimulatedServer, button_labels, message_text, move_buttons, reply_text

SOON = 6  # seconds in which it is put right
BROKEN: list[Callable[[], Exception]] = [
    aiohttp.ServerDisconnectedError,
    aiohttp.ClientPayloadError,
    ConnectionResetError,
    TimeoutError,
]


async def check_all_right(w: SimulatedServer, match: str) -> None:
    """Table and hands show how the match stands, and nothing is left of what stood before."""
    name = await due_name_now(w, match)
    assert f"Waiting for {name} to" in message_text(await find_table(w, match))
    tables = [m for m in w.public_messages(w.thread) if "Show my hand" in str(m["components"]) and not m["content"]]
    assert len(tables) == 1
    assert move_buttons(find_hand(w, name, match))
    for other in THREE:
        assert len(w.public_messages(w[other].user.dm_channel)) == 1
        assert bool(move_buttons(find_hand(w, other, match))) == (other == name)


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("error", BROKEN)
@pytest.mark.parametrize("method", ["PATCH", "POST", "DELETE"])
async def test_a_connection_that_breaks_costs_nothing_but_a_moment(
    inn: SimulatedServer, method: str, error: Callable[[], Exception], after: bool
) -> None:
    match = await seat_and_start(inn, rounds=2)
    inn.cut_connections(method, "/channels/*", after=after, error=error, times=None)
    await make_move(inn, match)
    inn.open_dms()
    await inn.env.advance_time(10)
    await check_all_right(inn, match)


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("seed", range(3))
async def test_a_match_whose_connections_break_again_and_again_is_played_to_its_end(
    inn: SimulatedServer, seed: int, after: bool
) -> None:
    match = await seat_and_start(inn, rounds=2)
    inn.cut_connections("*", "/channels/*", after=after, times=None, percent=20, chance=random.Random(seed))
    choose = random_chooser(seed)
    while (await load_snapshot(inn, match)).info.status is Status.RUNNING:
        await make_move(inn, match, choose)
        await inn.env.advance_time(30)
    inn.open_dms()
    await inn.env.advance_time(15)
    assert [m for m in inn.public_messages(inn.thread) if "your turn" in message_text(m)] == []
    assert "win" in message_text(await find_table(inn, match))
    assert all("Scoring" in button_labels(find_hand(inn, name, match)) for name in THREE)


@pytest.mark.mishap
async def test_what_nobody_foresaw_is_logged_under_a_number_and_tried_again(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match = await seat_and_start(inn, rounds=2)
    send = inn.bot.reconciler.surface_sync.poster.edit

    async def broken(*args: Any, **more: Any) -> None:
        raise ValueError(f"the {'ace'} of spades is hidden in here")

    monkeypatch.setattr(inn.bot.reconciler.surface_sync.poster, "edit", broken)
    await make_move(inn, match)
    await inn.env.advance_time(30)
    assert caplog.text.count("ValueError") >= 2
    assert "ace of spades" not in caplog.text
    monkeypatch.setattr(inn.bot.reconciler.surface_sync.poster, "edit", send)
    await inn.env.advance_time(60)
    await check_all_right(inn, match)


@pytest.mark.parametrize(
    ("error", "seconds"), [(lambda: discord.RateLimited(90), 90), (None, 60)], ids=["rate limited", "40003"]
)
async def test_where_discord_asks_to_wait_nothing_is_sent_before(
    inn: SimulatedServer, error: Callable[[], Exception] | None, seconds: int
) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due_name_now(inn, match)
    channel = find_hand(inn, THREE[(THREE.index(name) + 1) % 3], match)["channel_id"]
    path = f"/channels/{channel}/messages/*"
    if error is None:
        inn.env.inject_error("PATCH", path, status=403, code=40003, times=1)
    else:
        inn.cut_connections("PATCH", path, error=error)
    await make_move(inn, match)
    before = len(inn.sent_requests())
    await inn.env.advance_time(seconds - 1)
    sent = [
        path for _, path in inn.sent_requests(before) if "/members/" not in path
    ]  # whether who is called is still there
    assert sent == []
    await inn.env.advance_time(2)
    await check_all_right(inn, match)
    assert not inn.bot.reconciler.connectivity.is_down


# Answers


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("times", [1, 2, None])
async def test_who_made_a_move_is_never_told_that_something_went_wrong(
    inn: SimulatedServer, after: bool, times: int | None
) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due_name_now(inn, match)
    message = find_hand(inn, name, match)
    inn.cut_connections("POST", "/interactions/*/callback", after=after, times=times)
    result = await inn.press_button(name, message, move_buttons(message)[0])
    inn.open_dms()
    await inn.env.advance_time(10)
    assert (await load_snapshot(inn, match)).info.moves == 1
    assert "wrong" not in reply_text(result)
    assert "wrong" not in "".join(map(message_text, inn.inbox_messages(name)))
    assert move_buttons(find_hand(inn, name, match)) == []
    await check_all_right(inn, match)


@pytest.mark.parametrize("after", [False, True])
async def test_an_answer_whose_connection_breaks_once_is_given_all_the_same(inn: SimulatedServer, after: bool) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due_name_now(inn, match)
    shown = await show_hand(inn, name, match)
    inn.cut_connections("POST", "/interactions/*/callback", after=after)
    await inn.press_button(name, shown, move_buttons(shown)[0])
    (now,) = [seen.message for seen in inn.ephemeral_messages() if seen.viewer == inn[name].id]
    assert "Waiting for" in message_text(now)
    assert move_buttons(now) == []


async def test_a_hand_on_demand_whose_answer_is_lost_is_brought_up_to_date_all_the_same(inn: SimulatedServer) -> None:
    inn.close_dms("Bela")
    match = await seat_and_start(inn, rounds=2)
    while await due_name_now(inn, match) != "Bela":
        await make_move(inn, match)
    shown = await show_hand(inn, "Bela", match)
    inn.cut_connections("POST", "/interactions/*/callback", times=None)
    inn.cut_connections("PATCH", "/webhooks/*", times=2)
    await inn.press_button("Bela", shown, move_buttons(shown)[0])
    inn.connection_cuts.clear()
    await inn.env.advance_time(5)
    assert (await load_snapshot(inn, match)).movers[-1] == THREE.index("Bela")
    (now,) = [seen.message for seen in inn.ephemeral_messages() if seen.message["id"] == shown["id"]]
    assert move_buttons(now) == []
    assert "Waiting for" in message_text(now)


@pytest.mark.parametrize("after", [False, True])
async def test_a_lobby_whose_answer_was_lost_is_there_once(inn: SimulatedServer, after: bool) -> None:
    inn.cut_connections("POST", "/interactions/*/callback", after=after)
    match = await open_lobby(inn, rounds=1)
    await join_lobby(inn, match, "Bela", "Chidi")
    assert len([m for m in inn.public_messages(inn.table) if "join the table" in message_text(m)]) == 1
    assert "Chidi" in message_text(await find_lobby(inn, match))
    await start_match(inn, match)
    await play_out(inn, match)


@pytest.mark.mishap
async def test_a_move_whose_hand_cannot_be_drawn_is_called_made(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match = await seat_and_start(inn, rounds=2)
    name = await due_name_now(inn, match)
    message = find_hand(inn, name, match)

    async def broken(*args: Any, **more: Any) -> None:
        raise ValueError("no picture")

    with monkeypatch.context() as patched:
        patched.setattr(inn.bot.actions.hands, "redraw_hand", broken)
        said = reply_text(await inn.press_button(name, message, move_buttons(message)[0]))
    assert "saved" in said
    assert "wrong" not in said
    assert "try again" not in said
    assert "ValueError" in caplog.text
    await inn.env.advance_time(10)
    await check_all_right(inn, match)


@pytest.mark.parametrize("whose", ["table", "answer", "hand", "hand on demand"])
async def test_an_edit_that_was_cut_short_and_is_carried_out_after_a_newer_one_is_put_right(
    inn: SimulatedServer, whose: str
) -> None:
    match = await seat_and_start(inn, rounds=2)
    mover = await due_name_now(inn, match)
    other = next(name for name in THREE if name != mover)
    where = {"answer": inn[mover].user.dm_channel, "hand": inn[other].user.dm_channel}.get(whose, inn.thread)
    path = {"answer": "*/callback", "hand on demand": "/webhooks/*"}.get(whose, f"/channels/{where.id}/messages/*")
    if whose == "hand on demand":
        await show_hand(inn, other, match)

    def shown() -> list[str]:
        return [re.sub(r"<t:\d+", "", message_text(message)) for message in inn.messages(where)]

    inn.cut_connections(path=path, error=TimeoutError, later=True, times=None if whose == "answer" else 1)
    await make_move(inn, match)
    assert inn.late_requests
    inn.connection_cuts.clear()
    await inn.env.advance_time(2)
    await make_move(inn, match)
    right = shown()
    inn.carry_out_late()
    assert shown() != right
    await inn.env.advance_time(SOON)
    assert shown() == right
    await check_all_right(inn, match)


async def test_a_hand_that_is_carried_out_after_its_farewell_is_taken_away_again(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    mover = await due_name_now(inn, match)
    other = next(name for name in THREE if name != mover)
    inn.cut_connections(
        path=f"/channels/{inn[other].user.dm_channel.id}/messages/*", error=TimeoutError, later=True, times=1
    )
    await make_move(inn, match)
    assert inn.late_requests
    inn.connection_cuts.clear()
    await inn.env.advance_time(2)
    message = find_hand(inn, other, match)["id"]
    await leave_match(inn, match, other)

    def stands() -> str:
        return message_text(next(each for each in inn.messages(inn[other].user.dm_channel) if each["id"] == message))

    assert "You are no longer at this table" in stands()
    inn.carry_out_late()
    assert "You are no longer at this table" not in stands()
    await inn.env.advance_time(SOON)
    assert "You are no longer at this table" in stands()


async def test_a_mention_that_is_carried_out_after_a_newer_one_calls_nobody_who_has_moved(inn: SimulatedServer) -> None:
    for name in THREE:
        inn.close_dms(name)
    match = await seat_and_start(inn, game="jest", clock="none")

    def named() -> list[str]:
        return [
            name
            for name in THREE
            for mention in inn.public_messages(inn.thread)
            if inn[name].mention in mention["content"]
        ]

    async def move_of(name: str) -> None:
        await inn.press_button(name, await find_table(inn, match), "Show my hand")
        own = [seen.message for seen in inn.ephemeral_messages() if seen.viewer == inn[name].id][-1]
        await inn.press_button(name, own, move_buttons(own)[0])

    assert named() == list(THREE)
    (mention,) = [each for each in inn.public_messages(inn.thread) if inn["Ada"].mention in each["content"]]
    inn.cut_connections(
        "PATCH", f"/channels/{inn.thread.id}/messages/{mention['id']}", error=TimeoutError, later=True, times=1
    )
    await move_of(THREE[0])
    assert inn.late_requests
    inn.connection_cuts.clear()
    await inn.env.advance_time(2)
    await move_of(THREE[1])
    assert named() == [THREE[2]]
    inn.carry_out_late()
    assert named() == list(THREE[1:])
    await inn.env.advance_time(SOON)
    assert named() == [THREE[2]]
