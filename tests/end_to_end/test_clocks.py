"""The clock at the table: who is reminded, whose time runs out, who is away and comes back; over restarts, too."""

from __future__ import annotations

import asyncio

import pytest

from cogs.table.scheduling.computer_turns import MOVE_PAUSE
from engines.hosting.match import MAX_MISSED
from engines.store.match_store import Status
from tests.end_to_end.players import (
    THREE,
    due_name_now,
    find_hand,
    find_table,
    load_snapshot,
    make_move,
)
from tests.end_to_end.test_calls import (
    choose_call_time,
    count_hand_calls,
    next_request_number,
    start_untimed,
    thread_mentions,
)
from tests.end_to_end.world import (
    PendingClick,
    SimulatedServer,
    button_labels,
    message_text,
    reply_text,
    walk_components,
)

MINUTE, HOUR = 60, 60 * 60
REMINDED = HOUR * 3 // 4


async def start_timed(
    w: SimulatedServer, *closed: str, clock: str = "1 hour", moved: int = 1, rounds: int = 4
) -> tuple[str, str]:
    """A match with a clock that waits for somebody: its id, and who that is."""
    match = await start_untimed(w, *closed, clock=clock, rounds=rounds)
    for _ in range(moved):
        await make_move(w, match)
    return match, await due_name_now(w, match)


async def seat_of_name(w: SimulatedServer, match: str, name: str) -> int:
    seat = (await load_snapshot(w, match)).info.seat_of(w[name].id)
    assert seat is not None
    return seat


# Told, and reminded


@pytest.mark.parametrize("again", [False, True], ids=["", "after a restart"])
async def test_one_is_called_then_reminded_once_and_then_the_computer_moves(inn: SimulatedServer, again: bool) -> None:
    match, name = await start_timed(inn)
    at = (await load_snapshot(inn, match)).deadline()
    for message in (find_hand(inn, name, match), await find_table(inn, match)):
        assert f"⏳ <t:{at}:R>" in message_text(message)
    before = next_request_number(inn)
    for passes, calls in ((MINUTE, 1), (REMINDED - MINUTE - 1, 1), (1, 2), (HOUR - REMINDED - 1, 2)):
        await inn.env.advance_time(passes)
        assert count_hand_calls(inn, before) == {name: calls}
        if again:
            await inn.restart()
            assert count_hand_calls(inn, before) == {name: calls}, "a restart doubles a call"
    assert (await load_snapshot(inn, match)).info.moves == 1
    await inn.env.advance_time(1)
    assert (await load_snapshot(inn, match)).info.moves == 2
    assert f"{name}'s time ran out, the computer moved" in message_text(await find_table(inn, match))
    assert f"{name}'s time ran out" in message_text(find_hand(inn, name, match)), "they are not told themselves"
    if again:
        await inn.restart()
    assert (await load_snapshot(inn, match)).info.moves == 2, "a restart doubles a move"
    assert f"{name}'s time ran out" in message_text(await find_table(inn, match))


async def test_digests_stay_while_time_passes(inn: SimulatedServer) -> None:
    match, _ = await start_timed(inn)
    await inn.env.advance_time(MINUTE)
    before = next_request_number(inn)
    await inn.env.advance_time(REMINDED - MINUTE - 1)
    await inn.restart()
    assert [path for _, path in inn.sent_requests(before) if "messages" in path] == [], (
        "a message was changed for the time alone"
    )
    assert (await load_snapshot(inn, match)).info.moves == 1


async def test_who_likes_no_calls_is_not_reminded_but_their_time_runs_out(inn: SimulatedServer) -> None:
    match, name = await start_timed(inn)
    await choose_call_time(inn, name, "never")
    before = next_request_number(inn)
    await inn.env.advance_time(HOUR - 1)
    assert (count_hand_calls(inn, before), thread_mentions(inn)) == ({}, [])
    await inn.env.advance_time(1)
    assert (await load_snapshot(inn, match)).info.moves == 2


