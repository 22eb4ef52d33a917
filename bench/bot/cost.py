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

from bench.bot.clicks import PLAIN_PROGRAM, SEEDED_PROGRAM, Bot, PlainButton, run_bot
from bench.bot.taps import TappedTable
from bench.kit.entries import load_entry
from bench.kit.figures import Figure
from engines import GAMES
from engines.kit.contract import AnyGame

MOVE_SECONDS = 3.0  # seconds from move to move
MOVE_COUNT = 30  # what a move costs differs widely
WARMUP_MOVES = 90  # moves before, as fast as can be: what cards are drawn from is drawn once
MAX_TAP_RATIO = (
    3.5  # clicks of the plain bot that a tap on the way to a move may cost, though it brings another picture
)
SETTLE_SECONDS = 8.0  # seconds after these, until nothing of them is left to be shown


WaitForTurn = Callable[[], Awaitable[None]]


async def wait_for_nobody() -> None:
    """What waits for nobody."""


@dataclass(frozen=True, slots=True)
class MoveCost:
    """Seconds of the processor: for all taps on the way to a move, of which there were so many, and for the move."""

    taps: int
    taps_seconds: float
    move_seconds: float


def measure_costs(moves: int = MOVE_COUNT, warming: int = WARMUP_MOVES) -> Iterator[Figure]:
    """A move of each game, and a tap on the way there, as multiples of the plain bot's click; nothing but on Linux."""
    if sys.platform != "linux":
        return
    plain, took = asyncio.run(time_moves(moves, warming))
    yield Figure("the plain bot: a click", plain * 1000, "ms")
    for key, costs in took.items():
        move, taps = fmean(cost.move_seconds for cost in costs), sum(cost.taps for cost in costs)
        whole = fmean(cost.taps_seconds + cost.move_seconds for cost in costs)
        title, entry = GAMES[key].title, load_entry(GAMES[key])
        yield Figure(f"{title}: a move with all its taps", whole / plain, f"{whole * 1000:.1f} ms", entry.cost)
        yield Figure(f"{title}: from the tap that makes it", move / plain, f"{move * 1000:.1f} ms", entry.move)
        if taps:
            tap = sum(cost.taps_seconds for cost in costs) / taps
            unit = f"{tap * 1000:.1f} ms; {taps / len(costs):.1f} a move"
            yield Figure(f"{title}: a tap on the way to one", tap / plain, unit, MAX_TAP_RATIO)


async def time_moves(moves: int, warmup: int) -> tuple[float, dict[str, list[MoveCost]]]:
    """Seconds of the processor for a click of the plain bot, and for each move of each game."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        plain = await stack.enter_async_context(run_bot(folder / "plain.db", *PLAIN_PROGRAM))
        bots = [await stack.enter_async_context(run_bot(folder / f"{key}.db", "-c", SEEDED_PROGRAM)) for key in GAMES]
        clicks, costs = await asyncio.gather(
            time_plain_clicks(plain, moves, warmup),
            asyncio.gather(
                *(_measure_moves(bot, game, moves, warmup) for bot, game in zip(bots, GAMES.values(), strict=True))
            ),
        )
    return fmean(clicks), dict(zip(GAMES, costs, strict=True))


async def time_plain_clicks(bot: Bot, moves: int, warmup: int, turn: WaitForTurn = wait_for_nobody) -> list[float]:
    """What each click on the plain bot's button costs, when it is its turn."""
    button = await PlainButton.open_button(bot)
    for _ in range(warmup):
        await button.click_when_idle()
    costs = []
    for _ in range(moves):
        await turn()
        before = cpu_seconds(bot)
        await asyncio.gather(button.click_when_idle(), asyncio.sleep(MOVE_SECONDS))
        costs.append(cpu_seconds(bot) - before)
    return costs


async def _measure_moves(bot: Bot, game: AnyGame, moves: int, warmup: int) -> list[MoveCost]:
    """What each move costs; where a match is over, what comes of starting another is no part of it."""
    table = await TappedTable.start_match(bot, game)
    for _ in range(warmup):
        if await table.click_move() is None:
            table = await TappedTable.start_match(bot, game)
    await asyncio.sleep(SETTLE_SECONDS)
    costs: list[MoveCost] = []
    while len(costs) < moves:
        before = cpu_seconds(bot)
        made = await table.tap_move(lambda: cpu_seconds(bot))
        if made is None:
            table = await TappedTable.start_match(bot, game)
            await asyncio.sleep(SETTLE_SECONDS)
        else:
            await asyncio.sleep(MOVE_SECONDS)
            costs.append(MoveCost(made.tap_count, made.last_tap_at - before, cpu_seconds(bot) - made.last_tap_at))
    return costs


def cpu_seconds(bot: Bot) -> float:
    """Seconds of the processor that the bot's process has used."""
    return time.clock_gettime(~bot.process << 3 | 2)  # as clock_getcpuclockid(3) makes it


if __name__ == "__main__":
    for figure in measure_costs():
        print(figure)
