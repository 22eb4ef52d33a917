"""Rows of features: a table is declared by the class of its rows, and every kind of storage keeps it.

The names of the fields say to whom a row belongs: `match` is a stored match, `user` a person, `guild` a server, and
`deal` a deal that many matches share. A row goes with each of them, is copied between stores, and is part of the data
of its person. No other code has to know the table. A row that outlives its match has its id in another field (`about`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any, Generic, Literal, NewType, Protocol, TypeVar, get_origin, get_type_hints

from engines.store.partition import ALL_SERVERS, Partition

R = TypeVar("R")
Second = NewType("Second", int)
"""A Unix second; 0 is never. If a wrong clock wrote a row, so that it was written in the future, all of its times are
moved by as much."""
Person = NewType("Person", int)
"""The id of a person whom a row names beside its `user`. If they are forgotten, so is the row."""
ColumnKind = Literal["text", "bigint", "boolean", "json"]
_KINDS: dict[Any, ColumnKind] = {
    str: "text",
    int: "bigint",
    Second: "bigint",
    Person: "bigint",
    bool: "boolean",
    tuple: "json",
}
OWNERS = ("match", "user", "guild", "deal")
"""Fields that say to whom a row belongs."""


@dataclass(frozen=True)
class RowTable(Generic[R]):
    """A table. Its columns are the fields of the frozen dataclass `row`; the first `key` of them are its key.

    `seen` says who is shown a row. If a `hand` shows it, it is private to its `user`, every change redraws that hand,
    and processes cache it. If the `table` tells of it, it is read when a page is drawn. A row changes no page by
    itself, but the pages are drawn again if a person is forgotten, and at the next start unless a redraw
    was just being noted.

    `forgotten_people` says what happens to the rows of a person who is forgotten: they are deleted, or they name a
    number that belongs to nobody (and the field `name` is replaced as well). `forgotten_servers` says the same of a
    server: 0 stands for it. The field `written` has the second at which a row was written. Rows are erased `keep_days`
    days after it; a row that belongs to nobody must be.

    Raises ValueError if the declaration contradicts itself.
    """

    name: str
    row: type[R]
    key: int
    seen: Literal["hand", "table", "nobody"] = "table"
    forgotten_people: Literal["delete", "replace"] = "delete"
    forgotten_servers: Literal["delete", "replace"] = "delete"
    keep_days: int | None = None
    written: str = "at"
    searched: tuple[str, ...] = ()
    """Further columns by which rows are found."""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z][a-z_]{2,40}", self.name):
            raise ValueError(f"{self.name!r} is no name of a table.")
        if not is_dataclass(self.row) or not self.row.__dataclass_params__.frozen:  # type: ignore[attr-defined]
            raise ValueError(f"The rows of {self.name} are no frozen dataclass.")
        if not self.owners and self.keep_days is None:
            raise ValueError(f"The rows of {self.name} belong to nobody, and nothing says how long they are kept.")
        if self.keep_days is not None and (self.keep_days < 1 or self.hints.get(self.written) is not Second):
            raise ValueError(f"{self.name} has no field `{self.written}: Second`, by which rows could be erased.")
        if self.times and self.written not in self.times:
            raise ValueError(f"The times of {self.name} cannot be put right without a field `{self.written}: Second`.")
        if not 1 <= self.key <= len(self.columns):
            raise ValueError(f"The key of {self.name} has {self.key} columns.")
        if self.seen == "hand" and not {"match", "user"} <= {*self.columns}:
            raise ValueError(f"The rows of {self.name} belong to no hand.")
        if unknown := {*self.searched} - {*self.columns}:
            raise ValueError(f"{self.name} has no column {', '.join(sorted(unknown))}.")
        if strange := [name for name, hint in self.hints.items() if (get_origin(hint) or hint) not in _KINDS]:
            raise ValueError(f"{self.name}: nobody can store {', '.join(strange)}.")

    @cached_property
    def hints(self) -> dict[str, Any]:
        """The types of the fields, by name."""
        found = get_type_hints(self.row)
        return {name: found[name] for name in self.columns}

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(field.name for field in fields(self.row))  # type: ignore[arg-type]

    @cached_property
    def kinds(self) -> tuple[ColumnKind, ...]:
        """The kinds of the columns."""
        return tuple(_KINDS[get_origin(hint) or hint] for hint in self.hints.values())

    @cached_property
    def owners(self) -> tuple[str, ...]:
        """The columns that say to whom a row belongs."""
        return tuple(name for name in OWNERS if name in self.columns)

    @cached_property
    def people(self) -> tuple[str, ...]:
        """The columns with ids of people."""
        return tuple(name for name, hint in self.hints.items() if name == "user" or hint is Person)

    @cached_property
    def times(self) -> tuple[str, ...]:
        """The columns with Unix seconds."""
        return tuple(name for name, hint in self.hints.items() if hint is Second)

    @cached_property
    def indexes(self) -> tuple[str, ...]:
        """The columns that need an index, because rows are found by them and no key begins with them."""
        wanted = (*self.owners, *self.people, *self.searched, *((self.written,) if self.keep_days is not None else ()))
        return tuple(dict.fromkeys(name for name in wanted if name != self.columns[0]))

    @cached_property
    def values(self) -> Any:
        """A function that returns the values of a row, in order."""
        found = attrgetter(*self.columns)
        return found if len(self.columns) > 1 else lambda row: (found(row),)

    def key_of(self, row: R) -> tuple[Any, ...]:
        """Return the key of a row."""
        return tuple(self.values(row)[: self.key])

    def __hash__(self) -> int:
        return hash(self.name)


@dataclass(frozen=True, slots=True)
class PutRow:
    """Store a row, instead of an earlier one with the same key."""

    table: RowTable[Any]
    row: Any


@dataclass(frozen=True, slots=True)
class AddRow:
    """Store a row unless there is one with its key. A write raises RowTaken then; a change of a match keeps the old."""

    table: RowTable[Any]
    row: Any


@dataclass(frozen=True, slots=True)
class ReplaceRow:
    """Store a row instead of the one with its key. If there is none, because its person was forgotten, do nothing."""

    table: RowTable[Any]
    row: Any


@dataclass(frozen=True, slots=True)
class DropRow:
    """Delete the rows whose key begins with these values."""

    table: RowTable[Any]
    key: tuple[Any, ...]


RowWrite = PutRow | AddRow | ReplaceRow | DropRow


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of some tables. It can be compared and hashed, so it can be a part of a page's digest."""

    parts: tuple[tuple[RowTable[Any], tuple[Any, ...]], ...] = ()

    def of(self, table: RowTable[R]) -> tuple[R, ...]:
        """Return the rows of a table, in order of their key. Raises KeyError if they were not loaded."""
        for known, rows in self.parts:
            if known.name == table.name:
                return rows
        raise KeyError(table.name)

    def __iter__(self) -> Iterator[tuple[RowTable[Any], tuple[Any, ...]]]:
        return iter(self.parts)

    def only(self, tables: Iterable[RowTable[Any]]) -> Rows:
        """Return the rows of these tables, which must be loaded."""
        return Rows(tuple((table, self.of(table)) for table in tables))


