"""Whoever plays is not called; whoever does not act is, once a decision, by their hand or at the table."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest

from cogs.table.surfaces.stale_tracking import SAVE_DELAY
from engines.store.match_store import Status
from engines.store.surface_storage import Mention, Surface
from tests.end_to_end.players import (
    THREE,
    USUAL_GAME,
    due_name,
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
    play_on,
    play_out,
    random_chooser,
    seat_and_start,
    start_match,
)
from tests.end_to_end.world import Message, SimulatedServer, message_text, move_buttons

SILENT = 4096
MINUTE, DAY = 60, 24 * 60 * 60


def thread_mentions(w: SimulatedServer) -> list[Message]:
    """The calls that stand in the thread."""
    return [message for message in w.public_messages(w.thread) if "your turn" in message_text(message)]


def was_audible(w: SimulatedServer, name: str, since: int = 0) -> list[bool]:
    """Whatever was posted to somebody's direct messages since then: whether it made itself heard."""
    path = f"/channels/{w[name].user.dm_channel.id}/messages"
    sent = [r.json for r in w.env.http_requests[since:] if (r.method, r.path) == ("POST", path) and r.json]
    return [not each.get("flags", 0) & SILENT for each in sent]


def count_hand_calls(w: SimulatedServer, since: int = 0) -> Counter[str]:
    """How often each was called by their hand since then."""
    return Counter({name: sum(was_audible(w, name, since)) for name in w.people if any(was_audible(w, name, since))})


def next_request_number(w: SimulatedServer) -> int:
    """The number of the request that comes next."""
    return len(w.env.http_requests)


async def start_untimed(
    w: SimulatedServer, *closed: str, game: str = USUAL_GAME, names: Any = THREE, **options: Any
) -> str:
    """A match that has begun and that nobody's time runs out in, of people some of whom take no direct messages."""
    for name in closed:
        w.close_dms(name)
    longer = {"rounds": 2} if game == USUAL_GAME else {}
    return await seat_and_start(w, names, game=game, **{"clock": "none", **longer, **options})


async def wait_nearly(w: SimulatedServer, begun: int, left: int = 1, wait: int = MINUTE) -> None:
    """Let time pass until so many seconds before the next call, which is no sooner than that wait after `begun`.

    On a busy machine some seconds pass by themselves while something is done: nothing is reckoned from when it is.
    """
    _, then = await w.bot.matches.load_due()
    assert then is not None
    assert then >= begun + wait
    await w.env.advance_time(then - left - w.bot.clock())


async def choose_call_time(w: SimulatedServer, name: str, call: str) -> None:
    """Choose when one is called."""
    await w[name].slash(w.table, "motley settings")
    page = [seen.message for seen in w.ephemeral_messages() if seen.viewer == w[name].id][-1]
    await w.choose_options(name, page, "y:call", call)


# Who is called


async def test_the_first_turn_of_a_match_is_called_at_once(inn: SimulatedServer) -> None:
    match = await open_lobby(inn, rounds=2)
    await join_lobby(inn, match, "Bela", "Chidi")
    before = next_request_number(inn)
    await start_match(inn, match)
    assert count_hand_calls(inn, before) == {await due_name_now(inn, match): 1}


async def test_who_plays_is_not_called(inn: SimulatedServer) -> None:
    match = await start_untimed(inn)
    before = next_request_number(inn)
    while (await load_snapshot(inn, match)).info.status is Status.RUNNING:
        await inn.env.advance_time(50)
        await make_move(inn, match, random_chooser(4))
    assert count_hand_calls(inn, before) == {}
    assert not any("your turn" in message_text(seen.message) for seen in inn.seen_messages)


async def test_who_does_not_act_for_a_minute_is_called_once_by_their_hand_and_the_older_copy_goes(
    inn: SimulatedServer,
) -> None:
    match, moving = await start_untimed(inn), inn.bot.clock()
    await make_move(inn, match)
    name = await due_name_now(inn, match)
    old, before = find_hand(inn, name, match), next_request_number(inn)
    await wait_nearly(inn, moving)
    assert inn.sent_requests(before) == []
    await inn.env.advance_time(1)
    assert count_hand_calls(inn, before) == {name: 1}
    (only,) = inn.inbox_messages(name)
    assert only["id"] != old["id"]
    assert message_text(only) == message_text(old)
    sent = next_request_number(inn)
    await inn.env.advance_time(3 * DAY)
    assert inn.sent_requests(sent) == []  # nobody is called twice
    await make_move(inn, match)
    assert (await load_snapshot(inn, match)).info.moves == 2


