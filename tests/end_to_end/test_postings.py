"""Every message is posted once, and only what has changed is posted anew."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engines.store.surface_storage import Surface
from tests.end_to_end.players import (
    THREE,
    hand,
    join,
    leave,
    lobby,
    look,
    move,
    open_lobby,
    play_out,
    seat_and_start,
    start,
    surface,
    table,
    turn,
)
from tests.end_to_end.world import Message, World, everything, labels, move_buttons, selects, words

HOUR = 60 * 60


def mentions(w: World) -> list[Message]:
    """The calls that stand in the thread."""
    return [message for message in w.public(w.thread) if "your turn" in words(message)]


async def closed(w: World) -> str:
    """A match of people who take no direct messages: they are called at the table."""
    for name in THREE:
        w.close_dms(name)
    return await seat_and_start(w, rounds=2)


def nonces(w: World) -> list[str]:
    """The nonces of all that the bot has posted so far, one for every try."""
    return [r.json["nonce"] for r in w.env.http_requests if r.method == "POST" and r.json and r.json.get("nonce")]


# A nonce names one posting


async def test_whoever_leaves_and_joins_again_gets_the_hand_anew(inn: World) -> None:
    match = await open_lobby(inn, rounds=1)
    await join(inn, match, "Bela")
    for _ in range(2):
        await inn.press("Bela", await lobby(inn, match), "Leave")
        assert "no longer sit" in words(inn.hand_of("Bela"))
        await join(inn, match, "Bela")
        assert "You are in" in words(inn.hand_of("Bela"))
        assert (await surface(inn, match, "hand", 1))["id"] == inn.hand_of("Bela")["id"]
    assert [words(m).count("You are in") for m in inn.public(inn["Bela"].user.dm_channel)] == [0, 0, 1]
    await join(inn, match, "Chidi")
    await start(inn, match)
    await play_out(inn, match)
    assert "Scoring" in labels(inn.hand_of("Bela"))


async def test_after_a_pause_the_same_decision_is_called_again(inn: World) -> None:
    match = await closed(inn)
    name = await turn(inn, match)
    (first,) = mentions(inn)
    other = next(each for each in THREE if each != name)
    await leave(inn, match, other)
    assert mentions(inn) == []
    await inn.press(other, await table(inn, match), "Take the empty seat")
    await inn.env.advance_time(60)
    (again,) = mentions(inn)
    assert again["id"] != first["id"]
    assert inn[name].mention in words(again)
    assert len(set(nonces(inn))) == len(nonces(inn))


async def test_a_nonce_tells_nothing(inn: World) -> None:
    """A Jest offer may be changed in secret: what is posted after it is no different for that."""
    shown = []
    for changes in (0, 3):
        match = await open_jest(inn)
        for name in THREE:
            for _ in range(1 + changes * (name == "Ada")):
                await offer(inn, name, match)
        info = (await look(inn, match)).info
        since = [nonce for nonce in nonces(inn) if nonce not in shown]
        shown += since
        assert all(len(nonce) <= 25 for nonce in since)
        assert not [nonce for nonce in since if info.id in nonce or info.id in bytes.fromhex(nonce).decode("latin1")]
    assert len(shown) == len(set(shown))  # two matches dealt alike have no nonce in common


async def open_jest(w: World) -> str:
    """A match of Jest that has begun."""
    known = {info.id for info in await w.bot.matches.find()}
    await w["Ada"].slash(w.table, "jest new")
    (match,) = {info.id for info in await w.bot.matches.find()} - known
    await join(w, match, "Bela", "Chidi")
    await start(w, match)
    return match


async def offer(w: World, name: str, match: str) -> None:
    """Choose the first offer that the hand has."""
    message = hand(w, name, match)
    if buttons := move_buttons(message):
        await w.press(name, message, buttons[0])
    else:
        custom_id, values = next(iter(selects(message).items()))
        await w.choose(name, message, custom_id, values[0])


async def test_a_table_that_was_posted_before_a_crash_shows_what_has_changed_since(
    inn: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord answers a nonce that it knows with the message of then, whatever is sent with it."""
    match = await seat_and_start(inn, rounds=2)
    await inn.env.advance_time(HOUR + 10)
    name, shown, reached = await turn(inn, match), inn.bot.shown, asyncio.Event()
    put, old = shown.put, await table(inn, match)

    async def stuck(kept: Surface) -> None:
        if kept.kind == "table" and kept.old:  # it is posted anew, and not noted
            reached.set()
            await asyncio.Event().wait()
        await put(kept)

    monkeypatch.setattr(shown, "put", stuck)
    message = hand(inn, name, match)
    clicking = inn.press(name, message, move_buttons(message)[0])
    monkeypatch.setattr(inn.bot.matches, "changed", inn.bot.keeper.wake)
    await inn.crash(clicking, reached)
    now = [m for m in inn.public(inn.thread) if not m["content"]]
    assert len(now) == 1
    assert now[0]["id"] != old["id"]
    assert f"Waiting for {await turn(inn, match)} to" in words(now[0])
    await move(inn, match)
    assert f"Waiting for {await turn(inn, match)} to" in words(await table(inn, match))


