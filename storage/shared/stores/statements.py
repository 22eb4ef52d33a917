"""What both kinds of storage offer to shared work: statements in a transaction, and where their SQL differs.

Shared work is written once, as coroutines. In PostgreSQL they run as they are. In a file they run on the connection's
thread, where a statement never waits: see `storage/sqlite/statements.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar

from engines.store.match_store import LIVE

T = TypeVar("T")

LIVE_STATUSES = ", ".join(f"'{status}'" for status in sorted(LIVE))
MARK_STALE = "INSERT INTO behind (match) SELECT match FROM matches WHERE match = $1 ON CONFLICT DO NOTHING"
"""Marks a match as stale, if it exists."""
PUT_NOTE = "INSERT INTO notes (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value"


class Statements(Protocol):
    """Runs statements in one transaction. `$1` stands for the first value; values are no lists."""

    async def fetch(self, query: str, /, *args: Any) -> list[Any]:
        """Return all rows."""

    async def fetchrow(self, query: str, /, *args: Any) -> Any:
        """Return the first row, or None."""

    async def fetchval(self, query: str, /, *args: Any) -> Any:
        """Return the first value of the first row, or None."""

    async def execute(self, query: str, /, *args: Any) -> object:
        """Run a statement whose rows nobody needs."""

    async def executemany(self, command: str, /, args: Iterable[tuple[Any, ...]]) -> object:
        """Run a statement with each of these values."""


Work: TypeAlias = Callable[[Statements], Awaitable[T]]


@dataclass(frozen=True, slots=True)
class Dialect:
    """The words in which the SQL of a kind of storage differs.

    The last four are statements. `announce` marks the match `$1` as stale and tells other processes its new revision.
    The others mark as stale the match `$1`, of which another process may have cached something; the lobbies of the
    server `$1`; and the live matches of the person `$1`.
    """

    insertion_order: str  # the column of `matches` that tells which of two was inserted first
    greatest: str  # the function that returns the greatest of its arguments
    least: str
    lock_rows: str  # after a SELECT: its rows stay as they are until the transaction ends
    unindexed: str  # before a column: look for it without its index
    lobbies_by_guild: str  # after `matches`: look for it by this index
    tables_by_guild: str
    tables_by_host: str
    closed: str  # the condition on a match that ended before the second `$1`, and the order in which they ended
    announce: str
    mark_hand: str
    mark_lobbies: str
    mark_user_matches: str


class SharedStore(ABC):
    """A store that works on a database of either kind. Methods raise StoreFailure."""

    _dialect: ClassVar[Dialect]

    @abstractmethod
    async def _read(self, work: Work[T], what: str, *, consistent: bool = False) -> T:
        """Do the work on committed data; with `consistent`, all of it sees the same state."""

    @abstractmethod
    async def _write(
        self,
        work: Work[T],
        what: str,
        *,
        match: str = "",
        find: Work[Iterable[str]] | None = None,
        guild: int = 0,
        host: int = 0,
    ) -> T:
        """Do the work in a transaction under locks: of a match, of those found first, of a server, or of a host."""

    @abstractmethod
    def _now(self) -> int:
        """Return the Unix second."""

    async def _fetch(self, what: str, sql: str, *values: object) -> list[Any]:
        """Return the rows of a statement."""

        async def fetch(raw: Statements) -> list[Any]:
            return await raw.fetch(sql, *values)

        return await self._read(fetch, what)

    async def _execute(self, what: str, sql: str, *values: object) -> None:
        """Write with a statement."""

        async def execute(raw: Statements) -> None:
            await raw.execute(sql, *values)

        await self._write(execute, what)
