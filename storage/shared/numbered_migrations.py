"""Numbered migrations, stored as SQL files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from storage.shared.errors import StorageError

_COMPATIBLE_PATTERN = re.compile(r"-- beside: ([0-9]+)\n")


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered migration; `sql` is several statements, none of which begins or ends a transaction.

    Its first line may name the oldest layout whose versions can run beside it: `-- beside: 3`. A migration that only
    adds optional things names the same layout as the one before. Without that line, no older version can run beside it.
    """

    number: int
    name: str
    sql: str

    @property
    def oldest_compatible(self) -> int:
        """Return the oldest layout whose versions may run beside this one."""
        found = _COMPATIBLE_PATTERN.match(self.sql)
        oldest = int(found[1]) if found else self.number
        if not 1 <= oldest <= self.number:
            raise StorageError(f"Migration {self.name} names a layout that does not come before it.")
        return oldest


def load_migrations(folder: Path) -> list[Migration]:
    """Load the migrations in a folder, in order: `0001_matches.sql`, `0002_…`, without a gap."""
    found = []
    for number, path in enumerate(sorted(folder.glob("*.sql")), start=1):
        if not path.name.startswith(f"{number:04}_"):
            raise StorageError(f"Migration {number} is missing or out of order: found {path.name} instead.")
        found.append(Migration(number, path.stem, path.read_text(encoding="utf-8")))
    return found
