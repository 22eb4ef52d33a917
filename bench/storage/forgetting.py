"""Forgetting somebody: what a match of theirs takes in a small file and in a large one, and who plays meanwhile.

All take turns, and medians count.
"""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from functools import partial
from operator import le
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

from bench.bot.growth import NOISE, SLOWER, book_of, grown, move, multiplied, one_finished
from bench.bot.start import made
from bench.kit.figures import Figure
from engines.hosting.matches import Matches
from engines.store.match_store import Status

FINISHED = (1_000, 100_000)
LIVE = 50  # matches that go on meanwhile
TURNS = 20
AT_A_TURN = 10  # matches in which somebody is forgotten
SOMEBODY = 7
LONGER = 3.0  # times as long a move may take meanwhile: it waits for one transaction at most, beside its own


class House:
    """A file in which somebody is forgotten, match by match, and others play."""

    def __init__(self, book: Matches, live: Sequence[str], theirs: Sequence[str]) -> None:
        self._book = book
        self._live = live
        self._theirs = [*theirs]
        self._rng = Random(1)

    async def forget(self, matches: int) -> list[float]:
        """Forget them in so many more; the seconds that each took."""
        took = []
        for _ in range(matches):
            match, start = self._theirs.pop(), perf_counter()
            await self._book.forget_in(match, SOMEBODY, lambda game: "")
            took.append(perf_counter() - start)
        return took

    async def play(self, enough: Callable[[int], bool]) -> list[float]:
        """Make moves, one after the other, until so many are enough; the seconds that each took."""
        took: list[float] = []
        while not enough(len(took)):
            if (seconds := await move(self._book, self._rng.choice(self._live), self._rng)) is not None:
                took.append(seconds)
        return took

    async def both(self, matches: int) -> list[float]:
        """The seconds of each move that is made while they are forgotten in so many matches."""
        forgetting = asyncio.create_task(self.forget(matches))
        took = await self.play(lambda made: forgetting.done())
        await forgetting
        return took


def measure(finished: Sequence[int] = FINISHED, turns: int = TURNS) -> list[Figure]:
    """By file a match in which somebody is forgotten; in the largest a move meanwhile, beside one while nobody is.

    Each turn takes 20 of the finished matches.
    """
    return asyncio.run(_measured(finished, turns))


async def _measured(finished: Sequence[int], turns: int) -> list[Figure]:
    forgotten: dict[int, list[float]] = {number: [] for number in finished}
    meanwhile: list[float] = []
    alone: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        async with AsyncExitStack() as stack:
            houses = {
                number: await stack.enter_async_context(_house(Path(folder) / f"{number}.db", number, turns))
                for number in finished
            }
            for _ in range(turns):
                for number, house in houses.items():
                    forgotten[number] += await house.forget(AT_A_TURN)
                together = await houses[finished[-1]].both(AT_A_TURN)
                meanwhile += together
                alone += await houses[finished[-1]].play(partial(le, len(together)))
    middle = {number: median(took) for number, took in forgotten.items()}
    told = "; ".join(f"{1000 * median(took):.1f} ms, {1000 * _late(took):.1f} at p99" for took in (meanwhile, alone))
    return [
        grown("finished matches: somebody is forgotten in one", middle, SLOWER * NOISE),
        Figure("a move meanwhile, over one while nobody is", median(meanwhile) / median(alone), told, LONGER),
    ]


def _late(took: Sequence[float]) -> float:
    return sorted(took)[int(0.99 * len(took))]


@asynccontextmanager
async def _house(path: Path, finished: int, turns: int) -> AsyncIterator[House]:
    multiplied(path, await one_finished(path), finished)
    theirs = [f"other{1 + number * finished // (2 * turns * AT_A_TURN)}" for number in range(2 * turns * AT_A_TURN)]
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.executemany("UPDATE seats SET user = ? WHERE match = ? AND seat = 0", [(SOMEBODY, each) for each in theirs])
    await made(path, LIVE)
    async with book_of(path) as book:
        live = [info.id for info in await book.find(statuses=frozenset({Status.RUNNING}))]
        await book.forget_person(SOMEBODY)
        yield House(book, live, theirs)


if __name__ == "__main__":
    for figure in measure():
        print(figure)
