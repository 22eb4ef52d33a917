"""Whole matches of every game: who plays is called for the first turn alone, who does not act once a decision."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from itertools import count

import pytest

from bench.bot.taps import at_once
from cogs.table.pages import custom_ids
from engines.hosting.match import Look
from tests.contract.helper import Helper
from tests.contract.helpers import HELPERS, STEPS
from tests.contract.secrets import Step
from tests.messages import Message
from tests.plain.inn import PEOPLE, Plain, plain
from tests.plain.ring import ring, settle
from tests.playing import make, short_match, way_to

PLAY = [(helper, helper.game.seats[-1], 3) for helper in HELPERS.values()]
LINGER = [(helper, helper.game.seats[0], 61) for helper in HELPERS.values()]
NAMES = [f"{helper.game.key}-{how}" for how in ("plays", "lingers") for helper in HELPERS.values()]
SILENT, MINUTE = 4096, 60
several_taps = pytest.mark.parametrize("helper", STEPS.values(), ids=STEPS)


def called(inn: Plain, since: int, seat: int | None = None) -> int:
    """How many hands were sent since then that make themselves heard, to anybody or one seat."""
    posted = [
        each
        for each in inn.wire.sent[since:]
        if each.by and seat in (None, each.by - 1) and (each.method, each.path[-9:]) == ("POST", "/messages")
    ]
    return sum(not json.loads(each.said)["flags"] & SILENT for each in posted)


def waited_for(look: Look) -> set[tuple[int, int]]:
    """The decisions that the match waits for, each with its seat."""
    return {(seat, look.decisions()[seat].number) for seat in look.due()}


@pytest.mark.parametrize(("helper", "seats", "pause"), [*PLAY, *LINGER], ids=NAMES)
async def test_a_whole_match(helper: Helper, seats: int, pause: int) -> None:
    start, plan = short_match(helper, seats)
    async with plain(start.seed) as inn:
        match = await inn.seat(helper.game, PEOPLE[:seats], helper.short)
        begun = next(i for i, each in enumerate(inn.wire.sent) if each.path.endswith("/threads"))
        first = asked = waited_for(await inn.look(match))
        assert called(inn, begun) == len(first), "the first turn is called at once"
        for step in plan:
            since = len(inn.wire.sent)
            await play(inn, match, step)
            assert called(inn, since) == 0, "somebody is called who has had no time to act"
            asked = asked | waited_for(await inn.look(match))
            await inn.later(pause)
        assert called(inn, begun) == len(asked if pause > MINUTE else first)


@several_taps
async def test_who_is_on_the_way_to_a_move_is_called_a_minute_after_the_last_tap_and_goes_on_from_there(
    helper: Helper,
) -> None:
    seats = helper.game.seats[0]
    start, plan = short_match(helper, seats)
    async with plain(start.seed) as inn:
        match = await inn.seat(helper.game, PEOPLE[:seats], helper.short)
        first, turns, slow = waited_for(await inn.look(match)), count(), 0
        for step in plan:
            if taps := called_on_the_way(await inn.look(match), step, first):
                await play_slowly(inn, match, step, 1 + next(turns) % taps)
                slow += 1
            else:
                await play(inn, match, step)
    assert slow


def called_on_the_way(look: Look, step: Step, first: set[tuple[int, int]]) -> int:
    """How many taps lead to a move to which somebody may be called; 0: none do, or they were called before."""
    way, decision = way_to(look, step.seat, look.game.write(step.move)), look.decisions()[step.seat]
    if not decision.due or (step.seat, decision.number) in first:
        return 0
    if way.picks is None:
        return len(way.keys)
    lines = len(at_once(way.picks, way.tokens))
    return len(way.keys) + (lines > 0) + len(way.tokens) - lines


async def play_slowly(inn: Plain, match: str, step: Step, lingers: int) -> None:
    """Make a move with most of a minute before each tap on the way, and more than one after so many of them."""
    begun, taps = len(inn.wire.sent), count(1)

    async def click(message: Message, custom_id: str, values: Sequence[str] | None) -> Message:
        on_the_way = leads_on(custom_id, values)
        if on_the_way and (tap := next(taps)) <= lingers:
            await inn.later(MINUTE - 10)
            assert called(inn, begun, step.seat) == 0, "somebody is called who is at it"
        await inn.click(PEOPLE[step.seat], message, custom_id, values)
        if not on_the_way:
            return inn.newest(message)
        stood = inn.newest(message)
        await drawn_anew(inn, match, step.seat)
        assert shown(inn.newest(message)) == shown(stood), "an edit takes back what was tapped"
        if tap != lingers:
            return stood
        await inn.later(MINUTE + 1)
        hand = await inn.surface(match, "hand", step.seat)
        assert called(inn, begun, step.seat) == 1
        assert hand["id"] != message["id"]
        assert message["id"] not in inn.wire.channels[int(message["channel_id"])], "the older copy stays"
        assert shown(hand) == shown(stood), "a call takes back what was tapped"
        return hand

    await make(click, await inn.surface(match, "hand", step.seat), await inn.look(match), step)
    assert called(inn, begun, step.seat) == 1, "somebody is called twice"


@several_taps
async def test_who_has_gone_back_to_the_hand_is_called_there(helper: Helper) -> None:
    seats = helper.game.seats[0]
    start, plan = short_match(helper, seats)
    async with plain(start.seed) as inn:
        match = await inn.seat(helper.game, PEOPLE[:seats], helper.short)
        step = await until_taps(inn, match, plan)
        hand, since = await inn.surface(match, "hand", step.seat), len(inn.wire.sent)
        await inn.click(PEOPLE[step.seat], await on_the_way(inn, inn, match, step), f"t:{match}:back")
        await inn.later(MINUTE + 1)
        assert called(inn, since, step.seat) == 1
        assert shown(await inn.surface(match, "hand", step.seat)) == shown(hand)


@several_taps
async def test_who_is_called_after_a_restart_goes_on_from_where_they_were(helper: Helper) -> None:
    seats = helper.game.seats[0]
    start, plan = short_match(helper, seats)
    async with AsyncExitStack() as living:
        before = await living.enter_async_context(plain(start.seed))
        match = await before.seat(helper.game, PEOPLE[:seats], {**helper.short, "clock": "none"})
        step = await until_taps(before, match, plan)
        stood, stores = await on_the_way(before, before, match, step), (before.store, before.bot.shown._store)
        await living.aclose()
        inn = await living.enter_async_context(plain(start.seed, after=before, stores=stores))
        since = len(inn.wire.sent)
        await inn.bot.on_ready()
        await inn.later(MINUTE + 1)
        assert called(inn, since, step.seat) == 1
        assert shown(await inn.surface(match, "hand", step.seat)) == shown(stood)


@several_taps
async def test_who_is_called_by_another_process_than_has_answered_goes_on_from_where_they_were(helper: Helper) -> None:
    seats = helper.game.seats[0]
    start, plan = short_match(helper, seats)
    async with ring(start.seed) as made:
        holder, other = made.inns
        match = await holder.seat(helper.game, PEOPLE[:seats], helper.short)
        step = await until_taps(holder, match, plan)
        await settle(made)
        stood, since = await on_the_way(holder, other, match, step), len(holder.wire.sent)
        for _ in range(MINUTE // 4):
            await settle(made)
        assert called(holder, since, step.seat) == 1
        assert shown(await holder.surface(match, "hand", step.seat)) == shown(stood)


async def until_taps(inn: Plain, match: str, plan: Sequence[Step]) -> Step:
    """Play until a move takes several taps; that move."""
    first = waited_for(await inn.look(match))
    for step in plan:
        if called_on_the_way(await inn.look(match), step, first):
            return step
        await play(inn, match, step)
    raise AssertionError("no move of this match takes several taps")


async def on_the_way(inn: Plain, answering: Plain, match: str, step: Step) -> Message:
    """Tap all that leads to a move, but for the move itself; the hand as it stands then."""
    stands = [hand := await inn.surface(match, "hand", step.seat)]

    async def click(message: Message, custom_id: str, values: Sequence[str] | None) -> Message:
        if not leads_on(custom_id, values):
            raise Enough
        await answering.click(PEOPLE[step.seat], message, custom_id, values)
        stands.append(inn.newest(message))
        return stands[-1]

    with suppress(Enough):
        await make(click, hand, await inn.look(match), step)
    assert shown(stands[-1]) != shown(hand)
    return stands[-1]


class Enough(Exception):
    """The next tap would make the move."""


def leads_on(custom_id: str, values: Sequence[str] | None) -> bool:
    """Whether a tap shows more of the hand, and makes no move."""
    return custom_id[0] in "fnpo" and not (values and custom_ids.made(values[0]))


async def drawn_anew(inn: Plain, match: str, seat: int) -> None:
    """Have somebody's hand be edited, whatever it shows."""
    await inn.bot.keeper.anew(match, "hand", seat)
    await inn.catch_up(match)


def shown(message: Message) -> object:
    """What a message shows to its reader, pictures and all."""
    return message["components"], message["files"]


async def play(inn: Plain, match: str, step: Step) -> None:
    """Make a move by the hand in somebody's direct messages."""

    async def click(message: Message, custom_id: str, values: Sequence[str] | None) -> Message:
        await inn.click(PEOPLE[step.seat], message, custom_id, values)
        return inn.newest(message)

    await make(click, await inn.surface(match, "hand", step.seat), await inn.look(match), step)
