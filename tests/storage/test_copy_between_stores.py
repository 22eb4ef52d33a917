"""A database is moved to PostgreSQL and back, completely or not at all."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import pytest

from engines import GAMES
from engines.features.registry import FEATURES
from engines.hosting.matches import Matches
from engines.store.match_store import LIVE, Place, SavedMatch, Seat
from motley import database_move
from motley.__main__ import main
from storage import StorageError, move, open_store
from storage.postgres.bulk_copy import BulkDatabase
from storage.shared.tables import TABLES, TRANSIENT_TABLES, BulkSource, Rows, Table
from storage.sqlite.bulk_copy import BulkFile, open_bulk_target
from storage.sqlite.database import Database as SqliteDatabase
from storage.sqlite.file import schema
from tests.engines.memory_matches import play_first_legal
from tests.postgres import TEMPLATE
from tests.postgres_server import PostgresServer
from tests.storage.postgres.test_opening import query
from tests.storage.samples import NASTY_TEXTS

FIRST, LAST = TABLES[0], next(table for table in TABLES if table.name == "departed")
IDS = ["z\x00\x01", "ł🃏", "a'; --"]  # in insertion order, which is not their sort order
TOLD: dict[str, Any] = {"gone": "left", "kind": "hand", "state": "sent"}


# Completeness


async def test_every_table_and_column_is_moved(address: str, tmp_path: Path) -> None:
    """A new table or column must be listed here."""
    async with SqliteDatabase.open(path := tmp_path / "a.db", clock=lambda: 7):
        pass
    expected = {(table.name, column) for table in TABLES for column in table.columns}
    with closing(sqlite3.connect(path)) as raw:
        sql = "SELECT m.name, p.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS p WHERE m.type = 'table'"
        assert {row for row in raw.execute(sql) if row[0] not in TRANSIENT_TABLES} == expected
    sql = """
    SELECT table_name::text, column_name::text, data_type::text FROM information_schema.columns
    WHERE table_schema = current_schema() AND is_generated = 'NEVER' AND is_identity = 'NO'
    """
    found = [row for row in await query(address, sql) if TRANSIENT_TABLES.isdisjoint((row[0], f"{row[0]}.{row[1]}"))]
    assert {tuple(row) for row in found} == {(table.name, *each) for table in TABLES for each in table.types}


# Both ways


@pytest.fixture(scope="module")
def full_database(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A file with rows in every table, with all sorts of texts and numbers."""
    path = tmp_path_factory.mktemp("full") / "motley.db"
    asyncio.run(_fill_tables(path))
    return path.read_bytes()


@pytest.fixture
def path(full_database: bytes, tmp_path: Path) -> Path:
    (tmp_path / "motley.db").write_bytes(full_database)
    return tmp_path / "motley.db"


async def _fill_tables(path: Path) -> None:
    async with open_bulk_target(path, 7) as file:
        for table in TABLES:
            with closing(sqlite3.connect(":memory:")) as raw:
                raw.executescript("".join(step.sql for step in schema.load_migrations()))
                found = raw.execute(f"PRAGMA table_info({table.name})").fetchall()
            columns = {name: (kind, needed) for _, name, kind, needed, *_ in found}
            by_column = [
                [_make_value(table, name, columns[name], n) for n in range(len(IDS))] for name in table.columns
            ]
            await file.write_rows(table, list(zip(*by_column, strict=True)))
        await file.finish_filling()


def _make_value(table: Table, name: str, column: tuple[str, int], number: int) -> Any:
    kind, needed = column
    if name == "match":
        return IDS[number]
    if name in TOLD:
        return TOLD[name]
    if kind == "TEXT":
        return None if number == 1 and not needed else f"{NASTY_TEXTS[number]} {IDS[-number]}"
    if name in table.boolean_columns:
        return number % 2
    if name in ("seat", "number", "idx", "announcement"):
        return number + 1
    return None if number == 1 and not needed and name != "user" else 2**63 - 1 - number


