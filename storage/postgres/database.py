"""A PostgreSQL database: connects, checks, migrates and closes it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from typing import Any, TypeVar

import asyncpg

from engines.features.registry import TABLES
from engines.store.match_store import StoreFailure
from storage.postgres.connection.address import DatabaseAddress
from storage.postgres.connection.connection import Connection, RawConnection, RawWork
from storage.postgres.connection.errors import (
    ADDRESS,
    BEING_MOVED,
    EXPECTED_ERRORS,
    PostgresErrorReporter,
    as_storage_error,
    describe_error,
    is_disconnect,
    log,
)
from storage.postgres.connection.schema import check_server, load_own_migrations, migrate_database
from storage.postgres.connection.text import use_text_codec
from storage.postgres.writing.fenced import FencedStatement, FencedWrite
from storage.postgres.writing.writer import TRIES, Job, Writer
from storage.shared.errors import NOT_READ, NOT_SAVED, UPDATING, InvalidLocation, StorageError
from storage.shared.group_commit import GroupCommit, StorageKind, TransactionCallback
from storage.shared.numbered_migrations import Migration

T = TypeVar("T")

CONNECTIONS = 8
CONNECT_TIMEOUT = 5.0  # seconds for a new connection at startup
LOCK_TIMEOUT = 2.0  # seconds for a connection and for a lock; Discord allows a click three
TIDY_WRITES = 20_000  # writes between two clean-ups of due times: PostgreSQL itself cleans up once a minute at most
STATEMENT_TIMEOUT = 10.0  # seconds for a statement
EXCLUSIVE_LOCK = 0x6D6F746C6579_01  # the lock that all processes on the database share
# Connection settings for PostgreSQL. A process that is frozen or cut off does not block others for long.
SETTINGS = {
    "application_name": "motley",
    "idle_in_transaction_session_timeout": "5s",
    "tcp_keepalives_idle": "15",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
WIPED_TABLES = (
    *("matches", "seats", "states", "bases", "moves", "events", "history", "surfaces", "mentions", "due", "behind"),
    *("notes", "preferences", "inboxes", "first_contacts", "servers", "forgetting"),
    *("breaks", "blocks", *(table.name for table in TABLES)),
)

POSTGRES_KIND = StorageKind(EXPECTED_ERRORS, describe_error, quotes_values=True)


class Database:
    """A database with a few connections. One batch is written at a time; readers see everything committed."""

    def __init__(
        self,
        pool: asyncpg.Pool[asyncpg.Record],
        clock: Callable[[], float],
        on_transaction: TransactionCallback | None,
        address: DatabaseAddress,
        own_backends: set[int],
        known_layout: int,
    ) -> None:
        self.address = address
        self.known_layout = known_layout  # the newest layout that this version supports
        self.own_backends = own_backends  # the PostgreSQL backends of our own connections
        self.process_number = 0  # this process's number among those on the database; 0: it is alone
        self.partition_count = 1  # into how many partitions all servers are divided
        self._pool = pool
        self._clock = clock
        self._error_reporter = PostgresErrorReporter()
        self._doubtful_backends: set[int] = set()  # PostgreSQL backends whose last commit may still be in progress
        self._writer = Writer(self._acquire, self._add_doubt)
        self._group: GroupCommit[Job] = GroupCommit(self._commit, POSTGRES_KIND, on_transaction, self._error_reporter)
        self._writes_since_tidy = 0
        self.is_outdated = False  # a newer version has changed the layout so that this one can no longer use it
        self._tidy_task: asyncio.Task[None] | None = None

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        address: str,
        *,
        clock: Callable[[], float],
        migrations: Sequence[Migration] | None = None,
        on_transaction: TransactionCallback | None = None,
    ) -> AsyncIterator[Database]:
        """Connect and migrate; `clock` gives Unix seconds, `on_transaction` is called for every transaction.

        Raises StorageError with a sentence for the operator. Waiting writes are still written at the end.
        """
        location, own, known = (
            DatabaseAddress.parse(address),
            set[int](),
            load_own_migrations() if migrations is None else migrations,
        )
        async with AsyncExitStack() as stack:
            with as_storage_error():
                first = await connect(location)
                try:
                    await check_server(first)
                    if not await first.fetchval("SELECT pg_try_advisory_lock_shared($1)", EXCLUSIVE_LOCK):
                        raise StorageError(BEING_MOVED)
                    await migrate_database(first, known, int(clock()))
                finally:
                    await first.close(timeout=CONNECT_TIMEOUT)
                pool = await stack.enter_async_context(
                    asyncpg.create_pool(
                        location.url,
                        ssl=location.tls,
                        min_size=1,
                        max_size=CONNECTIONS,
                        connection_class=Connection,
                        timeout=CONNECT_TIMEOUT,
                        command_timeout=STATEMENT_TIMEOUT,
                        init=partial(_set_up_connection, own),
                        reset=_keep_as_is,
                        server_settings={**SETTINGS, "lock_timeout": f"{LOCK_TIMEOUT}s"},
                    )
                )
            database = cls(pool, clock, on_transaction, location, own, len(known))
            stack.push_async_callback(database._close)
            yield database

    def now(self) -> int:
        """Return the clock's Unix second."""
        return int(self._clock())

    def fence_write(self, statement: FencedStatement, values: tuple[object, ...], epoch: int) -> FencedWrite:
        """Build a write that counts only under this lease epoch."""
        return FencedWrite(statement, values, epoch, self.partition_count, self.process_number)

    async def write(self, job: Job, *, what: str, failure_text: str = NOT_SAVED) -> Any:
        """Write in the next transaction; return the result once it is durable. Raises StoreFailure."""
        if self.is_outdated:
            raise StoreFailure(UPDATING)
        return await self._group.write(job, what=what, failure_text=failure_text)

    async def read(self, work: RawWork[T], *, what: str, consistent: bool = False) -> T:
        """Read committed data; with `consistent`, all statements see the same state. Raises StoreFailure."""
        if self.is_outdated:
            raise StoreFailure(UPDATING)
        try:
            return await self._read_with_retries(work, consistent)
        except EXPECTED_ERRORS as error:
            log.error("Not read: %s. %s", what, describe_error(error))
            self._error_reporter.report(error)
            raise StoreFailure(NOT_READ) from None  # the error may quote stored data

    async def run_separately(self, work: RawWork[T], *, what: str) -> T:
        """Do the work in a transaction of its own, apart from the writer. Raises StoreFailure."""

        async def whole(raw: RawConnection) -> T:
            async with raw.transaction():
                return await work(raw)

        return await self.read(whole, what=what)

    @asynccontextmanager
    async def borrow_connection(self) -> AsyncIterator[RawConnection]:
        """Lend a connection for other work. Raises StoreFailure if none is available."""
        try:
            raw = await self._pool.acquire(timeout=LOCK_TIMEOUT)
        except EXPECTED_ERRORS as error:
            self._error_reporter.report(error)
            raise StoreFailure(NOT_READ) from None
        try:
            yield raw
        finally:
            with suppress(*EXPECTED_ERRORS):
                await self._pool.release(raw)

    async def check_integrity(self) -> None:
        """Do nothing: PostgreSQL checks its own files."""

    async def wipe_deleted(self) -> bool:
        """Vacuum deleted data. Return False if that fails."""
        try:
            async with self._acquire() as raw:
                await raw.execute(f"VACUUM {', '.join(WIPED_TABLES)}", timeout=600)
        except EXPECTED_ERRORS as error:
            log.error("Deleted data could not be vacuumed. %s", describe_error(error))
            return False
        return True

    async def _close(self) -> None:
        await self._group.close()
        if self._tidy_task is not None:
            await asyncio.wait({self._tidy_task})

    async def _commit(self, batch: Sequence[Job]) -> list[Any]:
        outcomes = await self._writer.commit_batch(batch)
        self._writes_since_tidy += len(batch)
        if self._writes_since_tidy >= TIDY_WRITES and (self._tidy_task is None or self._tidy_task.done()):
            self._writes_since_tidy = 0
            self._tidy_task = asyncio.create_task(self._vacuum_due_times(), name="storage: tidy up")
        return outcomes

    async def _vacuum_due_times(self) -> None:
        """Free the space of past due times in the background."""
        try:
            async with self._acquire() as raw:
                await raw.execute("VACUUM due")
        except EXPECTED_ERRORS as error:
            log.info("Past due times could not be vacuumed. %s", describe_error(error))

    async def _read_with_retries(self, work: RawWork[T], consistent: bool) -> T:
        for left in reversed(range(TRIES)):
            try:
                async with self._acquire() as raw:
                    if not consistent:
                        return await work(raw)
                    async with raw.transaction(isolation="repeatable_read", readonly=True):
                        return await work(raw)
            except EXPECTED_ERRORS as error:  # after a lost connection, the next one is new
                if not left or isinstance(error, TimeoutError) or not is_disconnect(error):
                    raise
        raise AssertionError

    @asynccontextmanager
    async def _acquire(self) -> AsyncIterator[RawConnection]:
        """Acquire a connection on which all our earlier commits are decided."""
        try:
            async with self._pool.acquire(timeout=LOCK_TIMEOUT) as raw:
                if self._doubtful_backends:
                    await self._resolve_doubts(raw)
                yield raw
        except EXPECTED_ERRORS as error:
            if is_disconnect(error):  # other connections may be lost too, without our knowing yet
                await self._pool.expire_connections()
            raise

    def _add_doubt(self, process: int) -> None:
        """Remember a backend whose last commit may still be in progress."""
        self._doubtful_backends.add(process)

    async def _resolve_doubts(self, raw: RawConnection) -> None:
        """Wait until no commit of unknown outcome is in progress."""
        doubts = list(self._doubtful_backends)
        sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = ANY($1) AND usename = current_user"
        left = [process for process in doubts if process != raw.get_server_pid()]
        while await raw.fetch(sql, left):  # noqa: ASYNC110  # it is PostgreSQL that is waited for
            await asyncio.sleep(0.05)
        self._doubtful_backends.difference_update(doubts)


async def connect(address: DatabaseAddress, settings: dict[str, str] = SETTINGS) -> Connection:
    """Open a connection of its own. Raises errors of PostgreSQL and the network, and StorageError."""
    raw = await connect_raw(address, settings)
    await use_text_codec(raw)
    return raw


async def connect_raw(address: DatabaseAddress, settings: dict[str, str] = SETTINGS) -> Connection:
    """Open a connection without text decoding."""
    try:
        return await asyncpg.connect(
            address.url, ssl=address.tls, timeout=CONNECT_TIMEOUT, server_settings=settings, connection_class=Connection
        )
    except EXPECTED_ERRORS:  # includes ValueError, for example for a certificate
        raise
    except ValueError:  # for example for a port, which the error quotes
        raise InvalidLocation(ADDRESS) from None


async def _set_up_connection(own_backends: set[int], raw: RawConnection) -> None:
    """Set up a pool connection and note its backend, so that its notifications count as our own."""
    await use_text_codec(raw)
    process = raw.get_server_pid()
    own_backends.add(process)
    raw.add_termination_listener(lambda _: own_backends.discard(process))


async def _keep_as_is(raw: RawConnection) -> None:
    """Skip the reset of a returned connection: nothing is left on it."""
