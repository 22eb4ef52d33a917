"""The clock at the table: who is reminded, whose time runs out, who is away and comes back; over restarts, too."""

from __future__ import annotations

import asyncio

import pytest

from cogs.table.scheduling.computer_turns import PAUSE
from engines.hosting.match import MISSES
from engines.store.match_store import Status
from tests.end_to_end.players import (
    THREE,
    hand,
    look,
    move,
    table,
    turn,
)
from tests.end_to_end.test_calls import begun, called, mentions, now, prefer
from tests.end_to_end.world import Click, World, labels, told, walk, words

MINUTE, HOUR = 60, 60 * 60
REMINDED = HOUR * 3 // 4


async def waits(w: World, *closed: str, clock: str = "1 hour", moved: int = 1, rounds: int = 4) -> tuple[str, str]:
    """A match with a clock that waits for somebody: its id, and who that is."""
    match = await begun(w, *closed, clock=clock, rounds=rounds)
    for _ in range(moved):
        await move(w, match)
    return match, await turn(w, match)


async def seat_of(w: World, match: str, name: str) -> int:
    seat = (await look(w, match)).info.seat_of(w[name].id)
    assert seat is not None
    return seat


# Told, and reminded


@pytest.mark.parametrize("again", [False, True], ids=["", "after a restart"])
async def test_one_is_called_then_reminded_once_and_then_the_computer_moves(inn: World, again: bool) -> None:
    match, name = await waits(inn)
    at = (await look(inn, match)).runs_out()
    for message in (hand(inn, name, match), await table(inn, match)):
        assert f"⏳ <t:{at}:R>" in words(message)
    before = now(inn)
    for passes, calls in ((MINUTE, 1), (REMINDED - MINUTE - 1, 1), (1, 2), (HOUR - REMINDED - 1, 2)):
        await inn.env.advance_time(passes)
        assert called(inn, before) == {name: calls}
        if again:
            await inn.restart()
            assert called(inn, before) == {name: calls}, "a restart doubles a call"
    assert (await look(inn, match)).info.moves == 1
    await inn.env.advance_time(1)
    assert (await look(inn, match)).info.moves == 2
    assert f"{name}'s time ran out, the computer moved" in words(await table(inn, match))
    assert f"{name}'s time ran out" in words(hand(inn, name, match)), "they are not told themselves"
    if again:
        await inn.restart()
    assert (await look(inn, match)).info.moves == 2, "a restart doubles a move"
    assert f"{name}'s time ran out" in words(await table(inn, match))


async def test_digests_stay_while_time_passes(inn: World) -> None:
    match, _ = await waits(inn)
    await inn.env.advance_time(MINUTE)
    before = now(inn)
    await inn.env.advance_time(REMINDED - MINUTE - 1)
    await inn.restart()
    assert [path for _, path in inn.sent(before) if "messages" in path] == [], (
        "a message was changed for the time alone"
    )
    assert (await look(inn, match)).info.moves == 1


async def test_who_likes_no_calls_is_not_reminded_but_their_time_runs_out(inn: World) -> None:
    match, name = await waits(inn)
    await prefer(inn, name, "never")
    before = now(inn)
    await inn.env.advance_time(HOUR - 1)
    assert (called(inn, before), mentions(inn)) == ({}, [])
    await inn.env.advance_time(1)
    assert (await look(inn, match)).info.moves == 2


async def test_with_five_minutes_nobody_is_reminded(inn: World) -> None:
    match, name = await waits(inn, clock="5 minutes")
    before = now(inn)
    await inn.env.advance_time(5 * MINUTE - 1)
    assert called(inn, before) == {name: 1}
    await inn.env.advance_time(1)
    assert (await look(inn, match)).info.moves == 2


async def test_a_call_and_a_reminder_that_fall_together_are_one(inn: World) -> None:
    match, name = await waits(inn)
    inn.tamper("UPDATE due SET at = at + 2670, since = since + 2670 WHERE kind = ?", "call")
    await inn.restart()
    before = now(inn)
    await inn.env.advance_time(REMINDED)
    assert called(inn, before) == {name: 1}
    await inn.env.advance_time(10 * MINUTE)  # the call would have come half a minute later
    assert called(inn, before) == {name: 1}
    assert (await inn.bot.matches.due())[0] == [], "after a restart the call would be made"
    assert (await look(inn, match)).info.moves == 1


