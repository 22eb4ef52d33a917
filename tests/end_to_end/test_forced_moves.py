"""A move that everybody can see is the only one plays itself, unless the table chose otherwise."""

from __future__ import annotations

import re

import pytest

from cogs.features.registry import ACTION_TEXTS
from cogs.table.actions.match_history import history_text
from cogs.table.scheduling.computer_turns import MOVE_PAUSE
from engines.store.match_store import FORCED, Status
from tests.end_to_end.players import THREE
from tests.end_to_end.test_breaks import take_break
from tests.end_to_end.test_calls import count_hand_calls, request_count, thread_mentions
from tests.end_to_end.world import SimulatedServer, reply_text
from tests.messages import Message, message_text, move_buttons

BANK = "2 minutes plus 15 seconds a move"
LAST_CARD = "Your last card plays itself."


async def start_forced(w: SimulatedServer, rounds: int = 1, **options: str) -> str:
    """A match of Wizard in which everybody has bid and has one card."""
    match = await w.seat_and_start(rounds=rounds, **{"clock": "1 hour", "autoplay": "true", **options})
    await w.play_on(match, "play")
    assert (await w.load_snapshot(match)).forced_seats()
    return match


async def moves_of(w: SimulatedServer, match: str) -> list[tuple[int, str]]:
    saved = await w.bot.matches.editor.store.load(match)
    assert saved is not None
    return [(move.user, move.level) for move in saved.moves]


async def test_last_cards_fall_after_a_pause_in_their_owners_names(inn: SimulatedServer) -> None:
    match = await start_forced(inn)
    name, table = await inn.due_name_now(match), await inn.table_text(match)
    assert LAST_CARD in inn.hand_text(name, match)
    assert "⏳" not in table, "no clock runs"
    assert f"Waiting for {name} to lead a card." in table
    await inn.env.advance_time(MOVE_PAUSE - 0.5)
    assert await inn.move_count(match) == 3
    await inn.env.advance_time(0.5)
    assert await inn.status(match) is Status.OVER, "one pause for all of them"
    made = await moves_of(inn, match)
    look = await inn.load_snapshot(match)
    assert made[3:] == [(look.info.seats[seat].user, FORCED) for seat in look.movers[3:]]
    assert "(only moves)" in await inn.table_text(match)
    history = await inn.bot.matches.lookup.load_history(match)
    assert history_text(look.info, history, 2000, ACTION_TEXTS).count("2 (1 played itself)") == 3
    record = await inn.bot.matches.records.build_record(match)
    assert "computer" not in record, "the move belongs to the seat"


async def test_a_click_before_the_pause_is_over_counts_and_one_after_it_is_late(inn: SimulatedServer) -> None:
    match = await start_forced(inn)
    name = await inn.due_name_now(match)
    old = inn.find_hand(name, match)
    await inn.press_button(name, old, move_buttons(old)[0])
    assert (await moves_of(inn, match))[3] == (inn[name].id, "")
    second = await inn.due_name_now(match)
    late: Message = inn.find_hand(second, match)
    await inn.env.advance_time(2 * MOVE_PAUSE)  # the next pause begins after the first
    assert await inn.status(match) is Status.OVER
    assert (await moves_of(inn, match))[4] == (inn[second].id, FORCED)
    answer = await inn.forge_click(second, late, move_ids(late)[0])
    assert "The match is over." in reply_text(answer)
    assert await inn.move_count(match) == 6


def move_ids(message: Message) -> list[str]:
    return re.findall(r"m:[a-z0-9]{8}:\d+:play \w+", str(message))


async def test_a_late_click_in_a_match_that_goes_on_is_told_so(inn: SimulatedServer) -> None:
    match = await start_forced(inn, rounds=2)
    name = await inn.due_name_now(match)
    late = inn.find_hand(name, match)
    await inn.env.advance_time(MOVE_PAUSE)
    answer = await inn.forge_click(name, late, move_ids(late)[0])
    assert "That choice is no longer open." in message_text(inn.find_hand(name, match)) + reply_text(answer)


async def test_with_the_option_off_nothing_plays_itself(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start(rounds=1, clock="1 hour", autoplay="false")
    await inn.play_on(match, "play")
    name = await inn.due_name_now(match)
    await inn.env.advance_time(10 * MOVE_PAUSE)
    assert await inn.move_count(match) == 3
    assert LAST_CARD not in inn.hand_text(name, match)
    assert "⏳" in await inn.table_text(match)


async def test_nobody_is_pinged_for_it_and_nobody_misses_a_deadline(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start(rounds=2, clock="1 hour", autoplay="true")
    await inn.play_on(match, "play")
    await inn.env.settle()
    before = request_count(inn)
    assert await inn.bot.matches.editor.store.load_deadlines(match) == []
    assert [due for due in (await inn.bot.matches.due_times.load_due())[0] if due.match == match] == []
    await inn.env.advance_time(MOVE_PAUSE)
    look = await inn.load_snapshot(match)
    assert (look.info.moves, look.due_seats() != ()) == (6, True)
    assert sum(count_hand_calls(inn, before).values()) + len(thread_mentions(inn)) <= 1, "only the next bidder"
    assert [seat.missed for seat in look.info.seats] == [0, 0, 0]


@pytest.mark.parametrize("killed", [False, True])
async def test_it_plays_itself_after_a_restart(inn: SimulatedServer, killed: bool) -> None:
    match = await start_forced(inn)
    await inn.env.advance_time(1)
    await inn.restart(away=600, killed=killed)
    await inn.env.advance_time(MOVE_PAUSE)
    assert await inn.status(match) is Status.OVER


async def test_breaks_and_absent_players_hold_nothing_up(inn: SimulatedServer) -> None:
    match = await start_forced(inn, rounds=2)
    name = await inn.due_name_now(match)
    await take_break(inn, name, "1 day")
    await inn.env.advance_time(MOVE_PAUSE)
    look = await inn.load_snapshot(match)
    assert look.info.moves == 6
    assert look.info.seats[THREE.index(name)].is_resting, "it is no activity of theirs"


async def test_a_pause_stops_it_and_whoever_takes_the_seat_resumes_it(inn: SimulatedServer) -> None:
    match = await start_forced(inn)
    name = await inn.due_name_now(match)
    await inn.leave_match(match, name)
    await inn.env.advance_time(10 * MOVE_PAUSE)
    assert (await inn.status(match), await inn.move_count(match)) == (Status.PAUSED, 3)
    await inn.press_button("Dora", await inn.find_table(match), "Take the empty seat")
    await inn.env.advance_time(MOVE_PAUSE)
    assert await inn.status(match) is Status.OVER
    assert (inn["Dora"].id, FORCED) in await moves_of(inn, match)


async def test_it_costs_nothing_of_a_time_bank_and_earns_what_every_move_earns(inn: SimulatedServer) -> None:
    match = await start_forced(inn, rounds=2, clock=BANK)
    before = (await inn.load_snapshot(match)).info.banks
    await inn.env.advance_time(MOVE_PAUSE)
    look = await inn.load_snapshot(match)
    assert look.info.banks == tuple(bank + 15 for bank in before)
    assert look.deadline() is not None, "the next bid has its clock"
