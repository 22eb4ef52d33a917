"""A move that everybody can see is the only one is made automatically, unless the table chose otherwise."""

from __future__ import annotations

import re

import pytest

from cogs.features.registry import ACTION_TEXTS
from cogs.table.actions.match_history import history_text
from cogs.table.scheduling.computer_turns import MOVE_PAUSE
from engines.store.match_store import FORCED, Status
from tests.end_to_end.players import THREE
from tests.end_to_end.simulated_server import SimulatedServer, reply_text
from tests.end_to_end.test_breaks import take_break
from tests.end_to_end.test_calls import count_hand_calls, request_count, thread_mentions
from tests.messages import Message, message_text, move_buttons

BANK = "2 minutes plus 15 seconds a move"
LAST_CARD = "Your last card is played automatically."


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


async def test_last_cards_fall_after_a_pause_in_their_owners_names(server: SimulatedServer) -> None:
    match = await start_forced(server)
    name, table = await server.due_name_now(match), await server.table_text(match)
    assert LAST_CARD in server.hand_text(name, match)
    assert "⏳" not in table, "no clock runs"
    assert f"Waiting for {name} to lead a card." in table
    await server.env.advance_time(MOVE_PAUSE - 0.5)
    assert await server.move_count(match) == 3
    await server.env.advance_time(0.5)
    assert await server.status(match) is Status.OVER, "one pause for all of them"
    moves_made = await moves_of(server, match)
    look = await server.load_snapshot(match)
    assert moves_made[3:] == [(look.info.seats[seat].user, FORCED) for seat in look.movers[3:]]
    menu = await server.press_button("Ada", await server.find_table(match), "More")
    assert "(the only move)" in reply_text(await server.press_answer("Ada", menu, "Show as text"))
    history = await server.bot.matches.lookup.load_history(match)
    assert history_text(look.info, history, 2000, ACTION_TEXTS).count("2 (1 automatic)") == 3
    record = await server.bot.matches.records.build_record(match)
    assert "computer" not in record, "the move belongs to the seat"


async def test_a_click_before_the_pause_is_over_counts_and_one_after_it_is_late(server: SimulatedServer) -> None:
    match = await start_forced(server)
    name = await server.due_name_now(match)
    old = server.find_hand(name, match)
    await server.press_button(name, old, move_buttons(old)[0])
    assert (await moves_of(server, match))[3] == (server[name].id, "")
    second = await server.due_name_now(match)
    late: Message = server.find_hand(second, match)
    await server.env.advance_time(2 * MOVE_PAUSE)  # the next pause begins after the first
    assert await server.status(match) is Status.OVER
    assert (await moves_of(server, match))[4] == (server[second].id, FORCED)
    answer = await server.forge_click(second, late, move_ids(late)[0])
    assert "The match is over." in reply_text(answer)
    assert await server.move_count(match) == 6


def move_ids(message: Message) -> list[str]:
    return re.findall(r"m:[a-z0-9]{8}:\d+:play \w+", str(message))


async def test_a_late_click_in_a_match_that_goes_on_is_told_so(server: SimulatedServer) -> None:
    match = await start_forced(server, rounds=2)
    name = await server.due_name_now(match)
    late = server.find_hand(name, match)
    await server.env.advance_time(MOVE_PAUSE)
    answer = await server.forge_click(name, late, move_ids(late)[0])
    assert "That choice is no longer open." in message_text(server.find_hand(name, match)) + reply_text(answer)


async def test_with_the_option_off_nothing_is_made_automatically(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=1, clock="1 hour", autoplay="false")
    await server.play_on(match, "play")
    name = await server.due_name_now(match)
    await server.env.advance_time(10 * MOVE_PAUSE)
    assert await server.move_count(match) == 3
    assert LAST_CARD not in server.hand_text(name, match)
    assert "⏳" in await server.table_text(match)


async def test_nobody_is_pinged_for_it_and_nobody_misses_a_deadline(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=2, clock="1 hour", autoplay="true")
    await server.play_on(match, "play")
    await server.env.settle()
    before = request_count(server)
    assert await server.bot.matches.editor.store.load_deadlines(match) == []
    assert [due for due in (await server.bot.matches.due_times.load_due())[0] if due.match == match] == []
    await server.env.advance_time(MOVE_PAUSE)
    look = await server.load_snapshot(match)
    assert (look.info.moves, look.due_seats() != ()) == (6, True)
    assert sum(count_hand_calls(server, before).values()) + len(thread_mentions(server)) <= 1, "only the next bidder"
    assert [seat.missed for seat in look.info.seats] == [0, 0, 0]


@pytest.mark.parametrize("killed", [False, True])
async def test_it_is_also_made_after_a_restart(server: SimulatedServer, killed: bool) -> None:
    match = await start_forced(server)
    await server.env.advance_time(1)
    await server.restart(away=600, killed=killed)
    await server.env.advance_time(MOVE_PAUSE)
    assert await server.status(match) is Status.OVER


async def test_breaks_and_absent_players_hold_nothing_up(server: SimulatedServer) -> None:
    match = await start_forced(server, rounds=2)
    name = await server.due_name_now(match)
    await take_break(server, name, "1 day")
    await server.env.advance_time(MOVE_PAUSE)
    look = await server.load_snapshot(match)
    assert look.info.moves == 6
    assert look.info.seats[THREE.index(name)].is_resting, "it is no activity of theirs"


async def test_a_pause_stops_it_and_the_next_owner_of_the_seat_resumes_it(server: SimulatedServer) -> None:
    match = await start_forced(server)
    name = await server.due_name_now(match)
    await server.leave_match(match, name)
    await server.env.advance_time(10 * MOVE_PAUSE)
    assert (await server.status(match), await server.move_count(match)) == (Status.PAUSED, 3)
    await server.press_button("Dora", await server.find_table(match), "Take the empty seat")
    await server.env.advance_time(MOVE_PAUSE)
    assert await server.status(match) is Status.OVER
    assert (server["Dora"].id, FORCED) in await moves_of(server, match)


async def test_it_costs_nothing_of_a_time_bank_and_earns_what_every_move_earns(server: SimulatedServer) -> None:
    match = await start_forced(server, rounds=2, clock=BANK)
    before = (await server.load_snapshot(match)).info.banks
    await server.env.advance_time(MOVE_PAUSE)
    look = await server.load_snapshot(match)
    assert look.info.banks == tuple(bank + 15 for bank in before)
    assert look.deadline() is not None, "the next bid has its clock"
