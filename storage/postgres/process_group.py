"""What the processes on one database do together, by the database's clock."""

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

TURN_MARGIN = 0.5  # seconds between two turns beyond what must be, and by which one may be late for one's own
GONE_SECONDS = 5.0  # seconds after which whoever is silent is not counted
FORGET_SECONDS = 3600.0  # seconds after which nothing is kept of them
LINGER_SECONDS = (
    1.5  # seconds for which a share that became smaller still counts: Discord counts a second, and news take time
)
GROUP_LOCK = (
    0x6D6F746C65795F  # with 0, the number of the lock under which shares are divided; else with the name of a deed
)
MAX_LOCK_WAIT = 15.0  # seconds that one waits to be alone
LEAVING_SHARD = -1  # from which the number of a shard is taken that is given up once another process is told of it
LOCK_POLL_SECONDS = 0.2  # seconds between two looks whether one is

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
    """What a process told of itself."""

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
        """Whether it is counted."""
        return self.now - self.at < GONE_SECONDS

    def lingering_shares(self) -> list[tuple[float, float]]:
        """The shares that it may be using yet although it has a smaller one now, each with its end."""
        pairs = zip(self.shares, self.ends, strict=True)
        return [(share, end) for share, end in pairs if self.now - end < LINGER_SECONDS]

    def share_in_use(self) -> float:
        """The share that it may be using yet."""
        return max(self.share, *(share for share, _ in self.lingering_shares()), 0.0)


class PostgresGroup:
    """One of the processes, by a name of its own. Every method raises StoreFailure."""

    def __init__(self, database: Database, clock: Callable[[], float] = _loop_time) -> None:
        self._database = database
        self._clock = clock
        self._name = token_hex(8)

    async def wait_for_turn(self, bucket: int, min_wait: float = 0.0) -> None:
        """Wait for the next turn of a bucket. Whoever is late for it, because they froze, say, takes another."""
        while True:
            asked = self._clock()
            wait = max(
                0.0, await self._database.run_separately(partial(_reserve_turn, bucket, min_wait), what="a turn")
            )
            await sleep(wait)
            late = self._clock() - asked - wait
            if late <= TURN_MARGIN:
                return
            log.info("Too late for a turn by %.1f s: taking another", late)
            min_wait = 0.0

    async def send_heartbeat(self, status: ProcessStatus) -> GroupStatus:
        """Tell the others that one is there, and learn how things stand."""
        return await self._database.run_separately(
            partial(self._exchange_status, status), what="what processes tell of themselves"
        )

    @asynccontextmanager
    async def exclusive_section(self, task_name: str) -> AsyncIterator[None]:
        """In here nobody else does that, unless it takes longer than fifteen seconds."""
        async with self._database.borrow_connection() as raw:
            try:
                await self._acquire_lock(raw, task_name)
                yield
            finally:
                await _release_locks(raw)

    async def leave_group(self) -> None:
        """Tell the others that one is there no more."""

        async def leave(raw: RawConnection) -> None:
            await raw.execute("DELETE FROM crew WHERE process = $1", self._name)

        await self._database.run_separately(leave, what="who is there")

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
        await raw.execute("SELECT pg_advisory_xact_lock($1)", GROUP_LOCK)  # first, so that what is read is the newest
        told = {each.process: each for row in await raw.fetch(_READ_GROUP) if (each := _StatusRow(*row)).is_present}
        mine = told.pop(self._name, None)  # whoever was silent for long begins anew: others have used its share
        wanted = divide_shares({self._name: status.need, **{name: each.need for name, each in told.items()}})[
            self._name
        ]
        share = max(0.0, min(wanted, 1 - sum(each.share_in_use() for each in told.values())))
        lately = (
            []
            if mine is None
            else [*mine.lingering_shares(), *([(mine.share, mine.now)] if mine.share > share else [])]
        )
        ends = [end for _, end in lately]
        await raw.execute(
            *(_PUT_STATUS, self._name, status.version, status.need, _shard_numbers(status)),
            *(share, [share for share, _ in lately], ends),
        )
        await raw.execute(_DELETE_OLD, FORGET_SECONDS)
        shards = {number for each in told.values() for number in each.shards}
        kept = frozenset(number for number in shards if number >= 0)
        heard = kept | {LEAVING_SHARD - number for number in shards if number < 0}
        return GroupStatus(share, len(told) + 1, heard, kept, frozenset(each.version for each in told.values()))


def _shard_numbers(status: ProcessStatus) -> list[int]:
    """The shards of which a process is told, as they are kept: those that it gives up are below 0."""
    return sorted(number if number in status.lasting_shards else LEAVING_SHARD - number for number in status.shards)


async def _release_locks(raw: RawConnection) -> None:
    try:
        await raw.execute("SELECT pg_advisory_unlock_all()")
    except EXPECTED_ERRORS:
        raw.terminate()


async def _reserve_turn(bucket: int, min_wait: float, raw: RawConnection) -> float:
    return float(await raw.fetchval(_TURN, bucket, min_wait, TURN_SPACING + TURN_MARGIN))
