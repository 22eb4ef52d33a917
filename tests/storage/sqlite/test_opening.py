"""Opening a database: its settings, its migrations, and every file that must be refused."""

from __future__ import annotations

import asyncio
import inspect
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import aiosqlite
import pytest

from storage import Database, MatchStore, StorageError, SurfaceStore
from storage.shared.numbered_migrations import Migration
from storage.sqlite import database as database_module
from storage.sqlite.file import schema
from storage.sqlite.file.connection import Connection
from storage.sqlite.file.schema import load_migrations, split_statements
from tests.storage.samples import drop_privileges, limit_file_size, lobby_info, query_rows
from tests.storage.sqlite import openings
from tests.storage.sqlite.openings import open_and_close, query, run_open_and_close, run_open_refused, wait_threads_end

FIRST = Migration(1, "0001_first", "CREATE TABLE first (a INTEGER) STRICT;\nINSERT INTO first VALUES (1);\n")
CREATE = "CREATE TABLE second (b INTEGER) STRICT;\n"
NO_RECORD = "CREATE TRIGGER no BEFORE INSERT ON schema_migrations\nBEGIN SELECT RAISE(ABORT, 'no record'); END;\n"


# Settings


async def test_the_writer_is_durable_the_reader_only_reads_and_both_check_foreign_keys(database: Database) -> None:
    common = {"foreign_keys": 1, "busy_timeout": 100}
    for use, pragmas in (
        (database.write, {"journal_mode": "wal", "synchronous": 2, "query_only": 0, **common}),
        (database.read, {"query_only": 1, **common}),
    ):
        for pragma, value in pragmas.items():
            assert await use(query_rows(f"PRAGMA {pragma}"), what="pragma") == [(value,)], pragma


async def test_every_table_is_strict(database: Database) -> None:
    sql = "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND name != 'sqlite_schema'"
    tables = await database.read(query_rows(sql), what="")
    assert len(tables) > 8
    assert {strict for _, strict in tables} == {1}


async def test_a_missing_folder_is_made_and_closing_leaves_one_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "some" / "where" / "motley.db"
    async with Database.open(path, clock=lambda: 7) as database:
        await SurfaceStore(database).put_note("a", "b")
    assert {file.name for file in path.parent.iterdir()} == {"motley.db", "motley.db.lock"}
    assert query(path, "SELECT key, value FROM notes") == [("a", "b")]


# Migrations


def test_migrations_are_applied_once_and_recorded(path: Path) -> None:
    run_open_and_close(path)
    run_open_and_close(path)
    recorded = query(path, "SELECT number, name, at FROM schema_migrations ORDER BY number")
    assert recorded == [(step.number, step.name, 7) for step in load_migrations()]


@pytest.mark.parametrize(
    ("sql", "reason"),
    [(f"{CREATE}INSERT INTO nowhere VALUES (1);\n", "no such table: nowhere"), (CREATE + NO_RECORD, "no record")],
)
def test_a_failing_migration_leaves_nothing_and_is_applied_when_it_is_mended(path: Path, sql: str, reason: str) -> None:
    assert reason in run_open_refused(path, FIRST, Migration(2, "0002_second", sql))
    assert query(path, "SELECT name FROM sqlite_schema ORDER BY name") == [("first",), ("schema_migrations",)]
    assert query(path, "SELECT number FROM schema_migrations") == [(1,)]
    run_open_and_close(path, FIRST)  # the lock was given back
    run_open_and_close(path, FIRST, Migration(2, "0002_second", CREATE))
    assert query(path, "SELECT number FROM schema_migrations ORDER BY number") == [(1,), (2,)]
    assert query(path, "SELECT a FROM first") == [(1,)]


def test_a_migration_must_not_end_its_transaction(path: Path) -> None:
    sql = "CREATE TABLE first (a INTEGER) STRICT;\nCOMMIT;\nCREATE TABLE second (a INTEGER) STRICT;\n"
    assert "ends its own transaction" in run_open_refused(path, Migration(1, "0001_bad", sql))
    assert query(path, "SELECT name FROM sqlite_schema WHERE name = 'second'") == []


def test_statements_are_split_where_they_end() -> None:
    trigger = "CREATE TRIGGER t AFTER INSERT ON a\nBEGIN\n    DELETE FROM b;\n    DELETE FROM c;\nEND;"
    quoted = "INSERT INTO a VALUES ('x;\n-- no comment;');"
    script = f"-- a comment; with a semicolon\nCREATE TABLE a (b); -- more;\n\n{trigger}\n{quoted}\n-- the end\n"
    found = list(split_statements(script))
    assert found[0].endswith("CREATE TABLE a (b); -- more;")
    assert found[1:] == [trigger, quoted]
    with pytest.raises(StorageError, match="middle of a statement: DROP"):
        list(split_statements("CREATE TABLE a (b);\nDROP TABLE a"))


