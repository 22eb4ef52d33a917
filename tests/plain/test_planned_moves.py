"""A planned move is told to its player alone, whatever anybody asks, and the holder of the match makes it."""

from __future__ import annotations

from random import Random

import pytest

from cogs.features.plans.plan_controls import change_id
from cogs.table.scheduling.computer_turns import LONGEST_FEATURE_PAUSE
from engines.features.plans.planned_moves import MARK, PLANNED_MOVES, open_planning
from engines.features.plans.planning import planning_of
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.contract.secrets import plan_match
from tests.messages import message_text
from tests.plain.bot_group import check_all_right, settle_bot_group, start_bot_group
from tests.plain.leak_reader import ask_everything, capture_log, reader_in_seat, start_match
from tests.plain.plain_bot import PEOPLE, PlainBot, start_plain_bot

SEED = "0f" * 16
PLANNED = [helper for helper in HELPERS.values() if planning_of(helper.game) is not None]
MAX_MOVES = 80


async def play_until_planning(plain_bot: PlainBot, match: str) -> int:
    """Play until somebody can plan a move; their seat."""
    for _ in range(MAX_MOVES):
        snapshot = await plain_bot.load_snapshot(match)
        for seat in range(len(snapshot.info.seats)):
            if open_planning(snapshot, seat):
                return seat
        await plain_bot.click_move(snapshot, snapshot.due_seats()[0])
    raise AssertionError("nobody can plan a move")


async def mark_move(plain_bot: PlainBot, match: str, seat: int, message_of: PlainBot | None = None) -> str:
    """Mark the last move that can be planned, with a click that this process handles; its notation."""
    snapshot = await plain_bot.matches.cache.get_fresh_snapshot(match)
    planning = open_planning(snapshot, seat)
    assert planning is not None
    view = snapshot.view(seat)
    notation = snapshot.game.format_move(planning.moves(view)[-1])
    hand = await (message_of or plain_bot).surface_message(match, "hand", seat)
    control = change_id(match, planning.decision(view), MARK)
    await plain_bot.click_control(PEOPLE[seat], hand, control, [notation])
    return notation


@pytest.mark.parametrize("helper", PLANNED, ids=[helper.game.key for helper in PLANNED])
async def test_a_plan_is_told_to_nobody_else(helper: GameHelper) -> None:
    start, rng = helper.starts()[-1], Random(SEED)
    moves = [step.move for step in plan_match(helper, start, 6)]
    with capture_log() as log:
        async with start_plain_bot(start.seed) as plain_bot:
            match = await start_match(plain_bot, helper, start)
            seat = await play_until_planning(plain_bot, match)
            before = await plain_bot.load_snapshot(match)
            notation = await mark_move(plain_bot, match, seat)
            assert [plan.notation for plan in await plain_bot.bot.surfaces.rows(PLANNED_MOVES, match)] == [notation]
            snapshot = await plain_bot.load_snapshot(match)
            assert (snapshot.info, snapshot.state) == (before.info, before.state)
            assert "Planned: " in message_text(await plain_bot.surface_message(match, "hand", seat))
            for reader in (*map(reader_in_seat, range(start.seats)), reader_in_seat(None)):
                own = () if reader.seat is None else snapshot.moves(reader.seat)
                await ask_everything(plain_bot, snapshot, reader, moves, own, rng)
            for name in PEOPLE:
                await plain_bot.run_command(name, "motley matches")
                await plain_bot.run_command(name, "motley my-data")
            sent_plans = [
                sent for sent in plain_bot.wire.sent_requests if "Planned: " in sent.text or '"condition"' in sent.text
            ]
            assert sent_plans, "its player is not told of it"
            assert {sent.reader for sent in sent_plans} == {plain_bot.wire.people[PEOPLE[seat]]}
    assert not [line for line in log if "plan" in line.lower()]


@pytest.mark.parametrize("clicked", [0, 1])
async def test_the_holder_makes_the_move_whichever_process_is_told_of_it(clicked: int) -> None:
    helper = PLANNED[0]
    async with start_bot_group(SEED) as group:
        first = group.plain_bots[0]
        match = await first.seat_match(helper.game, PEOPLE[: helper.game.seats[0]], {})
        seat = await play_until_planning(first, match)
        notation = await mark_move(group.plain_bots[clicked], match, seat, first)
        await settle_bot_group(group)
        assert "Planned: " in message_text(await first.surface_message(match, "hand", seat))
        await check_all_right(group, match)
        for _ in range(MAX_MOVES):
            snapshot = await first.matches.cache.get_fresh_snapshot(match)
            if snapshot.due_seats() == (seat,):
                break
            await first.click_move(snapshot, snapshot.due_seats()[0])
        await settle_bot_group(group)
        await first.pass_time(LONGEST_FEATURE_PAUSE)
        await settle_bot_group(group)
        after = await first.matches.cache.get_fresh_snapshot(match)
        moved = after.info.moves > snapshot.info.moves
        dropped = "was cancelled" in message_text(await first.surface_message(match, "hand", seat))
        assert moved != dropped, f"{notation} was neither made nor dropped"
        await check_all_right(group, match)


async def test_a_part_that_changes_hands_takes_the_plans_with_it() -> None:
    helper = PLANNED[0]
    async with start_bot_group(SEED) as group:
        first, second = group.plain_bots
        match = await first.seat_match(helper.game, PEOPLE[: helper.game.seats[0]], {})
        seat = await play_until_planning(first, match)
        await mark_move(first, match, seat)
        group.give_partition(0, group.bots[1])
        await second.wait_quiet()
        while (snapshot := await second.matches.cache.get_fresh_snapshot(match)).due_seats() != (seat,):
            await second.click_move(snapshot, snapshot.due_seats()[0])
        await second.pass_time(LONGEST_FEATURE_PAUSE)
        await settle_bot_group(group)
        after = await second.matches.cache.get_fresh_snapshot(match)
        dropped = "was cancelled" in message_text(await second.surface_message(match, "hand", seat))
        assert (after.info.moves > snapshot.info.moves) != dropped
        await check_all_right(group, match)