NO_ROWS = Rows()


class RowStorage(Protocol):
    """The storage of rows. Methods raise StoreFailure."""

    async def write_rows(self, writes: Sequence[RowWrite], match: str = "", revision: int | None = None) -> None:
        """Make these writes, all or none.

        Writes about a stored match name it, and are made under its lock. Raises WriteConflict if it no longer has this
        revision, because what the rows are about may have changed, and RowTaken if a row to add has a taken key.
        """

    async def load_rows(self, table: RowTable[R], *key: Any) -> list[R]:
        """Return the rows whose key begins with these values, in order of their key."""
        ...

    async def find_rows(self, table: RowTable[R], column: str, values: Collection[Any]) -> list[R]:
        """Return the rows with one of these values in an indexed column, in order of their key."""
        ...

    async def load_due_rows(self, table: RowTable[R], column: str, until: int, limit: int) -> list[R]:
        """Return up to `limit` rows whose time in an indexed column is set, and until then: the earliest first."""
        ...

    async def matches_with_rows(self, table: RowTable[Any], partition: Partition = ALL_SERVERS) -> list[str]:
        """Return the ids of matches of these servers with rows in this table."""
        ...

    async def load_match_rows(self, match: str, tables: Sequence[RowTable[Any]]) -> Rows:
        """Return the rows of a match in these tables, all read at once."""
        ...

    async def erase_old_rows(self, now: int) -> int:
        """Erase rows that are older than their tables keep them. Return how many there were."""
        ...


def rows_after(rows: tuple[R, ...], write: RowWrite) -> tuple[R, ...]:
    """Return rows of one table after a write, in order of their key."""
    table = write.table
    key = write.key if isinstance(write, DropRow) else table.key_of(write.row)
    left = [row for row in rows if table.values(row)[: len(key)] != key]
    if isinstance(write, DropRow) or (isinstance(write, ReplaceRow) and len(left) == len(rows)):
        return tuple(left)
    return tuple(sorted((*left, write.row), key=table.key_of))
