"""Whole matches of which it is counted what they cost in requests."""

from __future__ import annotations

import os
import random

from engines.store.match_store import Status
from tests.contract.helper import Helper
from tests.plain.inn import PEOPLE, Plain, plain

PACE = 3.0  # seconds from move to move
MOVES = 10_000 if os.environ.get("MOTLEY_SOAK") else 150


async def spent(helper: Helper, seats: int) -> tuple[float, float]:
    """Requests a move in a match that is played a move every three seconds: at once, and in all."""
    rng, at_once, in_all, moves = random.Random(7), 0, 0, 0
    async with plain(f"{seats:032x}", paced=True) as inn:
        match = await inn.seat(helper.game, PEOPLE[:seats], {} if MOVES > 150 else helper.short)
        await inn.later(30)
        while moves < MOVES and await running(inn, match):
            before = len(inn.wire.requests)
            await move(inn, match, rng)
            at_once += len(inn.wire.requests) - before
            await inn.later(PACE)
            in_all += len(inn.wire.requests) - before
            moves += 1
        before = len(inn.wire.requests)
        await inn.later(30)
        in_all += len(inn.wire.requests) - before
    return at_once / moves, in_all / moves


async def running(inn: Plain, match: str) -> bool:
    return (await inn.look(match)).info.status is Status.RUNNING


async def move(inn: Plain, match: str, rng: random.Random) -> int:
    """Any move by one click of somebody who is due; whose it was."""
    look = await inn.look(match)
    seat = rng.choice(look.due())
    notation, decision = look.game.write(rng.choice(look.moves(seat))), look.decisions()[seat].number
    await inn.click(PEOPLE[seat], await inn.surface(match, "hand", seat), f"m:{match}:{decision}:{notation}")
    assert (await inn.look(match)).info.moves == look.info.moves + 1
    return seat