async def test_a_message_that_was_replaced_goes_even_if_that_fails_at_first(inn: World) -> None:
    match = await seat_and_start(inn, rounds=2)
    await inn.env.advance_time(HOUR + 10)
    inn.cut("DELETE", f"/channels/{inn.thread.id}/messages/*", times=3)
    await move(inn, match)
    await inn.env.advance_time(10)
    assert len([m for m in inn.public(inn.thread) if not m["content"]]) == 1


async def test_a_message_that_was_replaced_goes_after_a_crash(inn: World, monkeypatch: pytest.MonkeyPatch) -> None:
    match = await seat_and_start(inn, rounds=1)
    inn.cut("DELETE", "*", times=None)
    await play_out(inn, match)
    assert len([m for m in inn.public(inn.thread) if not m["content"]]) >= 2
    inn.open_dms()
    await inn.restart()
    assert ["The score sheet of 1 round." in everything(m) for m in inn.public(inn.thread)] == [True]


async def test_a_mention_whose_answer_was_lost_goes_with_its_turn(inn: World) -> None:
    match = await closed(inn)
    await move(inn, match)
    assert mentions(inn) == []
    path = f"/channels/{inn.thread.id}/messages"
    inn.cut("POST", path, after=True, times=None)
    await inn.env.advance_time(60)
    assert len(mentions(inn)) == 1  # it is there, and nobody knows it
    inn.cut("DELETE", "*", times=None)
    await move(inn, match)
    inn.cuts.clear()
    await inn.env.advance_time(10)
    assert mentions(inn) == []
    sent = [r.json for r in inn.env.http_requests if r.path == path and r.json and r.json.get("content") == "…"]
    assert all(each["allowed_mentions"] == {"parse": []} for each in sent)


async def test_a_hand_whose_answer_was_lost_is_taken_from_who_leaves(inn: World) -> None:
    match = await open_lobby(inn, rounds=1)
    channel = inn["Bela"].user.dm_channel
    inn.cut("POST", f"/channels/{channel.id}/messages", after=True, times=None)
    await join(inn, match, "Bela")
    assert len(inn.public(channel)) == 1
    inn.open_dms()
    inn.cut("PATCH", "*", times=None)
    await inn.press("Bela", await lobby(inn, match), "Leave")
    inn.open_dms()
    await inn.env.advance_time(10)
    (one,) = inn.public(channel)
    assert "no longer sit" in words(one)


async def test_closed_direct_messages_of_who_left_are_not_taken_for_those_of_who_came(inn: World) -> None:
    match = await seat_and_start(inn, rounds=2)
    bela = inn["Bela"].user.dm_channel
    await inn.env.advance_time(HOUR + 10)
    while await turn(inn, match) != "Bela":  # at whose turn the hand is posted anew, and the answer lost
        inn.cut("POST", f"/channels/{bela.id}/messages", after=True, times=None)
        await move(inn, match)
    inn.cut("POST", f"/channels/{bela.id}/messages", times=None)
    inn.close_dms("Bela")
    await leave(inn, match, "Bela")
    await inn.press("Emil", await table(inn, match), "Take the empty seat")
    inn.cuts.clear()
    await inn.env.advance_time(10)
    assert "Your hand" in everything(hand(inn, "Emil", match))
    emil = await inn.bot.shown.inbox(inn["Emil"].id)
    assert emil is not None
    assert not emil.closed
    assert emil.channel == inn["Emil"].user.dm_channel.id


async def test_closed_direct_messages_of_who_left_a_lobby_are_no_trouble(inn: World) -> None:
    match = await open_lobby(inn, rounds=1)
    bela = inn["Bela"].user.dm_channel
    inn.cut("POST", f"/channels/{bela.id}/messages", times=None)
    await join(inn, match, "Bela")
    inn.close_dms("Bela")
    await inn.press("Bela", await lobby(inn, match), "Leave")
    inn.cuts.clear()
    await inn.env.advance_time(10)
    assert await inn.bot.keeper.surface(match, "hand", 1) is None
    before = len(inn.sent())
    await inn.env.advance_time(60)
    assert inn.sent(before) == []


# Nobody is shown what is not theirs any more


