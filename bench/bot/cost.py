"""What a move costs the whole bot in processor time: each tap on the way to it, and all that is shown because of it;
of that, what comes from the tap that makes it, and what a tap on the way there costs.

A bot for every game, and the plain bot beside them, each with a table of three and a move every three seconds. The
moves are those that people make who know the game, and made as people make them: a step, a card that is picked, and
the answer to a question are taps of their own, each with its answer. A click on the plain bot's button is the
reference; all are told in milliseconds, too. The deals are the same each time. Only where the system tells of another
process what time it has used, which Linux does.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from bench.bot.clicks import DEALT, PLAIN, Bot, Plain, running
from bench.bot.taps import Played
from bench.kit.entries import entry_of
from bench.kit.figures import Figure
from engines import GAMES
from engines.kit.contract import AnyGame

PACE = 3.0  # seconds from move to move
MOVES = 30  # what a move costs differs widely
WARMING = 90  # moves before, as fast as can be: what cards are drawn from is drawn once
TAP = 3.5  # clicks of the plain bot that a tap on the way to a move may cost, though it brings another picture
SETTLING = 8.0  # seconds after these, until nothing of them is left to be shown


Turn = Callable[[], Awaitable[None]]


async def no_turn() -> None:
    """What waits for nobody."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of the processor: for all taps on the way to a move, of which there were so many, and for the move."""

    taps: int
    way: float
    move: float


def measure(moves: int = MOVES, warming: int = WARMING) -> Iterator[Figure]:
    """A move of each game, and a tap on the way there, as multiples of the plain bot's click; nothing but on Linux."""
    if sys.platform != "linux":
        return
    plain, took = asyncio.run(timed(moves, warming))
    yield Figure("the plain bot: a click", plain * 1000, "ms")
    for key, costs in took.items():
        move, taps = fmean(cost.move for cost in costs), sum(cost.taps for cost in costs)
        whole = fmean(cost.way + cost.move for cost in costs)
        title, entry = GAMES[key].title, entry_of(GAMES[key])
        yield Figure(f"{title}: a move with all its taps", whole / plain, f"{whole * 1000:.1f} ms", entry.cost)
        yield Figure(f"{title}: from the tap that makes it", move / plain, f"{move * 1000:.1f} ms", entry.move)
        if taps:
            tap = sum(cost.way for cost in costs) / taps
            unit = f"{tap * 1000:.1f} ms; {taps / len(costs):.1f} a move"
            yield Figure(f"{title}: a tap on the way to one", tap / plain, unit, TAP)


async def timed(moves: int, warming: int) -> tuple[float, dict[str, list[Cost]]]:
    """Seconds of the processor for a click of the plain bot, and for each move of each game."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        plain = await stack.enter_async_context(running(folder / "plain.db", *PLAIN))
        bots = [await stack.enter_async_context(running(folder / f"{key}.db", "-c", DEALT)) for key in GAMES]
        clicks, costs = await asyncio.gather(
            clicked(plain, moves, warming),
            asyncio.gather(
                *(_played(bot, game, moves, warming) for bot, game in zip(bots, GAMES.values(), strict=True))
            ),
        )
    return fmean(clicks), dict(zip(GAMES, costs, strict=True))


async def clicked(bot: Bot, moves: int, warming: int, turn: Turn = no_turn) -> list[float]:
    """What each click on the plain bot's button costs, when it is its turn."""
    button = await Plain.opened(bot)
    for _ in range(warming):
        await button.press()
    costs = []
    for _ in range(moves):
        await turn()
        before = used(bot)
        await asyncio.gather(button.press(), asyncio.sleep(PACE))
        costs.append(used(bot) - before)
    return costs


async def _played(bot: Bot, game: AnyGame, moves: int, warming: int) -> list[Cost]:
    """What each move costs; where a match is over, what comes of starting another is no part of it."""
    table = await Played.started(bot, game)
    for _ in range(warming):
        if await table.move() is None:
            table = await Played.started(bot, game)
    await asyncio.sleep(SETTLING)
    costs: list[Cost] = []
    while len(costs) < moves:
        before = used(bot)
        made = await table.tapped(lambda: used(bot))
        if made is None:
            table = await Played.started(bot, game)
            await asyncio.sleep(SETTLING)
        else:
            await asyncio.sleep(PACE)
            costs.append(Cost(made.on_the_way, made.last - before, used(bot) - made.last))
    return costs


def used(bot: Bot) -> float:
    """Seconds of the processor that the bot's process has used."""
    return time.clock_gettime(~bot.process << 3 | 2)  # as clock_getcpuclockid(3) makes it


if __name__ == "__main__":
    for figure in measure():
        print(figure)
