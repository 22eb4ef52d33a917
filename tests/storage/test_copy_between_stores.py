"""All that is kept is moved to PostgreSQL and back, whole or not at all."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from engines import GAMES
from engines.hosting.matches import Matches
from engines.store.match_store import LIVE, Place, Saved, Seat
from motley import database_move
from motley.__main__ import main
from storage import StorageError, move, opened, sqlite
from storage.postgres.bulk_copy import WholeDatabase
from storage.shared.tables import PASSING, TABLES, Rows, Table, Whole
from storage.sqlite.bulk_copy import WholeFile, new_whole
from tests.cluster import Server
from tests.postgres import TEMPLATE
from tests.storage.samples import NASTY

FIRST, LAST = TABLES[0], TABLES[-1]
IDS = ["z\x00\x01", "ł🃏", "a'; --"]  # in the order in which they are kept, which is not theirs
TOLD: dict[str, Any] = {"gone": "left", "kind": "hand", "state": "sent"}


# What there is


async def test_every_table_and_column_is_moved(address: str, tmp_path: Path) -> None:
    """Whoever adds one to a layout has to say here what becomes of it."""
    async with sqlite.Database.open(path := tmp_path / "a.db", clock=lambda: 7):
        pass
    named = {(table.name, column) for table in TABLES for column in table.columns}
    with closing(sqlite3.connect(path)) as raw:
        sql = "SELECT m.name, p.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS p WHERE m.type = 'table'"
        assert {row for row in raw.execute(sql) if row[0] not in PASSING} == named
    sql = """
    SELECT table_name::text, column_name::text, data_type = 'boolean' FROM information_schema.columns
    WHERE table_schema = current_schema() AND is_generated = 'NEVER' AND is_identity = 'NO'
    """
    found = [tuple(row) for row in await asked(address, sql) if PASSING.isdisjoint((row[0], f"{row[0]}.{row[1]}"))]
    assert {(table, column) for table, column, _ in found} == named
    truths = {(table.name, column) for table in TABLES for column in table.truths}
    assert {(table, column) for table, column, truth in found if truth} == truths


# Both ways


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A file with rows in every table, of whatever texts and numbers there can be."""
    path = tmp_path_factory.mktemp("full") / "motley.db"
    asyncio.run(_filled(path))
    return path.read_bytes()


@pytest.fixture
def path(full: bytes, tmp_path: Path) -> Path:
    """That file."""
    (tmp_path / "motley.db").write_bytes(full)
    return tmp_path / "motley.db"


async def _filled(path: Path) -> None:
    async with new_whole(path, 7) as file:
        for table in TABLES:
            with closing(sqlite3.connect(":memory:")) as raw:
                raw.executescript("".join(step.sql for step in sqlite.schema.shipped()))
                columns = {name: (kind, needed) for _, name, kind, needed, *_ in _columns(raw, table)}
            await file.write(table, [_row(table, columns, number) for number in range(len(IDS))])
        await file.written()


def _columns(raw: sqlite3.Connection, table: Table) -> list[Any]:
    return raw.execute(f"PRAGMA table_info({table.name})").fetchall()


def _row(table: Table, columns: dict[str, tuple[str, int]], number: int) -> tuple[Any, ...]:
    return tuple(_value(table, name, columns[name], number) for name in table.columns)


def _value(table: Table, name: str, column: tuple[str, int], number: int) -> Any:
    kind, needed = column
    if name == "match":
        return IDS[number]
    if name in TOLD:
        return TOLD[name]
    if kind == "TEXT":
        return None if number == 1 and not needed else f"{NASTY[number]} {IDS[-number]}"
    if name in table.truths:
        return number % 2
    if name in ("seat", "number", "idx"):
        return number + 1
    return None if number == 1 and not needed and name != "user" else 2**63 - 1 - number


def test_whatever_is_kept_is_moved_there_and_back(path: Path, tmp_path: Path, address: str) -> None:
    before, back = contents(path), tmp_path / "back.db"
    assert main(["--database", str(path), "move", "--to", address]) == 0
    assert main(["--database", address, "move", "--to", str(back)]) == 0
    assert contents(back) == contents(path) == before
    assert all(len(rows) == len(IDS) for rows in before.values())
    assert back.stat().st_mode & 0o777 == 0o600
    assert {each.name for each in tmp_path.iterdir()} == {
        f"{name}{end}" for name in ("motley.db", "back.db") for end in ("", ".lock")
    }


