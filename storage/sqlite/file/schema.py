"""Migrates a database file to the layout of this version."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from storage.shared import numbered_migrations
from storage.shared.errors import StorageError
from storage.shared.numbered_migrations import Migration
from storage.sqlite.file.connection import transaction
from storage.sqlite.file.errors import DAMAGED, NO_DATABASE

FOLDER = Path(__file__).parent.parent / "migrations"
SMALL_BYTES = 64 * 2**20  # bytes; a check takes a third of a second
OLDEST_SQLITE = (3, 37, 0)  # STRICT tables


def load_migrations(folder: Path = FOLDER) -> list[Migration]:
    """Return the migrations of this version, in order."""
    return numbered_migrations.load_migrations(folder)


def split_statements(sql: str) -> Iterator[str]:
    """Yield the statements of a script. Each ends its last line; triggers and quoted semicolons are supported."""
    waiting = ""
    for line in sql.splitlines(keepends=True):
        waiting += line
        if sqlite3.complete_statement(waiting):
            yield waiting.strip()
            waiting = ""
    if re.sub(r"--.*", "", waiting).strip():
        raise StorageError(f"A migration ends in the middle of a statement: {waiting.strip()[:60]}")


def migrate_database(raw: sqlite3.Connection, path: Path, migrations: Sequence[Migration], at: int) -> None:
    """Check the file and apply the new migrations. A file that is refused is not written to."""
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise StorageError(f"SQLite {sqlite3.sqlite_version} is too old: Motley needs 3.37 or newer.")
    if is_small(path) and is_damaged(raw):
        raise StorageError(DAMAGED.format(path=path))
    done = layout_number(raw, path, migrations)
    if not done:  # before anything else in a new file
        raw.execute("PRAGMA auto_vacuum = INCREMENTAL")  # so that space can be freed while the bot runs
    _check_writable(raw)
    _use_wal(raw, path)
    for migration in migrations[done:]:
        _apply_migration(raw, migration, at)


def layout_number(raw: sqlite3.Connection, path: Path, migrations: Sequence[Migration]) -> int:
    """Return the number of migrations in the file. Raises StorageError if it is damaged, newer, or foreign."""
    done = _last_migration(raw, path)
    if done > len(migrations):
        raise StorageError(
            f"{path} was written by a newer version of Motley (its layout is {done}, this version supports up to "
            f"{len(migrations)}). Update Motley, or restore an older backup."
        )
    _check_layout(raw, path, migrations[:done])
    return done


def is_small(path: Path) -> bool:
    """Return whether the whole file can be checked while somebody waits."""
    return not path.exists() or path.stat().st_size <= SMALL_BYTES


def is_damaged(raw: sqlite3.Connection) -> bool:
    """Return whether the file is damaged; this reads all of it."""
    return [row[0] for row in raw.execute("PRAGMA integrity_check(1)")] != ["ok"]


def _last_migration(raw: sqlite3.Connection, path: Path) -> int:
    """Return the number of the last applied migration: 0 for a new file."""
    tables = {row[0] for row in raw.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    if not tables:
        return 0
    if "schema_migrations" not in tables:
        raise StorageError(NO_DATABASE.format(path=path))
    done = [row[0] for row in raw.execute("SELECT number FROM schema_migrations ORDER BY number")]
    if done[:-1] != list(range(1, len(done))):
        raise StorageError(DAMAGED.format(path=path))
    return int(done[-1]) if done else 0


def _check_layout(raw: sqlite3.Connection, path: Path, migrations: Sequence[Migration]) -> None:
    """Check that everything the migrations create exists unchanged; SQLite's own check does not cover that."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as model:
        for migration in migrations:
            _apply_migration(model, migration, at=0)
        if not _schema_objects(model) <= _schema_objects(raw):
            raise StorageError(DAMAGED.format(path=path))


def _schema_objects(raw: sqlite3.Connection) -> set[tuple[str, str]]:
    """Return every table, index and trigger with its normalized SQL."""
    found = raw.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall()
    return {(name, " ".join(sql.split())) for name, sql in found}


def _check_writable(raw: sqlite3.Connection) -> None:
    """Write something and roll it back: SQLite begins a transaction on a read-only file without an error."""
    raw.execute("BEGIN IMMEDIATE")
    try:
        raw.execute("PRAGMA user_version = 1")
    finally:
        raw.execute("ROLLBACK")


def _use_wal(raw: sqlite3.Connection, path: Path) -> None:
    (mode,) = raw.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise StorageError(f"{path} is on a file system that SQLite cannot lock safely. Use a folder on a local disk.")


def _apply_migration(raw: sqlite3.Connection, migration: Migration, at: int) -> None:
    """Apply one migration and record it, in one transaction."""
    with transaction(raw, "BEGIN IMMEDIATE"):
        for statement in split_statements(migration.sql):
            raw.execute(statement)
            if not raw.in_transaction:
                raise StorageError(f"Migration {migration.name} ends its own transaction.")
        _record_migration(raw, migration, at)


def _record_migration(raw: sqlite3.Connection, migration: Migration, at: int) -> None:
    raw.execute(
        "CREATE TABLE IF NOT EXISTS schema_migrations "
        "(number INTEGER PRIMARY KEY, name TEXT NOT NULL, at INTEGER NOT NULL) STRICT"
    )
    raw.execute(
        "INSERT INTO schema_migrations (number, name, at) VALUES (?, ?, ?)", (migration.number, migration.name, at)
    )
