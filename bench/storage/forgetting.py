"""Times forgetting a person, per match in a small and a large file, while others play.

Measurements take turns, and medians count.
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

from bench.bot.growth import (
    MAX_SLOWDOWN,
    NOISE,
    growth_figure,
    multiply_match,
    open_matches,
    play_shortest_match,
    time_random_move,
)
from bench.bot.start import make_live_matches
from bench.kit.figures import Figure
from engines.hosting.matches import Matches
from engines.store.match_store import Status

FINISHED_COUNTS = (1_000, 100_000)
LIVE_COUNT = 50  # live matches at the same time
TURNS = 20
MATCHES_PER_TURN = 10  # matches in which somebody is forgotten
FORGOTTEN_USER = 7
MAX_RATIO = 3.0  # limit for a move during it, as a multiple: it waits for at most one transaction besides its own


class ForgettingFile:
    """A file in which somebody is forgotten match by match while others play."""

    def __init__(self, matches: Matches, live_ids: Sequence[str], forget_ids: Sequence[str]) -> None:
        self._matches = matches
        self._live_ids = live_ids
        self._forget_ids = [*forget_ids]
        self._rng = Random(1)

    async def time_forgetting(self, matches: int) -> list[float]:
        """Forget somebody in further matches; return the seconds of each."""
        times = []
        for _ in range(matches):
            match, start = self._forget_ids.pop(), perf_counter()
            await self._matches.forgetting.forget_in_match(match, FORGOTTEN_USER, lambda game: "")
            times.append(perf_counter() - start)
        return times

    async def time_moves(self, enough: Callable[[int], bool]) -> list[float]:
        """Make moves until `enough` says so; return the seconds of each."""
        times: list[float] = []
        while not enough(len(times)):
            if (
                seconds := await time_random_move(self._matches, self._rng.choice(self._live_ids), self._rng)
            ) is not None:
                times.append(seconds)
        return times

    async def time_moves_while_forgetting(self, match_count: int) -> list[float]:
        """Return the seconds of each move that is made while somebody is forgotten in these matches."""
        forgetting = asyncio.create_task(self.time_forgetting(match_count))
        times = await self.time_moves(lambda move_count: forgetting.done())
        await forgetting
        return times


def measure_forgetting(finished: Sequence[int] = FINISHED_COUNTS, turns: int = TURNS) -> list[Figure]:
    """Measure a forgotten match in each file; in the largest, compare a move during it with one without it.

    Each turn uses 20 of the finished matches.
    """
    return asyncio.run(_measure_files(finished, turns))


async def _measure_files(finished: Sequence[int], turns: int) -> list[Figure]:
    forgotten: dict[int, list[float]] = {number: [] for number in finished}
    meanwhile: list[float] = []
    alone: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        async with AsyncExitStack() as stack:
            houses = {
                number: await stack.enter_async_context(_open_file(Path(folder) / f"{number}.db", number, turns))
                for number in finished
            }
            for _ in range(turns):
                for number, house in houses.items():
                    forgotten[number] += await house.time_forgetting(MATCHES_PER_TURN)
                together = await houses[finished[-1]].time_moves_while_forgetting(MATCHES_PER_TURN)
                meanwhile += together
                alone += await houses[finished[-1]].time_moves(partial(le, len(together)))
    middle = {number: median(times) for number, times in forgotten.items()}
    text = "; ".join(f"{1000 * median(times):.1f} ms, {1000 * _p99(times):.1f} at p99" for times in (meanwhile, alone))
    return [
        growth_figure("finished matches: somebody is forgotten in one", middle, MAX_SLOWDOWN * NOISE),
        Figure("a move during it, compared with one without it", median(meanwhile) / median(alone), text, MAX_RATIO),
    ]


def _p99(times: Sequence[float]) -> float:
    return sorted(times)[int(0.99 * len(times))]


@asynccontextmanager
async def _open_file(path: Path, finished: int, turns: int) -> AsyncIterator[ForgettingFile]:
    multiply_match(path, await play_shortest_match(path), finished)
    own_matches = [
        f"other{1 + number * finished // (2 * turns * MATCHES_PER_TURN)}"
        for number in range(2 * turns * MATCHES_PER_TURN)
    ]
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.executemany(
            "UPDATE seats SET user = ? WHERE match = ? AND seat = 0", [(FORGOTTEN_USER, each) for each in own_matches]
        )
    await make_live_matches(path, LIVE_COUNT)
    async with open_matches(path) as book:
        live = [info.id for info in await book.lookup.find(statuses=frozenset({Status.RUNNING}))]
        await book.forgetting.request_forgetting(FORGOTTEN_USER)
        yield ForgettingFile(book, live, own_matches)


if __name__ == "__main__":
    for figure in measure_forgetting():
        print(figure)
