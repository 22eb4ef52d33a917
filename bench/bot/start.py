"""Compares startup on a file with many live matches, all shown, with startup on an empty one.

Startup ends when a command is answered. The row of memory needs Linux. Starts take turns, and the median of each kind
counts.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from contextlib import suppress
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter, time

from bench.bot.clicks import run_bot
from bench.kit.figures import Figure
from engines import GAMES
from engines.features.registry import FEATURES
from engines.hosting.matches import Matches
from engines.hosting.matches.lobbies import MatchSources
from engines.kit.chance import Chance
from engines.store.match_store import Place, Seat
from storage import Database, MatchStore, SurfaceStore

MATCH_COUNT = 10_000
TURNS = 3
AT_ONCE = 200  # that start side by side
MAX_SLOWDOWN, MAX_MEGABYTES = 2.0, 20.0  # limits: multiple of the time; megabytes


def measure_start(matches: int = MATCH_COUNT, turns: int = TURNS) -> list[Figure]:
    """Measure how much longer a start takes, and how much more memory."""
    with tempfile.TemporaryDirectory() as folder:
        none, many = asyncio.run(time_starts(Path(folder), matches, turns))
    alone, among = (median(seconds for seconds, _ in starts) for starts in (none, many))
    small, large = (median(megabytes for _, megabytes in starts) for starts in (none, many))
    figures = [
        Figure("no match: until a command is answered", alone, "s"),
        Figure(f"{matches} live matches: time as a multiple", among / alone, f"{among:.2f} s", MAX_SLOWDOWN),
    ]
    if sys.platform == "linux":
        figures.append(Figure("and additional megabytes", large - small, f"{large:.0f} MB", MAX_MEGABYTES))
    return figures


async def time_starts(
    folder: Path, matches: int, turns: int
) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """Return the seconds and megabytes of every start: without matches, and with them."""
    empty, full = folder / "empty.db", folder / "full.db"
    await make_live_matches(empty, 0)
    await make_live_matches(full, matches)
    found: dict[Path, list[tuple[float, float]]] = {empty: [], full: []}
    for _ in range(turns):
        for path, starts in found.items():
            starts.append(await time_start(path))
    return found[empty], found[full]


async def make_live_matches(path: Path, matches: int) -> None:
    """Create a file with that many live matches, of every game in turn, all of them shown."""
    seeds = count()
    async with Database.open(path, clock=time) as database:
        book = Matches(
            MatchStore(database),
            GAMES,
            lambda: int(time()),
            sources=MatchSources(new_chance=lambda: Chance(f"{next(seeds):032x}")),
            features=FEATURES,
        )
        games = [*GAMES.values()]
        for first in range(0, matches, AT_ONCE):
            numbers = range(first, min(first + AT_ONCE, matches))
            await asyncio.gather(*(start_match(book, games[number % len(games)].key, number) for number in numbers))
        surfaces = SurfaceStore(database)
        behind = await surfaces.stale_matches()
        await surfaces.mark_current({match: (await book.cache.get_snapshot(match)).info.revision for match in behind})
        assert not await surfaces.stale_matches()


async def start_match(matches: Matches, key: str, number: int) -> str:
    """Start a match of that game with as few people as possible, others for every number; return its id."""
    game = matches.games[key]
    people = [10 * number + seat + 1 for seat in range(game.seats[0])]
    info = await matches.lobbies.open_lobby(game, game.options(), Place(number + 1, number + 1), Seat(people[0], "Ada"))
    for user in people[1:]:
        await matches.lobbies.join(info.id, user, f"user {user}")
    await matches.lobbies.start_match(info.id, people[0])
    return info.id


async def time_start(path: Path) -> tuple[float, float]:
    """Return the seconds until a new process has answered a command, and its megabytes then."""
    start = perf_counter()
    async with run_bot(path, "bot.py") as bot:
        await bot.client.player("Ada").run_command("motley matches", "games")
        return perf_counter() - start, memory_megabytes(bot.process)


def memory_megabytes(process: int | str = "self") -> float:
    """Return the megabytes of memory that a process holds; 0 if the system does not tell."""
    with suppress(OSError):
        status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
        return int(status.split("VmRSS:")[1].split()[0]) / 1024
    return 0.0


if __name__ == "__main__":
    for figure in measure_start():
        print(figure)
