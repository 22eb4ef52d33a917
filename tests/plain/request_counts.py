"""Whole matches of which it is counted what they cost in requests."""

from __future__ import annotations

import os
import random

from tests.contract.helper import GameHelper
from tests.plain.plain_bot import PEOPLE, start_plain_bot

MOVE_SECONDS = 3.0  # seconds from move to move
MAX_MOVES = 10_000 if os.environ.get("MOTLEY_SOAK") else 150


async def requests_per_move(helper: GameHelper, seats: int) -> tuple[float, float]:
    """Requests a move in a match that is played a move every three seconds: at once, and in all."""
    rng, at_once, in_all, moves = random.Random(7), 0, 0, 0
    async with start_plain_bot(f"{seats:032x}", paced=True) as plain_bot:
        match = await plain_bot.seat_match(helper.game, PEOPLE[:seats], {} if MAX_MOVES > 150 else helper.short_options)
        await plain_bot.pass_time(30)
        while moves < MAX_MOVES and (snapshot := await plain_bot.load_snapshot(match)).due_seats():
            before = len(plain_bot.wire.requests)
            await plain_bot.click_move(snapshot, rng.choice(snapshot.due_seats()), rng)
            assert (await plain_bot.load_snapshot(match)).info.moves == snapshot.info.moves + 1
            at_once += len(plain_bot.wire.requests) - before
            await plain_bot.pass_time(MOVE_SECONDS)
            in_all += len(plain_bot.wire.requests) - before
            moves += 1
        before = len(plain_bot.wire.requests)
        await plain_bot.pass_time(30)
        in_all += len(plain_bot.wire.requests) - before
    return at_once / moves, in_all / moves