async def test_with_five_minutes_nobody_is_reminded(inn: SimulatedServer) -> None:
    match, name = await start_timed(inn, clock="5 minutes")
    before = next_request_number(inn)
    await inn.env.advance_time(5 * MINUTE - 1)
    assert count_hand_calls(inn, before) == {name: 1}
    await inn.env.advance_time(1)
    assert (await load_snapshot(inn, match)).info.moves == 2


async def test_a_call_and_a_reminder_that_fall_together_are_one(inn: SimulatedServer) -> None:
    match, name = await start_timed(inn)
    inn.tamper_database("UPDATE due SET at = at + 2670, since = since + 2670 WHERE kind = ?", "call")
    await inn.restart()
    before = next_request_number(inn)
    await inn.env.advance_time(REMINDED)
    assert count_hand_calls(inn, before) == {name: 1}
    await inn.env.advance_time(10 * MINUTE)  # the call would have come half a minute later
    assert count_hand_calls(inn, before) == {name: 1}
    assert (await inn.bot.matches.load_due())[0] == [], "after a restart the call would be made"
    assert (await load_snapshot(inn, match)).info.moves == 1


async def test_where_direct_messages_are_closed_a_reminder_takes_the_place_of_the_mention(inn: SimulatedServer) -> None:
    match, name = await start_timed(inn, *THREE)
    await inn.env.advance_time(MINUTE)
    (call,) = thread_mentions(inn)
    await inn.env.advance_time(REMINDED - MINUTE)
    (reminder,) = thread_mentions(inn)
    assert reminder["id"] != call["id"]
    assert inn[name].mention in message_text(reminder)
    assert f"⏳ <t:{(await load_snapshot(inn, match)).deadline()}:R>" in message_text(reminder)
    await inn.restart()
    assert [each["id"] for each in thread_mentions(inn)] == [reminder["id"]]
    await inn.env.advance_time(HOUR - REMINDED)
    assert reminder["id"] not in [each["id"] for each in thread_mentions(inn)]


