"""Active players are not called; somebody who does not act is, once a decision, by their hand or at the table."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from cogs.table.surfaces.stale_tracking import SAVE_DELAY
from engines.store.match_store import Status
from engines.store.surface_storage import Mention, Surface
from tests.end_to_end.players import THREE, USUAL_GAME, random_chooser
from tests.end_to_end.simulated_server import SimulatedServer, make_hang
from tests.messages import Message, message_text, move_buttons

SILENT = 4096
MINUTE, DAY = 60, 24 * 60 * 60


def thread_mentions(w: SimulatedServer) -> list[Message]:
    return [message for message in w.public_messages(w.thread) if "your turn" in message_text(message)]


def sent_to_inbox(w: SimulatedServer, name: str, since: int = 0) -> list[dict[str, Any]]:
    path = f"/channels/{w[name].user.dm_channel.id}/messages"
    return [r.json for r in w.env.http_requests[since:] if (r.method, r.path) == ("POST", path) and r.json]


def was_audible(w: SimulatedServer, name: str, since: int = 0) -> list[bool]:
    return [not each.get("flags", 0) & SILENT for each in sent_to_inbox(w, name, since)]


def count_hand_calls(w: SimulatedServer, since: int = 0) -> Counter[str]:
    return Counter({name: sum(was_audible(w, name, since)) for name in w.people if any(was_audible(w, name, since))})


def request_count(w: SimulatedServer) -> int:
    return len(w.env.http_requests)


def sent_nonces(w: SimulatedServer, path: str = "") -> list[str]:
    """The nonces of all that the bot has posted so far, perhaps in one channel; one for every try."""
    sent = [r.json for r in w.env.http_requests if r.method == "POST" and r.json and path in ("", r.path)]
    return [each["nonce"] for each in sent if each.get("nonce")]


async def start_untimed(
    w: SimulatedServer, *closed: str, game: str = USUAL_GAME, names: Any = THREE, **options: Any
) -> str:
    """A match that has begun and that nobody's time runs out in, of people some of whom take no direct messages."""
    for name in closed:
        w.close_dms(name)
    longer = {"rounds": 2} if game == USUAL_GAME else {}
    return await w.seat_and_start(names, game=game, **{"clock": "none", **longer, **options})


async def start_and_move(w: SimulatedServer, *closed: str, **options: Any) -> tuple[str, str, int]:
    """Such a match after one move: its id, whose turn it is, and the number of the request that comes next."""
    match = await start_untimed(w, *closed, **options)
    await w.make_move(match)
    return match, await w.due_name_now(match), request_count(w)


async def wait_nearly(w: SimulatedServer, begun_at: int, left: int = 1, wait: int = MINUTE) -> None:
    """Let time pass until so many seconds before the next call, which is no sooner than that wait after `begun`."""
    _, then = await w.bot.matches.due_times.load_due()
    assert then is not None
    assert then >= begun_at + wait
    await w.env.advance_time(then - left - w.bot.clock.now())


async def choose_call(w: SimulatedServer, name: str, call: str) -> None:
    await w[name].slash(w.table, "motley settings")
    await w.choose_options(name, w.private_messages(name)[-1], "y:call", call)


async def test_somebody_who_plays_is_not_called(server: SimulatedServer) -> None:
    match = await server.fill_lobby("Bela", "Chidi", "Dora", "Emil", "Fumi", rounds=3, autoplay="false")
    before, choose = request_count(server), random_chooser(6)
    await server.start_match(match)
    first = await server.due_name_now(match)
    while await server.status(match) is Status.RUNNING:
        assert count_hand_calls(server, before) == {first: 1}, "the first turn alone is called, and at once"
        await server.env.advance_time(50)
        await server.make_move(match, choose)
    assert count_hand_calls(server, before) == {first: 1}
    assert [m for m in server.env.http_requests[before:] if "your turn" in str((m.json or {}).get("content"))] == []


