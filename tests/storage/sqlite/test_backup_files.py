"""Backups: complete, private, made during writes, and restored."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import sqlite3
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from storage import (
    Database,
    MatchStore,
    StorageError,
    SurfaceStore,
    copy_database,
    read_only_copy,
    restore_backup,
    vacuum_database,
)
from storage.sqlite import backup_files
from storage.sqlite.file.files import PARTIAL_SUFFIX, claim_file
from tests.storage.samples import limit_file_size, lobby_info, query_rows
from tests.storage.sqlite.openings import query, run_open_and_close

NOTES = "SELECT COUNT(*) FROM notes"
MANY = f"SELECT value, hex(randomblob(500)) FROM json_each('{list(range(1000))}')"


async def write_notes(path: Path, *keys: str) -> None:
    async with Database.open(path, clock=lambda: 7) as database:
        for key in keys:
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
    began, ended = asyncio.Event(), threading.Event()
    breathe, loop = backup_files._sync_and_pause, asyncio.get_running_loop()
    during: list[int] = []

    def slowly(*given: Any) -> None:
        loop.call_soon_threadsafe(began.set)
        ended.wait(10)
        breathe(*given)

    monkeypatch.setattr(backup_files, "_sync_and_pause", slowly)
    pair = "INSERT INTO notes (key, value) VALUES (hex(randomblob(9)), 'x'), (hex(randomblob(9)), 'y')"
    for _ in range(20):
        await database.write(query_rows(pair), what="two")
    copying = asyncio.create_task(asyncio.to_thread(copy_database, path, tmp_path / "copy.db"))
    await began.wait()
    for _ in range(20):
        await database.write(query_rows(pair), what="two")
        during.append(1)
    assert not copying.done()
    ended.set()
    await copying
    assert len(during) == 20
    assert query(tmp_path / "copy.db", NOTES) == [(40,)]
    assert query(path, NOTES) == [(80,)]


async def test_a_copy_of_a_bot_that_was_killed_has_its_last_commit(path: Path, tmp_path: Path) -> None:
    async with Database.open(path, clock=lambda: 7) as database:
        await SurfaceStore(database).put_note("a", "b")
        left = {name: (tmp_path / name).read_bytes() for name in ("motley.db", "motley.db-wal")}
    for name, content in left.items():
        (tmp_path / name).write_bytes(content)
    copy_database(path, tmp_path / "copy.db")
    assert query(tmp_path / "copy.db", "SELECT key FROM notes") == [("a",)]


def copy_refused(path: Path, target: Path) -> str:
    """Return the sentence with which a copy is refused; nothing of it is left."""
    there = target.read_bytes() if target.exists() else None
    with pytest.raises(StorageError) as caught:
        copy_database(path, target)
    assert (target.read_bytes() if target.exists() else None) == there
    assert not [name for name in file_names(target.parent) if PARTIAL_SUFFIX in name]
    return str(caught.value)


def test_what_cannot_be_copied_is_said_and_nothing_is_left(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "copy.db"
    assert "does not exist" in copy_refused(path, target)
    run_open_and_close(path)
    query(path, f"INSERT INTO notes (key, value) {MANY}")
    with limit_file_size(8192):
        assert "room" in copy_refused(path, target) or "disk failed" in copy_refused(path, target)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=2**20))
    assert "does not have enough space: 65.1 MB needed, 1.0 MB free" in copy_refused(path, target)
    monkeypatch.undo()
    copy_database(path, target)
    assert "already exists" in copy_refused(path, target)
    content = bytearray(path.read_bytes())
    content[5 * 4096 : 6 * 4096] = b"\xff" * 4096
    path.write_bytes(content)
    assert "is damaged" in copy_refused(path, tmp_path / "other.db")


# Restoring


def nothing_to_say(snapshot: object) -> None:
    """Ignore the restored data."""


def test_a_restored_copy_takes_the_files_place_and_that_is_kept(path: Path, tmp_path: Path) -> None:
    asyncio.run(write_notes(path, "old"))
    copy_database(path, tmp_path / "copy.db")
    asyncio.run(write_notes(path, "new"))
    kept = restore_backup(tmp_path / "copy.db", path, 0, nothing_to_say)
    assert kept == tmp_path / "motley-before-1970-01-01T00-00-00Z.db"
    assert query(path, "SELECT key FROM notes") == [("old",)]
    assert query(kept, "SELECT key FROM notes ORDER BY key") == [("new",), ("old",)]
    assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o600}
    run_open_and_close(path)


def make_killed_database(path: Path, target: Path) -> None:
    """Create the files of a killed bot, with a note `new` only in the log, and a backup without it."""

    async def running() -> dict[Path, bytes]:
        async with Database.open(path, clock=lambda: 7) as database:
            for value in ("a", "b"):
                await SurfaceStore(database).put_note("new", value)
            return await asyncio.to_thread(lambda: {file: file.read_bytes() for file in (path, Path(f"{path}-wal"))})

    asyncio.run(write_notes(path, "old"))
    copy_database(path, target)
    for file, content in asyncio.run(running()).items():
        file.write_bytes(content)


def test_what_a_killed_bot_had_not_moved_into_the_file_is_kept_and_not_mixed_in(path: Path, tmp_path: Path) -> None:
    make_killed_database(path, tmp_path / "copy.db")
    kept = restore_backup(tmp_path / "copy.db", path, 0, nothing_to_say)
    assert kept is not None
    assert query(path, "SELECT key FROM notes") == [("old",)]
    assert query(kept, "SELECT key FROM notes ORDER BY key") == [("new",), ("old",)]


def test_a_copy_is_restored_where_there_is_nothing_yet(path: Path, tmp_path: Path) -> None:
    run_open_and_close(path)
    copy_database(path, tmp_path / "copy.db")
    there = tmp_path / "new" / "house" / "motley.db"
    assert restore_backup(tmp_path / "copy.db", there, 0, nothing_to_say) is None
    assert file_names(there.parent) == {"motley.db", "motley.db.lock"}
    run_open_and_close(there)


def test_messages_and_commands_are_looked_at_anew_after_a_restore(path: Path, tmp_path: Path) -> None:
    async def shown() -> None:
        async with Database.open(path, clock=lambda: 7) as database:
            await MatchStore(database).insert(lobby_info(), by=5)
            await SurfaceStore(database).put_note("commands", "as they are")
            sql = "INSERT INTO surfaces (match, kind, seat, channel, message, digest, shown, posted, lost, done)"
            await database.write(query_rows(f"{sql} VALUES ('m1', 'lobby', -1, 1, 2, 'd', 0, 0, '', 0)"), what="shown")
            await SurfaceStore(database).mark_current({"m1": 0})

    asyncio.run(shown())
    copy_database(path, tmp_path / "copy.db")
    restore_backup(tmp_path / "copy.db", path, 0, nothing_to_say)
    assert query(path, "SELECT digest FROM surfaces") == [("",)]
    assert query(path, "SELECT match FROM behind") == [("m1",)]
    assert query(path, "SELECT value FROM notes WHERE key = 'commands'") == []


def restore_refused(backup: Path, path: Path) -> str:
    """Return the sentence with which a restore is refused; nothing has changed."""
    before, there = path.read_bytes(), file_names(path.parent)
    with pytest.raises(StorageError) as caught:
        restore_backup(backup, path, 0, nothing_to_say)
    assert path.read_bytes() == before
    assert file_names(path.parent) - {"motley.db.lock"} == there - {"motley.db.lock"}
    return str(caught.value)


def test_what_cannot_be_restored_is_refused_and_all_stays_as_it_was(path: Path, tmp_path: Path) -> None:
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


def test_a_restore_that_breaks_off_leaves_the_database_as_it_was(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_open_and_close(path)
    copy_database(path, tmp_path / "copy.db")

    def broken(made: Path, path: Path) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "replace", broken)
    before = path.read_bytes()
    with pytest.raises(StorageError, match="Input/output error"):
        restore_backup(tmp_path / "copy.db", path, 0, nothing_to_say)
    assert path.read_bytes() == before


def test_a_restore_that_is_cut_off_loses_nothing_of_what_a_killed_bot_has_left(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_killed_database(path, tmp_path / "copy.db")

    def cut_off(made: Path, path: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", cut_off)
        with pytest.raises(KeyboardInterrupt):
            restore_backup(tmp_path / "copy.db", path, 0, nothing_to_say)
    assert query(path, "SELECT key FROM notes ORDER BY key") == [("new",), ("old",)]


def test_a_damaged_log_is_kept_as_it_was_where_a_copy_takes_its_place(path: Path, tmp_path: Path) -> None:
    make_killed_database(path, tmp_path / "copy.db")
    log = Path(f"{path}-wal")
    content = bytearray(log.read_bytes())
    content[100:200] = b"\xff" * 100
    log.write_bytes(content)
    before = [path.read_bytes(), log.read_bytes()]
    kept = restore_backup(tmp_path / "copy.db", path, 0, nothing_to_say)
    assert query(path, "SELECT key FROM notes") == [("old",)]
    assert [Path(f"{kept}{ending}").read_bytes() for ending in ("", "-wal")] == before


# Vacuuming


async def test_room_is_given_back_while_the_bot_runs(path: Path) -> None:
    async with Database.open(path, clock=lambda: 7, lock_timeout=0.5) as database:
        await fill_and_clear(database)
        before, after = await asyncio.to_thread(vacuum_database, path)
        assert after < before / 3
        await SurfaceStore(database).put_note("a", "b")
    assert query(path, "PRAGMA page_count")[0][0] * 4096 < before / 3  # type: ignore[operator]
    assert query(path, "SELECT key FROM notes") == [("a",)]


def test_without_the_bot_the_file_is_written_anew(path: Path) -> None:
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
    raw = sqlite3.connect(path, isolation_level=None)
    raw.execute("PRAGMA journal_mode = DELETE")
    raw.execute("PRAGMA auto_vacuum = NONE")
    raw.execute("VACUUM")
    raw.close()
    with claim_file(path), pytest.raises(StorageError, match="Stop the bot, and vacuum once"):
        vacuum_database(path)


async def fill_and_clear(database: Database) -> None:
    await database.write(query_rows(f"INSERT INTO notes (key, value) {MANY}"), what="many")
    await database.write(query_rows("DELETE FROM notes"), what="none")


# Reading


def test_looking_writes_nothing_and_leaves_nothing_behind(path: Path, tmp_path: Path) -> None:
    asyncio.run(write_notes(path, "a"))
    (tmp_path / "motley.db.lock").unlink()
    before = path.read_bytes()
    with read_only_copy(path) as snapshot:
        assert snapshot.integrity_findings() == []
        assert not snapshot.is_older()
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            snapshot.raw.execute("DELETE FROM notes")
    assert file_names(tmp_path) == {"motley.db"}
    assert path.read_bytes() == before
