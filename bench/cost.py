"""What a move costs the whole bot in processor time: each tap on the way to it, and all that is shown because of it.

A bot for every game, and the plain bot beside them, each with a table of three and a move every three seconds. The
moves are those that people make who know the game, and made as people make them: a step, a card that is picked, and
the answer to a question are taps of their own, each with its answer, and all of them are part of what the move costs.
A click on the plain bot's button is the reference; both are told in milliseconds, too. Only where the
system tells of another process what time it has used, which Linux does.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import fmean

from bench.clicks import Bot, Plain, running
from bench.entries import entry_of
from bench.figures import Figure
from bench.taps import Tapped
from engines import GAMES
from engines.game import AnyGame

PACE = 3.0  # seconds from move to move
MOVES = 30  # what a move costs differs widely
WARMING = 90  # moves before, as fast as can be: what cards are drawn from is drawn once
SETTLING = 8.0  # seconds after these, until nothing of them is left to be shown


def measure(moves: int = MOVES, warming: int = WARMING) -> list[Figure]:
    """A move of each game as a multiple of the plain bot's click; nothing where the system does not tell."""
    if sys.platform != "linux":
        return []
    plain, took = asyncio.run(timed(moves, warming))
    rows = [
        Figure(f"{GAMES[key].title}: a move", seconds / plain, f"{seconds * 1000:.1f} ms", entry_of(GAMES[key]).cost)
        for key, seconds in took.items()
    ]
    return [Figure("the plain bot: a click", plain * 1000, "ms"), *rows]


async def timed(moves: int, warming: int) -> tuple[float, dict[str, float]]:
    """Seconds of the processor for a click of the plain bot, and for a move of each game."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        plain = await stack.enter_async_context(running(folder / "plain.db", "-m", "tests.playground.jester_bot"))
        bots = [await stack.enter_async_context(running(folder / f"{key}.db", "bot.py")) for key in GAMES]
        clicks, *costs = await asyncio.gather(
            _clicked(plain, moves, warming),
            *(_played(bot, game, moves, warming) for bot, game in zip(bots, GAMES.values(), strict=True)),
        )
    return clicks, dict(zip(GAMES, costs, strict=True))


async def _clicked(bot: Bot, moves: int, warming: int) -> float:
    """What a click on the plain bot's button costs."""
    button = await Plain.opened(bot)
    for _ in range(warming):
        await button.press()
    costs = []
    for _ in range(moves):
        before = _used(bot)
        await asyncio.gather(button.press(), asyncio.sleep(PACE))
        costs.append(_used(bot) - before)
    return fmean(costs)


async def _played(bot: Bot, game: AnyGame, moves: int, warming: int) -> float:
    """What a move costs; where a match is over, what comes of starting another is no part of it."""
    table = await Tapped.started(bot, game)
    for _ in range(warming):
        if await table.move() is None:
            table = await Tapped.started(bot, game)
    await asyncio.sleep(SETTLING)
    costs: list[float] = []
    while len(costs) < moves:
        before = _used(bot)
        made, _ = await asyncio.gather(table.tapped(), asyncio.sleep(PACE))
        if made is None:
            table = await Tapped.started(bot, game)
            await asyncio.sleep(SETTLING)
        else:
            costs.append(_used(bot) - before)
    return fmean(costs)


def _used(bot: Bot) -> float:
    """Seconds of the processor that the bot's process has used."""
    return time.clock_gettime(~bot.process << 3 | 2)  # as clock_getcpuclockid(3) makes it


if __name__ == "__main__":
    for figure in measure():
        print(figure)
