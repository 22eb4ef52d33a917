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
from engines.store.process_group import APART, Crew, Sign, shares
from storage.postgres.connection.connection import Raw
from storage.postgres.connection.errors import FORESEEN
from storage.postgres.database import Database
from storage.shared.errors import NOT_READ

log = logging.getLogger(__name__)

MARGIN = 0.5  # seconds between two turns beyond what must be, and by which one may be late for one's own
GONE = 5.0  # seconds after which whoever is silent is not counted
FORGOTTEN = 3600.0  # seconds after which nothing is kept of them
LINGER = 1.5  # seconds for which a share that became smaller still counts: Discord counts a second, and news take time
LOCK = 0x6D6F746C65795F  # with 0, the number of the lock under which shares are divided; else with the name of a deed
LONGEST = 15.0  # seconds that one waits to be alone
GOING = -1  # from which the number of a shard is taken that is given up once another process is told of it
LOOK = 0.2  # seconds between two looks whether one is

_NOW = "extract(epoch FROM clock_timestamp())::double precision"
_TURN = f"""
INSERT INTO turns AS t (bucket, at) VALUES ($1, {_NOW} + $2)
ON CONFLICT (bucket) DO UPDATE SET at = greatest(t.at + $3, excluded.at) RETURNING at - {_NOW}
"""
_CREW = f"SELECT process, version, at, need, share, shares, ends, heard, {_NOW} FROM crew"
_TELL = f"""
INSERT INTO crew (process, version, need, heard, share, shares, ends, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, {_NOW})
ON CONFLICT (process) DO UPDATE SET version = excluded.version, need = excluded.need, heard = excluded.heard,
    share = excluded.share, shares = excluded.shares, ends = excluded.ends, at = excluded.at
"""
_TIDY = f"DELETE FROM crew WHERE at < {_NOW} - $1"


def _time() -> float:
    return get_running_loop().time()


@dataclass(frozen=True, slots=True)
class _Told:
    """What a process told of itself."""

    process: str
    version: str
    at: float
    need: float
    share: float
    shares: list[float]
    ends: list[float]
    heard: list[int]
    now: float

    @property
    def there(self) -> bool:
        """Whether it is counted."""
        return self.now - self.at < GONE

    def lately(self) -> list[tuple[float, float]]:
        """The shares that it may be using yet although it has a smaller one now, each with its end."""
        pairs = zip(self.shares, self.ends, strict=True)
        return [(share, end) for share, end in pairs if self.now - end < LINGER]

    def taken(self) -> float:
        """The share that it may be using yet."""
        return max(self.share, *(share for share, _ in self.lately()), 0.0)


class Together:
    """One of the processes, by a name of its own. Every method raises StoreFailure."""

    def __init__(self, database: Database, clock: Callable[[], float] = _time) -> None:
        self._database = database
        self._clock = clock
        self._name = token_hex(8)

    async def turn(self, bucket: int, after: float = 0.0) -> None:
        """Wait for the next turn of a bucket. Whoever is late for it, because they froze, say, takes another."""
        while True:
            asked = self._clock()
            wait = max(0.0, await self._database.beside(partial(_turn, bucket, after), what="a turn"))
            await sleep(wait)
            late = self._clock() - asked - wait
            if late <= MARGIN:
                return
            log.info("Too late for a turn by %.1f s: taking another", late)
            after = 0.0

    async def beat(self, sign: Sign) -> Crew:
        """Tell the others that one is there, and learn how things stand."""
        return await self._database.beside(partial(self._beat, sign), what="what processes tell of themselves")

    @asynccontextmanager
    async def alone(self, what: str) -> AsyncIterator[None]:
        """In here nobody else does that, unless it takes longer than fifteen seconds."""
        async with self._database.lent() as raw:
            try:
                await self._lock(raw, what)
                yield
            finally:
                await _unlock(raw)

    async def leave(self) -> None:
        """Tell the others that one is there no more."""

        async def leave(raw: Raw) -> None:
            await raw.execute("DELETE FROM crew WHERE process = $1", self._name)

        await self._database.beside(leave, what="who is there")

    async def _lock(self, raw: Raw, what: str) -> None:
        until = self._clock() + LONGEST
        try:
            while not await raw.fetchval("SELECT pg_try_advisory_lock(hashtextextended($1, $2))", what, LOCK):
                if self._clock() > until:
                    return
                await sleep(LOOK)
        except FORESEEN as error:
            raise StoreFailure(NOT_READ) from error

    async def _beat(self, sign: Sign, raw: Raw) -> Crew:
        await raw.execute("SELECT pg_advisory_xact_lock($1)", LOCK)  # first, so that what is read is the newest
        told = {each.process: each for row in await raw.fetch(_CREW) if (each := _Told(*row)).there}
        mine = told.pop(self._name, None)  # whoever was silent for long begins anew: others have used its share
        wanted = shares({self._name: sign.need, **{name: each.need for name, each in told.items()}})[self._name]
        share = max(0.0, min(wanted, 1 - sum(each.taken() for each in told.values())))
        lately = [] if mine is None else [*mine.lately(), *([(mine.share, mine.now)] if mine.share > share else [])]
        ends = [end for _, end in lately]
        await raw.execute(
            *(_TELL, self._name, sign.version, sign.need, _written(sign)),
            *(share, [share for share, _ in lately], ends),
        )
        await raw.execute(_TIDY, FORGOTTEN)
        shards = {number for each in told.values() for number in each.heard}
        kept = frozenset(number for number in shards if number >= 0)
        heard = kept | {GOING - number for number in shards if number < 0}
        return Crew(share, len(told) + 1, heard, kept, frozenset(each.version for each in told.values()))


def _written(sign: Sign) -> list[int]:
    """The shards of which a process is told, as they are kept: those that it gives up are below 0."""
    return sorted(number if number in sign.kept else GOING - number for number in sign.heard)


async def _unlock(raw: Raw) -> None:
    try:
        await raw.execute("SELECT pg_advisory_unlock_all()")
    except FORESEEN:
        raw.terminate()


async def _turn(bucket: int, after: float, raw: Raw) -> float:
    return float(await raw.fetchval(_TURN, bucket, after, APART + MARGIN))