def test_migrations_are_numbered_without_a_gap(tmp_path: Path) -> None:
    (tmp_path / "0001_a.sql").touch()
    (tmp_path / "0003_c.sql").touch()
    with pytest.raises(StorageError, match="Migration 2 is missing"):
        load_migrations(tmp_path)


# Files that are refused


def test_a_newer_version_is_refused_and_left_alone(path: Path) -> None:
    run_open_and_close(path)
    query(path, "INSERT INTO schema_migrations (number, name, at) VALUES (99, '0099_later', 7)")
    assert "newer version of Motley (its layout is 99" in run_open_refused(path)


def test_a_file_that_is_no_database_of_ours_is_refused_and_left_alone(path: Path) -> None:
    path.write_text("Dear diary, this is a text file of more than a hundred bytes. " * 200)
    for _ in range(2):
        before = path.read_bytes()
        assert "is not a Motley database" in run_open_refused(path)
        assert path.read_bytes() == before
        path.unlink()
        query(path, "CREATE TABLE other (a)")  # the second time a database of another program


def make_filled(path: Path) -> bytes:
    asyncio.run(fill_database(path))
    return path.read_bytes()


async def fill_database(path: Path) -> None:
    async with Database.open(path, clock=lambda: 7) as database:
        for number in range(60):
            await MatchStore(database).insert(lobby_info(f"m{number}", reason="x" * 400), by=5)


def test_a_damaged_file_is_refused_and_left_alone(path: Path) -> None:
    content = make_filled(path)
    overwritten = (content[: -4096 * pages] + b"\xa5" * 4096 * pages for pages in (1, 2, 10))
    for damaged in (content[: len(content) - 3 * 4096], *overwritten):
        path.write_bytes(damaged)
        assert "is damaged. Restore it from a backup" in run_open_refused(path)
        assert path.read_bytes() == damaged