def test_all_stored_rows_are_moved_there_and_back(path: Path, tmp_path: Path, address: str) -> None:
    before, back = file_contents(path), tmp_path / "back.db"
    assert main(["--database", str(path), "move", "--to", address]) == 0
    assert main(["--database", address, "move", "--to", str(back)]) == 0
    assert file_contents(back) == file_contents(path) == before
    assert all(len(rows) == len(IDS) for rows in before.values())
    assert back.stat().st_mode & 0o777 == 0o600
    assert {each.name for each in tmp_path.iterdir()} == {
        f"{name}{end}" for name in ("motley.db", "back.db") for end in ("", ".lock")
    }


def file_contents(path: Path) -> dict[str, list[Any]]:
    """Return all rows of a file in insertion order."""
    contents = {}
    with closing(sqlite3.connect(path)) as raw:
        for table in TABLES:
            order = ", ".join(f'"{column}"' for column in table.columns[: table.key_columns]) or "rowid"
            contents[table.name] = raw.execute(f"SELECT * FROM {table.name} ORDER BY {order}").fetchall()
    return contents


async def _start_matches(path: Path) -> None:
    """Start a match of every game with some moves, and a lobby."""
    async with open_store(path, clock=lambda: 7) as store:
        matches = Matches(store.matches, GAMES, lambda: 7, features=FEATURES)
        for game in GAMES.values():
            lobby = await matches.lobbies.open_lobby(game, game.options(), Place(1, 2), Seat(5, "E\x00e"))
            for user in range(6, 5 + min(game.seats)):
                await matches.lobbies.join(lobby.id, user, f"Bo {user}")
            await matches.lobbies.start_match(lobby.id, 5)
            for _ in range(3):
                await play_first_legal(matches, lobby.id)
        await matches.lobbies.open_lobby(game, game.options(), Place(1, 2), Seat(5, "Eve"))


async def _live_matches(source: Path | str, play: bool = False) -> dict[str, tuple[Any, SavedMatch | None]]:
    """Load the live matches as the bot does, and maybe play on."""
    async with open_store(source, clock=lambda: 7) as store:
        if play:
            matches = Matches(store.matches, GAMES, lambda: 7, features=FEATURES)
            for info in await store.matches.find(statuses=LIVE):
                if info.moves:
                    await play_first_legal(matches, info.id)
        return {info.id: (info, await store.matches.load(info.id)) for info in await store.matches.find(statuses=LIVE)}


