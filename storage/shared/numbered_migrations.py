"""Numbered migrations, as files of SQL."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from storage.shared.errors import StorageError

_COMPATIBLE_PATTERN = re.compile(r"-- beside: ([0-9]+)\n")


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered step; `sql` is several statements, none of which begins or ends a transaction.

    It says which versions go on beside it, by the oldest layout that they know, in its first line: `-- beside: 3`. One
    that only adds what may be left out names the same as the step before it. One that does not say so goes with none
    that is older.
    """

    number: int
    name: str
    sql: str

    @property
    def oldest_compatible(self) -> int:
        """The oldest layout of which a version may go on beside this one."""
        said = _COMPATIBLE_PATTERN.match(self.sql)
        oldest = int(said[1]) if said else self.number
        if not 1 <= oldest <= self.number:
            raise StorageError(f"Migration {self.name} names a layout that is none before it.")
        return oldest


def load_migrations(folder: Path) -> list[Migration]:
    """The migrations in a folder, in order: `0001_matches.sql`, `0002_…`, without a gap."""
    found = []
    for number, path in enumerate(sorted(folder.glob("*.sql")), start=1):
        if not path.name.startswith(f"{number:04}_"):
            raise StorageError(f"Migration {number} is missing or out of order: {path.name} stands in its place.")
        found.append(Migration(number, path.stem, path.read_text(encoding="utf-8")))
    return found