async def test_a_reminder_that_was_begun_when_the_bot_crashed_is_made_once(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, name = await start_timed(inn)
    await inn.env.advance_time(MINUTE)
    before, reached = next_request_number(inn), asyncio.Event()

    async def stuck(due: object, epoch: int | None) -> None:
        reached.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(inn.bot.matches, "mark_done", stuck)
    await inn.crash_during(inn.env.advance_time(REMINDED - MINUTE), reached)
    await inn.env.advance_time(MINUTE)
    assert count_hand_calls(inn, before) == {name: 1}
    assert (await load_snapshot(inn, match)).info.moves == 1


# Time runs out


async def test_a_late_move_that_was_committed_when_the_bot_crashed_is_not_made_again(
    inn: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for moment in ("before", "after"):
        match, name = await start_timed(inn)
        reached, real = asyncio.Event(), inn.bot.matches._store.commit

        async def stuck(change: object, moment: str = moment, reached: asyncio.Event = reached) -> None:
            if moment == "after":
                await real(change)  # type: ignore[arg-type]  # noqa: B023
            reached.set()
            await asyncio.Event().wait()

        await inn.env.advance_time(HOUR - 1)
        await inn.bot.matches.record_alive()
        monkeypatch.setattr(inn.bot.matches._store, "commit", stuck)
        await inn.crash_during(inn.env.advance_time(1), reached)
        await inn.env.advance_time(1)  # as long as it may have been away
        assert (await load_snapshot(inn, match)).info.moves == 2, moment
        assert (await load_snapshot(inn, match)).timeout_moves == {2}
        assert f"{name}'s time ran out" in message_text(await find_table(inn, match))
        await inn.bot.matches.reset_match(match, 0)


async def test_a_click_and_the_end_of_the_time_at_once_are_one_move(inn: SimulatedServer) -> None:
    match, name = await start_timed(inn)
    message = find_hand(inn, name, match)
    button = next(
        each["custom_id"]
        for each in walk_components(message["components"])
        if each.get("custom_id", "").startswith("m:")
    )
    await inn.env.advance_time(HOUR - 1)
    await asyncio.gather(
        inn.env.advance_time(1), inn.click_at_once(PendingClick(name, message, button)), return_exceptions=True
    )
    assert (await load_snapshot(inn, match)).info.moves == 2


async def test_when_several_are_due_each_has_their_own_time(inn: SimulatedServer) -> None:
    match = await start_untimed(inn, game="jest", clock="1 hour")
    times = (await load_snapshot(inn, match)).deadlines
    assert {seat: due.seat for seat, due in times.items()} == {0: 0, 1: 1, 2: 2}
    await inn.env.advance_time(HOUR)
    now_ = await load_snapshot(inn, match)
    assert len([number for number in now_.timeout_moves if now_.mover_of(number) in (0, 1, 2)]) == 3
    assert all(due.at > times[0].at for due in now_.deadlines.values())


# Away, and back


async def test_after_three_in_a_row_the_computer_plays_until_one_click(inn: SimulatedServer) -> None:
    match, name = await start_timed(inn, rounds=9)
    seat = await seat_of_name(inn, match, name)
    for _ in range(MAX_MISSED):
        while await due_name_now(inn, match) != name:
            await make_move(inn, match)
        await inn.env.advance_time(HOUR)
    await inn.restart()
    assert "The computer plays for you until you are back" in message_text(find_hand(inn, name, match))
    assert button_labels(find_hand(inn, name, match)) == ["I am back", "⋯"]
    assert "I am back" in button_labels(await find_table(inn, match))
    before = next_request_number(inn)
    for _ in range(3):
        while (look_ := await load_snapshot(inn, match)).due_seats() != (seat,):
            await make_move(inn, match)
        await inn.env.advance_time(MOVE_PAUSE)
        assert (await load_snapshot(inn, match)).info.moves > look_.info.moves
    assert name not in count_hand_calls(inn, before)
    stranger = reply_text(await inn.press_button("Greta", await find_table(inn, match), "I am back"))
    assert "You are not sitting at this table" in stranger
    await inn.press_button(name, find_hand(inn, name, match), "I am back")
    assert (await load_snapshot(inn, match)).info.seats[seat].owner_plays
    assert "I am back" not in button_labels(await find_table(inn, match))
    assert "until you are back" not in message_text(find_hand(inn, name, match))


@pytest.mark.parametrize("how", ["table", "hand", "move", "status"])
async def test_whatever_one_does_in_the_match_takes_the_seat_back(inn: SimulatedServer, how: str) -> None:
    match, name = await start_timed(inn)
    seat = await seat_of_name(inn, match, name)
    await inn["Ada"].slash(inn.table, "admin give-seat", match=match, seat="ABC"[seat])
    if how == "table":
        answer = await inn.press_button(name, await find_table(inn, match), "I am back")
        assert answer.response is not None
        assert answer.response.ephemeral
    elif how == "move":
        notation = (await load_snapshot(inn, match)).game.format_move((await load_snapshot(inn, match)).moves(seat)[0])
        await inn[name].slash(inn.table, "wizard move", move=notation, match=match)
        assert (await load_snapshot(inn, match)).movers[-1] == seat
    else:
        await inn[name].autocomplete(inn.table, f"wizard {how}", "match", "")
        assert (await load_snapshot(inn, match)).info.seats[seat].is_away, "typing is not yet coming back"
        await inn[name].slash(inn.table, f"wizard {how}", match=match)
    assert (await load_snapshot(inn, match)).info.seats[seat].owner_plays


async def test_an_admin_gives_a_seat_to_the_computer_and_back(inn: SimulatedServer) -> None:
    match, name = await start_timed(inn)
    seat = await seat_of_name(inn, match, name)
    letter = "ABC"[seat]
    offered = await inn["Ada"].autocomplete(inn.table, "admin give-seat", "seat", "", match=match)
    assert {"name": name, "value": letter} in offered
    assert await inn["Ada"].autocomplete(inn.table, "admin give-back", "seat", "", match=match) == []
    for command in ("give-seat", "give-back"):
        inn.show_command("admin", "Bela")
        refused = await inn["Bela"].slash(inn.table, f"admin {command}", match=match, seat=letter)
        assert "Manage Server" in reply_text(refused)
    answer = await inn["Ada"].slash(inn.table, "admin give-seat", match=match, seat=letter)
    assert f"The computer now plays for {name}" in reply_text(answer)
    assert (await load_snapshot(inn, match)).info.seats[seat].is_away
    assert f"{name} (away, played by the computer, normal)" in reply_text(
        await inn["Ada"].slash(inn.table, "admin show", match=match)
    )
    assert any(
        f"An admin lets the computer play for {name}" in message_text(each) for each in inn.public_messages(inn.thread)
    )
    offered = await inn["Ada"].autocomplete(inn.table, "admin give-back", "seat", "", match=match)
    assert offered == [{"name": name, "value": letter}]
    await inn["Ada"].slash(inn.table, "admin give-back", match=match, seat=letter)
    assert (await load_snapshot(inn, match)).info.seats[seat].owner_plays
    shown = reply_text(await inn["Ada"].slash(inn.table, "admin show", match=match))
    assert "Ada let the computer play for a seat" in shown
    assert "Ada gave a seat back to its owner" in shown
    assert "no such seat" in reply_text(await inn["Ada"].slash(inn.table, "admin give-seat", match=match, seat="Z"))


async def test_who_is_away_holds_up_no_vote(inn: SimulatedServer) -> None:
    match, name = await start_timed(inn)
    for seat, each in enumerate((await load_snapshot(inn, match)).info.seats):
        if each.name != name:
            await inn.bot.matches.give_seat_to_computer(match, seat, "normal", 0)
    await inn[name].slash(inn.table, "motley stop", match=match)
    assert (await load_snapshot(inn, match)).info.status is Status.ENDED


# The bot, or Discord, is away


@pytest.mark.parametrize("killed", [False, True], ids=["ended", "killed"])
async def test_deadlines_come_later_by_the_time_in_which_the_bot_was_away(inn: SimulatedServer, killed: bool) -> None:
    match, name = await start_timed(inn)
    at = (await load_snapshot(inn, match)).deadline()
    assert at is not None
    await inn.env.advance_time(10 * MINUTE)
    await inn.bot.matches.record_alive()  # as it is noted now and then
    before = next_request_number(inn)
    await inn.restart(away=5 * HOUR, killed=killed)
    later = (await load_snapshot(inn, match)).deadline()
    assert later == at + 5 * HOUR
    assert f"⏳ <t:{later}:R>" in message_text(await find_table(inn, match))
    assert f"⏳ <t:{later}:R>" in message_text(find_hand(inn, name, match))
    await inn.env.advance_time(HOUR - 10 * MINUTE - 1)
    assert (await load_snapshot(inn, match)).info.moves == 1
    assert count_hand_calls(inn, before) == {name: 1}, "reminded once, and later, too"
    await inn.env.advance_time(1)
    assert (await load_snapshot(inn, match)).info.moves == 2


async def test_nobody_is_played_for_who_could_not_have_moved(inn: SimulatedServer) -> None:
    match, name = await start_timed(inn)
    at = (await load_snapshot(inn, match)).deadline()
    assert at is not None
    for back in ("resumed", "connect"):
        await inn.dispatch_connection_event("disconnect")
        await inn.env.advance_time(2 * HOUR)
        assert (await load_snapshot(inn, match)).info.moves == 1
        await inn.dispatch_connection_event(back)
        at += 2 * HOUR
        assert (await load_snapshot(inn, match)).deadline() == at
        for message in (find_hand(inn, name, match), await find_table(inn, match)):
            assert f"⏳ <t:{at}:R>" in message_text(message)
    await inn.env.advance_time(HOUR)
    assert (await load_snapshot(inn, match)).info.moves == 2


async def test_while_discord_is_down_no_time_runs_out(inn: SimulatedServer) -> None:
    match, _ = await start_timed(inn)
    inn.cut_connections(times=None)
    await inn.env.advance_time(3 * HOUR)  # the call does not get through, by which it is noticed
    assert (await load_snapshot(inn, match)).info.moves == 1
    inn.open_dms()
    await inn.env.advance_time(10)
    out = (await load_snapshot(inn, match)).deadline()
    assert out is not None
    left = out - inn.bot.clock()
    assert HOUR - 5 * MINUTE < left <= HOUR
    await inn.env.advance_time(left - 1)
    assert (await load_snapshot(inn, match)).info.moves == 1
    await inn.env.advance_time(2)
    assert (await load_snapshot(inn, match)).info.moves == 2


async def test_a_match_in_which_everybody_else_stopped_answering_goes_on_to_its_result_over_restarts(
    inn: SimulatedServer,
) -> None:
    match = await start_untimed(inn, clock="1 hour", rounds=2)
    mine, moves = (await load_snapshot(inn, match)).info.seats[0].user, 0
    while (now_ := await load_snapshot(inn, match)).info.status is Status.RUNNING:
        if 0 in now_.due_seats():
            notation = now_.game.format_move(now_.moves(0)[0])
            await inn["Ada"].slash(inn.table, "wizard move", move=notation, match=match)
        elif (out := now_.deadline()) is not None:
            await inn.env.advance_time((out - inn.bot.clock()) / 2)
            await inn.restart(away=HOUR, killed=moves % 2 == 0)
            assert (await load_snapshot(inn, match)).info.moves == now_.info.moves
            await inn.env.advance_time(HOUR)
        else:
            await inn.restart()
            await inn.env.advance_time(MOVE_PAUSE)
        moves += 1
        assert (await load_snapshot(inn, match)).info.moves > now_.info.moves
    assert (await load_snapshot(inn, match)).info.status is Status.OVER
    assert inn["Ada"].id == mine
    assert "wins" in message_text(await find_table(inn, match)) or "share" in message_text(await find_table(inn, match))


# Gone from the server


@pytest.mark.parametrize("clock", ["1 hour", "none"])
async def test_who_has_left_the_server_is_noticed_and_the_computer_plays_on(inn: SimulatedServer, clock: str) -> None:
    match, name = await start_timed(inn, clock=clock)
    seat = await seat_of_name(inn, match, name)
    inn.env.backend.remove_member(inn.guild.id, inn[name].id)
    await inn.env.advance_time(MINUTE)
    held = (await load_snapshot(inn, match)).info.seats[seat]
    assert (held.gone, held.level) == ("left", "normal")
    assert any(
        f"{name} has left this server. The computer plays on" in message_text(m)
        for m in inn.public_messages(inn.thread)
    )
    before = (await load_snapshot(inn, match)).info.moves
    await inn.env.advance_time(MOVE_PAUSE)
    assert (await load_snapshot(inn, match)).info.moves > before
    await inn.press_button("Dora", await find_table(inn, match), "⋯")
    await inn["Dora"].slash(inn.table, "wizard status", match=match)
    await inn.forge_click("Dora", await find_table(inn, match), f"t:{match}:seat")
    assert (await load_snapshot(inn, match)).info.seats[seat].user == inn["Dora"].id


async def test_when_the_last_of_them_has_left_the_server_the_match_is_stopped(inn: SimulatedServer) -> None:
    match, _ = await start_timed(inn)
    for each in THREE:
        inn.env.backend.remove_member(inn.guild.id, inn[each].id)
    for _ in range(3):
        await inn.env.advance_time(HOUR)
    info = (await load_snapshot(inn, match)).info
    assert (info.status, info.reason) == (Status.ENDED, "Everybody has left.")
