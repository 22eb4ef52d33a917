"""`python -m tests.releases.make`: a small database of this version, to be opened by every later one.

It is kept as SQLite's file and, moved to PostgreSQL, as a dump of `pg_dump`. The bot is played with people
(`tests/plain`), by clicks and with its data on disk: of every game a match at each kind of decision, with every number
of seats in turn, and matches in every condition in which one can be. If there is one of this version, `--replace`
replaces it; a release that is out keeps its own for ever.
"""

from __future__ import annotations

import asyncio
import lzma
import shutil
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import cycle
from pathlib import Path

from cogs.table.scheduling.computer_turns import SECRET_NOTE
from engines import GAMES
from engines.store.match_store import Status
from engines.store.server_settings import ServerSettings
from engines.store.surface_storage import Mention
from motley.database_move import move
from motley.version import version
from storage import Database, MatchStore, SurfaceStore, copy_database
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.contract.secrets import PlannedMove
from tests.plain.payloads import CHANNEL, GUILD
from tests.plain.plain_bot import NOW, PEOPLE, PlainBot, start_plain_bot
from tests.playing import due_kinds, short_match
from tests.postgres_server import NO_POSTGRES_TEXT, PostgresServer, find_programs

FOLDER = Path(__file__).parent
FILE_ENDING, DUMP_ENDING = ".db.xz", ".sql.xz"
RESTRICTIONS = ("\\restrict", "\\unrestrict")  # a word that differs in each dump, and which an older psql does not know
ADMIN = 99
CHOSEN_SETTINGS = ServerSettings(
    frozenset({CHANNEL}), threads=False, computers=False, clock="1 hour", own_lobbies=2, tables=100
)
GUEST = "Greta"  # sits in no match of her own


async def fill_database(path: Path) -> None:
    async with Database.open(path, clock=lambda: NOW) as database, start_plain_bot("", database=database) as plain_bot:
        for key in GAMES:
            await _play_game(plain_bot, HELPERS[key])
        await plain_bot.matches.lobbies.change_server_settings(GUILD, lambda _: CHOSEN_SETTINGS)
        store = MatchStore(database)
        running = (await store.find(statuses=frozenset({Status.RUNNING})))[0]
        await SurfaceStore(database).put_mention(Mention(running.id, 0, 0, "a nonce", running.place.channel))
        await store.request_forgetting(ADMIN)  # has begun, and is to be gone on with
        await store.record_servers([], NOW)  # the bot was put out of the server, and may come back


async def _play_game(plain_bot: PlainBot, helper: GameHelper) -> None:
    many = cycle(helper.game.seats)
    every = [short_match(helper, seats) for seats in helper.game.seats]
    start, plan = max(every, key=lambda each: len(_stopping_points(helper, each[1])))
    for stop in _stopping_points(helper, plan):
        await _play_to(plain_bot, helper, start.seats, stop)
    for seats in helper.game.seats:
        await _play_to(plain_bot, helper, seats, None)
    await _play_conditions(plain_bot, helper, many)


def _stopping_points(helper: GameHelper, plan: Sequence[PlannedMove]) -> list[int]:
    """How many moves have been made where each kind of decision is first due."""
    first: dict[str, int] = {}
    for number, step in enumerate(plan):
        for kind in due_kinds(helper, step):
            first.setdefault(kind, number)
    return sorted(set(first.values()))


async def _play_to(plain_bot: PlainBot, helper: GameHelper, seats: int, moves: int | None) -> str:
    """A match that is so many moves old, made by clicks on hands; None: that is over."""
    start, plan = short_match(helper, seats)
    plain_bot.seed = start.seed
    match = await plain_bot.seat_match(helper.game, (await _next_people(plain_bot))[:seats], helper.short_options)
    for step in plan[:moves]:
        name = (await plain_bot.load_snapshot(match)).info.seats[step.seat].name
        await plain_bot.play_step(match, step, name, sure=True)
    return match


async def _next_people(plain_bot: PlainBot) -> list[str]:
    """Who sits down next: first, as host, somebody who may open one more table."""
    known, open_ = (
        len(await plain_bot.matches.lookup.find()),
        await plain_bot.matches.lookup.find(statuses=frozenset({Status.LOBBY})),
    )
    hosts = Counter(info.host for info in open_)
    names = PEOPLE[known % len(PEOPLE) :] + PEOPLE[: known % len(PEOPLE)]
    names = tuple(name for name in names if name != GUEST)
    host = min(names, key=lambda name: hosts[plain_bot.wire.people[name]])
    return [host, *(name for name in names if name != host)]


