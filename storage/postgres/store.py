"""A store on PostgreSQL: how shared work is done there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from storage.postgres.connection.connection import RawConnection
from storage.postgres.database import Database
from storage.postgres.writing.stale_surfaces import DIALECT
from storage.postgres.writing.writer import MatchWork, SingleStatement
from storage.shared.stores.statements import SharedStore, T, Work


class PostgresStore(SharedStore):
    """A store on PostgreSQL."""

    _dialect = DIALECT

    def __init__(self, database: Database) -> None:
        self._database = database

    async def _read(self, work: Work[T], what: str, *, consistent: bool = False) -> T:
        return await self._database.read(work, what=what, consistent=consistent)

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
        job = MatchWork(work, [match] if match else (), find, guild or None, host or None)
        return cast("T", await self._database.write(job, what=what))

    async def _execute(self, what: str, sql: str, *values: object) -> None:
        await self._database.write(SingleStatement(sql, values), what=what)

    async def _write_alone(self, work: Work[T], what: str) -> T:
        async def write(raw: RawConnection) -> T:
            await raw.execute("LOCK TABLE announcements IN SHARE ROW EXCLUSIVE MODE")
            return await work(raw)

        return cast("T", await self._database.write(write, what=what))

    def _now(self) -> int:
        return self._database.now()
