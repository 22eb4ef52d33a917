"""A match that is touched for the first time: read from its store and replayed, from a file and from PostgreSQL.

Matches of every game lie at some moment of a random match, of as few and as many as can play. The two kinds of storage
take turns. Every match is read a few times by one who knows none; the quickest of these counts where it is judged, when
other programs left it alone, in moves of OpenSpiel's hearts of the same run.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, ExitStack
from itertools import count
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter, time

from bench.kit.figures import Figure
from bench.players.bars import REFERENCE
from bench.storage.postgres import running
from engines import GAMES
from engines.hosting.matches import Matches
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.store.match_store import LIVE, Place, Seat
from storage.open_store import Opened, opened
from tests.cluster import NONE, programs

EACH = 20  # matches of a game
READS = 5  # of every match
MOST = 15.0  # milliseconds, where a move of hearts takes as long as where the bars were set

Touched = tuple[list[str], list[list[float]]]
"""The ids of matches, and of each the seconds of every time that it was read."""


def measure(hearts: Callable[[], float], each: int = EACH) -> list[Figure]:
    """How long it takes; `hearts` tells how many seconds a move of the reference takes just now."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        places = {"a file": str(Path(folder) / "motley.db")}
        if programs() is None:
            print(NONE)
        else:
            places["PostgreSQL"] = stack.enter_context(running()).address()
        before = hearts()
        found = asyncio.run(touched(list(places.values()), each))
        move = (before + hearts()) / 2
    return [figure for where, (_, times) in zip(places, found, strict=True) for figure in _told(where, times, move)]


def _told(where: str, times: Sequence[Sequence[float]], move: float) -> list[Figure]:
    every, best = [seconds for match in times for seconds in match], [min(match) for match in times]
    last = _last(best)
    told = f"thousand moves of hearts: {last * 1000:.1f} ms to {move * 1e6:.2f} µs"
    return [
        Figure(f"from {where}: median", median(every) * 1000, "ms"),
        Figure(f"from {where}: p99 of all", _last(every) * 1000, "ms"),
        Figure(f"from {where}: p99, undisturbed", last / move / 1000, told, most=MOST / REFERENCE),
    ]


def _last(times: Sequence[float]) -> float:
    return quantiles(times, n=100)[-1]


async def touched(places: Sequence[str], each: int = EACH, reads: int = READS) -> list[Touched]:
    """What is found in each of these places, after so many matches of every game were played there."""
    async with AsyncExitStack() as stack:
        stores = [await stack.enter_async_context(opened(place, clock=time)) for place in places]
        found: list[Touched] = [(await played(store, each), []) for store in stores]
        for _, times in found:
            times.extend([] for _ in range(each * len(GAMES)))
        for _ in range(reads):
            books = [_book(store) for store in stores]
            for number in range(each * len(GAMES)):
                for book, (matches, times) in zip(books, found, strict=True):
                    start = perf_counter()
                    await book.look(matches[number])
                    times[number].append(perf_counter() - start)
    return found


async def played(store: Opened, each: int) -> list[str]:
    """The ids of so many new matches of every game, each at a moment of its own."""
    book, rng, matches = _book(store), Random(1), list[str]()
    for game in GAMES.values():
        length = _length(game, Random(1))
        for number in range(each):
            people = range(100 * len(matches) + 1, 100 * len(matches) + 1 + game.seats[-(number % 2)])
            matches.append(await _at(book, game, people, rng.randrange(length), rng))
    return matches


def _book(store: Opened) -> Matches:
    """Matches of that store, of which it knows none yet."""
    seeds = count()
    return Matches(store.matches, GAMES, lambda: int(time()), seed=lambda: Chance(f"{next(seeds):032x}"))


def _length(game: AnyGame, rng: Random) -> int:
    """How many moves a random match of it takes, of as few as can play."""
    state, moves = game.start(game.seats[0], game.options(), Chance(f"{1:032x}")), 0
    while due := [seat for seat, decision in game.decisions(state).items() if decision.due]:
        game.play(state, due[0], rng.choice(game.moves(state, due[0])))
        moves += 1
    return moves


async def _at(book: Matches, game: AnyGame, people: Sequence[int], moves: int, rng: Random) -> str:
    """The id of a new match of these people, in a server of its own, after so many moves or at its end."""
    host, *others = people
    info = await book.open(game, game.options(), Place(host, host), Seat(host, "Ada"))
    for user in others:
        await book.join(info.id, user, f"user {user}")
    await book.start(info.id, host)
    for _ in range(moves):
        look = await book.look(info.id)
        if look.info.status not in LIVE:
            break
        seat = look.due()[0]
        await book.play(info.id, look.info.seats[seat].user, None, game.write(rng.choice(look.moves(seat))))
    return info.id


if __name__ == "__main__":
    from bench.__main__ import yardstick

    for figure in measure(yardstick):
        print(figure)
