"""Measures the processor time of a move in the whole bot.

The cost of a move is that of each tap on the way to it and of everything shown because of it. A row of its own tells
what the last tap costs, and another what an earlier tap costs. One bot per game and the plain bot run side by side,
each with a table of three and a move every three seconds. The moves are those of good players, made as people make
them: a step, a picked card, and the answer to a question are taps of their own, each with its answer. The unit is a
click on the plain bot's button; milliseconds are printed too. The deals are the same each time. This needs Linux, which
tells the processor time of another process.
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
MOVE_COUNT = 30  # costs of single moves differ widely
WARMUP_MOVES = 90  # uncounted moves at full speed before, because sprites are drawn only once
MAX_TAP_RATIO = 3.5  # clicks of the plain bot that an earlier tap may cost, although it brings a new picture
SETTLE_SECONDS = 8.0  # seconds after them, until everything is shown


WaitForTurn = Callable[[], Awaitable[None]]


async def wait_for_nobody() -> None:
    """Return at once."""


@dataclass(frozen=True, slots=True)
class MoveCost:
    """Processor seconds of all taps of a move, the number of taps, and the processor seconds of the last one."""

    taps: int
    taps_seconds: float
    move_seconds: float


def measure_costs(moves: int = MOVE_COUNT, warming: int = WARMUP_MOVES) -> Iterator[Figure]:
    """Measure a move of each game and an earlier tap, in clicks of the plain bot; nothing except on Linux."""
    if sys.platform != "linux":
        return
    plain, costs_by_game = asyncio.run(time_moves(moves, warming))
    yield Figure("the plain bot: a click", plain * 1000, "ms")
    for key, costs in costs_by_game.items():
        move, taps = fmean(cost.move_seconds for cost in costs), sum(cost.taps for cost in costs)
        whole = fmean(cost.taps_seconds + cost.move_seconds for cost in costs)
        title, entry = GAMES[key].title, load_entry(GAMES[key])
        yield Figure(f"{title}: a move with all its taps", whole / plain, f"{whole * 1000:.1f} ms", entry.cost)
        yield Figure(f"{title}: the last tap of a move", move / plain, f"{move * 1000:.1f} ms", entry.move)
        if taps:
            tap = sum(cost.taps_seconds for cost in costs) / taps
            unit = f"{tap * 1000:.1f} ms; {taps / len(costs):.1f} a move"
            yield Figure(f"{title}: an earlier tap of a move", tap / plain, unit, MAX_TAP_RATIO)


async def time_moves(moves: int, warmup: int) -> tuple[float, dict[str, list[MoveCost]]]:
    """Return the processor seconds of a click on the plain bot, and of each move of each game."""
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
    """Return the processor seconds of each click on the plain bot's button, when it is its turn."""
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
    """Return the cost of each move; starting another match after the last move does not count."""
    table = await TappedTable.start_match(bot, game)
    for _ in range(warmup):
        if await table.click_move() is None:
            table = await TappedTable.start_match(bot, game)
    await asyncio.sleep(SETTLE_SECONDS)
    costs: list[MoveCost] = []
    while len(costs) < moves:
        before = cpu_seconds(bot)
        cost = await table.tap_move(lambda: cpu_seconds(bot))
        if cost is None:
            table = await TappedTable.start_match(bot, game)
            await asyncio.sleep(SETTLE_SECONDS)
        else:
            await asyncio.sleep(MOVE_SECONDS)
            costs.append(MoveCost(cost.tap_count, cost.last_tap_at - before, cpu_seconds(bot) - cost.last_tap_at))
    return costs


def cpu_seconds(bot: Bot) -> float:
    """Return the processor seconds that the bot's process has used."""
    return time.clock_gettime(~bot.process << 3 | 2)  # the same as clock_getcpuclockid(3)


if __name__ == "__main__":
    for figure in measure_costs():
        print(figure)
