"""Backups: complete, private, made during writes, and restored."""

from __future__ import annotations

import asyncio
import errno
import os
import re
import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import storage
from engines.store.surface_storage import Surface
from storage import Database, MatchStore, StorageError, SurfaceStore, copy_database, read_only_copy, vacuum_database
from storage.sqlite import backup_files
from storage.sqlite.file.files import PARTIAL_SUFFIX, claim_file
from tests.storage.samples import limit_file_size, lobby_info, query_rows
from tests.storage.sqlite.openings import query, run_open_and_close

NOTES = "SELECT COUNT(*) FROM notes"
MANY = f"SELECT value, hex(randomblob(500)) FROM json_each('{list(range(1000))}')"


async def write_note(path: Path, key: str) -> None:
    async with Database.open(path, clock=lambda: 7) as database:
        await SurfaceStore(database).put_note(key, "x")


def file_names(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir()}


async def test_a_copy_is_one_sound_file_of_its_owners_alone(database: Database, path: Path, tmp_path: Path) -> None:
    await SurfaceStore(database).put_note("a", "b")
    before = os.umask(0)
    try:
        copy_database(path, tmp_path / "backups" / "one.db")
    finally:
        os.umask(before)
    assert file_names(tmp_path / "backups") == {"one.db"}
    assert (tmp_path / "backups").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "backups" / "one.db").stat().st_mode & 0o777 == 0o600
    with sqlite3.connect(f"file:{tmp_path / 'backups' / 'one.db'}?immutable=1", uri=True) as raw:
        assert raw.execute("SELECT key FROM notes").fetchall() == [("a",)]
    raw.close()


