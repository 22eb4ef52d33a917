"""What is kept, table by table, alike in every kind of storage; and a digest of it, by which two are compared."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Protocol, TypeAlias

from engines.store.match_store import Info, Saved

Rows: TypeAlias = list[tuple[Any, ...]]

BATCH = 5_000  # rows that are read and written at a time


@dataclass(frozen=True, slots=True)
class Table:
    """One of them. Its rows are read in the order of its first `key` columns; 0: in which they were kept."""

    name: str
    columns: tuple[str, ...]
    key: int
    truths: frozenset[str] = frozenset()  # columns that are true or false
    where: str = "TRUE"  # the rows that say something


def _table(name: str, columns: str, key: int, truths: str = "", where: str = "TRUE") -> Table:
    return Table(name, tuple(columns.split()), key, frozenset(truths.split()), where)


# In an order in which each refers to those before it alone.
TABLES = (
    _table(
        "matches",
        "match game rules options status host guild channel thread revision moves votes reason created changed chosen "
        "called follows house",
        0,
    ),
    _table("seats", "match seat user name gone level missed", 2),
    _table("states", "match seed checkpoint", 1),
    _table("bases", "match revision moves rules checkpoint at seal", 2),
    _table("moves", "match number seat decision notation user at level click", 2),
    _table("events", "match revision idx move recipients body", 3),
    _table("history", "match revision action by reason at click", 2),
    _table(
        "surfaces", "match kind seat channel message digest shown posted lost done nonce old called", 3, truths="done"
    ),
    _table("mentions", "match seat decision nonce channel message state", 3),
    _table("due", "match kind seat decision since at done way", 3, truths="done", where="decision >= 0"),
    _table("behind", "match", 1),
    _table("inboxes", "user channel closed", 1, truths="closed"),
    _table("preferences", "user call words worth met", 1, truths="words worth"),
    _table("notes", "key value", 1),
    _table(
        "servers",
        "guild channels threads calls computers clock own_lobbies lobbies own_tables tables",
        1,
        truths="threads calls computers",
    ),
    _table("forgetting", "user match", 2),
    _table("departed", "guild at", 1),
)
# Of one kind of storage alone, and of the moment: how its layout came to be, who runs on it, what they tell each other.
PASSING = frozenset({"schema_migrations", "turns", "crew", "processes", "leases", "answering", "behind.others"})


@dataclass(slots=True)
class Tally:
    """How many rows there were, and a digest of them, in their order."""

    rows: int = 0
    _digest: blake2b = field(default_factory=lambda: blake2b(digest_size=16))

    def add(self, rows: Rows) -> None:
        """Count these, too."""
        self.rows += len(rows)
        self._digest.update("".join(map(repr, rows)).encode())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tally) and self.found() == other.found()

    def found(self) -> tuple[int, str]:
        """Both, as values."""
        return self.rows, self._digest.hexdigest()


class Whole(Protocol):
    """All that a database keeps, as it is at one moment, or as it comes to be. Methods raise StorageError."""

    name: str  # by which it may be told of

    def rows(self, table: Table) -> AsyncIterator[Rows]:
        """All rows of a table, in its order."""
        ...

    async def live(self) -> Sequence[str]:
        """The ids of the matches that go on."""
        ...

    async def match(self, match: str) -> tuple[Info | None, Saved | None]:
        """A match as the bot reads it. Raises Damaged, too."""
        ...


class Empty(Whole, Protocol):
    """A database that is to be filled: what is written counts once it is kept, all at once."""

    async def write(self, table: Table, rows: Rows) -> None:
        """Add these to what is there."""
        ...

    async def written(self) -> None:
        """All was written: what holds between tables is held from now on."""
        ...


def quoted(columns: Sequence[str]) -> str:
    """Columns as both kinds of SQL name them, those that are words of it, too."""
    return ", ".join(f'"{column}"' for column in columns)