async def test_where_direct_messages_are_closed_a_reminder_takes_the_place_of_the_mention(inn: World) -> None:
    match, name = await waits(inn, *THREE)
    await inn.env.advance_time(MINUTE)
    (call,) = mentions(inn)
    await inn.env.advance_time(REMINDED - MINUTE)
    (reminder,) = mentions(inn)
    assert reminder["id"] != call["id"]
    assert inn[name].mention in words(reminder)
    assert f"⏳ <t:{(await look(inn, match)).runs_out()}:R>" in words(reminder)
    await inn.restart()
    assert [each["id"] for each in mentions(inn)] == [reminder["id"]]
    await inn.env.advance_time(HOUR - REMINDED)
    assert reminder["id"] not in [each["id"] for each in mentions(inn)]


async def test_a_reminder_that_was_begun_when_the_bot_crashed_is_made_once(
    inn: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, name = await waits(inn)
    await inn.env.advance_time(MINUTE)
    before, reached = now(inn), asyncio.Event()

    async def stuck(due: object, epoch: int | None) -> None:
        reached.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(inn.bot.matches, "done", stuck)
    await inn.crash(inn.env.advance_time(REMINDED - MINUTE), reached)
    await inn.env.advance_time(MINUTE)
    assert called(inn, before) == {name: 1}
    assert (await look(inn, match)).info.moves == 1


# Time runs out


async def test_a_late_move_that_was_committed_when_the_bot_crashed_is_not_made_again(
    inn: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    for moment in ("before", "after"):
        match, name = await waits(inn)
        reached, real = asyncio.Event(), inn.bot.matches._store.commit

        async def stuck(change: object, moment: str = moment, reached: asyncio.Event = reached) -> None:
            if moment == "after":
                await real(change)  # type: ignore[arg-type]  # noqa: B023
            reached.set()
            await asyncio.Event().wait()

        await inn.env.advance_time(HOUR - 1)
        await inn.bot.matches.alive()
        monkeypatch.setattr(inn.bot.matches._store, "commit", stuck)
        await inn.crash(inn.env.advance_time(1), reached)
        await inn.env.advance_time(1)  # as long as it may have been away
        assert (await look(inn, match)).info.moves == 2, moment
        assert (await look(inn, match)).late == {2}
        assert f"{name}'s time ran out" in words(await table(inn, match))
        await inn.bot.matches.reset(match, 0)


async def test_a_click_and_the_end_of_the_time_at_once_are_one_move(inn: World) -> None:
    match, name = await waits(inn)
    message = hand(inn, name, match)
    button = next(
        each["custom_id"] for each in walk(message["components"]) if each.get("custom_id", "").startswith("m:")
    )
    await inn.env.advance_time(HOUR - 1)
    await asyncio.gather(inn.env.advance_time(1), inn.at_once(Click(name, message, button)), return_exceptions=True)
    assert (await look(inn, match)).info.moves == 2


async def test_when_several_are_due_each_has_their_own_time(inn: World) -> None:
    match = await begun(inn, game="jest", clock="1 hour")
    times = (await look(inn, match)).clocks
    assert {seat: due.seat for seat, due in times.items()} == {0: 0, 1: 1, 2: 2}
    await inn.env.advance_time(HOUR)
    now_ = await look(inn, match)
    assert len([number for number in now_.late if now_.mover(number) in (0, 1, 2)]) == 3
    assert all(due.at > times[0].at for due in now_.clocks.values())


# Away, and back


async def test_after_three_in_a_row_the_computer_plays_until_one_click(inn: World) -> None:
    match, name = await waits(inn, rounds=9)
    seat = await seat_of(inn, match, name)
    for _ in range(MISSES):
        while await turn(inn, match) != name:
            await move(inn, match)
        await inn.env.advance_time(HOUR)
    await inn.restart()
    assert "The computer plays in your place until you are back" in words(hand(inn, name, match))
    assert labels(hand(inn, name, match)) == ["I am back", "⋯"]
    assert "I am back" in labels(await table(inn, match))
    before = now(inn)
    for _ in range(3):
        while (look_ := await look(inn, match)).due() != (seat,):
            await move(inn, match)
        await inn.env.advance_time(PAUSE)
        assert (await look(inn, match)).info.moves > look_.info.moves
    assert name not in called(inn, before)
    stranger = told(await inn.press("Greta", await table(inn, match), "I am back"))
    assert "You are not sitting at this table" in stranger
    await inn.press(name, hand(inn, name, match), "I am back")
    assert (await look(inn, match)).info.seats[seat].present
    assert "I am back" not in labels(await table(inn, match))
    assert "until you are back" not in words(hand(inn, name, match))


@pytest.mark.parametrize("how", ["table", "hand", "move", "status"])
async def test_whatever_one_does_in_the_match_takes_the_seat_back(inn: World, how: str) -> None:
    match, name = await waits(inn)
    seat = await seat_of(inn, match, name)
    await inn["Ada"].slash(inn.table, "admin give-seat", match=match, seat="ABC"[seat])
    if how == "table":
        answer = await inn.press(name, await table(inn, match), "I am back")
        assert answer.response is not None
        assert answer.response.ephemeral
    elif how == "move":
        notation = (await look(inn, match)).game.write((await look(inn, match)).moves(seat)[0])
        await inn[name].slash(inn.table, "wizard move", move=notation, match=match)
        assert (await look(inn, match)).movers[-1] == seat
    else:
        await inn[name].autocomplete(inn.table, f"wizard {how}", "match", "")
        assert (await look(inn, match)).info.seats[seat].away, "typing is not yet coming back"
        await inn[name].slash(inn.table, f"wizard {how}", match=match)
    assert (await look(inn, match)).info.seats[seat].present


async def test_an_admin_gives_a_seat_to_the_computer_and_back(inn: World) -> None:
    match, name = await waits(inn)
    seat = await seat_of(inn, match, name)
    letter = "ABC"[seat]
    offered = await inn["Ada"].autocomplete(inn.table, "admin give-seat", "seat", "", match=match)
    assert {"name": name, "value": letter} in offered
    assert await inn["Ada"].autocomplete(inn.table, "admin give-back", "seat", "", match=match) == []
    for command in ("give-seat", "give-back"):
        inn.show_command("admin", "Bela")
        refused = await inn["Bela"].slash(inn.table, f"admin {command}", match=match, seat=letter)
        assert "Manage Server" in told(refused)
    answer = await inn["Ada"].slash(inn.table, "admin give-seat", match=match, seat=letter)
    assert f"The computer plays in {name}'s seat" in told(answer)
    assert (await look(inn, match)).info.seats[seat].away
    assert f"{name} (away, the computer plays, normal)" in told(
        await inn["Ada"].slash(inn.table, "admin show", match=match)
    )
    assert any(f"An admin has the computer play in {name}'s seat" in words(each) for each in inn.public(inn.thread))
    offered = await inn["Ada"].autocomplete(inn.table, "admin give-back", "seat", "", match=match)
    assert offered == [{"name": name, "value": letter}]
    await inn["Ada"].slash(inn.table, "admin give-back", match=match, seat=letter)
    assert (await look(inn, match)).info.seats[seat].present
    shown = told(await inn["Ada"].slash(inn.table, "admin show", match=match))
    assert "Ada had the computer play at a seat" in shown
    assert "Ada gave a seat back from the computer" in shown
    assert "no such seat" in told(await inn["Ada"].slash(inn.table, "admin give-seat", match=match, seat="Z"))


async def test_who_is_away_holds_up_no_vote(inn: World) -> None:
    match, name = await waits(inn)
    for seat, each in enumerate((await look(inn, match)).info.seats):
        if each.name != name:
            await inn.bot.matches.give_seat(match, seat, "normal", 0)
    await inn[name].slash(inn.table, "motley stop", match=match)
    assert (await look(inn, match)).info.status is Status.ENDED


# The bot, or Discord, is away


@pytest.mark.parametrize("killed", [False, True], ids=["ended", "killed"])
async def test_deadlines_come_later_by_the_time_in_which_the_bot_was_away(inn: World, killed: bool) -> None:
    match, name = await waits(inn)
    at = (await look(inn, match)).runs_out()
    assert at is not None
    await inn.env.advance_time(10 * MINUTE)
    await inn.bot.matches.alive()  # as it is noted now and then
    before = now(inn)
    await inn.restart(away=5 * HOUR, killed=killed)
    later = (await look(inn, match)).runs_out()
    assert later == at + 5 * HOUR
    assert f"⏳ <t:{later}:R>" in words(await table(inn, match))
    assert f"⏳ <t:{later}:R>" in words(hand(inn, name, match))
    await inn.env.advance_time(HOUR - 10 * MINUTE - 1)
    assert (await look(inn, match)).info.moves == 1
    assert called(inn, before) == {name: 1}, "reminded once, and later, too"
    await inn.env.advance_time(1)
    assert (await look(inn, match)).info.moves == 2


async def test_nobody_is_played_for_who_could_not_have_moved(inn: World) -> None:
    match, name = await waits(inn)
    at = (await look(inn, match)).runs_out()
    assert at is not None
    for back in ("resumed", "connect"):
        await inn.connection("disconnect")
        await inn.env.advance_time(2 * HOUR)
        assert (await look(inn, match)).info.moves == 1
        await inn.connection(back)
        at += 2 * HOUR
        assert (await look(inn, match)).runs_out() == at
        for message in (hand(inn, name, match), await table(inn, match)):
            assert f"⏳ <t:{at}:R>" in words(message)
    await inn.env.advance_time(HOUR)
    assert (await look(inn, match)).info.moves == 2


async def test_while_discord_is_down_no_time_runs_out(inn: World) -> None:
    match, _ = await waits(inn)
    inn.cut(times=None)
    await inn.env.advance_time(3 * HOUR)  # the call does not get through, by which it is noticed
    assert (await look(inn, match)).info.moves == 1
    inn.open_dms()
    await inn.env.advance_time(10)
    out = (await look(inn, match)).runs_out()
    assert out is not None
    left = out - inn.bot.clock()
    assert HOUR - 5 * MINUTE < left <= HOUR
    await inn.env.advance_time(left - 1)
    assert (await look(inn, match)).info.moves == 1
    await inn.env.advance_time(2)
    assert (await look(inn, match)).info.moves == 2


async def test_a_match_in_which_everybody_else_stopped_answering_goes_on_to_its_result_over_restarts(
    inn: World,
) -> None:
    match = await begun(inn, clock="1 hour", rounds=2)
    mine, moves = (await look(inn, match)).info.seats[0].user, 0
    while (now_ := await look(inn, match)).info.status is Status.RUNNING:
        if 0 in now_.due():
            notation = now_.game.write(now_.moves(0)[0])
            await inn["Ada"].slash(inn.table, "wizard move", move=notation, match=match)
        elif (out := now_.runs_out()) is not None:
            await inn.env.advance_time((out - inn.bot.clock()) / 2)
            await inn.restart(away=HOUR, killed=moves % 2 == 0)
            assert (await look(inn, match)).info.moves == now_.info.moves
            await inn.env.advance_time(HOUR)
        else:
            await inn.restart()
            await inn.env.advance_time(PAUSE)
        moves += 1
        assert (await look(inn, match)).info.moves > now_.info.moves
    assert (await look(inn, match)).info.status is Status.OVER
    assert inn["Ada"].id == mine
    assert "wins" in words(await table(inn, match)) or "share" in words(await table(inn, match))


# Gone from the server


@pytest.mark.parametrize("clock", ["1 hour", "none"])
async def test_who_has_left_the_server_is_noticed_and_the_computer_plays_on(inn: World, clock: str) -> None:
    match, name = await waits(inn, clock=clock)
    seat = await seat_of(inn, match, name)
    inn.env.backend.remove_member(inn.guild.id, inn[name].id)
    await inn.env.advance_time(MINUTE)
    held = (await look(inn, match)).info.seats[seat]
    assert (held.gone, held.level) == ("left", "normal")
    assert any(
        f"{name} is not in this server any more. The computer plays on" in words(m) for m in inn.public(inn.thread)
    )
    before = (await look(inn, match)).info.moves
    await inn.env.advance_time(PAUSE)
    assert (await look(inn, match)).info.moves > before
    await inn.press("Dora", await table(inn, match), "⋯")
    await inn["Dora"].slash(inn.table, "wizard status", match=match)
    await inn.forge("Dora", await table(inn, match), f"t:{match}:seat")
    assert (await look(inn, match)).info.seats[seat].user == inn["Dora"].id


async def test_when_the_last_of_them_has_left_the_server_the_match_is_stopped(inn: World) -> None:
    match, _ = await waits(inn)
    for each in THREE:
        inn.env.backend.remove_member(inn.guild.id, inn[each].id)
    for _ in range(3):
        await inn.env.advance_time(HOUR)
    info = (await look(inn, match)).info
    assert (info.status, info.reason) == (Status.ENDED, "Everybody has left.")