def test_matches_of_every_game_are_played_on_anywhere(
    tmp_path: Path, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path, back = tmp_path / "a.db", tmp_path / "b.db"
    asyncio.run(_start_matches(path))
    before = asyncio.run(_live_matches(path))
    assert main(["--database", address, "move", "--from", str(path)]) == 0
    output = capsys.readouterr().out
    assert f"Live matches: {len(GAMES) + 1}. Replayed without damage: {len(GAMES) + 1}.\n" in output
    assert f"matches: {len(GAMES) + 1}\n" in output
    assert address not in output
    assert asyncio.run(_live_matches(address)) == before
    after = asyncio.run(_live_matches(address, play=True))
    assert after != before
    assert main(["--database", address, "move", "--to", str(back)]) == 0
    assert asyncio.run(_live_matches(back)) == after
    assert asyncio.run(_live_matches(back, play=True)) != after


def test_older_damage_is_reported_and_moved_as_it_is(
    tmp_path: Path, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.db"
    asyncio.run(_start_matches(path))
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("UPDATE bases SET seal = 'x' WHERE rowid = 1")
    assert main(["--database", str(path), "move", "--to", address]) == 0
    output = capsys.readouterr().out
    assert "is damaged, as it was before: its seed, options, seats or first state have been altered." in output
    assert f"Live matches: {len(GAMES) + 1}. Replayed without damage: {len(GAMES)}." in output


# Differences


Alter: TypeAlias = Callable[[Rows], Rows]
FAULTS: dict[str, tuple[Table, Alter]] = {
    "a lost row": (LAST, lambda rows: rows[1:]),
    "another value": (LAST, lambda rows: [*rows[:-1], (*rows[-1][:-1], rows[-1][-1] - 9)]),
    "another order": (FIRST, lambda rows: rows[::-1]),
}


def break_writing(to: pytest.MonkeyPatch, kind: type[BulkFile | BulkDatabase], wrong: Table, alter: Alter) -> None:
    write = kind.write_rows

    async def write_wrong(whole: Any, table: Table, rows: Rows) -> None:
        await write(whole, table, alter(rows) if table is wrong else rows)

    to.setattr(kind, "write_rows", write_wrong)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_row_that_is_not_as_it_was_is_noticed(
    fault: str, path: Path, tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, (table, alter) = file_contents(path), FAULTS[fault]
    with monkeypatch.context() as patched:
        break_writing(patched, BulkDatabase, table, alter)
        with pytest.raises(StorageError, match=f"In the PostgreSQL database, {table.name} differs from"):
            database_move.move(path, address, 7, print)
    database_move.move(path, address, 7, print)  # which is still empty
    break_writing(monkeypatch, BulkFile, table, alter)
    with pytest.raises(StorageError, match=f"{table.name} differs from the PostgreSQL database"):
        database_move.move(address, tmp_path / "b.db", 7, print)
    assert not (tmp_path / "b.db").exists()
    assert file_contents(path) == before


# Refused


def move_refused(source: Path | str, target: Path | str) -> str:
    with pytest.raises(StorageError) as caught:
        database_move.move(source, target, 7, print)
    assert "postgresql://" not in str(caught.value)
    return str(caught.value)


def run_query(address: str, sql: str) -> list[tuple[Any, ...]]:
    return asyncio.run(query(address, sql))


def test_a_target_that_holds_anything_is_refused_and_left_alone(path: Path, tmp_path: Path, address: str) -> None:
    run_query(address, "INSERT INTO notes VALUES ('alive', '7')")
    assert "is not empty (notes: 1) and will not be overwritten" in move_refused(path, address)
    assert run_query(address, "SELECT value FROM notes") == [("7",)]
    assert "already exists and will not be overwritten" in move_refused(address, path)
    (tmp_path / "b.db-wal").write_text("of another database")
    assert "b.db-wal already exists" in move_refused(address, tmp_path / "b.db")
    assert not (tmp_path / "b.db").exists()


def test_an_empty_database_is_laid_out_and_one_of_another_program_is_refused(path: Path, address: str) -> None:
    for sql in ("DROP SCHEMA public CASCADE", "CREATE SCHEMA public", "CREATE TABLE recipes (x text)"):
        run_query(address, sql)
    assert "tables of another program" in move_refused(path, address)
    run_query(address, "DROP TABLE recipes")
    assert "belongs to another version of Motley" in move_refused(address, path.with_name("b.db"))
    database_move.move(path, address, 7, print)
    assert run_query(address, "SELECT COUNT(*) FROM departed") == [(len(IDS),)]


async def test_nothing_is_moved_while_a_bot_runs_on_either(tmp_path: Path, address: str) -> None:
    async def inspect(source: BulkSource, target: BulkSource) -> None:
        pass

    file = tmp_path / "a.db"
    for store, endpoints in (
        (file, (file, address)),
        (address, (address, tmp_path / "b.db")),
        (address, (file, address)),
    ):
        async with open_store(store, clock=lambda: 7):
            with pytest.raises(StorageError, match="Another Motley is running"):
                await move(*endpoints, at=7, inspect=inspect, say=print)


def test_no_bot_starts_while_all_is_moved(path: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[str] = []

    async def rows(whole: BulkFile, table: Table) -> AsyncIterator[Rows]:
        if table is LAST:
            for store in (path, address):
                with pytest.raises(StorageError) as caught:
                    async with open_store(store, clock=lambda: 7):
                        pass
                found.append(str(caught.value))
        yield []

    monkeypatch.setattr(BulkFile, "read_rows", rows)
    database_move.move(path, address, 7, print)
    assert len(found) == 2


def test_a_failed_move_between_stores_is_explained_in_a_sentence(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(path.parent)
    address = "postgresql://m:hush@localhost:1/x"
    for arguments, code, sentence in (
        ((), 2, "Name the database to copy with --from, or the new one with --to"),
        (("--to", "b.db"), 1, "Both are files."),
        (("--from", "nowhere.db", "--to", address), 1, "does not exist"),
        (("--from", address, "--to", "b.db"), 1, "PostgreSQL cannot be reached"),
        (("--from", "postgresql://m:hush@a/x", "--to", "postgresql://m:hush@b/x"), 1, "Both are PostgreSQL databases."),
    ):
        assert main(["--database", str(path), "move", *arguments]) == code
        output = capsys.readouterr()
        assert sentence in output.err
        assert "hush" not in output.err + output.out
        assert output.err.count("\n") == 1
        assert not Path("b.db").exists()


# Cancelled


class BreakPoint(NamedTuple):
    """The moment at which a move is interrupted: before a certain call of a method."""

    method: str
    call: int


MOMENTS = [("write_rows", 5), ("read_rows", 3), ("load_match", 1)]  # while it is copied, compared, replayed


@pytest.fixture(scope="module")
def database_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("database") / "motley.db"
    asyncio.run(_start_matches(path))
    return path.read_bytes()


def move_broken_off(
    source: Path | str, target: Path | str, at: BreakPoint, sign: signal.Signals
) -> tuple[int, list[str]]:
    """Move in a separate process that gets a signal at that moment; return its exit code and output."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            _install_break(BulkFile if isinstance(target, Path) else BulkDatabase, at, sign)
            is_moved = database_move.move(source, target, 7, partial(print, file=os.fdopen(writing, "w"), flush=True))
            os._exit(0 if is_moved else 1)
        finally:
            os._exit(9)
    os.close(writing)
    with open(reading) as output:
        lines = output.read().splitlines()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), lines


def _install_break(kind: type[BulkFile | BulkDatabase], at: BreakPoint, sign: signal.Signals) -> None:
    original, calls = getattr(kind, at.method), iter(range(1, 99))

    def counted(whole: Any, *values: Any) -> Any:
        if next(calls) == at.call:
            os.kill(os.getpid(), sign)
        return original(whole, *values)

    setattr(kind, at.method, counted)


@pytest.fixture(scope="module")
def postgres_with_matches(
    postgres: PostgresServer, database_bytes: bytes, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    path, name = tmp_path_factory.mktemp("database") / "motley.db", f"matches_{os.getpid()}"
    path.write_bytes(database_bytes)
    postgres.run_sql(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}")
    database_move.move(path, postgres.address(name), 7, print)
    yield postgres.address(name)
    postgres.run_sql(f"DROP DATABASE {name} WITH (FORCE)")  # a worker may come back to this module


@pytest.fixture(params=["to PostgreSQL", "to a file"])
def endpoints(request: pytest.FixtureRequest, database_bytes: bytes, tmp_path: Path) -> tuple[Any, Any]:
    if request.param == "to a file":
        return request.getfixturevalue("postgres_with_matches"), tmp_path / "b.db"
    (tmp_path / "a.db").write_bytes(database_bytes)
    return tmp_path / "a.db", request.getfixturevalue("address")


@pytest.mark.parametrize("at", MOMENTS, ids=str)
def test_killed_anywhere_nothing_is_there_and_all_is_where_it_was(
    endpoints: tuple[Any, Any], at: tuple[str, int]
) -> None:
    source, target = endpoints
    before = asyncio.run(_live_matches(source))
    assert move_broken_off(source, target, BreakPoint(*at), signal.SIGKILL)[0] == -signal.SIGKILL
    assert not isinstance(target, Path) or not target.exists()
    move_with_retry(source, target)  # where nothing was left
    assert asyncio.run(_live_matches(source)) == asyncio.run(_live_matches(target)) == before


def move_with_retry(source: Path | str, target: Path | str) -> None:
    """PostgreSQL may need a moment to notice that a process was killed."""
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
def test_somebody_who_breaks_it_off_is_told_how_things_stand(endpoints: tuple[Any, Any], sign: signal.Signals) -> None:
    source, target = endpoints
    code, lines = move_broken_off(source, target, BreakPoint("write_rows", 2), sign)
    names = [str(each) if isinstance(each, Path) else "the PostgreSQL database" for each in endpoints]
    assert (code, lines[-1]) == (1, f"Cancelled. Nothing was changed in {names[0]}, and {names[1]} is still empty.")
    move_with_retry(source, target)
