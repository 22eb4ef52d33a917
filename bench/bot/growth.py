"""Measures how cost grows with live matches, seats, moves, and finished matches in the file.

A row compares the largest number with the smallest, and prints the time for each. It is missed if the time grows faster
than the number. Measurements take turns, and medians count.
"""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, thread_time, time
from typing import Any

from bench.bot.clicks import ClickedTable, run_bot
from bench.bot.start import make_live_matches, start_match
from bench.kit.entries import load_entry, setup_of
from bench.kit.figures import Figure
from bench.kit.measure import first_due, without_garbage_collection
from cogs.games import GAME_UIS
from cogs.pictures.raster.strips import clear_strips
from cogs.pictures.studio import Studio
from cogs.screens.screen import Context
from cogs.table.game_ui import GameUI
from engines import GAMES
from engines.features.registry import FEATURES
from engines.hosting.matches import Matches
from engines.hosting.records import record
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.store.match_store import Status
from storage import Database, MatchStore

LIVE_COUNTS = (10, 100, 1_000, 10_000)
RECORD_LENGTHS = (10, 100, 1_000)
FINISHED_COUNTS = (0, 1_000, 1_000_000)
WHOLE_EVERY = 20  # one of this many finished matches has its moves and events; the others have everything else
MOVE_COUNT = 200  # timed moves for each number
CLICK_COUNT = 60
TURNS = 25  # repetitions of the same thing
PERSON_NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Fay")
MAX_SLOWDOWN = 1.2  # limit for a click among a million finished matches, as a multiple
TABLES = ("matches", "seats", "states", "bases", "history", "moves", "events")
NOISE = 1.1
"""Tolerance before a row is missed: two equal things differ by as much on a busy machine."""

Times = Mapping[int, float]
"""Seconds by number."""


def measure_growth() -> Iterator[Figure]:
    """Measure all rows, one after the other."""
    yield from measure_live_matches()
    yield from measure_seats()
    yield from measure_record_lengths()
    yield from measure_finished_matches()


def measure_live_matches(numbers: Sequence[int] = LIVE_COUNTS, moves: int = MOVE_COUNT) -> list[Figure]:
    """Time moves in random matches among more and more live ones."""
    return [growth_figure("live matches: a move", asyncio.run(_time_moves_among(numbers, moves)))]


def measure_seats(turns: int = TURNS) -> Iterator[Figure]:
    """Time a move with the pictures of the table and a hand, from the fewest seats to the most."""
    studio = Studio(front.layouts for front in GAME_UIS.values())
    for game in GAMES.values():
        if len(game.seats) > 1:
            twice = [*game.seats, *game.seats]  # sprites are drawn only the first time
            times = {number: _time_drawn_move(game, number, studio, turns) for number in twice}
            yield growth_figure(f"seats of {game.title}: a move, drawn", times)


def measure_record_lengths(numbers: Sequence[int] = RECORD_LENGTHS, turns: int = TURNS) -> Iterator[Figure]:
    """Time the replay of a record, from its first moves to all of them."""
    for game in GAMES.values():
        yield growth_figure(f"moves of {game.title}: the replay", dict(_time_replays(game, numbers, turns)))


def measure_finished_matches(
    numbers: Sequence[int] = FINISHED_COUNTS, moves: int = MOVE_COUNT, clicks: int = CLICK_COUNT
) -> list[Figure]:
    """Time a move and a click with its answer in files with more and more finished matches."""
    with tempfile.TemporaryDirectory() as folder:
        files = {number: Path(folder) / f"{number}.db" for number in numbers}
        for number, path in files.items():
            multiply_match(path, asyncio.run(play_shortest_match(path)), number)
            asyncio.run(make_live_matches(path, 0))  # leaves nothing to show
        sizes = ", ".join(f"{path.stat().st_size / 1e6:.0f}" for path in files.values())
        few, many = asyncio.run(_time_clicks_in(files[numbers[0]], files[numbers[-1]], clicks))
        for path in files.values():
            asyncio.run(make_live_matches(path, LIVE_COUNTS[0]))
        times = asyncio.run(_time_moves_in(files, moves))
    texts = f"{few * 1000:.1f} and {many * 1000:.1f} ms"
    return [
        growth_figure(f"finished matches, {sizes} MB: a move", times, MAX_SLOWDOWN * NOISE),
        Figure(f"{numbers[-1]} finished matches: a click and its answer", many / few, texts, MAX_SLOWDOWN),
    ]