def contents(path: Path) -> dict[str, list[Any]]:
    """All rows of a file, in the order in which they were kept."""
    with closing(sqlite3.connect(path)) as raw:
        return {table.name: _rows(raw, table) for table in TABLES}


def _rows(raw: sqlite3.Connection, table: Table) -> list[Any]:
    order = ", ".join(f'"{column}"' for column in table.columns[: table.key]) or "rowid"
    return raw.execute(f"SELECT * FROM {table.name} ORDER BY {order}").fetchall()


async def _begun(path: Path) -> None:
    """A match of every game, with some moves, and a lobby."""
    async with opened(path, clock=lambda: 7) as store:
        matches = Matches(store.matches, GAMES, lambda: 7)
        for game in GAMES.values():
            lobby = await matches.open(game, game.options(), Place(1, 2), Seat(5, "E\x00e"))
            for user in range(6, 5 + min(game.seats)):
                await matches.join(lobby.id, user, f"Bo {user}")
            await matches.start(lobby.id, 5)
            for _ in range(3):
                await _play(matches, lobby.id)
        await matches.open(game, game.options(), Place(1, 2), Seat(5, "Eve"))


async def _play(matches: Matches, match: str) -> None:
    look = await matches.look(match)
    seat = look.due()[0]
    await matches.play(match, look.info.seats[seat].user, None, look.game.write(look.moves(seat)[0]))


async def _kept(where: Path | str, play: bool = False) -> dict[str, tuple[Any, Saved | None]]:
    """The matches that go on, as the bot reads them; each may be played on."""
    async with opened(where, clock=lambda: 7) as store:
        if play:
            matches = Matches(store.matches, GAMES, lambda: 7)
            for info in await store.matches.find(statuses=LIVE):
                if info.moves:
                    await _play(matches, info.id)
        return {info.id: (info, await store.matches.load(info.id)) for info in await store.matches.find(statuses=LIVE)}


