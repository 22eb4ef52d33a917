"""Live clocks: people who sit there together have seconds, no ping disturbs them, and an outage costs nobody any."""

from __future__ import annotations

import pytest

from cogs.table.pages import options_pages
from engines.hosting.match import MAX_MISSED
from engines.hosting.timing.due_times import RETURN_SECONDS
from engines.store.match_store import Change, Status
from engines.store.table_options import Clock, TableOptions
from tests.end_to_end.players import THREE
from tests.end_to_end.simulated_server import SimulatedServer, make_hang
from tests.end_to_end.test_calls import choose_call, count_hand_calls, request_count, thread_mentions
from tests.end_to_end.test_clocks import MINUTE, start_timed
from tests.end_to_end.test_server import set_settings
from tests.messages import button_labels, message_text, move_buttons

FOUR = (*THREE, "Dora")
BANK: Clock = "2 minutes plus 15 seconds a move"
PAUSE = 3  # seconds in which the computer moves after a deadline


async def time_left(w: SimulatedServer, match: str) -> int:
    at = (await w.load_snapshot(match)).deadline()
    assert at is not None
    return at - w.bot.clock.now()


async def let_time_run_out(w: SimulatedServer, match: str) -> None:
    moves = await w.move_count(match)
    await w.env.advance_time(await time_left(w, match) - 1)
    assert await w.move_count(match) == moves
    await w.env.advance_time(PAUSE)
    assert await w.move_count(match) == moves + 1


async def let_be_away(server: SimulatedServer, match: str, name: str) -> None:
    """Let somebody's time run out until the computer plays for them."""
    for _ in range(MAX_MISSED):
        while await server.due_name_now(match) != name:
            await server.make_move(match)
        await let_time_run_out(server, match)


async def test_four_people_play_a_round_and_the_time_of_one_runs_out(server: SimulatedServer) -> None:
    match, late, was_checked = await server.seat_and_start(FOUR, clock="30 seconds"), "Chidi", False
    before = request_count(server)
    while await server.status(match) is Status.RUNNING:
        name, at = await server.due_name_now(match), (await server.load_snapshot(match)).deadline()
        assert 25 < await time_left(server, match) <= 30
        for expected_text in (server.hand_text(name, match), await server.table_text(match)):
            assert f"⏳ <t:{at}:R>" in expected_text
        if name == late and not was_checked:
            since = request_count(server)
            await server.env.advance_time(await time_left(server, match) - 1)
            assert [path for _, path in server.sent_requests(since) if "messages" in path] == [], (
                "edited for time alone"
            )
            await let_time_run_out(server, match)
            was_checked = True
            whose = "Your" if name == late else f"{late}'s"
            assert f"{whose} time ran out" in server.hand_text(name, match)
            assert f"{late}'s time ran out" in await server.table_text(match)
        else:
            await server.env.advance_time(5)
            await server.make_move(match)
    assert was_checked
    assert await server.status(match) is Status.OVER
    assert (count_hand_calls(server, before), thread_mentions(server)) == ({}, []), (
        "somebody at a live table was pinged"
    )


@pytest.mark.parametrize(
    ("clock", "call", "pings"),
    [("30 seconds", "60", 0), ("60 seconds", "60", 0), ("60 seconds", "0", 1), (BANK, "60", 1), (BANK, "300", 0)],
)
async def test_a_ping_comes_as_chosen_unless_it_leaves_no_time(
    server: SimulatedServer, clock: str, call: str, pings: int
) -> None:
    for each in THREE:
        await choose_call(server, each, call)
    match = await server.seat_and_start(THREE, clock=clock, rounds=4)
    before = request_count(server)
    await server.make_move(match)
    name = await server.due_name_now(match)
    await let_time_run_out(server, match)
    assert count_hand_calls(server, before)[name] == pings
    assert thread_mentions(server) == []


async def test_after_three_in_a_row_the_computer_plays_fast_and_one_click_ends_that(server: SimulatedServer) -> None:
    match, name = await start_timed(server, clock="30 seconds", rounds=9)
    await let_be_away(server, match, name)
    assert "is away: the computer plays for them" in await server.table_text(match)
    while await server.due_name_now(match) != name:
        await server.make_move(match)
    moves = await server.move_count(match)
    await server.env.advance_time(PAUSE)
    assert await server.move_count(match) > moves, "the others wait for somebody who is away"
    assert "I am back" in button_labels(await server.find_table(match))
    await server.press_button(name, server.find_hand(name, match), "I am back")
    assert (await server.load_snapshot(match)).info.seats[THREE.index(name)].owner_plays


async def test_a_table_that_everybody_has_left_ends_without_a_winner(server: SimulatedServer) -> None:
    match, _ = await start_timed(server, clock="30 seconds", rounds=9, moved=0)
    moves = 0
    while await server.status(match) is Status.RUNNING:
        moves = await server.move_count(match)
        await server.env.advance_time(await time_left(server, match) + PAUSE)
    assert moves < 2 * MAX_MISSED * len(THREE), "computers played on at an empty table"
    assert await server.status(match) is Status.ENDED
    text = await server.table_text(match)
    assert "ended without a result" in text
    assert "Nobody was left to play." in text