async def test_somebody_who_does_not_act_for_a_minute_is_called_once_by_their_hand_and_the_older_copy_goes(
    server: SimulatedServer,
) -> None:
    match, moving = await start_untimed(server), server.bot.clock.now()
    await server.make_move(match)
    (name, old), before = await server.due_hand(match), request_count(server)
    await wait_nearly(server, moving)
    assert server.sent_requests(before) == []
    await server.env.advance_time(1)
    assert count_hand_calls(server, before) == {name: 1}
    (only,) = server.inbox_messages(name)
    assert only["id"] != old["id"]
    assert message_text(only) == message_text(old)
    sent = request_count(server)
    await server.env.advance_time(3 * DAY)
    assert server.sent_requests(sent) == []  # nobody is called twice
    await server.make_move(match)
    assert await server.move_count(match) == 2


async def test_the_wait_begins_again_with_every_decision_also_after_ones_own_move(server: SimulatedServer) -> None:
    match = await start_untimed(server, rounds=4)
    call_count = 0
    while call_count < 2:
        moving = server.bot.clock.now()
        mover, before = await server.make_move(match), request_count(server)
        await wait_nearly(server, moving, 10)
        assert count_hand_calls(server, before) == {}
        if await server.due_name(match) == mover:  # who takes a trick with the last card of it leads
            call_count += 1
            await server.env.advance_time(10)
            assert count_hand_calls(server, before) == {mover: 1}


async def test_somebody_who_is_busy_with_their_hand_is_not_called(server: SimulatedServer) -> None:
    match, name, before = await start_and_move(server)
    for _ in range(3):
        await server.env.advance_time(MINUTE - 10)
        await server.show_hand(name, match)
    assert count_hand_calls(server, before) == {}
    await server.env.advance_time(MINUTE)
    assert count_hand_calls(server, before) == {name: 1}
    await server.show_hand(name, match)
    await server.env.advance_time(DAY)
    assert count_hand_calls(server, before) == {name: 1}


async def test_all_who_are_due_are_called_and_nobody_else(server: SimulatedServer) -> None:
    match = await start_untimed(server, game="jest")
    assert count_hand_calls(server) == {"Ada": 2, "Bela": 2, "Chidi": 2}  # each when they came in, and at the start
    before = request_count(server)
    await server.env.advance_time(5)
    hand = server.find_hand("Bela", match)
    await server.press_button("Bela", hand, move_buttons(hand)[0])
    await server.env.advance_time(DAY)
    assert count_hand_calls(server, before) == {}  # Ada and Chidi were called to that decision already


@pytest.mark.parametrize("call", ["0", "60", "300", "never"])
async def test_one_is_called_when_one_likes_if_at_all(server: SimulatedServer, call: str) -> None:
    for name in THREE:
        await choose_call(server, name, call)
    entering = request_count(server)
    match = await start_untimed(server)
    before, moving = request_count(server), server.bot.clock.now()
    await server.make_move(match)
    name = await server.due_name_now(match)
    if call == "never":
        await server.env.advance_time(DAY)
        assert count_hand_calls(server, entering) == dict.fromkeys(THREE, 1)  # what they got when they came in
    elif call != "0":
        await wait_nearly(server, moving, wait=int(call))
        assert count_hand_calls(server, before) == {}
        await server.env.advance_time(1)
    assert count_hand_calls(server, before) == ({} if call == "never" else {name: 1})


async def test_somebody_who_likes_to_be_called_at_once_and_moves_again_is_called_after_a_minute(
    server: SimulatedServer,
) -> None:
    match = await start_untimed(server)
    while True:
        await choose_call(server, await server.due_name_now(match), "0")
        before = request_count(server)
        mover = await server.make_move(match)
        if mover == await server.due_name_now(match):
            break
    assert count_hand_calls(server, before) == {}
    await server.env.advance_time(MINUTE)
    assert count_hand_calls(server, before) == {mover: 1}


