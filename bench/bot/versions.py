"""What a move costs the whole bot here, beside another version of it: `python -m bench.bot.versions FOLDER [game …]`.

The folder is a checkout of the other version with its environment in `.venv`. Both bots play matches that are dealt
from the same seeds, by the same moves of people who know the game, each made by one click, with a table of three; they
take turns, a third of a pace apart, so that both meet the same noise. What is told is their share, with the interval in
which 95 % of the shares of resampled moves lie; and both as multiples of a click on the plain bot's button, which takes
its turn among them. What the taps before such a click cost, which are not the same in two versions, is no part of it.
Only where the system tells of another process what time it has used, which Linux does.
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
from bench.bot.clicks import DEALT, PLAIN, ROOT, Bot, running
from bench.bot.taps import Played
from engines import GAMES
from engines.kit.contract import AnyGame

MOVES = 60
WARMING = 60  # moves before, as fast as can be: what cards are drawn from is drawn once
RESAMPLED, OUTSIDE = 4000, 0.025  # samples, and the part of them at either end that the interval leaves out


class Made(NamedTuple):
    """A move in its notation, and the seconds of the processor that it has taken."""

    move: str
    seconds: float


class Pair(NamedTuple):
    """Seconds of the processor that one move has taken here, and there; and those of a click on the plain bot."""

    here: float
    there: float
    plain: float


class Share(NamedTuple):
    """How much of the other version's time ours takes, and the interval."""

    value: float
    low: float
    high: float


def share(pairs: Sequence[Pair], rng: Random) -> Share:
    """The share over all of these moves."""
    shares = sorted(_share(rng.choices(pairs, k=len(pairs))) for _ in range(RESAMPLED))
    out = round(OUTSIDE * RESAMPLED)
    return Share(_share(pairs), shares[out], shares[-out - 1])


def _share(pairs: Sequence[Pair]) -> float:
    return sum(pair.here for pair in pairs) / sum(pair.there for pair in pairs)


async def compared(game: AnyGame, other: Path, python: str, moves: int = MOVES, warming: int = WARMING) -> list[Pair]:
    """What each of these moves has cost in both; the other version runs by that Python.

    Raises ValueError, with a sentence, where the two have not played the same.
    """
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        here = await stack.enter_async_context(running(folder / "here.db", "-c", DEALT))
        there = await stack.enter_async_context(running(folder / "there.db", "-c", DEALT, root=other, python=python))
        plain = await stack.enter_async_context(running(folder / "plain.db", *PLAIN))
        together = asyncio.Barrier(3)

        async def turn(number: int) -> None:
            await together.wait()
            await asyncio.sleep(number * cost.PACE / 3)

        ours, theirs, clicks = await asyncio.gather(
            _played(here, game, moves, warming, partial(turn, 0)),
            _played(there, game, moves, warming, partial(turn, 1)),
            cost.clicked(plain, moves, warming, partial(turn, 2)),
        )
    if any(one.move != two.move for one, two in zip(ours, theirs, strict=True)):
        raise ValueError("The two versions have not played the same moves: their rules differ, or how they deal.")
    return [Pair(one.seconds, two.seconds, seconds) for one, two, seconds in zip(ours, theirs, clicks, strict=True)]


async def _played(bot: Bot, game: AnyGame, moves: int, warming: int, turn: cost.Turn) -> list[Made]:
    """What each move costs; where a match is over, what comes of starting another is no part of it."""
    table = await Played.started(bot, game)
    for _ in range(warming):
        if await table.move() is None:
            table = await Played.started(bot, game)
    await asyncio.sleep(cost.SETTLING)
    made: list[Made] = []
    while len(made) < moves:
        await bot.rest()
        if (ready := await table.ready()) is None:
            table = await Played.started(bot, game)
            await asyncio.sleep(cost.SETTLING)
            continue
        await turn()
        before = cost.used(bot)
        await asyncio.gather(ready.made(), asyncio.sleep(cost.PACE))
        made.append(Made(ready.custom_id.split(":", 3)[3], cost.used(bot) - before))
    return made


def main(folder: str, *keys: str) -> None:
    """Compare the games named, or all of them. Whatever cannot be compared ends it with a sentence."""
    if sys.platform != "linux":
        sys.exit("Only Linux tells what time of the processor another process has used.")
    other = Path(folder).resolve()
    python = other / ".venv" / "bin" / "python"
    if other == ROOT or not (other / "bot.py").exists():
        sys.exit(f"{folder} is no checkout of another version.")
    if not python.exists():
        sys.exit(f"{folder} has no environment yet: `make .venv/.play` there makes it.")
    if unknown := [key for key in keys if key not in GAMES]:
        sys.exit(f"There is no game called {unknown[0]}: {', '.join(GAMES)}.")
    for key in keys or GAMES:
        try:
            pairs = asyncio.run(compared(GAMES[key], other, str(python)))
        except ValueError as why:
            sys.exit(str(why))
        here, there, plain = (fmean(times) for times in zip(*pairs, strict=True))
        found = share(pairs, Random(1))
        print(
            f"{GAMES[key].title:<34}{here * 1000:>6.1f} ms of {there * 1000:>6.1f} ms:"
            f" {found.value:.2f} ({found.low:.2f} to {found.high:.2f}), {len(pairs)} moves;"
            f" {here / plain:.1f} of {there / plain:.1f} clicks ({plain * 1000:.1f} ms each)",
            flush=True,
        )


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("Usage: python -m bench.bot.versions FOLDER [game …]")
    main(*sys.argv[1:])
