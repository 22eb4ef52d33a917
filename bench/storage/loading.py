"""Times the first load of a match, read and replayed, from a file and from PostgreSQL.

The matches of every game stand at some point of a random match, with as few and as many players as possible. The two
kinds of storage take turns. Every match is loaded several times without a cache. The fastest load of each counts for
the limit, because other programs disturbed it least; it is given in moves of OpenSpiel's hearts of the same run.
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
from bench.storage.postgres import run_server
from engines import GAMES
from engines.features.registry import FEATURES
from engines.hosting.matches import Matches
from engines.hosting.matches.lobbies import MatchSources
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.store.match_store import LIVE, Place, Seat
from storage.open_store import StoreHandle, open_store
from tests.postgres_server import NO_POSTGRES_TEXT, find_programs

MATCHES_PER_GAME = 20  # matches per game
READ_COUNT = 5  # loads of every match
MAX_RATIO = 15.0  # milliseconds on the machine for which the bars were set

LoadTimes = tuple[list[str], list[list[float]]]
"""For each match id, the seconds of every load."""


def measure_loading(hearts: Callable[[], float], per_game: int = MATCHES_PER_GAME) -> list[Figure]:
    """Measure it; `hearts` returns the seconds that a move of the reference takes now."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        places = {"a file": str(Path(folder) / "motley.db")}
        if find_programs() is None:
            print(NO_POSTGRES_TEXT)
        else:
            places["PostgreSQL"] = stack.enter_context(run_server()).address()
        before = hearts()
        found = asyncio.run(time_loads(list(places.values()), per_game))
        move = (before + hearts()) / 2
    return [
        figure
        for store_name, (_, times) in zip(places, found, strict=True)
        for figure in _loading_figures(store_name, times, move)
    ]


def _loading_figures(store_name: str, times: Sequence[Sequence[float]], move: float) -> list[Figure]:
    every, best = [seconds for match in times for seconds in match], [min(match) for match in times]
    last = _p99(best)
    text = f"thousand moves of hearts: {last * 1000:.1f} ms to {move * 1e6:.2f} µs"
    return [
        Figure(f"from {store_name}: median", median(every) * 1000, "ms"),
        Figure(f"from {store_name}: p99 of all", _p99(every) * 1000, "ms"),
        Figure(f"from {store_name}: p99, undisturbed", last / move / 1000, text, maximum=MAX_RATIO / REFERENCE),
    ]


def _p99(times: Sequence[float]) -> float:
    return quantiles(times, n=100)[-1]


async def time_loads(
    places: Sequence[str], per_game: int = MATCHES_PER_GAME, reads: int = READ_COUNT
) -> list[LoadTimes]:
    """Play matches of every game in each of these stores, and return the times of their loads."""
    async with AsyncExitStack() as stack:
        stores = [await stack.enter_async_context(open_store(place, clock=time)) for place in places]
        found: list[LoadTimes] = [(await play_matches(store, per_game), []) for store in stores]
        for _, times in found:
            times.extend([] for _ in range(per_game * len(GAMES)))
        for _ in range(reads):
            books = [_open_matches(store) for store in stores]
            for number in range(per_game * len(GAMES)):
                for book, (matches, times) in zip(books, found, strict=True):
                    start = perf_counter()
                    await book.cache.get_snapshot(matches[number])
                    times[number].append(perf_counter() - start)
    return found


async def play_matches(store: StoreHandle, per_game: int) -> list[str]:
    """Play new matches of every game, each to a different point; return their ids."""
    book, rng, matches = _open_matches(store), Random(1), list[str]()
    for game in GAMES.values():
        length = _random_length(game, Random(1))
        for number in range(per_game):
            people = range(100 * len(matches) + 1, 100 * len(matches) + 1 + game.seats[-(number % 2)])
            matches.append(await _match_after(book, game, people, rng.randrange(length), rng))
    return matches


def _open_matches(store: StoreHandle) -> Matches:
    """Open the store's matches with an empty cache."""
    seeds = count()
    return Matches(
        store.matches,
        GAMES,
        lambda: int(time()),
        sources=MatchSources(new_chance=lambda: Chance(f"{next(seeds):032x}")),
        features=FEATURES,
    )


def _random_length(game: AnyGame, rng: Random) -> int:
    """Return the number of moves of a random match, with as few players as possible."""
    state, moves = game.start(game.seats[0], game.options(), Chance(f"{1:032x}")), 0
    while due := [seat for seat, decision in game.decisions(state).items() if decision.due]:
        game.play(state, due[0], rng.choice(game.moves(state, due[0])))
        moves += 1
    return moves


async def _match_after(matches: Matches, game: AnyGame, people: Sequence[int], moves: int, rng: Random) -> str:
    """Play a match of these people in its own server, for that many moves or to its end; return its id."""
    host, *others = people
    info = await matches.lobbies.open_lobby(game, game.options(), Place(host, host), Seat(host, "Ada"))
    for user in others:
        await matches.lobbies.join(info.id, user, f"user {user}")
    await matches.lobbies.start_match(info.id, host)
    for _ in range(moves):
        snapshot = await matches.cache.get_snapshot(info.id)
        if snapshot.info.status not in LIVE:
            break
        seat = snapshot.due_seats()[0]
        await matches.moves.play_move(
            info.id, snapshot.info.seats[seat].user, None, game.format_move(rng.choice(snapshot.moves(seat)))
        )
    return info.id


if __name__ == "__main__":
    from bench.kit.hearts import hearts_move_seconds

    for figure in measure_loading(hearts_move_seconds):
        print(figure)
