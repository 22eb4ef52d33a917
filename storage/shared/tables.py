"""The tables of every kind of storage, and a digest for comparing two databases."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Protocol, TypeAlias

from engines.store.match_store import MatchInfo, SavedMatch

Rows: TypeAlias = list[tuple[Any, ...]]

BATCH_ROWS = 5_000  # rows that are read and written at a time


@dataclass(frozen=True, slots=True)
class Table:
    """A table. Its rows are read in order of its first `key_columns` columns; 0: in insertion order."""

    name: str
    columns: tuple[str, ...]
    key_columns: int
    boolean_columns: frozenset[str] = frozenset()  # columns that are true or false
    condition: str = "TRUE"  # the rows that carry information


def _define_table(
    name: str, columns: str, key_columns: int, boolean_columns: str = "", condition: str = "TRUE"
) -> Table:
    return Table(name, tuple(columns.split()), key_columns, frozenset(boolean_columns.split()), condition)


# Ordered so that each table refers only to earlier ones.
TABLES = (
    _define_table(
        "matches",
        "match game rules options status host guild channel thread revision moves votes reason created changed chosen "
        "called follows house banks practice decision_offset take_backs seal",
        0,
        boolean_columns="practice",
    ),
    _define_table("seats", "match seat user name gone level missed cut last_cut", 2),
    _define_table("deals", "match secret cuts", 1),
    _define_table("states", "match seed checkpoint", 1),
    _define_table("bases", "match revision moves rules checkpoint at seal", 2),
    _define_table("moves", "match number seat decision notation user at level click", 2),
    _define_table("events", "match revision idx move recipients body", 3),
    _define_table("history", "match revision action by reason at click", 2),
    _define_table(
        "surfaces",
        "match kind seat channel message digest shown posted lost done nonce old called",
        3,
        boolean_columns="done",
    ),
    _define_table("mentions", "match seat decision nonce channel message state", 3),
    _define_table(
        "due", "match kind seat decision since at done way", 3, boolean_columns="done", condition="decision >= 0"
    ),
    _define_table("behind", "match", 1),
    _define_table("inboxes", "user channel closed", 1, boolean_columns="closed"),
    _define_table("preferences", "user call words worth met take_backs", 1, boolean_columns="words worth take_backs"),
    _define_table("breaks", "user until", 1),
    _define_table("notes", "key value", 1),
    _define_table("player_notes", "match user note", 2),
    _define_table("planned_moves", "match user decision notation condition situation dropped", 2),
    _define_table("guesses", "match question user name choices", 3),
    _define_table(
        "servers",
        "guild channels threads calls computers clock own_lobbies lobbies own_tables tables presets",
        1,
        boolean_columns="threads calls computers",
    ),
    _define_table("forgetting", "user match", 2),
    _define_table("blocks", "guild user at", 2),
    _define_table("announcements", "number text at withdrawn", 1, boolean_columns="withdrawn"),
    _define_table("announcement_posts", "announcement channel guild message", 2),
    _define_table("reports", "id match user text written sent", 1),
    _define_table("departed", "guild at", 1),
)
# Specific to one kind of storage and temporary: applied migrations, present processes, their messages.
TRANSIENT_TABLES = frozenset(
    {"schema_migrations", "turns", "crew", "processes", "leases", "answering", "behind.others"}
)


@dataclass(slots=True)
class TableDigest:
    """The number of rows and a digest of them, in order."""

    rows: int = 0
    _digest: blake2b = field(default_factory=lambda: blake2b(digest_size=16))

    def add_rows(self, rows: Rows) -> None:
        """Add these rows."""
        self.rows += len(rows)
        self._digest.update("".join(map(repr, rows)).encode())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TableDigest) and self.as_tuple() == other.as_tuple()

    def as_tuple(self) -> tuple[int, str]:
        """Return both as values."""
        return self.rows, self._digest.hexdigest()


class BulkSource(Protocol):
    """All data of a database at one moment. Methods raise StorageError."""

    name: str  # its name in messages

    def read_rows(self, table: Table) -> AsyncIterator[Rows]:
        """Yield all rows of a table, in its order."""
        ...

    async def live_matches(self) -> Sequence[str]:
        """Return the ids of the live matches."""
        ...

    async def load_match(self, match: str) -> tuple[MatchInfo | None, SavedMatch | None]:
        """Load a match as the bot does. Also raises DamagedMatch."""
        ...


class BulkTarget(BulkSource, Protocol):
    """A database to fill; everything is committed at once at the end."""

    async def write_rows(self, table: Table, rows: Rows) -> None:
        """Add these rows to the table."""
        ...

    async def finish_filling(self) -> None:
        """Finish: from now on the constraints between tables hold."""
        ...


def quote_columns(columns: Sequence[str]) -> str:
    """Return quoted column names, valid in both kinds of SQL even if they are keywords."""
    return ", ".join(f'"{column}"' for column in columns)