def growth_figure(name: str, times: Times, maximum: float | None = None) -> Figure:
    """Compare the time for the largest number with that for the smallest; the limit is the ratio of the numbers."""
    fewest, *_, last = sorted(times)
    texts = ", ".join(f"{number}: {times[number] * 1000:.2f}" for number in sorted(times))
    return Figure(name, times[last] / times[fewest], f"times; ms by number: {texts}", maximum or last / fewest * NOISE)


# Live matches


async def _time_moves_among(numbers: Sequence[int], moves: int) -> Times:
    with tempfile.TemporaryDirectory() as folder:
        files = {number: Path(folder) / f"{number}.db" for number in numbers}
        for number, path in files.items():
            await make_live_matches(path, number)
        return await _time_moves_in(files, moves)


async def _time_moves_in(files: Mapping[int, Path], moves: int) -> Times:
    """Return the median seconds of a move in each file, in random matches."""
    rng = Random(1)
    async with AsyncExitStack() as stack:
        books = {number: await stack.enter_async_context(open_matches(path)) for number, path in files.items()}
        matches = {
            number: await book.lookup.find(statuses=frozenset({Status.RUNNING})) for number, book in books.items()
        }
        times_by_book: dict[int, list[float]] = {number: [] for number in books}
        for _ in range(moves):
            for number, book in rng.sample([*books.items()], len(books)):
                while (seconds := await time_random_move(book, rng.choice(matches[number]).id, rng)) is None:
                    pass  # that match is over
                times_by_book[number].append(seconds)
    return {number: median(times) for number, times in times_by_book.items()}


@asynccontextmanager
async def open_matches(path: Path, games: Mapping[str, AnyGame] = GAMES) -> AsyncIterator[Matches]:
    """Open the matches of that file."""
    async with Database.open(path, clock=time) as database:
        yield Matches(MatchStore(database), games, lambda: int(time()), features=FEATURES)


async def time_random_move(matches: Matches, match_id: str, rng: Random) -> float | None:
    """Return the seconds of a random move in that match; None if it is over."""
    snapshot = await matches.cache.get_snapshot(match_id)
    if not snapshot.due_seats():
        return None
    seat = rng.choice(snapshot.due_seats())
    chosen = snapshot.game.format_move(rng.choice(snapshot.moves(seat)))
    start = perf_counter()
    await matches.moves.play_move(match_id, snapshot.info.seats[seat].user, None, chosen)
    return perf_counter() - start


# Seats