async def test_the_wait_begins_anew_with_every_decision_also_after_ones_own_move(inn: SimulatedServer) -> None:
    match = await start_untimed(inn, rounds=4)
    again = 0
    while again < 2:
        moving = inn.bot.clock()
        mover, before = await make_move(inn, match), next_request_number(inn)
        await wait_nearly(inn, moving, 10)
        assert count_hand_calls(inn, before) == {}
        if await due_name(inn, match) == mover:  # who takes a trick with the last card of it leads
            again += 1
            await inn.env.advance_time(10)
            assert count_hand_calls(inn, before) == {mover: 1}


async def test_who_is_busy_with_their_hand_is_not_called(inn: SimulatedServer) -> None:
    match = await start_untimed(inn)
    await make_move(inn, match)
    name = await due_name_now(inn, match)
    before = next_request_number(inn)
    for _ in range(3):
        await inn.env.advance_time(MINUTE - 10)
        await inn.press_button(name, await find_table(inn, match), "Show my hand")
    assert count_hand_calls(inn, before) == {}
    await inn.env.advance_time(MINUTE)
    assert count_hand_calls(inn, before) == {name: 1}
    await inn.press_button(name, await find_table(inn, match), "Show my hand")
    await inn.env.advance_time(DAY)
    assert count_hand_calls(inn, before) == {name: 1}


async def test_all_who_are_due_are_called_and_nobody_else(inn: SimulatedServer) -> None:
    await start_untimed(inn, game="jest")
    assert count_hand_calls(inn) == {"Ada": 2, "Bela": 2, "Chidi": 2}  # each when they came in, and at the start
    match = (await inn.bot.matches.find())[0].id
    before = next_request_number(inn)
    await inn.env.advance_time(5)
    await make_first_offer(inn, match, "Bela")
    await inn.env.advance_time(DAY)
    assert count_hand_calls(inn, before) == {}  # Ada and Chidi were called to that decision already


async def make_first_offer(w: SimulatedServer, match: str, name: str) -> None:
    """Make the first offer that the hand has."""
    message = find_hand(w, name, match)
    await w.press_button(name, message, move_buttons(message)[0])


# Settings


@pytest.mark.parametrize(("call", "seconds"), [("0", 0), ("60", 60), ("300", 300)])
async def test_one_is_called_when_one_likes(inn: SimulatedServer, call: str, seconds: int) -> None:
    for name in THREE:
        await choose_call_time(inn, name, call)
    match = await start_untimed(inn)
    before, moving = next_request_number(inn), inn.bot.clock()
    await make_move(inn, match)
    name = await due_name_now(inn, match)
    if seconds:
        await wait_nearly(inn, moving, wait=seconds)
        assert count_hand_calls(inn, before) == {}
        await inn.env.advance_time(1)
    assert count_hand_calls(inn, before) == {name: 1}


async def test_who_likes_never_to_be_called_is_not(inn: SimulatedServer) -> None:
    for name in THREE:
        await choose_call_time(inn, name, "never")
    before = next_request_number(inn)
    match = await start_untimed(inn)
    assert count_hand_calls(inn, before) == dict.fromkeys(THREE, 1)  # what they got when they came in
    before = next_request_number(inn)
    await make_move(inn, match)
    await inn.env.advance_time(DAY)
    assert count_hand_calls(inn, before) == {}


async def test_who_likes_to_be_called_at_once_and_moves_again_is_called_after_a_minute(inn: SimulatedServer) -> None:
    match = await start_untimed(inn)
    while True:
        name = await due_name_now(inn, match)
        await choose_call_time(inn, name, "0")
        before = next_request_number(inn)
        mover = await make_move(inn, match)
        if mover == await due_name_now(inn, match):
            break
    assert count_hand_calls(inn, before) == {}
    await inn.env.advance_time(MINUTE)
    assert count_hand_calls(inn, before) == {mover: 1}


