"""Whole matches of every game: who plays is called for the first turn alone, who does not act once a decision."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import count

import pytest

from bench.bot.taps import at_once
from cogs.table.pages import custom_ids
from engines.hosting.match import MatchSnapshot
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS, STEP_HELPERS
from tests.contract.secrets import PlannedMove
from tests.messages import Message, alt_texts, kind_of, walk_components
from tests.plain.plain_bot import PEOPLE, PlainBot, start_plain_bot
from tests.playing import hand_path_to, make_move, short_match

ACTION_ROW = 1  # the type of a row of controls

PLAY = [
    pytest.param(helper, helper.game.seats[-1], 3, id=f"{helper.game.key}-plays", marks=pytest.mark.long)
    for helper in HELPERS.values()
]
LINGER = [
    pytest.param(helper, helper.game.seats[0], 61, id=f"{helper.game.key}-lingers") for helper in HELPERS.values()
]
SILENT, MINUTE = 4096, 60
several_taps = pytest.mark.parametrize("helper", STEP_HELPERS.values(), ids=STEP_HELPERS)


def count_calls(plain_bot: PlainBot, start: int, seat: int | None = None) -> int:
    """How many hands were sent since then that make themselves heard, to anybody or one seat."""
    posted = [
        each for each in plain_bot.wire.sent_requests[start:] if f"{each.method} {each.path[-9:]}" == "POST /messages"
    ]
    own_requests = [each for each in posted if each.reader and seat in (None, each.reader - 1)]
    return sum(not json.loads(each.body_text)["flags"] & SILENT for each in own_requests)


def awaited_decisions(snapshot: MatchSnapshot) -> set[tuple[int, int]]:
    return {(seat, snapshot.decisions()[seat].number) for seat in snapshot.due_seats()}


@pytest.mark.parametrize(("helper", "seats", "pause"), [*PLAY, *LINGER])
async def test_a_whole_match(helper: GameHelper, seats: int, pause: int) -> None:
    start, plan = short_match(helper, seats)
    async with start_plain_bot(start.seed) as plain_bot:
        match = await plain_bot.seat_match(helper.game, PEOPLE[:seats], helper.short_options)
        thread_request = next(
            i for i, each in enumerate(plain_bot.wire.sent_requests) if each.path.endswith("/threads")
        )
        first = called = awaited_decisions(await plain_bot.load_snapshot(match))
        assert count_calls(plain_bot, thread_request) == len(first), "the first turn is called at once"
        for step in plan:
            call_start = len(plain_bot.wire.sent_requests)
            await plain_bot.play_step(match, step)
            assert count_calls(plain_bot, call_start) == 0, "somebody is called who has had no time to act"
            called = called | awaited_decisions(await plain_bot.load_snapshot(match))
            await plain_bot.pass_time(pause)
        assert count_calls(plain_bot, thread_request) == len(called if pause > MINUTE else first)


@several_taps
async def test_a_player_on_the_way_to_a_move_is_called_a_minute_after_the_last_tap(helper: GameHelper) -> None:
    seats = helper.game.seats[0]
    start, plan = short_match(helper, seats)
    async with start_plain_bot(start.seed) as plain_bot:
        match = await plain_bot.seat_match(helper.game, PEOPLE[:seats], helper.short_options)
        first, turns, slow = awaited_decisions(await plain_bot.load_snapshot(match)), count(), 0
        for step in plan:
            if taps := taps_before_call(await plain_bot.load_snapshot(match), step, first):
                await play_slowly(plain_bot, match, step, 1 + next(turns) % taps)
                slow += 1
            else:
                await plain_bot.play_step(match, step)
    assert slow


def taps_before_call(snapshot: MatchSnapshot, step: PlannedMove, first: set[tuple[int, int]]) -> int:
    """How many taps lead to a move to which somebody may be called; 0: none do, or they were called before."""
    way, decision = (
        hand_path_to(snapshot, step.seat, snapshot.game.format_move(step.move)),
        snapshot.decisions()[step.seat],
    )
    if not decision.due or (step.seat, decision.number) in first:
        return 0
    if way.picks is None:
        return len(way.step_keys)
    lines = len(at_once(way.picks, way.tokens))
    return len(way.step_keys) + (lines > 0) + len(way.tokens) - lines


async def play_slowly(plain_bot: PlainBot, match: str, step: PlannedMove, lingers: int) -> None:
    """Make a move with most of a minute before each tap on the way, and more than one after so many of them."""
    start, taps = len(plain_bot.wire.sent_requests), count(1)

    async def click(message: Message, custom_id: str, values: Sequence[str] | None) -> Message:
        on_the_way = is_step(custom_id, values)
        if on_the_way and (tap := next(taps)) <= lingers:
            await plain_bot.pass_time(MINUTE - 10)
            assert count_calls(plain_bot, start, step.seat) == 0, "somebody is called who is at it"
        await plain_bot.click_control(PEOPLE[step.seat], message, custom_id, values)
        if not on_the_way:
            return plain_bot.current_message(message)
        stood = plain_bot.current_message(message)
        await plain_bot.bot.reconciler.redraw_surface(match, "hand", step.seat)
        await plain_bot.show_match(match)
        assert shown_content(plain_bot.current_message(message)) == shown_content(stood), (
            "an edit takes back what was tapped"
        )
        if tap != lingers:
            return stood
        await plain_bot.pass_time(MINUTE + 1)
        hand = await plain_bot.surface_message(match, "hand", step.seat)
        assert count_calls(plain_bot, start, step.seat) == 1
        assert hand["id"] != message["id"]
        assert message["id"] not in plain_bot.wire.channels[int(message["channel_id"])], "the older copy stays"
        assert shown_content(hand) == shown_content(stood), "a call takes back what was tapped"
        return hand

    await make_move(
        click, await plain_bot.surface_message(match, "hand", step.seat), await plain_bot.load_snapshot(match), step
    )
    assert count_calls(plain_bot, start, step.seat) == 1, "somebody is called twice"


def is_step(custom_id: str, values: Sequence[str] | None) -> bool:
    return kind_of(custom_id) in {*"fnpo"} and not (values and custom_ids.instant_move(values[0]))


def shown_content(message: Message) -> object:
    """All but the button that stands where somebody has just clicked, the rows, which it may break, and ids."""
    components = [each for each in walk_components(message["components"]) if each["type"] != ACTION_ROW]
    components = [each for each in components if not str(each.get("custom_id", "")).endswith(":clicked")]
    parts = [each | {"id": 0, "components": (), "items": alt_texts({"components": [each]})} for each in components]
    return parts, message["files"]
