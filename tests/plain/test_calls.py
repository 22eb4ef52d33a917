"""Whole matches of every game: who plays is called for the first turn alone, who does not act once a decision."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from engines.match import Look
from tests.contract.helper import Helper
from tests.contract.helpers import HELPERS
from tests.contract.secrets import Step
from tests.messages import Message
from tests.plain.inn import PEOPLE, Plain, plain
from tests.playing import make, short_match

PLAY = [(helper, helper.game.seats[-1], 3) for helper in HELPERS.values()]
LINGER = [(helper, helper.game.seats[0], 61) for helper in HELPERS.values()]
NAMES = [f"{helper.game.key}-{how}" for how in ("plays", "lingers") for helper in HELPERS.values()]
SILENT, MINUTE = 4096, 60


def called(inn: Plain, since: int) -> int:
    """How many hands were sent since then that make themselves heard."""
    posted = [
        each for each in inn.wire.sent[since:] if each.by and (each.method, each.path[-9:]) == ("POST", "/messages")
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


async def play(inn: Plain, match: str, step: Step) -> None:
    """Make a move by the hand in somebody's direct messages."""

    async def click(message: Message, custom_id: str, values: Sequence[str] | None) -> Message:
        await inn.click(PEOPLE[step.seat], message, custom_id, values)
        return inn.newest(message)

    await make(click, await inn.surface(match, "hand", step.seat), await inn.look(match), step)