@pytest.mark.parametrize("call", ["0", "300"])
async def test_another_setting_holds_for_a_call_that_is_pending(inn: SimulatedServer, call: str) -> None:
    match, moving = await start_untimed(inn), inn.bot.clock()
    await make_move(inn, match)
    name = await due_name_now(inn, match)
    await inn.env.advance_time(20)
    before = next_request_number(inn)
    await choose_call_time(inn, name, call)
    if call == "300":
        await wait_nearly(inn, moving, wait=300)
    assert count_hand_calls(inn, before) == ({name: 1} if call == "0" else {})
    await inn.env.advance_time(1)
    assert count_hand_calls(inn, before) == {name: 1}


async def test_who_turns_calls_off_and_on_again_in_the_midst_of_a_wait_is_called(inn: SimulatedServer) -> None:
    match = await start_untimed(inn)
    await make_move(inn, match)
    name = await due_name_now(inn, match)
    before = next_request_number(inn)
    await choose_call_time(inn, name, "never")
    await inn.env.advance_time(DAY)
    assert count_hand_calls(inn, before) == {}
    await choose_call_time(inn, name, "60")
    assert count_hand_calls(inn, before) == {name: 1}  # a day is more than a minute
    await choose_call_time(inn, name, "0")
    assert count_hand_calls(inn, before) == {name: 1}


# Where direct messages are closed


async def test_who_takes_no_direct_messages_is_mentioned_at_the_table(inn: SimulatedServer) -> None:
    match = await start_untimed(inn, *THREE)
    mover = await make_move(inn, match)
    assert thread_mentions(inn) == []  # that of the first turn went with it
    await inn.env.advance_time(MINUTE)
    name = await due_name_now(inn, match)
    (mention,) = thread_mentions(inn)
    assert [user["username"] for user in mention["mentions"]] == [name]
    assert message_text(mention).startswith(f"{inn[name].mention}, your turn: ")
    shown = await inn.press_button(name, mention, "Show my hand")
    assert shown.ephemeral
    await inn.env.advance_time(DAY)
    assert len(thread_mentions(inn)) == 1
    await make_move(inn, match)
    assert thread_mentions(inn) == []
    assert mover != name


async def test_a_mention_says_what_is_asked(inn: SimulatedServer) -> None:
    match = await start_untimed(inn, *THREE)
    await play_on(inn, match, "bid", 1)
    await make_move(inn, match)
    await inn.env.advance_time(MINUTE)
    (mention,) = thread_mentions(inn)
    assert "bid in round 1" in message_text(mention)


async def test_whose_direct_messages_are_closed_since_is_mentioned(inn: SimulatedServer) -> None:
    match = await start_untimed(inn)
    await make_move(inn, match)
    name = await due_name_now(inn, match)
    inn.close_dms(name)
    await inn.env.advance_time(MINUTE)
    (mention,) = thread_mentions(inn)
    assert inn[name].mention in message_text(mention)
    await inn.env.advance_time(DAY)
    assert len(thread_mentions(inn)) == 1


async def test_several_who_are_called_at_once_share_one_mention(inn: SimulatedServer) -> None:
    match = await start_untimed(inn, *THREE, game="jest")
    (mention,) = thread_mentions(inn)
    assert sorted(user["username"] for user in mention["mentions"]) == sorted(THREE)
    assert message_text(mention).count("your turn") == 1
    for name in ("Bela", "Ada", "Chidi"):
        (mention,) = thread_mentions(inn)
        assert inn[name].mention in message_text(mention)
        await inn.press_button(name, mention, "Show my hand")
        own = [seen.message for seen in inn.ephemeral_messages() if seen.viewer == inn[name].id][-1]
        await inn.press_button(name, own, move_buttons(own)[0])
        assert all(inn[name].mention not in message_text(left) for left in thread_mentions(inn))
    assert thread_mentions(inn) == []
    await inn.env.advance_time(MINUTE)
    (mention,) = thread_mentions(inn)
    assert [user["username"] for user in mention["mentions"]] == [await due_name_now(inn, match)]


