"""What processes on one database share: turns, heartbeats and exclusive sections, by the database's clock."""

from __future__ import annotations

import logging
from asyncio import get_running_loop, sleep
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from secrets import token_hex

from engines.store.match_store import StoreFailure
from engines.store.process_group import TURN_SPACING, GroupStatus, ProcessStatus, divide_shares
from storage.postgres.connection.connection import RawConnection
from storage.postgres.connection.errors import EXPECTED_ERRORS
from storage.postgres.database import Database
from storage.shared.errors import NOT_READ

log = logging.getLogger(__name__)

TURN_MARGIN = 0.5  # seconds added between two turns, and by which a process may be late for its own
GONE_SECONDS = 5.0  # seconds after which a silent process no longer counts
FORGET_SECONDS = 3600.0  # seconds after which a silent process is forgotten
LINGER_SECONDS = (
    1.5  # seconds for which a larger old share still counts: Discord counts per second, and news takes time
)
GROUP_LOCK = (
    0x6D6F746C65795F  # with 0: the lock for dividing shares; with the hash of a task name: the lock of that task
)
MAX_LOCK_WAIT = 15.0  # seconds to wait for an exclusive section
LEAVING_SHARD = -1  # shards below this are given up once another process has learned of it
LOCK_POLL_SECONDS = 0.2  # seconds between two attempts to get the lock

_NOW = "extract(epoch FROM clock_timestamp())::double precision"
_TURN = f"""
INSERT INTO turns AS t (bucket, at) VALUES ($1, {_NOW} + $2)
ON CONFLICT (bucket) DO UPDATE SET at = greatest(t.at + $3, excluded.at) RETURNING at - {_NOW}
"""
_READ_GROUP = f"SELECT process, version, at, need, share, shares, ends, heard, {_NOW} FROM crew"
_PUT_STATUS = f"""
INSERT INTO crew (process, version, need, heard, share, shares, ends, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, {_NOW})
ON CONFLICT (process) DO UPDATE SET version = excluded.version, need = excluded.need, heard = excluded.heard,
    share = excluded.share, shares = excluded.shares, ends = excluded.ends, at = excluded.at
"""
_DELETE_OLD = f"DELETE FROM crew WHERE at < {_NOW} - $1"


def _loop_time() -> float:
    return get_running_loop().time()


@dataclass(frozen=True, slots=True)
class _StatusRow:
    """What a process last reported about itself."""

    process: str
    version: str
    at: float
    need: float
    share: float
    shares: list[float]
    ends: list[float]
    shards: list[int]
    now: float

    @property
    def is_present(self) -> bool:
        """Return whether it counts."""
        return self.now - self.at < GONE_SECONDS

    def lingering_shares(self) -> list[tuple[float, float]]:
        """Return the larger old shares that it may still be using, each with its end."""
        pairs = zip(self.shares, self.ends, strict=True)
        return [(share, end) for share, end in pairs if self.now - end < LINGER_SECONDS]

    def share_in_use(self) -> float:
        """Return the share that it may still be using."""
        return max(self.share, *(share for share, _ in self.lingering_shares()), 0.0)


class PostgresGroup:
    """One process of the group, with its own name. Every method raises StoreFailure."""

    def __init__(self, database: Database, clock: Callable[[], float] = _loop_time) -> None:
        self._database = database
        self._clock = clock
        self._name = token_hex(8)

    async def wait_for_turn(self, bucket: int, min_wait: float = 0.0) -> None:
        """Wait for the next turn of a bucket. A process that is late, say after a freeze, takes another turn."""
        while True:
            start = self._clock()
            wait = max(
                0.0, await self._database.run_separately(partial(_reserve_turn, bucket, min_wait), what="a turn")
            )
            await sleep(wait)
            late = self._clock() - start - wait
            if late <= TURN_MARGIN:
                return
            log.info("Too late for a turn by %.1f s: taking another", late)
            min_wait = 0.0

    async def send_heartbeat(self, status: ProcessStatus) -> GroupStatus:
        """Report this process's status to the others, and return the state of the group."""
        return await self._database.run_separately(
            partial(self._exchange_status, status), what="the process group's status"
        )

    @asynccontextmanager
    async def exclusive_section(self, task_name: str) -> AsyncIterator[None]:
        """Run a section alone, unless getting the lock takes longer than fifteen seconds."""
        async with self._database.borrow_connection() as raw:
            try:
                await self._acquire_lock(raw, task_name)
                yield
            finally:
                await _release_locks(raw)

    async def leave_group(self) -> None:
        """Tell the others that this process has left."""

        async def leave(raw: RawConnection) -> None:
            await raw.execute("DELETE FROM crew WHERE process = $1", self._name)

        await self._database.run_separately(leave, what="the process group's members")

    async def _acquire_lock(self, raw: RawConnection, task_name: str) -> None:
        until = self._clock() + MAX_LOCK_WAIT
        try:
            while not await raw.fetchval(
                "SELECT pg_try_advisory_lock(hashtextextended($1, $2))", task_name, GROUP_LOCK
            ):
                if self._clock() > until:
                    return
                await sleep(LOCK_POLL_SECONDS)
        except EXPECTED_ERRORS as error:
            raise StoreFailure(NOT_READ) from error

    async def _exchange_status(self, status: ProcessStatus, raw: RawConnection) -> GroupStatus:
        await raw.execute("SELECT pg_advisory_xact_lock($1)", GROUP_LOCK)  # first, so that we read the newest rows
        present = {each.process: each for row in await raw.fetch(_READ_GROUP) if (each := _StatusRow(*row)).is_present}
        own_status = present.pop(self._name, None)  # after a long silence it starts again: others have used its share
        wanted = divide_shares({self._name: status.need, **{name: each.need for name, each in present.items()}})[
            self._name
        ]
        share = max(0.0, min(wanted, 1 - sum(each.share_in_use() for each in present.values())))
        lately = (
            []
            if own_status is None
            else [
                *own_status.lingering_shares(),
                *([(own_status.share, own_status.now)] if own_status.share > share else []),
            ]
        )
        ends = [end for _, end in lately]
        await raw.execute(
            *(_PUT_STATUS, self._name, status.version, status.need, _shard_numbers(status)),
            *(share, [share for share, _ in lately], ends),
        )
        await raw.execute(_DELETE_OLD, FORGET_SECONDS)
        shards = {number for each in present.values() for number in each.shards}
        lasting = frozenset(number for number in shards if number >= 0)
        heard_shards = lasting | {LEAVING_SHARD - number for number in shards if number < 0}
        return GroupStatus(
            share, len(present) + 1, heard_shards, lasting, frozenset(each.version for each in present.values())
        )


def _shard_numbers(status: ProcessStatus) -> list[int]:
    """Return a process's shards in their stored form: those that it gives up are negative."""
    return sorted(number if number in status.lasting_shards else LEAVING_SHARD - number for number in status.shards)


async def _release_locks(raw: RawConnection) -> None:
    try:
        await raw.execute("SELECT pg_advisory_unlock_all()")
    except EXPECTED_ERRORS:
        raw.terminate()


async def _reserve_turn(bucket: int, min_wait: float, raw: RawConnection) -> float:
    return float(await raw.fetchval(_TURN, bucket, min_wait, TURN_SPACING + TURN_MARGIN))
