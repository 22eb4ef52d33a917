"""The clock at the table: who is reminded, whose time runs out, who is away and comes back; over restarts, too."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engines.hosting.match import MAX_MISSED
from engines.store.match_store import Status
from players.pauses import LONGEST_PAUSE
from tests.end_to_end.players import THREE
from tests.end_to_end.simulated_server import PendingClick, SimulatedServer, make_hang, reply_text
from tests.end_to_end.test_calls import choose_call, count_hand_calls, request_count, start_untimed, thread_mentions
from tests.messages import button_labels, message_text, move_buttons

MINUTE, HOUR = 60, 60 * 60
REMINDED = HOUR * 3 // 4


async def start_timed(
    w: SimulatedServer, *closed: str, clock: str = "1 hour", moved: int = 1, rounds: int = 4
) -> tuple[str, str]:
    """A match with a clock that waits for somebody: its id, and who that is."""
    match = await start_untimed(w, *closed, clock=clock, rounds=rounds)
    for _ in range(moved):
        await w.make_move(match)
    return match, await w.due_name_now(match)


@pytest.mark.parametrize("is_repeated", [False, True])
async def test_one_is_called_then_reminded_once_and_then_the_computer_moves(
    server: SimulatedServer, is_repeated: bool
) -> None:
    match, name = await start_timed(server)
    at = (await server.load_snapshot(match)).deadline()
    for message in (server.find_hand(name, match), await server.find_table(match)):
        assert f"⏳ <t:{at}:R>" in message_text(message)
    before, known = request_count(server), 0
    for passes, calls in ((MINUTE, 1), (REMINDED - MINUTE - 1, 1), (1, 2), (HOUR - REMINDED - 1, 2)):
        since = request_count(server)
        await server.env.advance_time(passes)
        assert count_hand_calls(server, before) == {name: calls}
        if is_repeated:
            await server.restart()
            assert count_hand_calls(server, before) == {name: calls}, "a restart doubles a call"
        changed = [path for _, path in server.sent_requests(since) if "messages" in path]
        assert calls > known or changed == [], "a message was changed for the time alone"
        known = calls
    assert await server.move_count(match) == 1
    await server.env.advance_time(1)
    assert f"{name}'s time ran out, so the computer moved for them." in await server.table_text(match)
    own = "Your time ran out, so the computer moved for you."
    assert own in server.hand_text(name, match), "they are not told themselves"
    if is_repeated:
        await server.restart()
    assert await server.move_count(match) == 2, "a restart doubles a move"
    assert f"{name}'s time ran out" in await server.table_text(match)


@pytest.mark.parametrize("clock", ["1 hour", "5 minutes"])
async def test_time_runs_out_unreminded_without_calls_and_with_five_minutes(
    server: SimulatedServer, clock: str
) -> None:
    match, name = await start_timed(server, clock=clock)
    if clock == "1 hour":
        await choose_call(server, name, "never")
    before = request_count(server)
    await server.env.advance_time((HOUR if clock == "1 hour" else 5 * MINUTE) - 1)
    assert (count_hand_calls(server, before), thread_mentions(server)) == ({} if clock == "1 hour" else {name: 1}, [])
    await server.env.advance_time(1)
    assert await server.move_count(match) == 2


async def test_a_call_and_a_reminder_that_fall_together_are_one(server: SimulatedServer) -> None:
    match, name = await start_timed(server)
    server.tamper_database("UPDATE due SET at = at + 2670 WHERE kind = ?", "call")
    await server.restart()
    before = request_count(server)
    for passes in (REMINDED, 10 * MINUTE):  # the call would have come half a minute later
        await server.env.advance_time(passes)
        assert count_hand_calls(server, before) == {name: 1}
    assert (await server.bot.matches.due_times.load_due())[0] == [], "after a restart the call would be made"
    assert await server.move_count(match) == 1


async def test_a_reminder_replaces_the_mention_if_direct_messages_are_closed(
    server: SimulatedServer,
) -> None:
    match, name = await start_timed(server, *THREE)
    await server.env.advance_time(MINUTE)
    (call,) = thread_mentions(server)
    await server.env.advance_time(REMINDED - MINUTE)
    (reminder,) = thread_mentions(server)
    assert reminder["id"] != call["id"]
    assert server[name].mention in message_text(reminder)
    assert f"⏳ <t:{(await server.load_snapshot(match)).deadline()}:R>" in message_text(reminder)
    await server.restart()
    assert [each["id"] for each in thread_mentions(server)] == [reminder["id"]]
    await server.env.advance_time(HOUR - REMINDED)
    assert reminder["id"] not in [each["id"] for each in thread_mentions(server)]


async def test_a_reminder_that_was_begun_when_the_bot_crashed_is_made_once(server: SimulatedServer) -> None:
    (match, name), (reached, stuck) = await start_timed(server), make_hang()
    await server.env.advance_time(MINUTE)
    before = request_count(server)
    server.patch(server.bot.matches.due_times, "mark_done", stuck)
    await server.crash_during(server.env.advance_time(REMINDED - MINUTE), reached)
    await server.env.advance_time(MINUTE)
    assert count_hand_calls(server, before) == {name: 1}
    assert await server.move_count(match) == 1


@pytest.mark.parametrize("moment", ["before", "after"])
async def test_a_late_move_is_made_once_though_the_bot_crashed(server: SimulatedServer, moment: str) -> None:
    match, name = await start_timed(server)
    (reached, stuck), real = make_hang(), server.bot.matches.editor.store.commit

    async def stuck_commit(change: Any) -> None:
        if moment == "after":
            await real(change)
        await stuck()

    await server.env.advance_time(HOUR - 1)
    await server.bot.matches.due_times.record_alive()
    server.patch(server.bot.matches.editor.store, "commit", stuck_commit)
    await server.crash_during(server.env.advance_time(1), reached)
    await server.env.advance_time(1)  # as long as it may have been away
    assert await server.move_count(match) == 2
    assert (await server.load_snapshot(match)).timeout_moves == {2}
    assert f"{name}'s time ran out" in await server.table_text(match)


async def test_a_click_and_the_end_of_the_time_at_once_are_one_move(server: SimulatedServer) -> None:
    match, name = await start_timed(server)
    message = server.find_hand(name, match)
    click = PendingClick(name, message, move_buttons(message)[0])
    await server.env.advance_time(HOUR - 1)
    await asyncio.gather(server.env.advance_time(1), server.click_at_once(click), return_exceptions=True)
    assert await server.move_count(match) == 2


async def test_when_several_are_due_each_has_their_own_time(server: SimulatedServer) -> None:
    match = await start_untimed(server, game="jest", clock="1 hour")
    times = (await server.load_snapshot(match)).deadlines
    assert {seat: due.seat for seat, due in times.items()} == {0: 0, 1: 1, 2: 2}
    await server.env.advance_time(HOUR)
    now_ = await server.load_snapshot(match)
    assert len([number for number in now_.timeout_moves if now_.mover_of(number) in (0, 1, 2)]) == 3
    assert all(due.at > times[0].at for due in now_.deadlines.values())


async def test_after_three_in_a_row_the_computer_plays_until_one_click(server: SimulatedServer) -> None:
    match, name = await start_timed(server, rounds=9)
    seat = THREE.index(name)
    for _ in range(MAX_MISSED):
        while await server.due_name_now(match) != name:
            await server.make_move(match)
        await server.env.advance_time(HOUR)
    await server.restart()
    assert "The computer is playing for you" in server.hand_text(name, match)
    assert button_labels(server.find_hand(name, match)) == ["I am back", "More"]
    assert "I am back" in button_labels(await server.find_table(match))
    before = request_count(server)
    for _ in range(3):
        while (look_ := await server.load_snapshot(match)).due_seats() != (seat,):
            await server.make_move(match)
        await server.env.advance_time(LONGEST_PAUSE)
        assert await server.move_count(match) > look_.info.moves
    assert name not in count_hand_calls(server, before)
    stranger = reply_text(await server.press_button("Greta", await server.find_table(match), "I am back"))
    assert "You are not sitting at this table" in stranger
    await server.press_button(name, server.find_hand(name, match), "I am back")
    assert (await server.load_snapshot(match)).info.seats[seat].owner_plays
    assert "I am back" not in button_labels(await server.find_table(match))
    assert "until you are back" not in server.hand_text(name, match)


@pytest.mark.parametrize("how", ["table", "hand", "move", "status"])
async def test_any_act_in_the_match_takes_the_seat_back(server: SimulatedServer, how: str) -> None:
    match, name = await start_timed(server)
    seat = THREE.index(name)
    await server["Ada"].slash(server.table, "admin give-seat", match=match, seat="ABC"[seat])
    if how == "table":
        assert (await server.press_button(name, await server.find_table(match), "I am back")).ephemeral
    elif how == "move":
        now = await server.load_snapshot(match)
        notation = now.game.format_move(now.moves(seat)[0])
        await server[name].slash(server.table, "wizard move", move=notation, match=match)
        assert (await server.load_snapshot(match)).movers[-1] == seat
    else:
        await server[name].autocomplete(server.table, f"wizard {how}", "match", "")
        assert (await server.load_snapshot(match)).info.seats[seat].is_away, "typing is not yet coming back"
        await server[name].slash(server.table, f"wizard {how}", match=match)
    assert (await server.load_snapshot(match)).info.seats[seat].owner_plays


async def test_an_admin_gives_a_seat_to_the_computer_and_back(server: SimulatedServer) -> None:
    async def admin(command: str, name: str = "Ada", **options: str) -> str:
        return reply_text(await server[name].slash(server.table, f"admin {command}", match=match, **options))

    async def offer(command: str) -> list[dict[str, Any]]:
        return await server["Ada"].autocomplete(server.table, f"admin {command}", "seat", "", match=match)

    match, name = await start_timed(server)
    seat = THREE.index(name)
    letter = "ABC"[seat]
    assert {"name": name, "value": letter} in await offer("give-seat")
    assert await offer("give-back") == []
    server.show_command("admin", "Bela")
    for command in ("give-seat", "give-back"):
        assert "Manage Server" in await admin(command, "Bela", seat=letter)
    assert f"The computer now plays for {name}" in await admin("give-seat", seat=letter)
    assert (await server.load_snapshot(match)).info.seats[seat].is_away
    assert f"{name} (away, played by the computer, normal)" in await admin("show")
    thread_texts = [message_text(each) for each in server.public_messages(server.thread)]
    assert any(f"An admin has let the computer play for {name}" in each for each in thread_texts)
    assert await offer("give-back") == [{"name": name, "value": letter}]
    await admin("give-back", seat=letter)
    assert (await server.load_snapshot(match)).info.seats[seat].owner_plays
    shown_facts = await admin("show")
    assert "Ada let the computer play for a seat" in shown_facts
    assert "Ada gave a seat back to its owner" in shown_facts
    assert "no such seat" in await admin("give-seat", seat="Z")


async def test_an_absent_player_holds_up_no_vote(server: SimulatedServer) -> None:
    match, name = await start_timed(server)
    for seat, each in enumerate((await server.load_snapshot(match)).info.seats):
        if each.name != name:
            await server.bot.matches.seating.give_seat_to_computer(match, seat, "normal", 0)
    await server[name].slash(server.table, "motley stop", match=match)
    assert await server.status(match) is Status.ENDED


@pytest.mark.parametrize("killed", [False, True])
async def test_deadlines_come_later_by_the_time_in_which_the_bot_was_away(
    server: SimulatedServer, killed: bool
) -> None:
    match, name = await start_timed(server)
    at = (await server.load_snapshot(match)).deadline() or 0
    await server.env.advance_time(10 * MINUTE)
    await server.bot.matches.due_times.record_alive()  # as it is noted now and then
    before = request_count(server)
    await server.restart(away=5 * HOUR, killed=killed)
    assert (await server.load_snapshot(match)).deadline() == at + 5 * HOUR
    for expected_text in (server.hand_text(name, match), await server.table_text(match)):
        assert f"⏳ <t:{at + 5 * HOUR}:R>" in expected_text
    await server.env.advance_time(HOUR - 10 * MINUTE - 1)
    assert await server.move_count(match) == 1
    assert count_hand_calls(server, before) == {name: 1}, "reminded once, and later, too"
    await server.env.advance_time(1)
    assert await server.move_count(match) == 2


async def test_nobody_is_played_for_who_could_not_have_moved(server: SimulatedServer) -> None:
    match, name = await start_timed(server)
    at = (await server.load_snapshot(match)).deadline() or 0
    for back in ("resumed", "connect"):
        await server.dispatch_event("disconnect")
        await server.env.advance_time(2 * HOUR)
        assert await server.move_count(match) == 1
        await server.dispatch_event(back)
        at += 2 * HOUR
        assert (await server.load_snapshot(match)).deadline() == at
        for expected_text in (server.hand_text(name, match), await server.table_text(match)):
            assert f"⏳ <t:{at}:R>" in expected_text
    await server.env.advance_time(HOUR)
    assert await server.move_count(match) == 2


async def test_while_discord_is_down_no_time_runs_out(server: SimulatedServer) -> None:
    match, _ = await start_timed(server)
    server.cut_connections(times=None)
    await server.env.advance_time(3 * HOUR)  # the call does not get through, by which it is noticed
    assert await server.move_count(match) == 1
    server.open_dms()
    await server.env.advance_time(10)
    left = ((await server.load_snapshot(match)).deadline() or 0) - server.bot.clock.now()
    assert HOUR - 5 * MINUTE < left <= HOUR
    for passes, moves in ((left - 1, 1), (2, 2)):
        await server.env.advance_time(passes)
        assert await server.move_count(match) == moves


@pytest.mark.parametrize("clock", ["1 hour", "none"])
async def test_somebody_who_has_left_the_server_is_noticed_and_the_computer_plays_on(
    server: SimulatedServer, clock: str
) -> None:
    match, name = await start_timed(server, clock=clock)
    seat = THREE.index(name)
    server.leave_guild(name)
    await server.env.advance_time(MINUTE)
    seat_now = (await server.load_snapshot(match)).info.seats[seat]
    assert (seat_now.gone, seat_now.level) == ("left", "normal")
    thread_texts = [message_text(m) for m in server.public_messages(server.thread)]
    assert any(f"{name} has left this server. The computer takes over" in each for each in thread_texts)
    before = await server.move_count(match)
    await server.env.advance_time(LONGEST_PAUSE)
    assert await server.move_count(match) > before
    await server.press_button("Dora", await server.find_table(match), "More")
    await server["Dora"].slash(server.table, "wizard status", match=match)
    await server.forge_click("Dora", await server.find_table(match), f"t:{match}:seat")
    assert (await server.load_snapshot(match)).info.seats[seat].user == server["Dora"].id


async def test_when_the_last_of_them_has_left_the_server_the_match_is_stopped(server: SimulatedServer) -> None:
    match, _ = await start_timed(server)
    for each in THREE:
        server.leave_guild(each)
    for _ in range(3):
        await server.env.advance_time(HOUR)
    info = (await server.load_snapshot(match)).info
    assert (info.status, info.reason) == (Status.ENDED, "Everybody has left.")