@pytest.mark.parametrize("call", ["0", "300"])
async def test_another_setting_holds_for_a_call_that_is_pending(server: SimulatedServer, call: str) -> None:
    match, moving = await start_untimed(server), server.bot.clock.now()
    await server.make_move(match)
    name = await server.due_name_now(match)
    await server.env.advance_time(20)
    before = request_count(server)
    await choose_call(server, name, call)
    if call == "300":
        await wait_nearly(server, moving, wait=300)
    assert count_hand_calls(server, before) == ({name: 1} if call == "0" else {})
    await server.env.advance_time(1)
    assert count_hand_calls(server, before) == {name: 1}


async def test_somebody_who_turns_calls_off_and_on_again_in_the_midst_of_a_wait_is_called(
    server: SimulatedServer,
) -> None:
    _, name, before = await start_and_move(server)
    await choose_call(server, name, "never")
    await server.env.advance_time(DAY)
    assert count_hand_calls(server, before) == {}
    for call in ("60", "0"):  # a day is more than a minute
        await choose_call(server, name, call)
        assert count_hand_calls(server, before) == {name: 1}


async def test_somebody_who_takes_no_direct_messages_is_mentioned_at_the_table(server: SimulatedServer) -> None:
    match = await start_untimed(server, *THREE)
    mover = await server.make_move(match)
    assert thread_mentions(server) == []  # that of the first turn went with it
    await server.env.advance_time(MINUTE)
    name = await server.due_name_now(match)
    (mention,) = thread_mentions(server)
    assert [user["username"] for user in mention["mentions"]] == [name]
    assert message_text(mention).startswith(f"{server[name].mention}, your turn: ")
    assert "bid in round 1" in message_text(mention)
    assert (await server.press_button(name, mention, "Show my hand")).ephemeral
    await server.env.advance_time(DAY)
    assert len(thread_mentions(server)) == 1
    await server.make_move(match)
    assert thread_mentions(server) == []
    assert mover != name


