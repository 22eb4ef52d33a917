"""What is kept under a decision survives a take-back if its situation is the same. If not, its owner is told why."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

import pytest

from cogs.features.plans.plan_controls import change_id
from cogs.features.takebacks.feature_ui import TakeBackActions
from engines.features.plans import planned_moves
from engines.features.plans.planned_moves import (
    MARK,
    PLANNED_MOVES,
    PlannedMove,
    carry_plan,
    next_decision,
    open_planning,
)
from engines.features.plans.planning import TAKEN_BACK, planning_of
from engines.features.takebacks.rules import TakeBackLimits
from engines.hosting import undoing
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.messages import control_ids, kind_of, message_text
from tests.plain.plain_bot import PEOPLE, PlainBot, start_plain_bot

SEED = "0f" * 16
MAX_MOVES, MIN_TAKE_BACKS = 60, 3
PLANNED = [helper for helper in HELPERS.values() if planning_of(helper.game) is not None]
CHOOSES = frozenset("mcspofng")  # kinds of controls that are about one decision


class OpenDecision(NamedTuple):
    """What a seat has for its open decision: the choices, its number, its deadline, its step, and its controls."""

    choices: tuple[str, ...]
    number: int
    deadline: int | None
    step: str
    controls: tuple[str, ...]


async def open_decisions(plain_bot: PlainBot, match: str) -> Mapping[int, OpenDecision]:
    snapshot, steps = await plain_bot.load_snapshot(match), await plain_bot.matches.activity.load_move_steps(match)
    found = {}
    for seat, decision in snapshot.decisions().items():
        hand = control_ids(await plain_bot.surface_message(match, "hand", seat))
        controls = tuple(each for each in hand if kind_of(each) in CHOOSES)
        choices = tuple(map(snapshot.game.format_move, snapshot.moves(seat)))
        due = snapshot.deadlines.get(seat)
        found[seat] = OpenDecision(choices, decision.number, due.at if due else None, steps.get(seat, ""), controls)
    return found


async def begin_step(plain_bot: PlainBot, match: str, seat: int) -> None:
    """Press the first control of a hand that leads on to a step, if there is one."""
    hand = await plain_bot.surface_message(match, "hand", seat)
    step = next((each for each in control_ids(hand) if kind_of(each) in {*"onp"}), None)
    if step is not None:
        await plain_bot.click_control(PEOPLE[seat], hand, step)


async def take_back_agreed(plain_bot: PlainBot, match: str, seat: int) -> bool:
    """Take a move back, with the consent of the others if needed; whether that was possible."""
    menu = (await plain_bot.press(PEOPLE[seat], match, "more", seat)).answer
    assert menu is not None
    offset = (await plain_bot.load_snapshot(match)).info.decision_offset
    asks = [each for each in control_ids(menu) if ":take:" in each]
    if not asks:
        return False
    await plain_bot.click_control(PEOPLE[seat], menu, asks[0])
    request = (await plain_bot.load_snapshot(match)).info.undoing.open_request
    for other in request.seats if request else ():
        hand = await plain_bot.surface_message(match, "hand", other)
        (yes,) = [each for each in control_ids(hand) if ":agree:" in each]
        await plain_bot.click_control(PEOPLE[other], hand, yes)
    return (await plain_bot.load_snapshot(match)).info.decision_offset > offset


async def check_game(helper: GameHelper) -> int:
    """The law: everybody whose choice stays open keeps all they had for it. Return how many did."""
    chance, unchanged, taken = Random(SEED), 0, 0
    async with start_plain_bot(SEED) as plain_bot:
        names = PEOPLE[: helper.game.seats[0]]
        match = await plain_bot.seat_match(helper.game, names, {"clock": "24 hours"})
        plain_bot.bot.actions.service(TakeBackActions).taking_back.limits = TakeBackLimits(999, 999)
        for _ in range(MAX_MOVES):
            snapshot = await plain_bot.load_snapshot(match)
            if not snapshot.decisions() or taken >= MIN_TAKE_BACKS:
                break
            seat = chance.choice(snapshot.due_seats())
            for other in snapshot.due_seats():
                if other != seat:
                    await begin_step(plain_bot, match, other)
            early = await open_decisions(plain_bot, match)
            await plain_bot.click_move(snapshot, seat)
            before = await open_decisions(plain_bot, match)
            if not await take_back_agreed(plain_bot, match, seat):
                continue
            taken += 1
            after = await open_decisions(plain_bot, match)
            for other, each in after.items():
                stayed = other != seat and other in early and early[other] == before.get(other)
                if stayed:
                    assert each == before[other], f"seat {other} has lost something"
                    unchanged += 1
                elif other in before or other == seat:
                    assert each.number > max(early[other].number if other in early else -1, -1)
                    assert "takes a move back" in message_text(await plain_bot.surface_message(match, "hand", other))
            await plain_bot.click_move(await plain_bot.load_snapshot(match), seat, chance)
    assert taken
    return unchanged


@pytest.mark.parametrize("key", HELPERS)
async def test_somebody_who_still_has_the_same_choice_keeps_all_they_had_for_it(key: str) -> None:
    await check_game(HELPERS[key])


async def test_the_law_finds_lost_steps_and_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    assert await check_game(HELPERS["jest"])
    monkeypatch.setattr(undoing, "unchanged_decisions", lambda *arguments: ())
    with pytest.raises(AssertionError, match="has lost something"):
        await check_game(HELPERS["jest"])


# Planned moves


async def mark_move(plain_bot: PlainBot, match: str, seat: int) -> str:
    snapshot = await plain_bot.load_snapshot(match)
    planning = open_planning(snapshot, seat)
    assert planning is not None
    notation = snapshot.game.format_move(planning.moves(snapshot.view(seat))[-1])
    hand = await plain_bot.surface_message(match, "hand", seat)
    await plain_bot.click_control(PEOPLE[seat], hand, change_id(match, next_decision(snapshot, seat), MARK), [notation])
    assert "Planned: " in message_text(await plain_bot.surface_message(match, "hand", seat))
    return notation


async def find_planner(plain_bot: PlainBot, match: str) -> int:
    """Play until the seat after next can plan a move; that seat."""
    for _ in range(MAX_MOVES):
        snapshot = await plain_bot.load_snapshot(match)
        for seat in range(len(snapshot.info.seats)):
            others = [each for each in range(len(snapshot.info.seats)) if each not in (seat, *snapshot.due_seats())]
            if open_planning(snapshot, seat) and others and snapshot.due_seats() and seat not in snapshot.due_seats():
                after = snapshot.game.state_after(
                    snapshot.state, snapshot.due_seats()[0], snapshot.moves(snapshot.due_seats()[0])[0]
                )
                if seat not in snapshot.game.decisions(after):
                    return seat
        await plain_bot.click_move(snapshot, snapshot.due_seats()[0])
    raise AssertionError("nobody can plan a move")


async def check_plan(helper: GameHelper, *, knew_move: bool) -> None:
    """The law: a plan outlives a take-back of a move that came after it; otherwise its player is told."""
    async with start_plain_bot(SEED) as plain_bot:
        match = await plain_bot.seat_match(helper.game, PEOPLE[: helper.game.seats[0]], {})
        seat = await find_planner(plain_bot, match)
        snapshot = await plain_bot.load_snapshot(match)
        (mover,) = snapshot.due_seats()
        if not knew_move:
            notation = await mark_move(plain_bot, match, seat)
        await plain_bot.click_move(snapshot, mover)
        if knew_move:
            notation = await mark_move(plain_bot, match, seat)
        assert await take_back_agreed(plain_bot, match, mover)
        hand = message_text(await plain_bot.surface_message(match, "hand", seat))
        (plan,) = await plain_bot.bot.surfaces.rows(PLANNED_MOVES, match)
        after = await plain_bot.load_snapshot(match)
        assert (plan.notation, plan.decision) == (notation, next_decision(after, seat))
        if knew_move:
            assert "was cancelled: a move was taken back" in hand
            assert plan.dropped == TAKEN_BACK
            await mark_move(plain_bot, match, seat)
            return
        assert "Planned: " in hand
        assert not plan.dropped
        while (snapshot := await plain_bot.load_snapshot(match)).due_seats() != (seat,):
            await plain_bot.click_move(snapshot, snapshot.due_seats()[0])
        await plain_bot.pass_time(10)
        moved = (await plain_bot.load_snapshot(match)).info.moves > snapshot.info.moves
        dropped = "was cancelled" in message_text(await plain_bot.surface_message(match, "hand", seat))
        assert moved != dropped, "it is neither made nor dropped"


@pytest.mark.parametrize("knew_move", [False, True])
@pytest.mark.parametrize("helper", PLANNED, ids=[helper.game.key for helper in PLANNED])
async def test_a_plan_outlives_a_take_back_unless_its_player_knew_the_move(helper: GameHelper, knew_move: bool) -> None:
    await check_plan(helper, knew_move=knew_move)


@pytest.mark.parametrize("knew_move", [False, True])
async def test_the_law_finds_plans_that_vanish(monkeypatch: pytest.MonkeyPatch, knew_move: bool) -> None:
    def forget(snapshot: object, seat: int, plan: PlannedMove) -> PlannedMove:
        return plan

    monkeypatch.setattr(planned_moves, "carry_plan", forget)
    with pytest.raises((AssertionError, ValueError)):
        await check_plan(PLANNED[0], knew_move=knew_move)
    assert carry_plan is not forget