def _time_drawn_move(game: AnyGame, seats: int, studio: Studio, turns: int) -> float:
    """Return the processor seconds of a move in the middle of a match and of its newly composed pictures."""
    options = game.validate_setup(seats, setup_of(game, load_entry(game))[1])
    state, rng = game.start(seats, options, Chance(f"{1:032x}")), Random(1)
    front, times = GAME_UIS[game.key], []
    clear_strips()  # otherwise rows packed in the last turns would not be packed again
    context = Context(PERSON_NAMES[:seats], options, plate_names=PERSON_NAMES[:seats], short_names=PERSON_NAMES[:seats])
    with without_garbage_collection():
        for _ in range(2 * turns):
            if (mover := first_due(game, state)) is None:
                break
            start = thread_time()
            game.play(state, mover, rng.choice(game.moves(state, mover)))
            for seat in {None, first_due(game, state)}:  # the table, and the hand of a seat that is due
                _draw_screen(front, state, seat, context, studio)
            times.append(thread_time() - start)
    return median(times[len(times) // 3 :])  # sprites are drawn only the first time


def _draw_screen(front: GameUI, state: Any, seat: int | None, context: Context, studio: Studio) -> None:
    game = front.game
    view = game.view(state, seat)
    if seat is None:
        screen = front.screen.table(view, context)
    else:
        screen = front.screen.hand(view, game.decisions(state)[seat], game.moves(state, seat), context)
    if screen.picture:
        studio.render(screen.picture.spec)


# Moves


def _time_replays(game: AnyGame, numbers: Sequence[int], turns: int) -> Iterator[tuple[int, float]]:
    """Yield the number of moves of a random match, and the processor seconds of their replay."""
    seats, options = setup_of(game, load_entry(game))
    state, rng, seed = game.start(seats, options, Chance(f"{1:032x}")), Random(1), f"{1:032x}"
    moves: list[record.RecordMove] = []
    while len(moves) < numbers[-1] and (seat := first_due(game, state)) is not None:
        move = rng.choice(game.moves(state, seat))
        moves.append(record.RecordMove(seat, game.format_move(move)))
        game.play(state, seat, move)
    lengths = sorted({min(number, len(moves)) for number in numbers})
    text = game.options_adapter.dump_json(options).decode()
    times_by_length: dict[int, list[float]] = {length: [] for length in lengths}
    with without_garbage_collection():
        for _ in range(turns):
            for length, times in times_by_length.items():
                result = game.outcome(state) if length == len(moves) else None
                part = record.Record(game.key, game.version, seats, text, seed, tuple(moves[:length]), result)
                start = thread_time()
                record.replay(part, GAMES)
                times.append(thread_time() - start)
    return iter([(length, median(times)) for length, times in times_by_length.items()])


# Finished matches


async def play_shortest_match(path: Path, games: Mapping[str, AnyGame] = GAMES) -> str:
    """Play a match in that file to its end, of the game that ends soonest, and return its id."""
    ended: list[tuple[int, str]] = []
    async with open_matches(path, games) as book:
        rng = Random(1)
        for number, key in enumerate(games):
            match = await start_match(book, key, number)
            while await time_random_move(book, match, rng) is not None:
                pass
            ended.append(((await book.cache.get_snapshot(match)).info.moves, match))
    return min(ended)[1]


def multiply_match(path: Path, match: str, number: int, whole_every: int = WHOLE_EVERY) -> None:
    """Copy a finished match, each time for other people; one copy in `whole_every` has moves and events."""
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("PRAGMA synchronous = OFF")
        raw.execute("BEGIN")
        triggers = raw.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:  # the triggers describe how single rows arrive
            raw.execute(f"DROP TRIGGER {name}")
        for table in TABLES:
            _multiply_rows(raw, table, match, number, whole_every if table in ("moves", "events") else 1)
        for _, sql in triggers:
            raw.execute(sql)
        raw.execute("COMMIT")
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _multiply_rows(raw: sqlite3.Connection, table: str, match: str, number: int, every: int) -> None:
    columns = [row[1] for row in raw.execute(f"PRAGMA table_info({table})")]
    other = {"match": "'other' || i", "guild": "1000 + i % 1000", "user": "10 * i + user", "by": "10 * i + by"}
    raw.execute(
        f"""
        WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < :number)
        INSERT INTO {table} ({", ".join(columns)})
        SELECT {", ".join(other.get(column, column) for column in columns)}
        FROM numbers CROSS JOIN {table} WHERE match = :match AND i <= :number AND i % :every = 0
        """,
        {"match": match, "number": number, "every": every},
    )


async def _time_clicks_in(few: Path, many: Path, clicks: int) -> tuple[float, float]:
    """Return the median seconds from a click to its answer, in a bot on each of two files."""
    times: dict[Path, list[float]] = {few: [], many: []}
    async with AsyncExitStack() as stack:
        bots = {path: await stack.enter_async_context(run_bot(path, "bot.py")) for path in times}
        game = next(iter(GAMES.values()))
        tables = {path: await ClickedTable.start_match(bot, game) for path, bot in bots.items()}
        for number in range(-CLICK_COUNT // 2, clicks):
            for path, bot in bots.items():
                if (click := await tables[path].click_move()) is None:
                    tables[path] = await ClickedTable.start_match(bot, game)
                elif number >= 0:
                    times[path].append(click.seconds)
    return median(times[few]), median(times[many])


if __name__ == "__main__":
    for figure in measure_growth():
        print(figure, flush=True)
