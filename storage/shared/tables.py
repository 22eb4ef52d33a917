"""The tables of every kind of storage, statements over all columns of one, and a digest for comparing two databases."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from operator import itemgetter
from sys import intern
from typing import Any, Literal, Protocol, TypeAlias, get_args

from engines.features.registry import TABLES as FEATURE_TABLES
from engines.store.match_store import MatchInfo, SavedMatch
from engines.store.rows import ColumnKind, RowTable

Rows: TypeAlias = list[tuple[Any, ...]]
SqlType: TypeAlias = Literal["text", "bigint", "boolean"]
"""The type of a column in PostgreSQL; SQLite has INTEGER for the last two."""

BATCH_ROWS = 5_000  # rows that are read and written at a time


@dataclass(frozen=True)
class Table:
    """A table and its columns with their types: the only list of them. Statements over whole rows are made from it.

    Rows are read in order of the first `key_columns` columns; 0: in insertion order. `fixed_columns` keep the values
    with which a row was written.
    """

    name: str
    types: tuple[tuple[str, SqlType], ...]
    key_columns: int
    fixed_columns: frozenset[str] = frozenset()
    condition: str = "TRUE"  # the rows that carry information

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(name for name, _ in self.types)

    @property
    def key(self) -> tuple[str, ...]:
        """The columns of the key."""
        return self.columns[: self.key_columns]

    @property
    def changing_columns(self) -> tuple[str, ...]:
        """The columns that may change."""
        return tuple(name for name in self.columns[self.key_columns :] if name not in self.fixed_columns)

    @property
    def boolean_columns(self) -> frozenset[str]:
        """The columns that are true or false."""
        return frozenset(name for name, kind in self.types if kind == "boolean")

    def types_of(self, *columns: str) -> dict[str, SqlType]:
        """Return the types of these columns, in the order given; of all columns if none is given."""
        found = dict(self.types)
        return {name: found[name] for name in columns or found}

    def row(self, **values: object) -> tuple[object, ...]:
        """Return a row: these values in the order of the columns. Raises LookupError if it is not one for each."""
        if len(values) != len(self.types):
            raise LookupError(f"these are not the columns of {self.name}: {', '.join(values)}")
        return self._pick(values)

    @cached_property
    def _pick(self) -> Callable[[Mapping[str, object]], tuple[object, ...]]:
        found = itemgetter(*self.columns)
        return found if len(self.columns) > 1 else lambda values: (found(values),)


def _define_table(name: str, columns: str, key_columns: int, fixed_columns: str = "", condition: str = "TRUE") -> Table:
    """Define a table by its columns, each with its type: `match text, seat bigint`."""
    known: dict[str, SqlType] = {kind: kind for kind in get_args(SqlType)}
    # Interned like the names in code: otherwise calls with values by column take three times as long.
    types = tuple((intern(column), known[kind]) for column, kind in map(str.split, columns.split(",")))
    return Table(name, types, key_columns, frozenset(fixed_columns.split()), condition)


def _define_feature_table(table: RowTable[Any]) -> Table:
    known: dict[ColumnKind, SqlType] = {"text": "text", "bigint": "bigint", "boolean": "boolean", "json": "text"}
    return Table(table.name, tuple(zip(table.columns, map(known.__getitem__, table.kinds), strict=True)), table.key)


MATCHES = _define_table(
    "matches",
    "match text, game text, rules bigint, options text, status text, host bigint, guild bigint, channel bigint, "
    "thread bigint, revision bigint, moves bigint, votes text, reason text, created bigint, changed bigint, "
    "chosen bigint, called bigint, follows text, house text, banks text, practice boolean, "
    "decision_offset bigint, take_backs text, seal text",
    0,
    fixed_columns="match game guild created follows seal",
)
SEATS = _define_table(
    "seats",
    "match text, seat bigint, user bigint, name text, gone text, level text, missed bigint, cut text, last_cut bigint",
    2,
)
DEALS = _define_table("deals", "match text, secret text, cuts text", 1)
STATES = _define_table("states", "match text, seed text, checkpoint text", 1)
BASES = _define_table(
    "bases",
    "match text, revision bigint, moves bigint, rules bigint, checkpoint text, at bigint, seal text",
    2,
)
MOVES = _define_table(
    "moves",
    "match text, number bigint, seat bigint, decision bigint, notation text, user bigint, at bigint, level text, "
    "click bigint",
    2,
)
EVENTS = _define_table(
    "events",
    "match text, revision bigint, idx bigint, move bigint, recipients text, body text",
    3,
)
HISTORY = _define_table(
    "history",
    "match text, revision bigint, action text, by bigint, reason text, at bigint, click bigint",
    2,
)
SURFACES = _define_table(
    "surfaces",
    "match text, kind text, seat bigint, channel bigint, message bigint, digest text, shown bigint, "
    "posted bigint, lost text, done boolean, nonce text, old bigint, called bigint",
    3,
)
MENTIONS = _define_table(
    "mentions",
    "match text, seat bigint, decision bigint, nonce text, channel bigint, message bigint, state text",
    3,
)
DUE = _define_table(
    "due",
    "match text, kind text, seat bigint, decision bigint, since bigint, at bigint, done boolean, way text",
    3,
    condition="decision >= 0",
)
SERVERS = _define_table(
    "servers",
    "guild bigint, channels text, threads boolean, calls boolean, computers boolean, clock text, "
    "own_lobbies bigint, lobbies bigint, own_tables bigint, tables bigint, presets text",
    1,
)

# Ordered so that each table refers only to earlier ones.
TABLES = (
    MATCHES,
    SEATS,
    DEALS,
    STATES,
    BASES,
    MOVES,
    EVENTS,
    HISTORY,
    SURFACES,
    MENTIONS,
    DUE,
    _define_table("behind", "match text", 1),
    _define_table("inboxes", "user bigint, channel bigint, closed boolean, reached boolean", 1),
    _define_table("first_contacts", "user bigint, at bigint", 1),
    _define_table(
        "preferences",
        "user bigint, call bigint, words boolean, worth boolean, met text, take_backs boolean",
        1,
    ),
    _define_table("breaks", "user bigint, until bigint", 1),
    _define_table("notes", "key text, value text", 1),
    SERVERS,
    _define_table("forgetting", "user bigint, match text", 2),
    _define_table("blocks", "guild bigint, user bigint, at bigint", 2),
    _define_table("announcements", "number bigint, text text, at bigint, withdrawn boolean", 1),
    _define_table("announcement_posts", "announcement bigint, channel bigint, guild bigint, message bigint", 2),
    _define_table("departed", "guild bigint, at bigint", 1),
    *map(_define_feature_table, FEATURE_TABLES),
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


def quote_columns(columns: Iterable[str], table: str = "") -> str:
    """Return quoted column names, valid in both kinds of SQL even if they are keywords; `table` is put before each."""
    before = f"{table}." if table else ""
    return ", ".join(f'{before}"{column}"' for column in columns)


def insert_sql(table: Table, *, otherwise: str = "") -> str:
    """Return the statement that inserts a row with these values; `otherwise` says what happens if it is there."""
    values = ", ".join(f"${place}" for place in range(1, len(table.columns) + 1))
    return f"INSERT INTO {table.name} ({quote_columns(table.columns)}) VALUES ({values}) {otherwise}"


def put_sql(table: Table) -> str:
    """Return the statement that inserts a row with these values, or replaces the one with the same key."""
    return insert_sql(table, otherwise=replace_row_sql(table))


def replace_row_sql(table: Table) -> str:
    """Return what follows an INSERT so that its row replaces one with the same key."""
    return f"ON CONFLICT ({quote_columns(table.key)}) DO UPDATE SET {set_sql(table.changing_columns, 'excluded')}"


def set_sql(columns: tuple[str, ...], source: str) -> str:
    """Return what follows SET to take these columns from a source of rows."""
    return ", ".join(f'"{column}" = {source}."{column}"' for column in columns)