async def test_a_mention_calls_those_people_alone(inn: SimulatedServer) -> None:
    match = await start_untimed(inn, *THREE, game="jest")
    await play_out_from_answers(inn, match)
    path = f"/channels/{inn.thread.id}/messages"
    asked = 0
    for request in inn.env.http_requests:
        if request.json and request.path.startswith(path) and "your turn" in (request.json.get("content") or ""):
            allowed = request.json["allowed_mentions"]
            assert allowed["parse"] == []
            if request.method == "POST":
                asked += 1
                assert request.json["enforce_nonce"] is True
                assert len(allowed["users"]) == request.json["content"].count("<@")
            else:
                assert allowed.get("users", []) == []  # what is left of it calls nobody again
    assert asked > 2
    for seen in inn.seen_messages:
        assert not seen.message["mention_everyone"]
        if "your turn" not in message_text(seen.message):
            assert seen.message["mentions"] == []


async def play_out_from_answers(w: SimulatedServer, match: str, moves: int = 12) -> None:
    """Some moves of people who let themselves be called."""
    for _ in range(moves):
        await w.env.advance_time(MINUTE)
        await make_move(w, match)


async def test_where_mentions_are_refused_the_match_goes_on(inn: SimulatedServer) -> None:
    match = await start_untimed(inn, *THREE)
    inn.env.inject_error("POST", f"/channels/{inn.thread.id}/messages", status=403, code=50013, times=None)
    await play_out_from_answers(inn, match, 4)
    assert thread_mentions(inn) == []


async def test_a_mention_that_a_moderator_deleted_is_no_trouble(inn: SimulatedServer) -> None:
    match = await start_untimed(inn, *THREE)
    (mention,) = thread_mentions(inn)
    inn.delete_message(mention)
    await play_out_from_answers(inn, match, 2)
    await inn.env.advance_time(MINUTE)
    assert len(thread_mentions(inn)) == 1


@pytest.mark.parametrize("method", ["POST", "DELETE"])
async def test_a_mention_that_discord_did_not_take_is_tried_again(inn: SimulatedServer, method: str) -> None:
    match = await start_untimed(inn, *THREE)
    path = f"/channels/{inn.thread.id}/messages" + ("/*" if method == "DELETE" else "")
    await make_move(inn, match)
    inn.cut_connections(method, path, after=True, times=None)
    await inn.env.advance_time(MINUTE)
    await inn.env.advance_time(10)
    inn.connection_cuts.clear()
    await inn.env.advance_time(20)
    (mention,) = thread_mentions(inn)
    assert inn[await due_name_now(inn, match)].mention in message_text(mention)


# Pauses, and the end


async def test_calls_go_when_a_match_is_paused_and_the_wait_begins_anew_when_it_goes_on(inn: SimulatedServer) -> None:
    match = await start_untimed(inn, *THREE)
    name = await due_name_now(inn, match)
    other = next(each for each in THREE if each != name)
    assert len(thread_mentions(inn)) == 1
    await leave_match(inn, match, other)
    assert thread_mentions(inn) == []
    await inn.env.advance_time(DAY)
    assert thread_mentions(inn) == []
    taking = inn.bot.clock()
    await inn.press_button("Greta", await find_table(inn, match), "Take the empty seat")
    await wait_nearly(inn, taking)
    assert thread_mentions(inn) == []
    await inn.env.advance_time(1)
    (mention,) = thread_mentions(inn)
    assert inn[name].mention in message_text(mention)


async def test_who_takes_a_seat_over_has_their_own_minute(inn: SimulatedServer) -> None:
    match = await start_untimed(inn)
    await make_move(inn, match)
    name = await due_name_now(inn, match)
    await inn.env.advance_time(MINUTE - 10)
    await leave_match(inn, match, name)
    taking = inn.bot.clock()
    await inn.press_button("Greta", await find_table(inn, match), "Take the empty seat")
    before = next_request_number(inn)
    await wait_nearly(inn, taking)
    assert count_hand_calls(inn, before) == {}
    await inn.env.advance_time(1)
    assert count_hand_calls(inn, before) == {"Greta": 1}