async def _play_conditions(plain_bot: PlainBot, helper: GameHelper, many: Iterator[int]) -> None:
    matches = plain_bot.matches

    async def start_running() -> str:
        return await _play_to(plain_bot, helper, next(many), 3)

    host, other, *_ = await _next_people(plain_bot)

    async def lobby(*clicks: tuple[str, str]) -> str:
        match, _ = await plain_bot.open_lobby(host, helper.game, **helper.short_options)
        for name, press in clicks:
            await plain_bot.click_control(name, await plain_bot.surface_message(match, "lobby"), f"t:{match}:{press}")
        return match

    await lobby((other, "join"))
    cancelled = await lobby()
    await matches.lobbies.cancel_lobby(cancelled, plain_bot.wire.people[host])
    await lobby((host, "computer-normal"), (host, "start"))  # with computers, none of which has moved
    paused, left, release, away, ended, reset = [await start_running() for _ in range(6)]
    seats = {
        match: (await plain_bot.load_snapshot(match)).info.seats
        for match in (paused, left, release, away, ended, reset)
    }
    await matches.seating.leave_match(paused, seats[paused][1].user)
    await matches.seating.leave_match(left, seats[left][0].user, "easy")
    await matches.seating.leave_match(release, seats[release][1].user)
    await matches.seating.take_seat(release, plain_bot.wire.people[GUEST], GUEST)
    await matches.seating.give_seat_to_computer(away, 0, "normal", ADMIN)
    for seat in seats[ended]:
        if (await plain_bot.load_snapshot(ended)).info.status is Status.RUNNING:
            await matches.seating.vote_to_end(ended, seat.user)
    await matches.seating.reset_match(reset, ADMIN)
    for match in (cancelled, *seats):
        await plain_bot.show_match(match)
    finished = await _play_to(plain_bot, helper, next(many), None)
    await plain_bot.press((await plain_bot.load_snapshot(finished)).info.seats[0].name, finished, "again")


def pack_database(path: Path, target: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "motley.db"
        copy_database(path, database)
        with closing(sqlite3.connect(database, isolation_level=None)) as raw:
            raw.execute("DELETE FROM notes WHERE key = ?", (SECRET_NOTE,))
            raw.execute("VACUUM")
        target.write_bytes(lzma.compress(database.read_bytes(), preset=9 | lzma.PRESET_EXTREME))


def unpack_database(archive: Path, target: Path) -> None:
    target.write_bytes(lzma.decompress(archive.read_bytes()))


def pack_dump(path: Path, target: Path) -> None:
    """Move a copy of that file to a PostgreSQL of its own, and keep what `pg_dump` says of it."""
    with tempfile.TemporaryDirectory() as folder, running_server() as server:
        copy, dump = Path(folder) / "motley.db", server.folder / "kept.sql"
        shutil.copy(path, copy)
        server.run_sql("CREATE DATABASE kept")
        if not move(copy, server.address("kept"), NOW, lambda line: None):
            raise RuntimeError("The database was not moved to PostgreSQL.")
        server.run("pg_dump", "--no-owner", "--no-privileges", f"--file={dump}", server.address("kept"))
        lines = dump.read_text(encoding="utf-8").splitlines(keepends=True)
    text = "".join(line for line in lines if not line.startswith(RESTRICTIONS))
    target.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


@contextmanager
def running_server() -> Iterator[PostgresServer]:
    folder = Path(tempfile.mkdtemp(prefix="motley-postgres-"))
    server = PostgresServer.create(folder)
    server.start()
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder)


def restore_dump(archive: Path, server: PostgresServer, name: str) -> str:
    """Restore a dump into a new database; its address."""
    dump = server.folder / f"{name}.sql"
    dump.write_bytes(lzma.decompress(archive.read_bytes()))
    dump.chmod(0o644)  # the server's user reads it
    server.run_sql(f"CREATE DATABASE {name}")
    server.run("psql", "-q", "-v", "ON_ERROR_STOP=1", "-d", server.address(name), "-f", str(dump))
    dump.unlink()
    return server.address(name)


def release_databases(ending: str = FILE_ENDING) -> Mapping[str, Path]:
    """The databases of all releases, the oldest first, by version."""
    found = {path.name.removesuffix(ending): path for path in FOLDER.glob(f"*{ending}")}
    return dict(sorted(found.items(), key=lambda each: tuple(map(int, each[0].split(".")))))


def empty_tables(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as raw:
        names = [name for (name,) in raw.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return [name for name in names if not raw.execute(f"SELECT 1 FROM {name} LIMIT 1").fetchone()]


def main(arguments: Sequence[str]) -> int:
    target, dump = (FOLDER / f"{version()}{ending}" for ending in (FILE_ENDING, DUMP_ENDING))
    if target.exists() and "--replace" not in arguments:
        print(f"{target.name} is there. If that version is not out yet: --replace.")
        return 1
    if find_programs() is None:
        print(NO_POSTGRES_TEXT)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "motley.db"
        asyncio.run(fill_database(path))
        pack_database(path, target)
        unpack_database(target, path)
        pack_dump(path, dump)
        for file in (target, dump):
            print(f"{file.relative_to(FOLDER.parents[1])}: {file.stat().st_size} bytes.")
        if empty := empty_tables(path):
            print(f"Nothing is kept in {', '.join(empty)}: `fill` is the place to see to that.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