async def test_whose_direct_messages_are_closed_since_is_mentioned(server: SimulatedServer) -> None:
    _, name, _ = await start_and_move(server)
    await server.open_lobby("Dora")  # which is due later, and keeps nobody from being called
    server.close_dms(name)
    await server.env.advance_time(MINUTE)
    (mention,) = thread_mentions(server)
    assert server[name].mention in message_text(mention)
    await server.env.advance_time(DAY // 2)
    assert len(thread_mentions(server)) == 1


async def test_several_who_are_called_at_once_share_one_mention_that_calls_them_alone(server: SimulatedServer) -> None:
    match = await start_untimed(server, *THREE, game="jest")
    (mention,) = thread_mentions(server)
    assert sorted(user["username"] for user in mention["mentions"]) == sorted(THREE)
    assert message_text(mention).count("your turn") == 1
    for name in ("Bela", "Ada", "Chidi"):
        (mention,) = thread_mentions(server)
        assert server[name].mention in message_text(mention)
        await server.press_button(name, mention, "Show my hand")
        await server.press_button(name, server.newest_private(name), move_buttons(server.newest_private(name))[0])
        assert all(server[name].mention not in message_text(left) for left in thread_mentions(server))
    assert thread_mentions(server) == []
    await server.env.advance_time(MINUTE)
    (mention,) = thread_mentions(server)
    assert [user["username"] for user in mention["mentions"]] == [await server.due_name_now(match)]
    await move_when_called(server, match, 9)
    sent = [
        r for r in server.env.http_requests if r.json and r.path.startswith(f"/channels/{server.thread.id}/messages")
    ]
    mentions = [(r.method, r.json) for r in sent if r.json and "your turn" in (r.json.get("content") or "")]
    assert [method for method, _ in mentions].count("POST") > 2
    for method, mention_text in mentions:
        assert mention_text["allowed_mentions"]["parse"] == []
        called = len(mention_text["allowed_mentions"].get("users", []))
        assert called == (mention_text["content"].count("<@") if method == "POST" else 0)  # an edit calls nobody again
        assert method != "POST" or mention_text["enforce_nonce"] is True
    for seen_message in server.seen_messages:
        assert not seen_message.message["mention_everyone"]
        assert "your turn" in message_text(seen_message.message) or seen_message.message["mentions"] == []


async def move_when_called(w: SimulatedServer, match: str, moves: int) -> None:
    for _ in range(moves):
        await w.env.advance_time(MINUTE)
        await w.make_move(match)


async def test_a_match_goes_on_if_mentions_are_refused_or_deleted_by_a_moderator(server: SimulatedServer) -> None:
    match = await start_untimed(server, *THREE)
    (mention,) = thread_mentions(server)
    server.delete_message(mention)
    await move_when_called(server, match, 2)
    await server.env.advance_time(MINUTE)
    assert len(thread_mentions(server)) == 1
    await server.make_move(match)
    server.env.inject_error("POST", f"/channels/{server.thread.id}/messages", status=403, code=50013, times=None)
    await move_when_called(server, match, 4)
    assert thread_mentions(server) == []


@pytest.mark.parametrize("method", ["POST", "DELETE"])
async def test_a_mention_that_discord_did_not_take_is_tried_again(server: SimulatedServer, method: str) -> None:
    match = await start_untimed(server, *THREE)
    path = f"/channels/{server.thread.id}/messages" + ("/*" if method == "DELETE" else "")
    await server.make_move(match)
    server.cut_connections(method, path, after=True, times=None)
    await server.env.advance_time(MINUTE)
    await server.env.advance_time(10)
    server.connection_cuts.clear()
    await server.env.advance_time(20)
    (mention,) = thread_mentions(server)
    assert server[await server.due_name_now(match)].mention in message_text(mention)


async def test_calls_go_when_a_match_is_paused_and_the_wait_begins_again_when_it_goes_on(
    server: SimulatedServer,
) -> None:
    match = await start_untimed(server, *THREE)
    name = await server.due_name_now(match)
    other = next(each for each in THREE if each != name)
    (first,) = thread_mentions(server)
    await server.leave_match(match, other)
    assert thread_mentions(server) == []
    await server.env.advance_time(DAY)
    assert thread_mentions(server) == []
    taking = server.bot.clock.now()
    await server.press_button(other, await server.find_table(match), "Take the empty seat")
    await wait_nearly(server, taking)
    assert thread_mentions(server) == []
    await server.env.advance_time(1)
    (second_mention,) = thread_mentions(server)  # of the same decision
    assert second_mention["id"] != first["id"]
    assert server[name].mention in message_text(second_mention)
    thread_path = f"/channels/{server.thread.id}/messages"
    assert len(set(sent_nonces(server, thread_path))) == len(sent_nonces(server, thread_path)) >= 2


async def test_somebody_who_takes_a_seat_over_has_their_own_minute(server: SimulatedServer) -> None:
    match, name, _ = await start_and_move(server)
    await server.env.advance_time(MINUTE - 10)
    await server.leave_match(match, name)
    taking = server.bot.clock.now()
    await server.press_button("Greta", await server.find_table(match), "Take the empty seat")
    before = request_count(server)
    await wait_nearly(server, taking)
    assert count_hand_calls(server, before) == {}
    await server.env.advance_time(1)
    assert count_hand_calls(server, before) == {"Greta": 1}


@pytest.mark.parametrize("how", ["played", "reset", "paused"])
async def test_nobody_is_called_in_a_match_that_does_not_run(server: SimulatedServer, how: str) -> None:
    match, _, _ = await start_and_move(server)
    if how == "played":
        await server.play_out(match)
    elif how == "reset":
        await server.bot.matches.seating.reset_match(match, server["Ada"].id)
    else:
        await server.leave_match(match, "Bela")
    before = request_count(server)
    assert await server.bot.matches.due_times.load_due() == ([], None)
    await server.env.advance_time(DAY)
    assert count_hand_calls(server, before) == {}


@pytest.mark.sampled
@pytest.mark.parametrize("waited", [0, 30, MINUTE - 1])
@pytest.mark.parametrize("closed", [(), THREE])
async def test_a_call_survives_restarts(server: SimulatedServer, waited: int, closed: tuple[str, ...]) -> None:
    _, name, before = await start_and_move(server, *closed)
    await server.env.advance_time(waited)
    await server.restart()
    await server.env.advance_time(MINUTE - waited - 1)
    assert (count_hand_calls(server, before), thread_mentions(server)) == ({}, [])
    await server.env.advance_time(1)
    assert count_hand_calls(server, before) == ({} if closed else {name: 1})
    mentions_there = thread_mentions(server)
    assert [server[name].mention in message_text(mention) for mention in mentions_there] == [True] * bool(closed)
    for _ in range(2):
        await server.restart()
        await server.env.advance_time(DAY)
    assert count_hand_calls(server, before) == ({} if closed else {name: 1})
    assert [mention["id"] for mention in thread_mentions(server)] == [mention["id"] for mention in mentions_there]


@pytest.mark.parametrize(("killed", "waited"), [(False, 0), (True, 6), (True, 0)])
async def test_somebody_who_was_busy_before_a_restart_is_called_later(
    server: SimulatedServer, killed: bool, waited: int
) -> None:
    match, name, _ = await start_and_move(server)
    await server.env.advance_time(MINUTE - 10)
    await server.show_hand(name, match)
    before = request_count(server)
    await server.env.advance_time(waited)
    await server.restart(killed=killed)
    await server.env.advance_time(MINUTE - 2 - waited)
    assert count_hand_calls(server, before) == ({name: 1} if killed and not waited else {})
    await server.env.advance_time(4)
    assert count_hand_calls(server, before) == {name: 1}


async def test_a_call_that_fell_due_while_the_bot_was_away_comes_when_it_is_back(server: SimulatedServer) -> None:
    _, name, before = await start_and_move(server)
    server.tamper_database("UPDATE due SET at = at - 40, since = since - 40 WHERE kind = ?", "call")
    await server.env.advance_time(30)  # the one who was to be called after twenty seconds is asleep for a minute
    assert count_hand_calls(server, before) == {}
    await server.restart()
    assert count_hand_calls(server, before) == {name: 1}


MOMENTS = ["before it is kept", "before it is sent", "before that is kept", "before the old goes", "before it is done"]


@pytest.mark.parametrize("moment", MOMENTS)
async def test_a_hand_that_calls_is_neither_lost_nor_doubled_by_a_crash(server: SimulatedServer, moment: str) -> None:
    match, name, before = await start_and_move(server)
    (reached, stuck), put, poster = make_hang(), server.bot.surfaces.put, server.bot.reconciler.surface_sync.poster
    away = poster._delete_replaced

    def stops(kept_surface: Surface) -> bool:
        if kept_surface.called < 0 or kept_surface.kind != "hand":
            return False
        return {MOMENTS[0]: bool(kept_surface.nonce), MOMENTS[2]: not kept_surface.nonce}.get(moment, False)

    async def stuck_put(kept_surface: Surface) -> None:
        await (stuck() if stops(kept_surface) else put(kept_surface))
        if moment == MOMENTS[1] and kept_surface.nonce and kept_surface.called >= 0:
            await stuck()

    async def stuck_removal(kept_surface: Surface) -> Surface:
        if kept_surface.old and kept_surface.called >= 0:
            await stuck()
        return await away(kept_surface)

    server.patch(server.bot.surfaces, "put", stuck_put)
    if moment == MOMENTS[3]:
        server.patch(poster, "_delete_replaced", stuck_removal)
    if moment == MOMENTS[4]:
        server.patch(server.bot.matches.due_times, "mark_done", stuck)
    await server.crash_during(server.env.advance_time(MINUTE), reached)
    await server.env.advance_time(MINUTE)
    (only,) = server.inbox_messages(name)
    assert only["id"] == (await server.find_surface(match, "hand", THREE.index(name)))["id"]
    assert (
        len({each["nonce"] for each in sent_to_inbox(server, name, before) if not each.get("flags", 0) & SILENT}) == 1
    )
    assert await server.bot.matches.due_times.load_due() == ([], None)


@pytest.mark.parametrize("moment", [each for each in MOMENTS if "old" not in each])
async def test_a_mention_is_neither_lost_nor_doubled_by_a_crash(server: SimulatedServer, moment: str) -> None:
    _, name, _ = await start_and_move(server, *THREE)
    (reached, stuck), put = make_hang(), server.bot.surfaces.put_mention

    async def stuck_put(mention: Mention) -> None:
        if (moment, mention.state) in {(MOMENTS[0], "sending"), (MOMENTS[2], "sent")}:
            await stuck()
        await put(mention)
        if (moment, mention.state) == (MOMENTS[1], "sending"):
            await stuck()

    server.patch(server.bot.surfaces, "put_mention", stuck_put)
    if moment == MOMENTS[4]:
        server.patch(server.bot.matches.due_times, "mark_done", stuck)
    await server.crash_during(server.env.advance_time(MINUTE), reached)
    await server.env.advance_time(MINUTE)
    (mention,) = thread_mentions(server)
    assert server[name].mention in message_text(mention)
    assert await server.bot.matches.due_times.load_due() == ([], None)


async def test_a_hand_that_is_posted_again_since_it_is_old_makes_no_noise(server: SimulatedServer) -> None:
    match = await start_untimed(server)
    await server.env.advance_time(60 * MINUTE + 10)
    before, mover = request_count(server), await server.make_move(match)
    following = await server.due_name_now(match)
    assert following != mover
    assert was_audible(server, following, before) == [False]
    await server.env.advance_time(MINUTE)
    assert was_audible(server, following, before) == [False, True]
    assert len(server.inbox_messages(following)) == 1


ALWAYS = {"heartbeat", "retention", "owner requests", "late reactions"}  # asleep for seconds, an hour, or minutes


async def test_an_idle_bot_has_no_task_of_its_own_and_keeps_no_answers_of_what_is_over(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=1)
    server.bot.reconciler.wake(match)
    before = request_count(server)
    await server.press_button("Ada", await server.find_table(match), "Score sheet")
    assert len(server.sent_requests(before)) == 1  # the answer alone: no screen has changed
    await server.show_hand("Ada", match)
    await server.make_move(match)
    await server.env.advance_time(2 * SAVE_DELAY)
    assert set(server.bot.tasks._running) == {"alarm", *ALWAYS}  # asleep until somebody is to be called
    await server.play_out(match)
    assert server.bot.reconciler.surface_sync.ephemeral_hands.hands == {}
    assert server.bot.reconciler.surface_sync.reminders._due_reminders == {}
    await server.env.advance_time(DAY)
    assert set(server.bot.tasks._running) == ALWAYS


async def test_answers_of_an_abandoned_match_are_stored_no_longer_than_they_can_be_changed(
    server: SimulatedServer,
) -> None:
    abandoned, other = await server.seat_and_start(), await server.seat_and_start()
    await server.show_hand("Ada", abandoned)
    for minutes, kept_matches in ((10, {abandoned, other}), (10, {other})):
        await server.env.advance_time(60 * minutes)
        await server.show_hand("Bela", other)
        assert {match for match, _ in server.bot.reconciler.surface_sync.ephemeral_hands.hands} == kept_matches