@pytest.mark.parametrize("how", ["played", "reset", "paused"])
async def test_nobody_is_called_in_a_match_that_does_not_run(inn: SimulatedServer, how: str) -> None:
    match = await start_untimed(inn)
    await make_move(inn, match)
    if how == "played":
        await play_out(inn, match)
    elif how == "reset":
        await inn.bot.matches.reset_match(match, inn["Ada"].id)
    else:
        await leave_match(inn, match, "Bela")
    before = next_request_number(inn)
    assert await inn.bot.matches.load_due() == ([], None)
    await inn.env.advance_time(DAY)
    assert count_hand_calls(inn, before) == {}


# Restarts and crashes


@pytest.mark.parametrize("waited", [0, 30, MINUTE - 1])
@pytest.mark.parametrize("closed", [(), THREE], ids=["open", "closed"])
async def test_a_call_survives_a_restart_before_it_is_due(
    inn: SimulatedServer, waited: int, closed: tuple[str, ...]
) -> None:
    match = await start_untimed(inn, *closed)
    await make_move(inn, match)
    name, before = await due_name_now(inn, match), next_request_number(inn)
    await inn.env.advance_time(waited)
    await inn.restart()
    await inn.env.advance_time(MINUTE - waited - 1)
    assert (count_hand_calls(inn, before), thread_mentions(inn)) == ({}, [])
    await inn.env.advance_time(1)
    assert count_hand_calls(inn, before) == ({} if closed else {name: 1})
    assert [inn[name].mention in message_text(mention) for mention in thread_mentions(inn)] == [True] * bool(closed)


@pytest.mark.parametrize(
    ("killed", "waited"), [(False, 0), (True, 6), (True, 0)], ids=["closed", "killed later", "killed at once"]
)
async def test_who_was_busy_before_a_restart_is_called_as_long_after_that_unless_a_crash_came_at_once(
    inn: SimulatedServer, killed: bool, waited: int
) -> None:
    match = await start_untimed(inn)
    await make_move(inn, match)
    name = await due_name_now(inn, match)
    await inn.env.advance_time(MINUTE - 10)
    await inn.press_button(name, await find_table(inn, match), "Show my hand")
    before = next_request_number(inn)
    await inn.env.advance_time(waited)
    await inn.restart(killed=killed)
    await inn.env.advance_time(MINUTE - 2 - waited)
    assert count_hand_calls(inn, before) == ({name: 1} if killed and not waited else {})
    await inn.env.advance_time(4)
    assert count_hand_calls(inn, before) == {name: 1}


@pytest.mark.parametrize("closed", [(), THREE], ids=["open", "closed"])
async def test_a_call_that_was_made_is_not_made_again_after_a_restart(
    inn: SimulatedServer, closed: tuple[str, ...]
) -> None:
    match = await start_untimed(inn, *closed)
    await make_move(inn, match)
    await inn.env.advance_time(MINUTE)
    before, there = next_request_number(inn), thread_mentions(inn)
    for _ in range(2):
        await inn.restart()
        await inn.env.advance_time(DAY)
    assert count_hand_calls(inn, before) == {}
    assert [mention["id"] for mention in thread_mentions(inn)] == [mention["id"] for mention in there]


async def test_what_fell_due_while_the_bot_was_away_is_called_when_it_is_back(inn: SimulatedServer) -> None:
    match = await start_untimed(inn)
    await make_move(inn, match)
    name, before = await due_name_now(inn, match), next_request_number(inn)
    inn.tamper_database("UPDATE due SET at = at - 40, since = since - 40 WHERE kind = ?", "call")
    await inn.env.advance_time(30)  # the one who was to be called after twenty seconds is asleep for a minute
    assert count_hand_calls(inn, before) == {}
    await inn.restart()
    assert count_hand_calls(inn, before) == {name: 1}


MOMENTS = [
    "before it is kept",
    "before it is sent",
    "before that is kept",
    "before the old one goes",
    "before it is done",
]


