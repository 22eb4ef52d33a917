"""Starting over a file with many live matches of which all is shown, beside starting over one with none.

Until a command is answered, as whoever waits for the bot sees it; and what its process then holds of memory, where the
system tells. Starts take turns; the median of each kind counts.
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

from bench.bot.clicks import running
from bench.kit.figures import Figure
from engines import GAMES
from engines.hosting.matches import Matches
from engines.kit.chance import Chance
from engines.store.match_store import Place, Seat
from storage import Database, MatchStore, SurfaceStore

MATCHES = 10_000
TURNS = 3
AT_ONCE = 200  # that are begun side by side
SLOWER, MORE = 2.0, 20.0  # times as long at most; megabytes


def measure(matches: int = MATCHES, turns: int = TURNS) -> list[Figure]:
    """How much longer a start takes, and how much more memory."""
    with tempfile.TemporaryDirectory() as folder:
        none, many = asyncio.run(timed(Path(folder), matches, turns))
    alone, among = (median(seconds for seconds, _ in starts) for starts in (none, many))
    small, large = (median(held for _, held in starts) for starts in (none, many))
    figures = [
        Figure("no match: until a command is answered", alone, "s"),
        Figure(f"{matches} live matches: times as long", among / alone, f"{among:.2f} s", SLOWER),
    ]
    if sys.platform == "linux":
        figures.append(Figure("and megabytes more", large - small, f"{large:.0f} MB", MORE))
    return figures


async def timed(folder: Path, matches: int, turns: int) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """Seconds and megabytes of every start: without matches, and with so many."""
    empty, full = folder / "empty.db", folder / "full.db"
    await made(empty, 0)
    await made(full, matches)
    found: dict[Path, list[tuple[float, float]]] = {empty: [], full: []}
    for _ in range(turns):
        for path, starts in found.items():
            starts.append(await started(path))
    return found[empty], found[full]


async def made(path: Path, matches: int) -> None:
    """A file in which so many matches of every game in turn have begun, of which all is shown."""
    seeds = count()
    async with Database.open(path, clock=time) as database:
        book = Matches(MatchStore(database), GAMES, lambda: int(time()), seed=lambda: Chance(f"{next(seeds):032x}"))
        games = [*GAMES.values()]
        for first in range(0, matches, AT_ONCE):
            numbers = range(first, min(first + AT_ONCE, matches))
            await asyncio.gather(*(begun(book, games[number % len(games)].key, number) for number in numbers))
        surfaces = SurfaceStore(database)
        behind = await surfaces.behind()
        await surfaces.settled({match: (await book.look(match)).info.revision for match in behind})
        assert not await surfaces.behind()


async def begun(matches: Matches, key: str, number: int) -> str:
    """The id of a new match of that game, of as few as can play, which are other people for every number."""
    game = matches.games[key]
    people = [10 * number + seat + 1 for seat in range(game.seats[0])]
    info = await matches.open(game, game.options(), Place(number + 1, number + 1), Seat(people[0], "Ada"))
    for user in people[1:]:
        await matches.join(info.id, user, f"user {user}")
    await matches.start(info.id, people[0])
    return info.id


async def started(path: Path) -> tuple[float, float]:
    """Seconds from the start of the process until it has answered a command, and the megabytes that it then holds."""
    began = perf_counter()
    async with running(path, "bot.py") as bot:
        await bot.visitor.player("Ada").command("motley matches", "games")
        return perf_counter() - began, held(bot.process)


def held(process: int | str = "self") -> float:
    """Megabytes of memory that a process holds; 0 where the system does not tell."""
    with suppress(OSError):
        status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
        return int(status.split("VmRSS:")[1].split()[0]) / 1024
    return 0.0


if __name__ == "__main__":
    for figure in measure():
        print(figure)
