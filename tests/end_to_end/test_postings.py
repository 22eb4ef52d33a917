"""Every message is posted once, and only what has changed is posted anew."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engines.store.surface_storage import Surface
from tests.end_to_end.players import (
    THREE,
    due_name_now,
    find_hand,
    find_lobby,
    find_surface,
    find_table,
    join_lobby,
    leave_match,
    load_snapshot,
    make_move,
    open_lobby,
    play_out,
    seat_and_start,
    start_match,
)
from tests.end_to_end.world import (
    Message,
    SimulatedServer,
    button_labels,
    client_text,
    message_text,
    move_buttons,
    move_selects,
)

HOUR = 60 * 60


def thread_mentions(w: SimulatedServer) -> list[Message]:
    """The calls that stand in the thread."""
    return [message for message in w.public_messages(w.thread) if "your turn" in message_text(message)]


async def start_closed(w: SimulatedServer) -> str:
    """A match of people who take no direct messages: they are called at the table."""
    for name in THREE:
        w.close_dms(name)
    return await seat_and_start(w, rounds=2)


def sent_nonces(w: SimulatedServer) -> list[str]:
    """The nonces of all that the bot has posted so far, one for every try."""
    return [r.json["nonce"] for r in w.env.http_requests if r.method == "POST" and r.json and r.json.get("nonce")]


# A nonce names one posting


async def test_whoever_leaves_and_joins_again_gets_the_hand_anew(inn: SimulatedServer) -> None:
    match = await open_lobby(inn, rounds=1)
    await join_lobby(inn, match, "Bela")
    for _ in range(2):
        await inn.press_button("Bela", await find_lobby(inn, match), "Leave")
        assert "no longer at this table" in message_text(inn.newest_in_inbox("Bela"))
        await join_lobby(inn, match, "Bela")
        assert "You are in" in message_text(inn.newest_in_inbox("Bela"))
        assert (await find_surface(inn, match, "hand", 1))["id"] == inn.newest_in_inbox("Bela")["id"]
    assert [message_text(m).count("You are in") for m in inn.public_messages(inn["Bela"].user.dm_channel)] == [0, 0, 1]
    await join_lobby(inn, match, "Chidi")
    await start_match(inn, match)
    await play_out(inn, match)
    assert "Scoring" in button_labels(inn.newest_in_inbox("Bela"))


async def test_after_a_pause_the_same_decision_is_called_again(inn: SimulatedServer) -> None:
    match = await start_closed(inn)
    name = await due_name_now(inn, match)
    (first,) = thread_mentions(inn)
    other = next(each for each in THREE if each != name)
    await leave_match(inn, match, other)
    assert thread_mentions(inn) == []
    await inn.press_button(other, await find_table(inn, match), "Take the empty seat")
    await inn.env.advance_time(60)
    (again,) = thread_mentions(inn)
    assert again["id"] != first["id"]
    assert inn[name].mention in message_text(again)
    assert len(set(sent_nonces(inn))) == len(sent_nonces(inn))


async def test_a_nonce_tells_nothing(inn: SimulatedServer) -> None:
    """A Jest offer may be changed in secret: what is posted after it is no different for that."""
    shown = []
    for changes in (0, 3):
        match = await open_jest(inn)
        for name in THREE:
            for _ in range(1 + changes * (name == "Ada")):
                await make_first_offer(inn, name, match)
        info = (await load_snapshot(inn, match)).info
        since = [nonce for nonce in sent_nonces(inn) if nonce not in shown]
        shown += since
        assert all(len(nonce) <= 25 for nonce in since)
        assert not [nonce for nonce in since if info.id in nonce or info.id in bytes.fromhex(nonce).decode("latin1")]
    assert len(shown) == len(set(shown))  # two matches dealt alike have no nonce in common


async def open_jest(w: SimulatedServer) -> str:
    """A match of Jest that has begun."""
    known = {info.id for info in await w.bot.matches.find()}
    await w["Ada"].slash(w.table, "jest new")
    (match,) = {info.id for info in await w.bot.matches.find()} - known
    await join_lobby(w, match, "Bela", "Chidi")
    await start_match(w, match)
    return match


async def make_first_offer(w: SimulatedServer, name: str, match: str) -> None:
    """Choose the first offer that the hand has."""
    message = find_hand(w, name, match)
    if buttons := move_buttons(message):
        await w.press_button(name, message, buttons[0])
    else:
        custom_id, values = next(iter(move_selects(message).items()))
        await w.choose_options(name, message, custom_id, values[0])


async def test_a_table_that_was_posted_before_a_crash_shows_what_has_changed_since(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord answers a nonce that it knows with the message of then, whatever is sent with it."""
    match = await seat_and_start(inn, rounds=2)
    await inn.env.advance_time(HOUR + 10)
    name, shown, reached = await due_name_now(inn, match), inn.bot.surfaces, asyncio.Event()
    put, old = shown.put, await find_table(inn, match)

    async def stuck(kept: Surface) -> None:
        if kept.kind == "table" and kept.old:  # it is posted anew, and not noted
            reached.set()
            await asyncio.Event().wait()
        await put(kept)

    monkeypatch.setattr(shown, "put", stuck)
    message = find_hand(inn, name, match)
    clicking = inn.press_button(name, message, move_buttons(message)[0])
    monkeypatch.setattr(inn.bot.matches, "on_changed", inn.bot.reconciler.wake)
    await inn.crash_during(clicking, reached)
    now = [m for m in inn.public_messages(inn.thread) if not m["content"]]
    assert len(now) == 1
    assert now[0]["id"] != old["id"]
    assert f"Waiting for {await due_name_now(inn, match)} to" in message_text(now[0])
    await make_move(inn, match)
    assert f"Waiting for {await due_name_now(inn, match)} to" in message_text(await find_table(inn, match))


