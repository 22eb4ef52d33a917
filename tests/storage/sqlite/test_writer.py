"""The single writer: groups, failures alone and together, cancelling, closing."""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from bench.storage import group_commit
from engines.store.match_store import StoreFailure, WriteConflict
from storage import Database
from storage.shared.errors import CLOSING, NOT_SAVED
from tests.storage.samples import insert_note, limit_file_size, query_rows
from tests.storage.sqlite.openings import query


class BlockedWork:
    """Work that blocks the writer's thread until it is released, so that other writes queue up."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.go_on = threading.Event()

    def __call__(self, raw: sqlite3.Connection) -> None:
        raw.execute("INSERT INTO notes (key, value) VALUES ('held', '')")
        self.reached.set()
        assert self.go_on.wait(30)


@contextmanager
def hold_writer() -> Iterator[BlockedWork]:
    blocked = BlockedWork()
    try:
        yield blocked
    finally:
        blocked.go_on.set()


async def write_note(database: Database, key: str) -> str:
    return await database.write(insert_note(key), what=f"note {key}")


async def note_keys(database: Database) -> set[str]:
    return {key for (key,) in await database.read(query_rows("SELECT key FROM notes"), what="notes")}


async def start_blocked(database: Database, blocked: BlockedWork) -> asyncio.Task[None]:
    """Start the blocking work; it is running when this returns."""
    task = asyncio.create_task(database.write(blocked, what="held"))
    await asyncio.to_thread(blocked.reached.wait, 30)
    return task


def fail_at_commit(raw: sqlite3.Connection) -> None:
    raw.execute("PRAGMA defer_foreign_keys = ON")
    raw.execute("INSERT INTO seats (match, seat, user, name, gone) VALUES ('nowhere', 0, 1, '', '')")


async def trace_statements(database: Database) -> list[str]:
    """Return a list that fills with the statements that the writer runs."""
    statements: list[str] = []
    await database.write(lambda raw: raw.set_trace_callback(statements.append), what="trace")
    statements.clear()
    return statements


# Groups


async def test_all_that_wait_share_a_transaction_and_then_nothing_waits(database: Database) -> None:
    statements = await trace_statements(database)
    assert await asyncio.gather(*(write_note(database, f"{n}") for n in range(100))) == [f"{n}" for n in range(100)]
    assert statements.count("BEGIN IMMEDIATE") == statements.count("COMMIT") == 1
    assert await note_keys(database) == {f"{n}" for n in range(100)}
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_writes_that_come_during_a_transaction_share_the_next(database: Database) -> None:
    statements = await trace_statements(database)
    with hold_writer() as blocked:
        first = await start_blocked(database, blocked)
        later = [asyncio.create_task(write_note(database, f"{n}")) for n in range(50)]
        await asyncio.sleep(0)
    await asyncio.gather(first, *later)
    assert statements.count("COMMIT") == 2


async def test_nobody_is_answered_or_reads_before_the_commit(database: Database) -> None:
    with hold_writer() as blocked:
        first = asyncio.create_task(write_note(database, "first"))
        second = await start_blocked(database, blocked)
        await asyncio.sleep(0.05)
        assert not first.done()
        assert await note_keys(database) == set()
    await asyncio.gather(first, second)
    assert await note_keys(database) == {"first", "held"}


async def test_a_read_sees_one_state_throughout(database: Database) -> None:
    is_reading, go_on = threading.Event(), threading.Event()

    def twice(raw: sqlite3.Connection) -> tuple[int, int]:
        (before,) = raw.execute("SELECT COUNT(*) FROM notes").fetchone()
        is_reading.set()
        assert go_on.wait(30)
        (after,) = raw.execute("SELECT COUNT(*) FROM notes").fetchone()
        return before, after

    reading = asyncio.create_task(database.read(twice, what="notes"))
    await asyncio.to_thread(is_reading.wait, 30)
    await write_note(database, "between")
    go_on.set()
    assert await reading == (0, 0)
    assert await note_keys(database) == {"between"}


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="only Linux tells which files a process has open")
async def test_no_file_of_its_own_holds_the_rollback_of_a_write(database: Database) -> None:
    def much(raw: sqlite3.Connection) -> None:
        notes = [(f"n{number}", "x" * 1000) for number in range(500)]
        raw.executemany("INSERT INTO notes (key, value) VALUES (?, ?)", notes)

    def changed(raw: sqlite3.Connection) -> list[str]:
        raw.execute("UPDATE notes SET value = value || 'y'")
        return [os.readlink(each) for each in Path("/proc/self/fd").iterdir() if each.is_symlink()]

    await database.write(much, what="many notes")
    open_files = await database.write(changed, what="other values for all of them")
    assert [each for each in open_files if each.endswith("motley.db")]
    assert not [each for each in open_files if "etilqs" in each]  # the name of SQLite's temporary files


# Failures


@pytest.mark.parametrize("wrote", [False, True])
async def test_a_conflict_fails_alone_and_all_is_done_again_if_it_has_written(database: Database, wrote: bool) -> None:
    statements = await trace_statements(database)

    def conflict(raw: sqlite3.Connection) -> None:
        raw.execute("UPDATE notes SET value = value || '!' WHERE key = ?", ("a" if wrote else "nowhere",))
        if wrote:
            insert_note("half")(raw)
        raise WriteConflict("too late")

    tries = write_note(database, "a"), database.write(conflict, what="b"), write_note(database, "c")
    outcomes = await asyncio.gather(*tries, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [str, WriteConflict, str]
    found = await database.read(query_rows("SELECT key, value FROM notes"), what="notes")
    assert sorted(found) == [("a", ""), ("c", "")]
    ends = [each for each in statements if each in {"BEGIN IMMEDIATE", "ROLLBACK", "COMMIT"}]
    assert ends == ["BEGIN IMMEDIATE", "ROLLBACK", "BEGIN IMMEDIATE", "COMMIT"][0 if wrote else 2 :]
    assert statements.count("SAVEPOINT one") == (3 if wrote else 0)


async def test_a_broken_constraint_fails_alone(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    statements = await trace_statements(database)
    outcomes = await asyncio.gather(*(write_note(database, key) for key in "abacab"), return_exceptions=True)
    assert [isinstance(outcome, StoreFailure) for outcome in outcomes] == [False, False, True, False, True, True]
    assert {str(outcome) for outcome in outcomes if isinstance(outcome, StoreFailure)} == {NOT_SAVED}
    assert await note_keys(database) == {"a", "b", "c"}
    assert statements.count("COMMIT") == 1
    assert "Not saved: note a. IntegrityError: UNIQUE constraint failed: notes.key" in caplog.text


async def test_a_programming_error_fails_alone_and_is_logged(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    def wrong(raw: sqlite3.Connection) -> None:
        insert_note("half")(raw)
        raise ZeroDivisionError

    half_a_character = database.write(insert_note("\ud800"), what="half a character")
    tries = write_note(database, "a"), database.write(wrong, what="b"), half_a_character
    outcomes = await asyncio.gather(*tries, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [str, StoreFailure, StoreFailure]
    assert await note_keys(database) == {"a"}
    assert "in wrong" in caplog.text


async def test_all_fail_if_the_commit_fails(database: Database) -> None:
    tries = write_note(database, "a"), database.write(fail_at_commit, what="bad"), write_note(database, "c")
    outcomes = await asyncio.gather(*tries, return_exceptions=True)
    assert [(type(outcome), str(outcome)) for outcome in outcomes] == [(StoreFailure, NOT_SAVED)] * 3
    assert await note_keys(database) == set()
    assert await write_note(database, "after") == "after"


async def test_all_fail_if_another_program_writes_and_it_is_said_once(
    database: Database, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(2):
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            for _ in range(2):
                tries = (write_note(database, key) for key in "ab")
                outcomes = await asyncio.gather(*tries, return_exceptions=True)
                assert [str(outcome) for outcome in outcomes] == [NOT_SAVED] * 2
            other.execute("ROLLBACK")
            assert await write_note(database, f"{number}") == f"{number}"
    assert await note_keys(database) == {"0", "1"}
    messages = [record.getMessage() for record in caplog.records if "Another program" in record.getMessage()]
    assert len(messages) == 2
    assert all(str(path) in each and "continues as soon as" in each for each in messages)


async def test_a_file_that_is_damaged_while_it_is_used_is_named(
    database: Database, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(50):
        await database.write(insert_note(f"{number}", "x" * 4000), what="much")
    await database.read(lambda raw: raw.execute("PRAGMA shrink_memory").fetchall(), what="forget")
    query(path, "PRAGMA wal_checkpoint(TRUNCATE)")
    with path.open("r+b") as file:  # all pages but the first
        size = file.seek(0, os.SEEK_END)
        file.seek(4096)
        file.write(b"\xa5" * (size - 4096))
    with pytest.raises(StoreFailure, match="could not be looked up"):
        await note_keys(database)
    assert f"{path} is damaged. Stop Motley, and restore a backup" in caplog.text


async def test_a_full_disk_fails_at_the_commit_and_writes_nothing(
    database: Database, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await write_note(database, "before")
    size = path.with_name("motley.db-wal").stat().st_size
    with limit_file_size(size + 5000):
        big = database.write(insert_note("big", "x" * 100_000), what="big")
        outcomes = await asyncio.gather(write_note(database, "a"), big, return_exceptions=True)
    assert [str(outcome) for outcome in outcomes] == [NOT_SAVED] * 2
    assert "SQLITE_IOERR_WRITE" in caplog.text or "SQLITE_FULL" in caplog.text
    assert await write_note(database, "after") == "after"
    assert await note_keys(database) == {"before", "after"}
    assert await database.read(query_rows("PRAGMA integrity_check"), what="") == [("ok",)]


async def test_a_database_that_may_not_grow_keeps_what_it_has(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    await write_note(database, "before")
    await database.write(lambda raw: raw.execute("PRAGMA max_page_count = 1").fetchall(), what="limit")
    with pytest.raises(StoreFailure):
        await database.write(insert_note("big", "x" * 100_000), what="big")
    assert "SQLITE_FULL" in caplog.text
    await database.write(lambda raw: raw.execute("PRAGMA max_page_count = 100000").fetchall(), what="limit")
    await write_note(database, "after")
    assert await note_keys(database) == {"before", "after"}


async def test_a_failing_read_is_a_sentence_and_a_reader_cannot_write(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(StoreFailure, match="could not be looked up right now"):
        await database.read(query_rows("SELECT * FROM nowhere"), what="nothing")
    assert "Not read: nothing. OperationalError: no such table: nowhere" in caplog.text
    with pytest.raises(StoreFailure):
        await database.read(insert_note("a"), what="note")
    assert await note_keys(database) == set()


# Cancelling, idling, closing


async def test_a_cancelled_caller_harms_nobody_else(database: Database) -> None:
    with hold_writer() as blocked:
        running = await start_blocked(database, blocked)
        waiting = asyncio.create_task(write_note(database, "waiting"))
        other = asyncio.create_task(write_note(database, "other"))
        await asyncio.sleep(0)
        running.cancel()
        waiting.cancel()
        await asyncio.wait({running, waiting})
        assert not other.done()
    assert await other == "other"
    assert running.cancelled()
    assert waiting.cancelled()
    assert await note_keys(database) == {"held", "other"}  # what ran was written completely, what waited was not


async def test_the_writer_itself_may_be_cancelled(database: Database) -> None:
    with hold_writer() as blocked:
        running = await start_blocked(database, blocked)
        waiting = asyncio.create_task(write_note(database, "waiting"))
        await asyncio.sleep(0)
        (writer,) = (task for task in asyncio.all_tasks() if task.get_name() == "storage: writer")
        writer.cancel()
        await asyncio.wait({running, waiting, writer}, timeout=10)
        assert running.cancelled()
        assert waiting.cancelled()
    assert await write_note(database, "after") == "after"
    assert await note_keys(database) == {"held", "after"}


async def test_closing_writes_what_waits_and_takes_no_more(path: Path) -> None:
    async with Database.open(path, clock=lambda: 7) as database:
        with hold_writer() as blocked:
            tasks = [await start_blocked(database, blocked)]
            others = [asyncio.create_task(write_note(database, f"{n}")) for n in range(50)]
            await asyncio.sleep(0)
    assert await asyncio.gather(*others) == [f"{n}" for n in range(50)]
    await asyncio.gather(*tasks)
    with pytest.raises(StoreFailure, match=CLOSING):
        await write_note(database, "late")
    with pytest.raises(StoreFailure):
        await note_keys(database)
    async with Database.open(path, clock=lambda: 7) as database:
        assert await note_keys(database) == {"held", *(f"{n}" for n in range(50))}


LEAST = {
    "group commit over a transaction each": 3,
    "group commit over a statement at a time, 1 writer": 0.5,
    "group commit over a transaction each, whole moves": 1.5,
}


def test_a_group_is_far_faster_than_one_after_the_other(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """`python -m bench.storage.group_commit` measures it; here noise gets some room, and a few tries."""
    monkeypatch.setattr(group_commit, "ROUND_COUNT", 1)
    caplog.set_level(logging.ERROR)
    for _ in range(5):
        figures = {figure.name: figure.value for figure in group_commit.measure_storage()}
        slow = [name for name, least in LEAST.items() if figures[name] <= least]
        if not slow:
            break
    assert not slow, f"{slow}: {figures}"
    assert not caplog.text
