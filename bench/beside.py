"""What a move costs the whole bot here, beside another version of it: `python -m bench.beside FOLDER [game …]`.

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
from pathlib import Path
from random import Random
from statistics import fmean
from typing import NamedTuple

from bench.clicks import DEALT, PLAIN, ROOT, Bot, Plain, running
from bench.cost import SETTLING, used
from bench.taps import Played
from engines import GAMES
from engines.game import AnyGame

PACE = 3.0  # seconds from move to move of one of the bots
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
        turns = asyncio.Barrier(3)
        ours, theirs, clicks = await asyncio.gather(
            _played(here, game, moves, warming, 0, turns),
            _played(there, game, moves, warming, PACE / 3, turns),
            _clicked(plain, moves, warming, 2 * PACE / 3, turns),
        )
    if any(one.move != two.move for one, two in zip(ours, theirs, strict=True)):
        raise ValueError("The two versions have not played the same moves: their rules differ, or how they deal.")
    return [Pair(one.seconds, two.seconds, seconds) for one, two, seconds in zip(ours, theirs, clicks, strict=True)]


async def _clicked(bot: Bot, moves: int, warming: int, late: float, turns: asyncio.Barrier) -> list[float]:
    """What each click on the plain bot's button costs."""
    button = await Plain.opened(bot)
    for _ in range(warming):
        await button.press()
    costs: list[float] = []
    while len(costs) < moves:
        await turns.wait()
        await asyncio.sleep(late)
        before = used(bot)
        await asyncio.gather(button.press(), asyncio.sleep(PACE))
        costs.append(used(bot) - before)
    return costs


async def _played(bot: Bot, game: AnyGame, moves: int, warming: int, late: float, turns: asyncio.Barrier) -> list[Made]:
    """What each move costs; where a match is over, what comes of starting another is no part of it."""
    table = await Played.started(bot, game)
    for _ in range(warming):
        if await table.move() is None:
            table = await Played.started(bot, game)
    await asyncio.sleep(SETTLING)
    made: list[Made] = []
    while len(made) < moves:
        await bot.rest()
        if (ready := await table.ready()) is None:
            table = await Played.started(bot, game)
            await asyncio.sleep(SETTLING)
            continue
        await turns.wait()
        await asyncio.sleep(late)
        before = used(bot)
        await asyncio.gather(ready.made(), asyncio.sleep(PACE))
        made.append(Made(ready.custom_id.split(":", 3)[3], used(bot) - before))
    return made


def main(folder: str, *keys: str) -> None:
    """Compare the games named, or all of them."""
    other = Path(folder).resolve()
    python = other / ".venv" / "bin" / "python"
    if other == ROOT or not (other / "bot.py").exists():
        sys.exit(f"{folder} is no checkout of another version.")
    if not python.exists():
        sys.exit(f"{folder} has no environment yet: `make .venv/.play` there makes it.")
    for key in keys or GAMES:
        pairs = asyncio.run(compared(GAMES[key], other, str(python)))
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
        sys.exit("Usage: python -m bench.beside FOLDER [game …]")
    main(*sys.argv[1:])