async def test_a_message_that_was_replaced_goes_even_if_that_fails_at_first(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    await inn.env.advance_time(HOUR + 10)
    inn.cut_connections("DELETE", f"/channels/{inn.thread.id}/messages/*", times=3)
    await make_move(inn, match)
    await inn.env.advance_time(10)
    assert len([m for m in inn.public_messages(inn.thread) if not m["content"]]) == 1


async def test_a_message_that_was_replaced_goes_after_a_crash(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await seat_and_start(inn, rounds=1)
    inn.cut_connections("DELETE", "*", times=None)
    await play_out(inn, match)
    assert len([m for m in inn.public_messages(inn.thread) if not m["content"]]) >= 2
    inn.open_dms()
    await inn.restart()
    assert ["The score sheet of 1 round." in client_text(m) for m in inn.public_messages(inn.thread)] == [True]


async def test_a_mention_whose_answer_was_lost_goes_with_its_turn(inn: SimulatedServer) -> None:
    match = await start_closed(inn)
    await make_move(inn, match)
    assert thread_mentions(inn) == []
    path = f"/channels/{inn.thread.id}/messages"
    inn.cut_connections("POST", path, after=True, times=None)
    await inn.env.advance_time(60)
    assert len(thread_mentions(inn)) == 1  # it is there, and nobody knows it
    inn.cut_connections("DELETE", "*", times=None)
    await make_move(inn, match)
    inn.connection_cuts.clear()
    await inn.env.advance_time(10)
    assert thread_mentions(inn) == []
    sent = [r.json for r in inn.env.http_requests if r.path == path and r.json and r.json.get("content") == "…"]
    assert all(each["allowed_mentions"] == {"parse": []} for each in sent)


async def test_a_hand_whose_answer_was_lost_is_taken_from_who_leaves(inn: SimulatedServer) -> None:
    match = await open_lobby(inn, rounds=1)
    channel = inn["Bela"].user.dm_channel
    inn.cut_connections("POST", f"/channels/{channel.id}/messages", after=True, times=None)
    await join_lobby(inn, match, "Bela")
    assert len(inn.public_messages(channel)) == 1
    inn.open_dms()
    inn.cut_connections("PATCH", "*", times=None)
    await inn.press_button("Bela", await find_lobby(inn, match), "Leave")
    inn.open_dms()
    await inn.env.advance_time(10)
    (one,) = inn.public_messages(channel)
    assert "no longer at this table" in message_text(one)


async def test_closed_direct_messages_of_who_left_are_not_taken_for_those_of_who_came(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    bela = inn["Bela"].user.dm_channel
    await inn.env.advance_time(HOUR + 10)
    while await due_name_now(inn, match) != "Bela":  # at whose turn the hand is posted anew, and the answer lost
        inn.cut_connections("POST", f"/channels/{bela.id}/messages", after=True, times=None)
        await make_move(inn, match)
    inn.cut_connections("POST", f"/channels/{bela.id}/messages", times=None)
    inn.close_dms("Bela")
    await leave_match(inn, match, "Bela")
    await inn.press_button("Emil", await find_table(inn, match), "Take the empty seat")
    inn.connection_cuts.clear()
    await inn.env.advance_time(10)
    assert "Your hand" in client_text(find_hand(inn, "Emil", match))
    emil = await inn.bot.surfaces.inbox(inn["Emil"].id)
    assert emil is not None
    assert not emil.closed
    assert emil.channel == inn["Emil"].user.dm_channel.id


async def test_closed_direct_messages_of_who_left_a_lobby_are_no_trouble(inn: SimulatedServer) -> None:
    match = await open_lobby(inn, rounds=1)
    bela = inn["Bela"].user.dm_channel
    inn.cut_connections("POST", f"/channels/{bela.id}/messages", times=None)
    await join_lobby(inn, match, "Bela")
    inn.close_dms("Bela")
    await inn.press_button("Bela", await find_lobby(inn, match), "Leave")
    inn.connection_cuts.clear()
    await inn.env.advance_time(10)
    assert await inn.bot.reconciler.surface(match, "hand", 1) is None
    before = len(inn.sent_requests())
    await inn.env.advance_time(60)
    assert inn.sent_requests(before) == []


# Nobody is shown what is not theirs any more


@pytest.mark.parametrize("after", [False, True])
async def test_who_has_left_sees_nothing_of_the_hand_that_goes_on_whatever_fails(
    inn: SimulatedServer, after: bool
) -> None:
    match = await seat_and_start(inn, rounds=3)
    bela = inn["Bela"].user.dm_channel
    inn.cut_connections("PATCH", f"/channels/{bela.id}/messages/*", after=after, times=None)
    seen = len(inn.seen_messages)
    await leave_match(inn, match, "Bela")
    await inn.press_button("Emil", await find_table(inn, match), "Take the empty seat")
    for _ in range(6):
        await make_move(inn, match)
    await inn.env.advance_time(30)
    since = [each.message for each in inn.seen_messages[seen:] if each.viewer == inn["Bela"].id]
    assert not [m for m in since if "Your hand" in client_text(m)]
    inn.open_dms()
    await inn.env.advance_time(10)
    assert "no longer at this table" in message_text(inn.public_messages(bela)[-1])
    assert "Your hand" in client_text(find_hand(inn, "Emil", match))


@pytest.mark.parametrize(
    ("code", "after"), [(50007, False), (50278, True)], ids=["closed", "left the server, an answer lost"]
)
async def test_no_hand_stays_with_who_can_be_sent_nothing_any_more(
    inn: SimulatedServer, code: int, after: bool
) -> None:
    match = await seat_and_start(inn, rounds=2)
    bela = inn["Bela"].user.dm_channel
    await inn.env.advance_time(HOUR + 10)
    while await due_name_now(inn, match) != "Bela":  # at whose turn the hand is posted anew, and that is cut off
        inn.cut_connections("POST", f"/channels/{bela.id}/messages", after=after, times=None)
        await make_move(inn, match)
    assert len(inn.public_messages(bela)) == 1 + after
    inn.connection_cuts.clear()
    inn.env.inject_error("POST", f"/channels/{bela.id}/messages", status=403, code=code, times=None)
    await leave_match(inn, match, "Bela")
    await inn.env.advance_time(10)
    assert all("no longer at this table" in message_text(message) for message in inn.public_messages(bela))
    inn.open_dms()
    await inn.press_button("Bela", await find_table(inn, match), "Take the empty seat")
    await inn.env.advance_time(10)
    *old, new = ["Your hand" in client_text(message) for message in inn.public_messages(bela)]
    assert new
    assert not any(old)


async def test_no_old_hand_stays_in_direct_messages_that_were_closed_for_a_while(inn: SimulatedServer) -> None:
    match = await open_lobby(inn, rounds=1)
    await join_lobby(inn, match, "Bela", "Chidi")
    bela = inn["Bela"].user.dm_channel
    await inn.env.advance_time(HOUR + 10)
    inn.close_dms("Bela")
    await start_match(inn, match)
    while await due_name_now(inn, match) != "Bela":  # whose hand is posted anew then, which Discord refuses
        await make_move(inn, match)
    await inn.env.advance_time(60)
    assert inn.public_messages(bela) == []
    inn.open_dms()
    await inn["Bela"].slash(inn.table, "wizard status", match=match)
    await inn.env.advance_time(10)
    assert ["Your hand" in client_text(message) for message in inn.public_messages(bela)] == [True]


# Only what has changed is posted anew


async def test_a_restart_sends_nothing_however_old_things_are(inn: SimulatedServer) -> None:
    matches = [await seat_and_start(inn, rounds=2), await seat_and_start(inn, ("Dora", "Emil", "Fumi"), rounds=1)]
    await make_move(inn, matches[0])
    await inn.env.advance_time(3 * HOUR)
    before = len(inn.sent_requests())
    await inn.restart()
    asked = [path for _, path in inn.sent_requests(before) if path.startswith("/channels/")]
    assert asked == []


async def test_a_spectators_status_changes_nothing(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    await inn.env.advance_time(3 * HOUR)
    before = len(inn.sent_requests())
    await inn["Greta"].slash(inn.thread, "wizard status")
    await inn["Ada"].slash(inn.thread, "wizard status", match=match)
    asked = [method for method, path in inn.sent_requests(before) if not path.endswith("/callback")]
    assert asked == ["GET"] * 4  # whether table and lobby still stand


async def test_what_changed_while_the_bot_was_away_is_posted_anew_at_ones_turn(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await seat_and_start(inn, rounds=2)
    await inn.env.advance_time(HOUR + 10)
    name = await due_name_now(inn, match)
    message, reached = find_hand(inn, name, match), asyncio.Event()

    async def stuck(*args: Any) -> None:
        reached.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(inn.bot.reconciler.redraw_pass, "redraw_urgent", stuck)
    old = {each: find_hand(inn, each, match)["id"] for each in THREE}
    await inn.crash_during(inn.press_button(name, message, move_buttons(message)[0]), reached)
    following = await due_name_now(inn, match)
    changed = [each for each in THREE if find_hand(inn, each, match)["id"] != old[each]]
    assert changed == [following]
