"""Compares the cost of a move with another version's: `python -m bench.bot.versions FOLDER [game …]`.

The folder is a checkout of the other version with its environment in `.venv`. Both bots play matches dealt from the
same seeds, with the same moves of good players at a table of three, each made by one click. They take turns, so that
both meet the same noise. The result is the ratio of their times, with the 95% interval of resampled moves, and both
times in clicks on the plain bot's button, which takes its turn among them. Earlier taps of a move do not count, because
they differ between versions. This needs Linux, which tells the processor time of another process.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from random import Random
from statistics import fmean
from typing import NamedTuple

from bench.bot import cost
from bench.bot.clicks import PLAIN_PROGRAM, ROOT, SEEDED_PROGRAM, Bot, run_bot
from bench.bot.taps import TappedTable
from engines import GAMES
from engines.kit.contract import AnyGame

MOVE_COUNT = 60
WARMUP_MOVES = 60  # uncounted moves at full speed before, because sprites are drawn only once
RESAMPLE_COUNT, TAIL_SHARE = 4000, 0.025  # samples, and the part at either end that the interval leaves out


class MoveCost(NamedTuple):
    """A move in its notation, and its processor seconds."""

    move: str
    seconds: float


class Pair(NamedTuple):
    """The processor seconds of one move here and there, and of a click on the plain bot."""

    here: float
    there: float
    plain: float


class ShareEstimate(NamedTuple):
    """The ratio of our time to the other version's, with its interval."""

    value: float
    low: float
    high: float


def estimate_share(pairs: Sequence[Pair], rng: Random) -> ShareEstimate:
    """Estimate the ratio over all these moves."""
    shares = sorted(_time_share(rng.choices(pairs, k=len(pairs))) for _ in range(RESAMPLE_COUNT))
    out = round(TAIL_SHARE * RESAMPLE_COUNT)
    return ShareEstimate(_time_share(pairs), shares[out], shares[-out - 1])


def _time_share(pairs: Sequence[Pair]) -> float:
    return sum(pair.here for pair in pairs) / sum(pair.there for pair in pairs)


async def compare_versions(
    game: AnyGame, other_root: Path, python: str, moves: int = MOVE_COUNT, warmup: int = WARMUP_MOVES
) -> list[Pair]:
    """Measure the same moves in both versions; the other one runs with that Python.

    Raises ValueError with a sentence if the two did not play the same moves.
    """
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        own_bot = await stack.enter_async_context(run_bot(folder / "here.db", "-c", SEEDED_PROGRAM))
        other_bot = await stack.enter_async_context(
            run_bot(folder / "there.db", "-c", SEEDED_PROGRAM, root=other_root, python=python)
        )
        plain = await stack.enter_async_context(run_bot(folder / "plain.db", *PLAIN_PROGRAM))
        together = asyncio.Barrier(3)

        async def turn(number: int) -> None:
            await together.wait()
            await asyncio.sleep(number * cost.MOVE_SECONDS / 3)

        own_costs, other_costs, clicks = await asyncio.gather(
            _measure_moves(own_bot, game, moves, warmup, partial(turn, 0)),
            _measure_moves(other_bot, game, moves, warmup, partial(turn, 1)),
            cost.time_plain_clicks(plain, moves, warmup, partial(turn, 2)),
        )
    if any(one.move != two.move for one, two in zip(own_costs, other_costs, strict=True)):
        raise ValueError("The two versions did not play the same moves: their rules or their deals differ.")
    return [
        Pair(one.seconds, two.seconds, seconds)
        for one, two, seconds in zip(own_costs, other_costs, clicks, strict=True)
    ]


async def _measure_moves(bot: Bot, game: AnyGame, moves: int, warmup: int, turn: cost.WaitForTurn) -> list[MoveCost]:
    """Return the cost of each move; starting another match after the last move does not count."""
    table = await TappedTable.start_match(bot, game)
    for _ in range(warmup):
        if await table.click_move() is None:
            table = await TappedTable.start_match(bot, game)
    await asyncio.sleep(cost.SETTLE_SECONDS)
    costs: list[MoveCost] = []
    while len(costs) < moves:
        await bot.wait_until_idle()
        if (ready := await table.next_click()) is None:
            table = await TappedTable.start_match(bot, game)
            await asyncio.sleep(cost.SETTLE_SECONDS)
            continue
        await turn()
        before = cost.cpu_seconds(bot)
        await asyncio.gather(ready.make_click(), asyncio.sleep(cost.MOVE_SECONDS))
        costs.append(MoveCost(ready.custom_id.split(":", 3)[3], cost.cpu_seconds(bot) - before))
    return costs


def main(folder: str, *keys: str) -> None:
    """Compare the named games, or all of them. Exits with a sentence if that is not possible."""
    if sys.platform != "linux":
        sys.exit("This needs Linux, which tells the processor time of another process.")
    other = Path(folder).resolve()
    python = other / ".venv" / "bin" / "python"
    if other == ROOT or not (other / "bot.py").exists():
        sys.exit(f"{folder} is not a checkout of another version.")
    if not python.exists():
        sys.exit(f"{folder} has no environment yet: run `make .venv/.play` there.")
    if unknown := [key for key in keys if key not in GAMES]:
        sys.exit(f"There is no game called {unknown[0]}: {', '.join(GAMES)}.")
    for key in keys or GAMES:
        try:
            pairs = asyncio.run(compare_versions(GAMES[key], other, str(python)))
        except ValueError as why:
            sys.exit(str(why))
        own_time, other_time, plain = (fmean(times) for times in zip(*pairs, strict=True))
        found = estimate_share(pairs, Random(1))
        print(
            f"{GAMES[key].title:<34}{own_time * 1000:>6.1f} ms of {other_time * 1000:>6.1f} ms:"
            f" {found.value:.2f} ({found.low:.2f} to {found.high:.2f}), {len(pairs)} moves;"
            f" {own_time / plain:.1f} of {other_time / plain:.1f} clicks ({plain * 1000:.1f} ms each)",
            flush=True,
        )


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("Usage: python -m bench.bot.versions FOLDER [game …]")
    main(*sys.argv[1:])
