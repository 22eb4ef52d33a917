"""Measures the memory of a process that has played many matches, without Discord.

A separate process opens a file, plays matches of every game at random, many side by side, and reports its memory before
and after. This needs Linux, which tells the memory.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from random import Random
from time import time

from bench.bot.clicks import ROOT
from bench.bot.growth import time_random_move
from bench.bot.start import AT_ONCE, memory_megabytes, start_match
from bench.kit.figures import Figure
from engines import GAMES
from engines.features.registry import FEATURES
from engines.hosting.matches import Matches
from engines.hosting.matches.lobbies import MatchSources
from engines.kit.chance import Chance
from storage import Database, MatchStore

MATCH_COUNT = 10_000
MOVE_COUNT = 30  # per match: some are over by then, the others continue
MAX_MEGABYTES = 60.0  # megabytes


def measure_memory(matches: int = MATCH_COUNT) -> list[Figure]:
    """Measure the additional memory."""
    if sys.platform != "linux":
        return []
    command = [sys.executable, "-m", "bench.bot.memory", str(matches)]
    output = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    before, after, cached = map(float, output.split())
    name = f"{matches} matches played: additional megabytes"
    return [Figure(name, after - before, f"{before:.0f} to {after:.0f}, {cached:.0f} matches in memory", MAX_MEGABYTES)]


async def play_matches(folder: Path, matches: int) -> tuple[float, float, int]:
    """Return the megabytes before and after these matches, and how many of them are in memory then."""
    seeds = count()
    async with Database.open(folder / "memory.db", clock=time) as database:
        book = Matches(
            MatchStore(database),
            GAMES,
            lambda: int(time()),
            sources=MatchSources(new_chance=lambda: Chance(f"{next(seeds):032x}")),
            features=FEATURES,
        )
        games, before = [*GAMES], memory_megabytes()
        for first in range(0, matches, AT_ONCE):
            numbers = range(first, min(first + AT_ONCE, matches))
            await asyncio.gather(*(_play_match(book, games[number % len(games)], number) for number in numbers))
        return before, memory_megabytes(), len(book.cache)


async def _play_match(matches: Matches, key: str, number: int) -> None:
    match, rng = await start_match(matches, key, number), Random(number)
    for _ in range(MOVE_COUNT):
        if await time_random_move(matches, match, rng) is None:
            return


def main(arguments: Sequence[str]) -> None:
    """Play the matches and print the result."""
    with tempfile.TemporaryDirectory() as folder:
        print(*asyncio.run(play_matches(Path(folder), int(arguments[0]))))


if __name__ == "__main__":
    main(sys.argv[1:] or [str(MATCH_COUNT)])