async def test_a_large_file_is_checked_during_use(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    content = await asyncio.to_thread(make_filled, path)
    monkeypatch.setattr(schema, "SMALL_BYTES", 1)
    for messages in ([], [f"{path} is damaged. Stop Motley, and restore a backup: python -m motley restore"]):
        async with Database.open(path, clock=lambda: 7) as database:
            await database.check_integrity()
        assert caplog.messages == messages
        await asyncio.to_thread(path.write_bytes, content[:-4096] + b"\xa5" * 4096)


async def test_the_end_does_not_wait_for_that_check(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await asyncio.to_thread(make_filled, path)
    started, ended = threading.Event(), threading.Event()

    def endless(raw: sqlite3.Connection) -> bool:
        started.set()
        try:
            raw.execute("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT max(i) FROM n")
        finally:
            ended.set()
        return False

    monkeypatch.setattr(schema, "SMALL_BYTES", 1)
    monkeypatch.setattr(database_module, "is_damaged", endless)
    async with Database.open(path, clock=lambda: 7) as database:
        looking = asyncio.create_task(database.check_integrity())
        await asyncio.to_thread(started.wait)
        looking.cancel()
        await asyncio.wait({looking})
        assert ended.is_set()


def test_a_database_that_another_program_writes_is_refused(path: Path) -> None:
    run_open_and_close(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "Another program is writing to" in run_open_refused(path)
    run_open_and_close(path)


def test_a_full_disk_refuses_to_make_one_and_leaves_nothing_of_it(path: Path) -> None:
    with limit_file_size(20_000):
        assert "free" in run_open_refused(path)
    run_open_and_close(path)
    assert len(query(path, "SELECT number FROM schema_migrations")) == len(load_migrations())


def test_a_folder_or_file_without_permission_is_refused(open_folder: Path) -> None:
    path = open_folder / "motley.db"
    open_folder.chmod(0o555)
    with drop_privileges():
        for wanted in (path, open_folder / "deeper" / "motley.db"):
            assert "cannot be opened or created (Permission denied)" in run_open_refused(wanted)
    assert list(open_folder.iterdir()) == []
    open_folder.chmod(0o755)
    run_open_and_close(path)
    (open_folder / "motley.db.lock").chmod(0o666)
    path.chmod(0)
    with drop_privileges():
        assert "Motley's user needs permission to read and write" in run_open_refused(path)
    path.chmod(0o444)
    open_folder.chmod(0o777)
    with drop_privileges():
        assert "Motley's user needs permission to write the file" in run_open_refused(path)


LAYOUTS = {
    "a name that is no UTF-8": "UPDATE sqlite_schema SET sql = 'x', name = CAST(x'ff80' AS TEXT) WHERE name = 'notes'",
    "another column": "UPDATE sqlite_schema SET sql = replace(sql, 'votes', 'wotes') WHERE name = 'matches'",
    "no STRICT": "UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')       ') WHERE name = 'moves'",
    "another trigger": "UPDATE sqlite_schema SET sql = replace(sql, 'NEW', 'OLD') WHERE name = 'moves_in_order'",
    "no trigger": "DELETE FROM sqlite_schema WHERE name = 'moves_in_order'",
    "no table": "DELETE FROM sqlite_schema WHERE tbl_name = 'mentions'",
    "other migrations": "UPDATE schema_migrations SET number = number - 1 WHERE number = 1",
}


@pytest.mark.parametrize("sql", LAYOUTS.values(), ids=LAYOUTS)
def test_a_file_whose_tables_are_not_ours_any_more_is_refused(path: Path, sql: str) -> None:
    run_open_and_close(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("PRAGMA writable_schema = 1")
        assert raw.execute(sql).rowcount > 0
    assert "is damaged. Restore it from a backup" in run_open_refused(path)


def test_tables_of_somebody_else_do_no_harm(path: Path) -> None:
    run_open_and_close(path)
    query(path, "CREATE TABLE mine (a)")
    query(path, "ANALYZE")
    run_open_and_close(path)


# One process


async def test_a_second_process_is_refused_also_by_a_link(database: Database, path: Path, tmp_path: Path) -> None:
    script = (
        "import asyncio, sys\nfrom storage import Database\n"
        "async def main():\n    async with Database.open(sys.argv[1], clock=lambda: 7): pass\n"
        "asyncio.run(main())\n"
    )
    command = [sys.executable, "-c", script, str(path)]
    other = await asyncio.create_subprocess_exec(*command, stderr=subprocess.PIPE)
    _, errors = await asyncio.wait_for(other.communicate(), 60)
    assert other.returncode == 1
    assert f"StorageError: Another Motley is running on {path}." in errors.decode()
    (tmp_path / "link.db").symlink_to(path)
    assert "Another Motley is running" in await openings.open_refused(tmp_path / "link.db")
    assert await database.read(query_rows("SELECT 1"), what="") == [(1,)]


# Closing in every case


async def test_opening_can_be_cancelled_at_any_moment(path: Path) -> None:
    threads = threading.active_count()
    for moment in range(25):
        task = asyncio.create_task(open_and_close(path))
        await asyncio.sleep(moment * 0.0005)
        task.cancel()
        await asyncio.wait({task})
    await wait_threads_end(threads)
    await open_and_close(path)


class WatchedConnection(sqlite3.Connection):
    """Records whether it was closed, or left to the garbage collector."""

    is_closed = False

    def close(self) -> None:
        self.is_closed = True
        super().close()


async def test_a_connection_that_opens_after_cancellation_is_closed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect, loop = sqlite3.connect, asyncio.get_running_loop()
    is_opening, may = asyncio.Event(), threading.Event()
    connections: list[WatchedConnection] = []

    def slowly(*arguments: Any, **options: Any) -> sqlite3.Connection:
        loop.call_soon_threadsafe(is_opening.set)
        assert may.wait(60)
        connections.append(connect(*arguments, factory=WatchedConnection, **options))
        return connections[-1]

    monkeypatch.setattr(sqlite3, "connect", slowly)
    threads = threading.active_count()
    task = asyncio.create_task(open_and_close(path))
    await is_opening.wait()
    for _ in range(3):
        task.cancel()
        await asyncio.sleep(0.01)
    assert not task.done()
    may.set()
    await asyncio.wait({task})
    assert task.cancelled()
    await wait_threads_end(threads)
    assert [connection.is_closed for connection in connections] == [True]


def test_the_process_ends_after_a_refusal_and_after_a_failure(tmp_path: Path) -> None:
    """A connection left open would hang the exit; then the time limit fails this test."""
    script = """
import asyncio, sqlite3, sys
from storage import Database, StorageError

async def main():
    try:
        async with Database.open(sys.argv[1], clock=lambda: 7):
            raise RuntimeError("the bot failed")
    except RuntimeError as error:
        print(error)
    connection = sqlite3.connect(sys.argv[1])
    connection.execute("UPDATE schema_migrations SET number = number + 50")
    connection.commit()
    connection.close()
    try:
        async with Database.open(sys.argv[1], clock=lambda: 7):
            pass
    except StorageError as error:
        print("refused")

asyncio.run(main())
"""
    command = [sys.executable, "-W", "error", "-c", script, str(tmp_path / "a.db")]
    result = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, "the bot failed\nrefused\n", "")


async def test_no_thread_is_left_of_a_connection_that_could_not_be_made(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    with pytest.raises(sqlite3.OperationalError):
        async with Connection.open(tmp_path, lock_timeout=0.1):  # a folder
            pass
    assert not [thread for thread in set(threading.enumerate()) - before if "_connection_worker" in thread.name]


def test_aiosqlite_still_has_what_is_used_of_its_inside() -> None:
    assert isinstance(aiosqlite.connect("never.db")._thread, threading.Thread)
    assert inspect.iscoroutinefunction(aiosqlite.Connection._execute)
    assert list(inspect.signature(aiosqlite.Connection._execute).parameters)[:2] == ["self", "fn"]
    assert isinstance(inspect.getattr_static(aiosqlite.Connection, "_conn"), property)