async def test_a_live_match_ends_if_its_last_player_leaves_it_to_the_computers(server: SimulatedServer) -> None:
    match, away = await start_timed(server, clock="30 seconds", rounds=9)
    await let_be_away(server, match, away)
    for name in THREE:
        if name != away:
            assert await server.status(match) is Status.RUNNING
            await server.bot.matches.seating.leave_match(match, server[name].id, "easy")
    assert await server.status(match) is Status.ENDED


async def test_with_hours_for_a_decision_computers_play_on_if_everybody_is_away(server: SimulatedServer) -> None:
    match, _ = await start_timed(server, clock="1 hour", rounds=9, moved=0)
    look = await server.load_snapshot(match)
    while any(seat.owner_plays for seat in look.info.seats):
        await server.env.advance_time(await time_left(server, match) + PAUSE)
        look = await server.load_snapshot(match)
    assert look.info.status is Status.RUNNING


@pytest.mark.parametrize("killed", [False, True])
async def test_a_bank_is_the_countdown_and_survives_a_restart(server: SimulatedServer, killed: bool) -> None:
    match, name = await start_timed(server, clock=BANK, moved=0)
    assert await time_left(server, match) == 120
    await server.env.advance_time(40)
    await server.make_move(match)
    left = (await server.load_snapshot(match)).info.banks[THREE.index(name)]
    assert 120 - 45 + 15 <= left <= 120 - 40 + 15
    await server.restart(killed=killed)
    while await server.due_name_now(match) != name:
        await server.make_move(match)
    look = await server.load_snapshot(match)
    assert look.deadline() == look.info.changed + left
    for expected_text in (server.hand_text(name, match), await server.table_text(match)):
        assert f"⏳ <t:{look.deadline()}:R>" in expected_text
    await let_time_run_out(server, match)
    assert (await server.load_snapshot(match)).info.banks[THREE.index(name)] == 15


@pytest.mark.parametrize("moment", ["before", "after"])
async def test_a_crash_in_the_midst_of_a_move_takes_no_second_of_a_bank(server: SimulatedServer, moment: str) -> None:
    match, name = await start_timed(server, clock=BANK, moved=0)
    await server.env.advance_time(40)
    await server.bot.matches.due_times.record_alive()
    deadline = (await server.load_snapshot(match)).deadline() or 0
    (reached, stuck), real = make_hang(), server.bot.matches.editor.store.commit

    async def stuck_commit(change: Change) -> None:
        if moment == "after":
            await real(change)
        await stuck()

    server.patch(server.bot.matches.editor.store, "commit", stuck_commit)
    hand = server.find_hand(name, match)
    await server.crash_during(server.press_button(name, hand, move_buttons(hand)[0]), reached)
    look = await server.load_snapshot(match)
    if moment == "after":
        assert look.info.moves == 1
        assert look.info.banks[THREE.index(name)] == deadline - look.info.changed + 15
    else:
        assert look.info.moves == 0
        assert 0 <= (look.deadline() or 0) - deadline <= 5, "more than the seconds in which it was away"


@pytest.mark.parametrize("clock", ["30 seconds", BANK])
async def test_deadlines_come_later_by_the_time_in_which_the_bot_was_away(server: SimulatedServer, clock: str) -> None:
    match, _ = await start_timed(server, clock=clock)
    await server.env.advance_time(20)
    await server.bot.matches.due_times.record_alive()
    left = await time_left(server, match)
    await server.restart(away=10 * MINUTE, killed=True)
    assert max(left, RETURN_SECONDS) - 1 <= await time_left(server, match) <= max(left, RETURN_SECONDS)
    at = (await server.load_snapshot(match)).deadline()
    assert f"⏳ <t:{at}:R>" in await server.table_text(match)
    await let_time_run_out(server, match)


@pytest.mark.parametrize("clock", ["30 seconds", "60 seconds", BANK])
async def test_while_discord_is_down_no_time_runs_out(server: SimulatedServer, clock: str) -> None:
    """It is noticed when the time is up, if nothing was to be sent before."""
    match, name = await start_timed(server, clock=clock)
    await server.env.advance_time(10)
    server.cut_connections(times=None)
    await server.env.advance_time(5 * MINUTE)
    assert await server.move_count(match) == 1
    server.open_dms()
    await server.env.advance_time(6)  # the pauses between probes
    assert await server.move_count(match) == 1
    assert await time_left(server, match) >= RETURN_SECONDS - 6
    assert f"⏳ <t:{(await server.load_snapshot(match)).deadline()}:R>" in server.hand_text(name, match)
    await let_time_run_out(server, match)


async def test_a_server_can_begin_with_a_live_clock_and_the_lobby_says_so_in_words(server: SimulatedServer) -> None:
    await set_settings(server, clock=BANK)
    match = await server.fill_lobby("Bela", "Chidi")
    assert (await server.load_snapshot(match)).info.table_options == TableOptions(BANK)
    assert f"How it is played: {BANK}" in await server.lobby_text(match)
    await server.press_in_menu("Ada", match, "Options")
    page = options_pages.options_page_of(await server.load_snapshot(match), "clock")
    await server.press_button("Ada", server.newest_private("Ada"), f"t:{match}:options-{page}")
    await server.choose_options("Ada", server.newest_private("Ada"), f"v:{match}:clock", "30 seconds")
    assert "How it is played: 30 seconds a move" in await server.lobby_text(match)
    assert "How it is played: 30 seconds a move." in message_text(server.newest_in_inbox("Bela"))
    assert (await server.load_snapshot(match)).info.table_options == TableOptions("30 seconds")
