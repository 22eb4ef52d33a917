"""A PostgreSQL database: connected to, checked, brought up to date, and let go again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from typing import Any, TypeVar

import asyncpg

from engines.store.match_store import StoreFailure
from storage.postgres.connection.address import Address
from storage.postgres.connection.connection import Connection, Raw, Work
from storage.postgres.connection.errors import ADDRESS, FORESEEN, MOVED, Complaint, cut, describe, explained, log
from storage.postgres.connection.schema import check_server, make_ready, ours
from storage.postgres.connection.text import understand
from storage.postgres.writing.fenced import Deed, Fenced
from storage.postgres.writing.writer import TRIES, Job, Writer
from storage.shared.errors import NOT_READ, NOT_SAVED, UPDATING, StorageError
from storage.shared.group_commit import Group, Kind, Told
from storage.shared.numbered_migrations import Migration

T = TypeVar("T")

CONNECTIONS = 8
CONNECTING = 5.0  # seconds for a new connection at a start
PATIENCE = 2.0  # seconds for a connection and for a lock; within the three that Discord gives a click
TIDY = 20_000  # writes, after which due times are tidied up: PostgreSQL does so by itself once a minute at most
LONGEST = 10.0  # seconds for a statement
ALONE = 0x6D6F746C6579_01  # the number of the lock that all who run on the database share
# What Motley asks of PostgreSQL for its connections. Whoever froze or is cut off keeps nobody else waiting for long.
SETTINGS = {
    "application_name": "motley",
    "idle_in_transaction_session_timeout": "5s",
    "tcp_keepalives_idle": "15",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
WIPED = (
    *("matches", "seats", "states", "bases", "moves", "events", "history", "surfaces", "mentions", "due", "behind"),
    *("notes", "preferences", "inboxes", "servers", "forgetting"),
)

KIND = Kind(FORESEEN, describe, quotes=True)


class Database:
    """One database through a few connections. One batch at a time is written; what was committed is seen by all."""

    def __init__(
        self,
        pool: asyncpg.Pool[asyncpg.Record],
        clock: Callable[[], float],
        told: Told | None,
        where: Address,
        own: set[int],
        known: int,
    ) -> None:
        self.where = where
        self.known = known  # the number of the newest layout that is known here
        self.own = own  # the processes of PostgreSQL that serve this one's connections
        self.process = 0  # the number of this process among those that share the database; 0: it shares it with nobody
        self.parts = 1  # into so many all servers are divided among them
        self._pool = pool
        self._clock = clock
        self._complaint = Complaint()
        self._doubts: set[int] = set()  # processes of PostgreSQL that may still be committing what we know no end of
        self._writer = Writer(self._acquired, self._doubt)
        self._group: Group[Job] = Group(self._commit, KIND, told, self._complaint)
        self._written = 0
        self.outdated = False  # a newer version has made of the layout what this one no longer understands
        self._tidying: asyncio.Task[None] | None = None

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        address: str,
        *,
        clock: Callable[[], float],
        migrations: Sequence[Migration] | None = None,
        told: Told | None = None,
    ) -> AsyncIterator[Database]:
        """Connect, and bring the layout up to date; `clock` gives Unix seconds, `told` is told of writes.

        Raises StorageError, with a sentence, where that cannot be. What waits to be written at the end still is.
        """
        where, own, known = Address.read(address), set[int](), ours() if migrations is None else migrations
        async with AsyncExitStack() as stack:
            with explained():
                first = await connected(where)
                try:
                    await check_server(first)
                    if not await first.fetchval("SELECT pg_try_advisory_lock_shared($1)", ALONE):
                        raise StorageError(MOVED)
                    await make_ready(first, known, int(clock()))
                finally:
                    await first.close(timeout=CONNECTING)
                pool = await stack.enter_async_context(
                    asyncpg.create_pool(
                        where.url,
                        ssl=where.tls,
                        min_size=1,
                        max_size=CONNECTIONS,
                        connection_class=Connection,
                        timeout=CONNECTING,
                        command_timeout=LONGEST,
                        init=partial(_known, own),
                        reset=_as_it_is,
                        server_settings={**SETTINGS, "lock_timeout": f"{PATIENCE}s"},
                    )
                )
            database = cls(pool, clock, told, where, own, len(known))
            stack.push_async_callback(database._close)
            yield database

    def now(self) -> int:
        """The clock's Unix second."""
        return int(self._clock())

    def fenced(self, deed: Deed, values: tuple[object, ...], epoch: int) -> Fenced:
        """That write in the name of an epoch."""
        return Fenced(deed, values, epoch, self.parts, self.process)

    async def write(self, job: Job, *, what: str, sorry: str = NOT_SAVED) -> Any:
        """Have it written in the next transaction; what came of it once it is durable. Raises StoreFailure."""
        if self.outdated:
            raise StoreFailure(UPDATING)
        return await self._group.write(job, what=what, sorry=sorry)

    async def read(self, work: Work[T], *, what: str, several: bool = False) -> T:
        """Do the work on all that is committed; `several` statements see one moment of it. Raises StoreFailure."""
        if self.outdated:
            raise StoreFailure(UPDATING)
        try:
            return await self._read(work, several)
        except FORESEEN as error:
            log.error("Not read: %s. %s", what, describe(error))
            self._complaint.say(error)
            raise StoreFailure(NOT_READ) from None  # it may quote what is kept

    async def beside(self, work: Work[T], *, what: str) -> T:
        """Do the work in a transaction of its own, beside what is written. Raises StoreFailure."""

        async def whole(raw: Raw) -> T:
            async with raw.transaction():
                return await work(raw)

        return await self.read(whole, what=what)

    @asynccontextmanager
    async def lent(self) -> AsyncIterator[Raw]:
        """A connection for whatever its borrower does beside. Raises StoreFailure where there is none."""
        try:
            raw = await self._pool.acquire(timeout=PATIENCE)
        except FORESEEN as error:
            self._complaint.say(error)
            raise StoreFailure(NOT_READ) from None
        try:
            yield raw
        finally:
            with suppress(*FORESEEN):
                await self._pool.release(raw)

    async def look_through(self) -> None:
        """PostgreSQL looks after its own files: there is nothing to be looked through."""

    async def wipe(self) -> bool:
        """Have PostgreSQL clear away what was deleted. False where that fails."""
        try:
            async with self._acquired() as raw:
                await raw.execute(f"VACUUM {', '.join(WIPED)}", timeout=600)
        except FORESEEN as error:
            log.error("What was deleted could not be cleared away. %s", describe(error))
            return False
        return True

    async def _close(self) -> None:
        await self._group.close()
        if self._tidying is not None:
            await asyncio.wait({self._tidying})

    async def _commit(self, batch: Sequence[Job]) -> list[Any]:
        outcomes = await self._writer.commit(batch)
        self._written += len(batch)
        if self._written >= TIDY and (self._tidying is None or self._tidying.done()):
            self._written = 0
            self._tidying = asyncio.create_task(self._tidy(), name="storage: tidy up")
        return outcomes

    async def _tidy(self) -> None:
        """Have room be used again that due times which are past have left; nobody waits for it."""
        try:
            async with self._acquired() as raw:
                await raw.execute("VACUUM due")
        except FORESEEN as error:
            log.info("The due times were not tidied up. %s", describe(error))

    async def _read(self, work: Work[T], several: bool) -> T:
        for left in reversed(range(TRIES)):
            try:
                async with self._acquired() as raw:
                    if not several:
                        return await work(raw)
                    async with raw.transaction(isolation="repeatable_read", readonly=True):
                        return await work(raw)
            except FORESEEN as error:  # where a connection was cut, the next one is new
                if not left or isinstance(error, TimeoutError) or not cut(error):
                    raise
        raise AssertionError

    @asynccontextmanager
    async def _acquired(self) -> AsyncIterator[Raw]:
        """A connection, on which all that we have ever written is decided."""
        try:
            async with self._pool.acquire(timeout=PATIENCE) as raw:
                if self._doubts:
                    await self._decided(raw)
                yield raw
        except FORESEEN as error:
            if cut(error):  # then so are others, which may not be known yet
                await self._pool.expire_connections()
            raise

    def _doubt(self, process: int) -> None:
        """It is not known whether what was written there is committed."""
        self._doubts.add(process)

    async def _decided(self, raw: Raw) -> None:
        """Wait until nobody commits any more what we know no end of."""
        doubts = list(self._doubts)
        sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = ANY($1) AND usename = current_user"
        left = [process for process in doubts if process != raw.get_server_pid()]
        while await raw.fetch(sql, left):  # noqa: ASYNC110  # it is PostgreSQL that is waited for
            await asyncio.sleep(0.05)
        self._doubts.difference_update(doubts)


async def connected(where: Address, settings: dict[str, str] = SETTINGS) -> Connection:
    """A connection of one's own. Raises what PostgreSQL and the way there may, and StorageError."""
    raw = await reached(where, settings)
    await understand(raw)
    return raw


async def reached(where: Address, settings: dict[str, str] = SETTINGS) -> Connection:
    """The same, with texts as PostgreSQL has them."""
    try:
        return await asyncpg.connect(
            where.url, ssl=where.tls, timeout=CONNECTING, server_settings=settings, connection_class=Connection
        )
    except FORESEEN:  # among them ValueErrors, such as that of a certificate
        raise
    except ValueError:  # of a port, say, and it quotes it
        raise StorageError(ADDRESS) from None


async def _known(own: set[int], raw: Raw) -> None:
    """One of the pool's: what is told by it is told by this process itself."""
    await understand(raw)
    process = raw.get_server_pid()
    own.add(process)
    raw.add_termination_listener(lambda _: own.discard(process))


async def _as_it_is(raw: Raw) -> None:
    """Nothing is left on a connection that is given back, so nothing has to be asked for."""