def test_matches_of_every_game_are_played_on_wherever_they_are(
    tmp_path: Path, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path, back = tmp_path / "a.db", tmp_path / "b.db"
    asyncio.run(_begun(path))
    before = asyncio.run(_kept(path))
    assert main(["--database", address, "move", "--from", str(path)]) == 0
    told = capsys.readouterr().out
    assert f"Matches that go on: {len(GAMES) + 1}, of which {len(GAMES) + 1} replay to where they stand.\n" in told
    assert f"matches: {len(GAMES) + 1}\n" in told
    assert address not in told
    assert asyncio.run(_kept(address)) == before
    after = asyncio.run(_kept(address, play=True))
    assert after != before
    assert main(["--database", address, "move", "--to", str(back)]) == 0
    assert asyncio.run(_kept(back)) == after
    assert asyncio.run(_kept(back, play=True)) != after


def test_what_was_damaged_before_is_told_and_moved_as_it_is(
    tmp_path: Path, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.db"
    asyncio.run(_begun(path))
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("UPDATE bases SET seal = 'x' WHERE rowid = 1")
    assert main(["--database", str(path), "move", "--to", address]) == 0
    told = capsys.readouterr().out
    assert "is damaged, as it was before: its seed, options, seats or first state are not what they were." in told
    assert f"Matches that go on: {len(GAMES) + 1}, of which {len(GAMES)} replay" in told


# Not as it was


@dataclass
class Fault:
    """Something that goes wrong while a table is written."""

    table: Table
    alter: Callable[[Rows], Rows]
    write: Any = field(default=None)

    def put(self, monkeypatch: pytest.MonkeyPatch, kind: type[WholeFile | WholeDatabase]) -> None:
        write = kind.write

        async def wrong(whole: Any, table: Table, rows: Rows) -> None:
            await write(whole, table, self.alter(rows) if table is self.table else rows)

        monkeypatch.setattr(kind, "write", wrong)


def _without_one(rows: Rows) -> Rows:
    return rows[1:]


def _another(rows: Rows) -> Rows:
    return [*rows[:-1], (*rows[-1][:-1], rows[-1][-1] - 9)]


def _out_of_order(rows: Rows) -> Rows:
    return rows[::-1]


FAULTS = [Fault(LAST, _without_one), Fault(LAST, _another), Fault(FIRST, _out_of_order)]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.alter.__name__)
def test_a_row_that_is_not_as_it_was_is_noticed(
    fault: Fault, path: Path, tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(path)
    with monkeypatch.context() as patched:
        fault.put(patched, WholeDatabase)
        with pytest.raises(StorageError, match=f"In the PostgreSQL database, {fault.table.name} is not what it is in"):
            database_move.move(path, address, 7, print)
    database_move.move(path, address, 7, print)  # which is still empty
    fault.put(monkeypatch, WholeFile)
    with pytest.raises(StorageError, match=f"{fault.table.name} is not what it is in the PostgreSQL database"):
        database_move.move(address, tmp_path / "b.db", 7, print)
    assert not (tmp_path / "b.db").exists()
    assert contents(path) == before


# Refused


async def asked(address: str, sql: str) -> list[asyncpg.Record]:
    raw = await asyncpg.connect(address)
    try:
        return await raw.fetch(sql)
    finally:
        await raw.close()


def refused(source: Path | str, target: Path | str) -> str:
    """Why that is not moved."""
    with pytest.raises(StorageError) as caught:
        database_move.move(source, target, 7, print)
    assert "postgresql://" not in str(caught.value)
    return str(caught.value)


def test_a_target_that_holds_anything_is_refused_and_left_alone(path: Path, tmp_path: Path, address: str) -> None:
    asyncio.run(asked(address, "INSERT INTO notes VALUES ('alive', '7')"))
    assert "holds something already (notes: 1), and is not written over" in refused(path, address)
    assert asyncio.run(asked(address, "SELECT value FROM notes"))[0][0] == "7"
    assert "is there already, and is not written over" in refused(address, path)
    (tmp_path / "b.db-wal").write_text("of another database")
    assert "b.db-wal is there already" in refused(address, tmp_path / "b.db")
    assert not (tmp_path / "b.db").exists()


def test_a_database_of_something_else_is_refused(path: Path, postgres: Server, address: str) -> None:
    asyncio.run(asked(address, "DROP SCHEMA public CASCADE"))
    asyncio.run(asked(address, "CREATE SCHEMA public"))
    asyncio.run(asked(address, "CREATE TABLE recipes (x text)"))
    assert "other tables than Motley's" in refused(path, address)


def test_an_empty_database_is_laid_out_and_filled_at_once(path: Path, address: str) -> None:
    asyncio.run(asked(address, "DROP SCHEMA public CASCADE"))
    asyncio.run(asked(address, "CREATE SCHEMA public"))
    assert "of another version of Motley" in refused(address, path.with_name("b.db"))
    database_move.move(path, address, 7, print)
    assert asyncio.run(asked(address, "SELECT COUNT(*) FROM departed"))[0][0] == len(IDS)


async def test_nothing_is_moved_while_a_bot_runs_on_either(tmp_path: Path, address: str) -> None:
    file = tmp_path / "a.db"
    for where, target in ((file, address), (address, tmp_path / "b.db"), (address, None)):
        async with opened(where, clock=lambda: 7):
            with pytest.raises(StorageError, match="Another Motley is running"):
                await move(*((where, target) if target else (file, where)), at=7, look=_nothing, say=print)


async def _nothing(source: Whole, target: Whole) -> None:
    pass


def test_no_bot_starts_while_all_is_moved(path: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[str] = []

    async def rows(whole: WholeFile, table: Table) -> AsyncIterator[Rows]:
        if table is LAST:
            for where in (path, address):
                with pytest.raises(StorageError) as caught:
                    async with opened(where, clock=lambda: 7):
                        pass
                found.append(str(caught.value))
        yield []

    monkeypatch.setattr(WholeFile, "rows", rows)
    database_move.move(path, address, 7, print)
    assert len(found) == 2


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((), 2, "Name where all is with --from, or where it is to go with --to"),
        (("--to", "b.db"), 1, "Both are files."),
        (("--from", "nowhere.db", "--to", "postgresql://m:hush@localhost:1/x"), 1, "There is no file"),
        (("--from", "postgresql://m:hush@localhost:1/x", "--to", "b.db"), 1, "PostgreSQL cannot be reached"),
        (("--from", "postgresql://m:hush@a/x", "--to", "postgresql://m:hush@b/x"), 1, "Both are PostgreSQL's."),
    ],
)
def test_what_cannot_be_moved_is_said_in_a_sentence(
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    code: int,
    said: str,
) -> None:
    monkeypatch.chdir(path.parent)
    assert main(["--database", str(path), "move", *arguments]) == code
    told = capsys.readouterr()
    assert said in told.err
    assert "hush" not in told.err + told.out
    assert told.err.count("\n") == 1
    assert not Path("b.db").exists()


# Broken off


@dataclass(frozen=True)
class At:
    """The moment at which a move is broken off: before the so manyth call of a method."""

    method: str
    call: int

    def __str__(self) -> str:
        return f"{self.method} {self.call}"


MOMENTS = [At("write", 5), At("rows", 3), At("match", 1)]  # while it is copied, compared, replayed


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("begun") / "motley.db"
    asyncio.run(_begun(path))
    return path.read_bytes()


def broken_off(source: Path | str, target: Path | str, at: At, sign: signal.Signals) -> tuple[int, list[str]]:
    """Move in a process of its own, which gets that signal at that moment; how it ended, and what it said."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            _break_off(WholeFile if isinstance(target, Path) else WholeDatabase, at, sign)
            done = database_move.move(source, target, 7, partial(print, file=os.fdopen(writing, "w"), flush=True))
            os._exit(0 if done else 1)
        finally:
            os._exit(9)
    os.close(writing)
    with open(reading) as said:
        lines = said.read().splitlines()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), lines


def _break_off(kind: type[WholeFile | WholeDatabase], at: At, sign: signal.Signals) -> None:
    done, calls = getattr(kind, at.method), iter(range(1, 99))

    def counted(whole: Any, *values: Any) -> Any:
        if next(calls) == at.call:
            os.kill(os.getpid(), sign)
        return done(whole, *values)

    setattr(kind, at.method, counted)


@pytest.fixture(scope="module")
def begun_there(postgres: Server, begun: bytes, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PostgreSQL database that holds the same."""
    path, name = tmp_path_factory.mktemp("begun") / "motley.db", f"begun_{os.getpid()}"
    path.write_bytes(begun)
    postgres.sql(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}")
    database_move.move(path, postgres.address(name), 7, print)
    return postgres.address(name)


@pytest.fixture(params=["to PostgreSQL", "to a file"])
def ways(request: pytest.FixtureRequest, begun: bytes, tmp_path: Path) -> tuple[Any, Any]:
    """Where all is, and where it is to go."""
    if request.param == "to a file":
        return request.getfixturevalue("begun_there"), tmp_path / "b.db"
    (tmp_path / "a.db").write_bytes(begun)
    return tmp_path / "a.db", request.getfixturevalue("address")


@pytest.mark.parametrize("at", MOMENTS, ids=str)
def test_killed_anywhere_nothing_is_there_and_all_is_where_it_was(ways: tuple[Any, Any], at: At) -> None:
    source, target = ways
    before = asyncio.run(_kept(source))
    assert broken_off(source, target, at, signal.SIGKILL)[0] == -signal.SIGKILL
    assert not isinstance(target, Path) or not target.exists()
    moved_at_last(source, target)  # to where nothing was left
    assert asyncio.run(_kept(source)) == asyncio.run(_kept(target)) == before


def moved_at_last(source: Path | str, target: Path | str) -> None:
    """PostgreSQL may need a moment to see that somebody was killed."""
    for _ in range(100):
        try:
            assert database_move.move(source, target, 7, print)
        except StorageError as error:
            why = str(error)
        else:
            return
        time.sleep(0.05)
    pytest.fail(why)


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_who_breaks_it_off_is_told_how_things_stand(ways: tuple[Any, Any], sign: signal.Signals) -> None:
    source, target = ways
    code, said = broken_off(source, target, At("write", 2), sign)
    names = [str(each) if isinstance(each, Path) else "the PostgreSQL database" for each in ways]
    assert (code, said[-1]) == (1, f"Broken off. Nothing was changed in {names[0]}, and nothing is in {names[1]}.")
    moved_at_last(source, target)