@pytest.mark.parametrize("moment", MOMENTS)
async def test_a_hand_that_calls_is_neither_lost_nor_doubled_by_a_crash(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    match = await start_untimed(inn)
    await make_move(inn, match)
    name, before, reached = await due_name_now(inn, match), next_request_number(inn), asyncio.Event()
    put = inn.bot.surfaces.put

    def stops(kept: Surface) -> bool:
        if kept.called < 0 or kept.kind != "hand":
            return False
        return {MOMENTS[0]: bool(kept.nonce), MOMENTS[2]: not kept.nonce}.get(moment, False)

    async def stuck(*_: Any, **__: Any) -> None:
        reached.set()
        await asyncio.Event().wait()

    async def stuck_put(kept: Surface) -> None:
        await (stuck() if stops(kept) else put(kept))
        if moment == MOMENTS[1] and kept.nonce and kept.called >= 0:
            await stuck()

    monkeypatch.setattr(inn.bot.surfaces, "put", stuck_put)
    if moment == MOMENTS[3]:
        monkeypatch.setattr(
            inn.bot.reconciler.surface_sync.poster,
            "_delete_replaced",
            hanging_removal(inn.bot.reconciler.surface_sync.poster, stuck),
        )
    if moment == MOMENTS[4]:
        monkeypatch.setattr(inn.bot.matches, "mark_done", stuck)
    await inn.crash_during(inn.env.advance_time(MINUTE), reached)
    await inn.env.advance_time(MINUTE)
    (only,) = inn.inbox_messages(name)
    assert (
        only["id"] == (await find_surface(inn, match, "hand", (await load_snapshot(inn, match)).due_seats()[0]))["id"]
    )
    assert len(audible_nonces(inn, name, before)) == 1
    assert await inn.bot.matches.load_due() == ([], None)


def audible_nonces(w: SimulatedServer, name: str, since: int) -> set[str]:
    """The nonces of what was posted to somebody since then, and made itself heard."""
    path = f"/channels/{w[name].user.dm_channel.id}/messages"
    sent = [r.json for r in w.env.http_requests[since:] if (r.method, r.path) == ("POST", path) and r.json]
    return {each["nonce"] for each in sent if not each.get("flags", 0) & SILENT}


def hanging_removal(poster: Any, stuck: Any) -> Any:
    """A poster's way to take an old message away, which hangs once there is one of a call."""
    away = poster._delete_replaced

    async def taken_away(kept: Surface) -> Surface:
        if kept.old and kept.called >= 0:
            await stuck()
        found: Surface = await away(kept)
        return found

    return taken_away


@pytest.mark.parametrize(
    "moment", ["before it is kept", "before it is sent", "before that is kept", "before it is done"]
)
async def test_a_mention_is_neither_lost_nor_doubled_by_a_crash(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    match = await start_untimed(inn, *THREE)
    await make_move(inn, match)
    name, reached = await due_name_now(inn, match), asyncio.Event()
    put = inn.bot.surfaces.put_mention

    async def stuck(*_: Any) -> None:
        reached.set()
        await asyncio.Event().wait()

    async def stuck_put(mention: Mention) -> None:
        if (moment, mention.state) in {("before it is kept", "sending"), ("before that is kept", "sent")}:
            await stuck()
        await put(mention)
        if (moment, mention.state) == ("before it is sent", "sending"):
            await stuck()

    monkeypatch.setattr(inn.bot.surfaces, "put_mention", stuck_put)
    if moment == "before it is done":
        monkeypatch.setattr(inn.bot.matches, "mark_done", stuck)
    await inn.crash_during(inn.env.advance_time(MINUTE), reached)
    await inn.env.advance_time(MINUTE)
    (mention,) = thread_mentions(inn)
    assert inn[name].mention in message_text(mention)
    assert await inn.bot.matches.load_due() == ([], None)


# Hands that are posted anew for another reason


async def test_a_hand_that_is_posted_anew_since_it_is_old_makes_no_noise(inn: SimulatedServer) -> None:
    match = await start_untimed(inn)
    await inn.env.advance_time(60 * MINUTE + 10)
    name = await due_name_now(inn, match)
    before = next_request_number(inn)
    await make_move(inn, match)
    following = await due_name_now(inn, match)
    assert following != name
    assert was_audible(inn, following, before) == [False]
    await inn.env.advance_time(MINUTE)
    assert was_audible(inn, following, before) == [False, True]
    assert len(inn.inbox_messages(following)) == 1


# Lobbies


async def test_a_lobby_closes_after_a_day_over_a_restart(inn: SimulatedServer) -> None:
    match = await open_lobby(inn)
    await inn.env.advance_time(DAY // 2)
    await inn.restart()
    await inn.env.advance_time(DAY // 2 - 1)
    assert (await load_snapshot(inn, match)).info.status is Status.LOBBY
    await inn.env.advance_time(1)
    assert (await load_snapshot(inn, match)).info.status is Status.EXPIRED
    assert "closed" in message_text(await find_lobby(inn, match))


async def test_a_lobby_of_later_does_not_keep_anybody_from_being_called(inn: SimulatedServer) -> None:
    match = await start_untimed(inn)
    await open_lobby(inn, "Dora")
    await make_move(inn, match)
    name, before = await due_name_now(inn, match), next_request_number(inn)
    await inn.env.advance_time(MINUTE)
    assert count_hand_calls(inn, before) == {name: 1}


# How much is sent


async def test_a_move_takes_few_requests(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=3)
    await play_on(inn, match, "bid", 2)
    for _ in range(4):
        before = next_request_number(inn)
        await make_move(inn, match)
        sent = inn.sent_requests(before)
        # the answer, the table, two other hands, the lobby at most, one look at the channel
        assert len(sent) <= 6, sent
        assert len([path for method, path in sent if method == "PATCH"]) <= 4


async def test_a_whole_match_of_six_calls_its_first_turn_and_nobody_else(inn: SimulatedServer) -> None:
    names = ("Ada", "Bela", "Chidi", "Dora", "Emil", "Fumi")
    match = await open_lobby(inn, rounds=3)
    await join_lobby(inn, match, *names[1:])
    before = next_request_number(inn)
    await start_match(inn, match)
    first = await due_name_now(inn, match)
    await play_out(inn, match, random_chooser(6))
    assert count_hand_calls(inn, before) == {first: 1}
    assert [m for m in inn.env.http_requests[before:] if "your turn" in str((m.json or {}).get("content"))] == []


async def test_what_changes_no_screen_sends_nothing(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    inn.bot.reconciler.wake(match)
    before = next_request_number(inn)
    await inn.press_button("Ada", await find_table(inn, match), "Score sheet")
    assert len(inn.sent_requests(before)) == 1  # the answer alone


async def test_when_nobody_plays_one_is_called_and_nothing_more_is_sent(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2, clock="none")
    await make_move(inn, match)
    await inn.env.advance_time(MINUTE)
    before = next_request_number(inn)
    await inn.env.advance_time(3 * DAY)
    assert inn.sent_requests(before) == []


async def test_an_idle_bot_has_no_task_of_its_own(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=1)
    await make_move(inn, match)
    await inn.env.advance_time(2 * SAVE_DELAY)
    assert set(inn.bot.tasks._running) == {"alarm", "housekeeping"}  # asleep until somebody is to be called, or an hour
    await play_out(inn, match)
    await inn.env.advance_time(DAY)
    assert set(inn.bot.tasks._running) == {"housekeeping"}


async def test_of_a_finished_match_no_answers_are_kept(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=1)
    await inn.press_button("Ada", await find_table(inn, match), "Show my hand")
    await play_out(inn, match)
    assert inn.bot.reconciler.surface_sync.ephemeral_hands.hands == {}
    assert inn.bot.reconciler.surface_sync.reminders._due_reminders == {}


async def test_of_an_abandoned_match_answers_are_kept_no_longer_than_they_can_be_changed(inn: SimulatedServer) -> None:
    abandoned, other = await seat_and_start(inn), await seat_and_start(inn)
    await inn.press_button("Ada", await find_table(inn, abandoned), "Show my hand")
    for minutes, kept in ((10, {abandoned, other}), (10, {other})):
        await inn.env.advance_time(60 * minutes)
        await inn.press_button("Bela", await find_table(inn, other), "Show my hand")
        assert {match for match, _ in inn.bot.reconciler.surface_sync.ephemeral_hands.hands} == kept