async def test_a_copy_is_of_one_moment_while_the_bot_goes_on_writing(
    database: Database, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each commit writes two rows, and the copy goes page by page: it has whole commits, and no commit waits."""
    monkeypatch.setattr(backup_files, "PAGES_PER_STEP", 1)
    is_copying, ended = asyncio.Event(), threading.Event()
    breathe, loop = backup_files._sync_and_pause, asyncio.get_running_loop()

    def slowly(*given: Any) -> None:
        loop.call_soon_threadsafe(is_copying.set)
        ended.wait(10)
        breathe(*given)

    monkeypatch.setattr(backup_files, "_sync_and_pause", slowly)
    pair = "INSERT INTO notes (key, value) VALUES (hex(randomblob(9)), 'x'), (hex(randomblob(9)), 'y')"
    for _ in range(20):
        await database.write(query_rows(pair), what="two")
    copying = asyncio.create_task(asyncio.to_thread(copy_database, path, tmp_path / "copy.db"))
    await is_copying.wait()
    for _ in range(20):
        await database.write(query_rows(pair), what="two")
    assert not copying.done()
    ended.set()
    await copying
    assert query(tmp_path / "copy.db", NOTES) == [(40,)]
    assert query(path, NOTES) == [(80,)]


def test_a_copy_of_a_bot_that_was_killed_has_its_last_commit(path: Path, tmp_path: Path) -> None:
    make_killed_database(path, tmp_path / "before.db")
    copy_database(path, tmp_path / "copy.db")
    assert query(tmp_path / "copy.db", KEYS) == [("new",), ("old",)]


def copy_refused(path: Path, target: Path) -> str:
    """Return the sentence with which a copy is refused; nothing of it is left."""
    old_bytes = target.read_bytes() if target.exists() else None
    with pytest.raises(StorageError) as caught:
        copy_database(path, target)
    assert (target.read_bytes() if target.exists() else None) == old_bytes
    assert not [name for name in file_names(target.parent) if PARTIAL_SUFFIX in name]
    return str(caught.value)


def test_a_failed_copy_is_reported_and_leaves_nothing(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "copy.db"
    assert "does not exist" in copy_refused(path, target)
    run_open_and_close(path)
    query(path, f"INSERT INTO notes (key, value) {MANY}")
    with limit_file_size(8192):
        assert "room" in copy_refused(path, target) or "disk failed" in copy_refused(path, target)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=2**20))
    assert re.search(r"does not have enough space: 65\.\d MB needed, 1\.0 MB free", copy_refused(path, target))
    monkeypatch.undo()
    copy_database(path, target)
    assert "already exists" in copy_refused(path, target)
    content = bytearray(path.read_bytes())
    content[5 * 4096 : 6 * 4096] = b"\xff" * 4096
    path.write_bytes(content)
    assert "is damaged" in copy_refused(path, tmp_path / "other.db")


# Restoring


KEYS = "SELECT key FROM notes ORDER BY key"


def restore(backup: Path, path: Path) -> Path | None:
    return storage.restore_backup(backup, path, 0, lambda snapshot: None)


@pytest.mark.parametrize("killed", [False, True])
def test_a_restored_copy_takes_the_files_place_and_that_is_kept(path: Path, tmp_path: Path, killed: bool) -> None:
    make_killed_database(path, tmp_path / "copy.db")
    if not killed:
        run_open_and_close(path)  # moves the log into the file
    replaced = restore(tmp_path / "copy.db", path)
    assert replaced == tmp_path / "motley-before-1970-01-01T00-00-00Z.db"
    assert query(path, KEYS) == [("old",)]
    assert query(replaced, KEYS) == [("new",), ("old",)]
    if not killed:
        assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o600}
    run_open_and_close(path)


def make_killed_database(path: Path, target: Path) -> None:
    """Create the files of a killed bot, with a note `new` only in the log, and a backup without it."""

    async def running() -> dict[Path, bytes]:
        async with Database.open(path, clock=lambda: 7) as database:
            for value in ("a", "b"):
                await SurfaceStore(database).put_note("new", value)
            return await asyncio.to_thread(lambda: {file: file.read_bytes() for file in (path, Path(f"{path}-wal"))})

    asyncio.run(write_note(path, "old"))
    copy_database(path, target)
    for file, content in asyncio.run(running()).items():
        file.write_bytes(content)


def test_a_copy_is_restored_if_there_is_nothing_yet(path: Path, tmp_path: Path) -> None:
    run_open_and_close(path)
    copy_database(path, tmp_path / "copy.db")
    target = tmp_path / "new" / "house" / "motley.db"
    assert restore(tmp_path / "copy.db", target) is None
    assert file_names(target.parent) == {"motley.db", "motley.db.lock"}
    run_open_and_close(target)


async def test_messages_and_commands_are_looked_at_again_after_a_restore(path: Path, tmp_path: Path) -> None:
    async with Database.open(path, clock=lambda: 7) as database:
        await MatchStore(database).insert(lobby_info(), by=5)
        surfaces = SurfaceStore(database)
        await surfaces.put_note("commands", "as they are")
        await surfaces.put(Surface("m1", "lobby", channel=1, message=2, digest="d"))
        await surfaces.mark_current({"m1": 0})
    copy_database(path, tmp_path / "copy.db")
    restore(tmp_path / "copy.db", path)
    assert query(path, "SELECT digest FROM surfaces") == [("",)]
    assert query(path, "SELECT match FROM behind") == [("m1",)]
    assert query(path, "SELECT value FROM notes WHERE key = 'commands'") == []


def restore_refused(backup: Path, path: Path) -> str:
    """Return the sentence with which a restore is refused; nothing has changed."""
    before, names = path.read_bytes(), file_names(path.parent)
    with pytest.raises(StorageError) as caught:
        restore(backup, path)
    assert path.read_bytes() == before
    assert file_names(path.parent) - {"motley.db.lock"} == names - {"motley.db.lock"}
    return str(caught.value)


def test_a_backup_that_cannot_be_restored_is_refused_and_everything_stays(path: Path, tmp_path: Path) -> None:
    run_open_and_close(path)
    backup = tmp_path / "copy.db"
    assert "does not exist" in restore_refused(backup, path)
    assert "is the database itself" in restore_refused(path, path)
    copy_database(path, backup)
    with claim_file(path):
        assert "Another Motley is running" in restore_refused(backup, path)
    whole = backup.read_bytes()
    backup.write_bytes(whole[:4096] + b"\xff" * 4096 + whole[8192:])
    assert "copy.db is damaged" in restore_refused(backup, path)
    backup.write_text("a shopping list, and a long one, too\n" * 100)
    assert "copy.db is not a Motley database" in restore_refused(backup, path)
    backup.write_bytes(whole)
    query(backup, "INSERT INTO schema_migrations (number, name, at) VALUES (99, '0099_later', 7)")
    assert "newer version of Motley" in restore_refused(backup, path)


@pytest.mark.parametrize(
    ("broken", "expected", "reason"),
    [
        (OSError(errno.EIO, "Input/output error"), StorageError, "Input/output error"),
        (KeyboardInterrupt(), KeyboardInterrupt, None),
    ],
)
def test_a_restore_that_breaks_off_loses_nothing(
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    broken: BaseException,
    expected: Any,
    reason: str | None,
) -> None:
    make_killed_database(path, tmp_path / "copy.db")
    if reason:
        run_open_and_close(path)
    before = path.read_bytes()

    def break_off(source: Path, path: Path) -> None:
        raise broken

    monkeypatch.setattr(os, "replace", break_off)
    with pytest.raises(expected, match=reason):
        restore(tmp_path / "copy.db", path)
    assert not reason or path.read_bytes() == before
    assert query(path, KEYS) == [("new",), ("old",)]


def test_a_damaged_log_is_kept_as_it_was_if_a_copy_takes_its_place(path: Path, tmp_path: Path) -> None:
    make_killed_database(path, tmp_path / "copy.db")
    log = Path(f"{path}-wal")
    content = bytearray(log.read_bytes())
    content[100:200] = b"\xff" * 100
    log.write_bytes(content)
    before = [path.read_bytes(), content]
    replaced = restore(tmp_path / "copy.db", path)
    assert query(path, KEYS) == [("old",)]
    assert [Path(f"{replaced}{ending}").read_bytes() for ending in ("", "-wal")] == before


# Vacuuming


async def test_room_is_given_back_while_the_bot_runs(path: Path) -> None:
    async with Database.open(path, clock=lambda: 7, lock_timeout=0.5) as database:
        await fill_and_clear(database)
        before, after = await asyncio.to_thread(vacuum_database, path)
        assert after < before / 3
        await SurfaceStore(database).put_note("a", "b")
    assert query(path, "PRAGMA page_count")[0][0] * 4096 < before / 3  # type: ignore[operator]
    assert query(path, "SELECT key FROM notes") == [("a",)]


def test_without_the_bot_the_file_is_written_again(path: Path) -> None:
    async def filled() -> None:
        async with Database.open(path, clock=lambda: 7) as database:
            await fill_and_clear(database)

    asyncio.run(filled())
    query(path, "PRAGMA auto_vacuum = 0")
    before, after = vacuum_database(path)
    assert after == path.stat().st_size < before / 3
    assert query(path, "PRAGMA auto_vacuum") == [(2,)]
    run_open_and_close(path)


def test_an_older_file_is_not_kept_busy_under_the_bot(path: Path) -> None:
    run_open_and_close(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        for sql in ("PRAGMA journal_mode = DELETE", "PRAGMA auto_vacuum = NONE", "VACUUM"):
            raw.execute(sql)
    with claim_file(path), pytest.raises(StorageError, match="Stop the bot, and vacuum once"):
        vacuum_database(path)


async def fill_and_clear(database: Database) -> None:
    await database.write(query_rows(f"INSERT INTO notes (key, value) {MANY}"), what="many")
    await database.write(query_rows("DELETE FROM notes"), what="none")


# Reading


def test_looking_writes_nothing_and_leaves_nothing_behind(path: Path, tmp_path: Path) -> None:
    asyncio.run(write_note(path, "a"))
    (tmp_path / "motley.db.lock").unlink()
    before = path.read_bytes()
    with read_only_copy(path) as snapshot:
        assert snapshot.integrity_findings() == []
        assert not snapshot.is_older()
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            snapshot.raw.execute("DELETE FROM notes")
    assert file_names(tmp_path) == {"motley.db"}
    assert path.read_bytes() == before