@pytest.mark.parametrize("after", [False, True])
async def test_who_has_left_sees_nothing_of_the_hand_that_goes_on_whatever_fails(inn: World, after: bool) -> None:
    match = await seat_and_start(inn, rounds=3)
    bela = inn["Bela"].user.dm_channel
    inn.cut("PATCH", f"/channels/{bela.id}/messages/*", after=after, times=None)
    seen = len(inn.seen)
    await leave(inn, match, "Bela")
    await inn.press("Emil", await table(inn, match), "Take the empty seat")
    for _ in range(6):
        await move(inn, match)
    await inn.env.advance_time(30)
    since = [each.message for each in inn.seen[seen:] if each.by == inn["Bela"].id]
    assert not [m for m in since if "Your hand" in everything(m)]
    inn.open_dms()
    await inn.env.advance_time(10)
    assert "no longer sit" in words(inn.public(bela)[-1])
    assert "Your hand" in everything(hand(inn, "Emil", match))


@pytest.mark.parametrize(
    ("code", "after"), [(50007, False), (50278, True)], ids=["closed", "left the server, an answer lost"]
)
async def test_no_hand_stays_with_who_can_be_sent_nothing_any_more(inn: World, code: int, after: bool) -> None:
    match = await seat_and_start(inn, rounds=2)
    bela = inn["Bela"].user.dm_channel
    await inn.env.advance_time(HOUR + 10)
    while await turn(inn, match) != "Bela":  # at whose turn the hand is posted anew, and that is cut off
        inn.cut("POST", f"/channels/{bela.id}/messages", after=after, times=None)
        await move(inn, match)
    assert len(inn.public(bela)) == 1 + after
    inn.cuts.clear()
    inn.env.inject_error("POST", f"/channels/{bela.id}/messages", status=403, code=code, times=None)
    await leave(inn, match, "Bela")
    await inn.env.advance_time(10)
    assert all("no longer sit" in words(message) for message in inn.public(bela))
    inn.open_dms()
    await inn.press("Bela", await table(inn, match), "Take the empty seat")
    await inn.env.advance_time(10)
    *old, new = ["Your hand" in everything(message) for message in inn.public(bela)]
    assert new
    assert not any(old)


async def test_no_old_hand_stays_in_direct_messages_that_were_closed_for_a_while(inn: World) -> None:
    match = await open_lobby(inn, rounds=1)
    await join(inn, match, "Bela", "Chidi")
    bela = inn["Bela"].user.dm_channel
    await inn.env.advance_time(HOUR + 10)
    inn.close_dms("Bela")
    await start(inn, match)
    while await turn(inn, match) != "Bela":  # whose hand is posted anew then, which Discord refuses
        await move(inn, match)
    await inn.env.advance_time(60)
    assert inn.public(bela) == []
    inn.open_dms()
    await inn["Bela"].slash(inn.table, "wizard status", match=match)
    await inn.env.advance_time(10)
    assert ["Your hand" in everything(message) for message in inn.public(bela)] == [True]


# Only what has changed is posted anew


async def test_a_restart_sends_nothing_however_old_things_are(inn: World) -> None:
    matches = [await seat_and_start(inn, rounds=2), await seat_and_start(inn, ("Dora", "Emil", "Fumi"), rounds=1)]
    await move(inn, matches[0])
    await inn.env.advance_time(3 * HOUR)
    before = len(inn.sent())
    await inn.restart()
    asked = [path for _, path in inn.sent(before) if path.startswith("/channels/")]
    assert asked == []


async def test_a_spectators_status_changes_nothing(inn: World) -> None:
    match = await seat_and_start(inn, rounds=2)
    await inn.env.advance_time(3 * HOUR)
    before = len(inn.sent())
    await inn["Greta"].slash(inn.thread, "wizard status")
    await inn["Ada"].slash(inn.thread, "wizard status", match=match)
    asked = [method for method, path in inn.sent(before) if not path.endswith("/callback")]
    assert asked == ["GET"] * 4  # whether table and lobby still stand


async def test_what_changed_while_the_bot_was_away_is_posted_anew_at_ones_turn(
    inn: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await seat_and_start(inn, rounds=2)
    await inn.env.advance_time(HOUR + 10)
    name = await turn(inn, match)
    message, reached = hand(inn, name, match), asyncio.Event()

    async def stuck(*args: Any) -> None:
        reached.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(inn.bot.keeper.redraw, "now", stuck)
    old = {each: hand(inn, each, match)["id"] for each in THREE}
    await inn.crash(inn.press(name, message, move_buttons(message)[0]), reached)
    following = await turn(inn, match)
    changed = [each for each in THREE if hand(inn, each, match)["id"] != old[each]]
    assert changed == [following]
