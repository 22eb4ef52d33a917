"""The part of the stores in memory that keeps the rows of features."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from engines.store.match_store import FORGOTTEN_NAME, RowTaken
from engines.store.partition import ALL_SERVERS, Partition
from engines.store.rows import AddRow, DropRow, PutRow, ReplaceRow, Rows, RowTable, RowWrite

R = TypeVar("R")


@dataclass
class MemoryRows:
    """Keeps rows, by table and key."""

    rows: dict[str, dict[tuple[Any, ...], Any]] = field(default_factory=dict)
    row_tables: dict[str, RowTable[Any]] = field(default_factory=dict)

    async def write_rows(self, writes: Sequence[RowWrite], match: str = "", revision: int | None = None) -> None:
        await asyncio.sleep(0)
        await self.before_row(match, revision)
        if any(isinstance(write, AddRow) and self._has(write) for write in writes):
            raise RowTaken("There is such a row already.")
        for write in writes:
            self.put_row(write)

    async def before_row(self, match: str, revision: int | None) -> None:
        """Refuse it, or wait."""

    def put_row(self, write: RowWrite) -> None:
        self.row_tables[write.table.name] = write.table
        stored = self.rows.setdefault(write.table.name, {})
        if isinstance(write, DropRow):
            for key in [key for key in stored if key[: len(write.key)] == write.key]:
                del stored[key]
        elif isinstance(write, PutRow) or self._has(write) == isinstance(write, ReplaceRow):
            stored[write.table.key_of(write.row)] = write.row

    async def load_rows(self, table: RowTable[R], *key: Any) -> list[R]:
        stored = self.rows.get(table.name, {})
        return [row for each, row in sorted(stored.items()) if each[: len(key)] == key]

    async def find_rows(self, table: RowTable[R], column: str, values: Collection[Any]) -> list[R]:
        return [row for _, row in sorted(self.rows.get(table.name, {}).items()) if getattr(row, column) in values]

    async def load_due_rows(self, table: RowTable[R], column: str, until: int, limit: int) -> list[R]:
        due = [row for row in self.rows.get(table.name, {}).values() if 0 < getattr(row, column) <= until]
        return sorted(due, key=lambda row: (getattr(row, column), table.key_of(row)))[:limit]

    async def matches_with_rows(self, table: RowTable[Any], partition: Partition = ALL_SERVERS) -> list[str]:
        return sorted({row.match for row in self.rows.get(table.name, {}).values()})

    async def load_match_rows(self, match: str, tables: Sequence[RowTable[Any]]) -> Rows:
        return Rows(tuple([(table, tuple(await self.find_rows(table, "match", (match,)))) for table in tables]))

    async def erase_old_rows(self, now: int) -> int:
        old = [
            (name, key)
            for name, table in self.row_tables.items()
            for key, row in self.rows[name].items()
            if table.keep_days is not None and getattr(row, table.written) < now - table.keep_days * 86_400
        ]
        for name, key in old:
            del self.rows[name][key]
        return len(old)

    def forget_rows(self, nobody: int, **wanted: Any) -> None:
        """Forget all rows with these values in these fields: those of a person, or of a match."""
        for name, stored in self.rows.items():
            for key, row in list(stored.items()):
                if all(getattr(row, field_name, None) == value for field_name, value in wanted.items()):
                    del stored[key]
                    if "user" in wanted and self.row_tables[name].forgotten_people == "replace":
                        renamed = {"name": FORGOTTEN_NAME} if hasattr(row, "name") else {}
                        row = replace(row, user=nobody, **renamed)
                        stored[self.row_tables[name].key_of(row)] = row

    def _has(self, write: AddRow | ReplaceRow) -> bool:
        return write.table.key_of(write.row) in self.rows.get(write.table.name, {})
