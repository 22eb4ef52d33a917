"""Which part of all servers this process looks after: leases by PostgreSQL's clock, renewed some times a second.

A process is there as long as it has a row in `processes`. Others take that out once its time is past or, sooner, once
the session is gone whose lock it held; whatever it held is free then. Nothing else takes a part from a living holder.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

import asyncpg

from engines.store.match_store import StoreFailure
from engines.store.partition import SHIFT, Part
from engines.store.server_ownership import Changed, Told
from engines.store.surface_storage import Kind
from storage.postgres.connection import versions
from storage.postgres.connection.connection import Raw
from storage.postgres.connection.errors import DIVIDED, FORESEEN, MOVED, describe, explained
from storage.postgres.connection.text import columns, read
from storage.postgres.database import ALONE, CONNECTING, SETTINGS, Database, connected
from storage.postgres.partition_shares import NOBODY, Seen, plan
from storage.postgres.writing.stale_surfaces import CHANNEL
from storage.shared.errors import StorageError

log = logging.getLogger(__name__)
BEAT = 0.3  # seconds between two renewals
LEASE = 6.0  # seconds for which one renewal is good
SAFE = 0.5  # seconds that the holder stops before others may begin
GONE = 0.6  # seconds after which a session that is gone counts: whose connection was cut is back by then
STARTED = 2.0  # seconds that everybody has to come back after PostgreSQL was started
PATIENCE = 2.0  # seconds for a renewal
AGAIN = 0.2  # seconds until a connection that was cut is tried again
OUTDATED = 1.0  # and until it is seen whether this version may go on again
TURN = "motley_leases"  # on which it is told that there is something to take
PRESENT = 0x6D6F746C  # with the number of a process: the lock that says that it is there

# Times are compared where the row is locked, so nobody who has just been heard of is taken out.
_PAST = f"""
pg_postmaster_start_time() < clock_timestamp() - interval '{STARTED} s' AND (
    until < clock_timestamp()
    OR CASE WHEN beat < clock_timestamp() - interval '{GONE} s' AND session > pg_postmaster_start_time()
        THEN pg_try_advisory_xact_lock({PRESENT}, process::integer) ELSE FALSE END
)
"""
_BEAT = f"""
WITH me AS (
    UPDATE processes SET beat = clock_timestamp(), until = clock_timestamp() + make_interval(secs => $2)
    WHERE process = $1 RETURNING process
)
SELECT EXISTS (SELECT FROM me),
    (SELECT json_agg(json_build_array(process, named, process <> $1 AND {_PAST})) FROM processes),
    (SELECT json_agg(json_build_array(part, holder, epoch)) FROM leases)
"""
_BURY = f"DELETE FROM processes WHERE process <> $1 AND {_PAST}"
_OTHERS = "SELECT COUNT(*) FROM processes WHERE process <> $1"
_ENTER = """
INSERT INTO processes (process, named, session, beat, until)
VALUES ($1, $2, clock_timestamp(), clock_timestamp(), clock_timestamp() + make_interval(secs => $3))
ON CONFLICT (process) DO UPDATE SET named = excluded.named, session = excluded.session
"""
_BACK = "UPDATE processes SET session = clock_timestamp() WHERE process = $1"
_LEAVE = "DELETE FROM processes WHERE process = $1"
_DIVIDED = "SELECT MAX(parts) FROM leases"
_DIVIDE = f"""
INSERT INTO leases (part, parts, holder, epoch) SELECT part, $1, {NOBODY}, 0 FROM generate_series(0, $1 - 1) AS part
"""
# Only what is as it was seen: whoever was faster has it.
_TAKE = """
WITH free AS (
    SELECT leases.part FROM leases JOIN unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS seen (part, holder, epoch)
        ON seen.part = leases.part AND seen.holder = leases.holder AND seen.epoch = leases.epoch
    ORDER BY leases.part FOR UPDATE OF leases
)
UPDATE leases SET holder = $1, epoch = nextval('epochs') FROM free WHERE leases.part = free.part
RETURNING leases.part, leases.epoch
"""
_FREE = f"""
WITH mine AS (SELECT part FROM leases WHERE holder = $1{{which}} ORDER BY part FOR UPDATE)
UPDATE leases SET holder = {NOBODY} FROM mine WHERE leases.part = mine.part
"""
_GIVE, _GIVE_ALL = _FREE.format(which=" AND part = ANY($2)"), _FREE.format(which="")
# What was flagged is told once; what somebody is flagging just now is told again, so that nobody is waited for.
_NEWS = f"""
WITH mine AS (
    SELECT match, revision, others FROM behind JOIN matches USING (match)
    WHERE (guild >> {SHIFT}) % $1::bigint = ANY($2::bigint[])
), flagged AS (
    SELECT behind.match FROM behind JOIN mine USING (match) WHERE mine.others FOR UPDATE OF behind SKIP LOCKED
), told AS (
    UPDATE behind SET others = FALSE FROM flagged WHERE behind.match = flagged.match
)
SELECT match, CASE WHEN others THEN -1 ELSE revision END FROM mine
"""
_ANSWERED = """
SELECT kind, seat, EXTRACT(EPOCH FROM until - clock_timestamp())::float8 FROM answering
WHERE match = $1 AND process <> $2
"""


def _nobody(*_: object) -> None:
    """Nobody wants to know."""


def now() -> float:
    """Seconds since whenever; where the system tells, those count in which the machine sleeps."""
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


class Leases:
    """The parts that this process holds: fulfils engines.store.server_ownership.Holding. A connection of its own watches over them.

    What is held counts from before its renewal was asked for, by the clock of this machine, so it ends here before
    others may begin. Where PostgreSQL cannot be reached it is held until then.
    """

    def __init__(self, database: Database, lease: float = LEASE) -> None:
        self.changed: Changed = _nobody
        self.told: Told = _nobody
        self.alone = False
        self.alive = 1
        self.process = 0
        self._database = database
        self._lease = lease
        self._named: frozenset[int] | None = None
        self._there = False  # it holds parts, or would
        self._ended = False
        self._part = Part(frozenset())
        self._epochs: dict[int, int] = {}
        self._until = 0.0
        self._ending: asyncio.TimerHandle | None = None
        self._hurry = asyncio.Event()
        self._complained = False
        self._unsure = False  # whether something was told by `news` that never got here

    @classmethod
    @asynccontextmanager
    async def watched(cls, database: Database, lease: float = LEASE) -> AsyncIterator[Leases]:
        """Be one of the processes on that database from now on. Raises StorageError."""
        leases = cls(database, lease)
        with explained():
            first = await leases._connected()
        watch = asyncio.create_task(leases._watch(first), name="storage: leases")
        try:
            yield leases
        finally:
            try:
                await leases.give_back()
            finally:  # also where whoever ends it waits no longer
                leases._ended = True
                watch.cancel()
                await asyncio.wait({watch})

    @property
    def part(self) -> Part:
        """The parts that are held."""
        return self._part if now() < self._until else Part(frozenset(), self._part.of)

    def epoch(self, guild: int) -> int:
        """The number under which that server is held. 0: it is not held."""
        return self._epochs.get(self._part.number(guild), 0) if now() < self._until else 0

    async def divide(self, part: Part | None, recommended: int) -> Part:
        """Hold parts from now on: of those that are named; of all, where none are. What may be held at most.

        Raises StorageError where others have divided into another number, and StoreFailure.
        """
        of = part.of if part else recommended
        named = part.numbers if part else None
        found = await self._database.write(partial(self._divided, of, named), what="parts")
        if found != of and part is not None:  # whoever was killed is not counted any more in a moment
            await asyncio.sleep(GONE + BEAT)
            found = await self._database.write(partial(self._divided, of, named), what="parts")
            if found != of:
                raise StorageError(DIVIDED.format(wanted=of, there=found))
        self._named, self._part, self._there = named, Part(frozenset(), found), True
        self._database.parts = found
        self._hurry.set()
        return part or Part.all(found)

    async def give_back(self) -> None:
        """Hold nothing any more: others may take it at once."""
        self._there = False
        self._hold({})
        with suppress(StoreFailure):
            await self._database.write(self._left, what="parts, given back")

    async def news(self) -> Mapping[str, int]:
        """What others may have changed of the parts that are held: the matches, with their revision.

        It is -1, once, where somebody else has written of a match's messages.
        """
        mine = self.part
        unsure, self._unsure = self._unsure, True
        found = await self._database.read(partial(_news, mine), what="what others have changed")
        self._unsure = False
        return dict.fromkeys(found, -1) if unsure else found

    async def answered(self, match: str) -> Mapping[tuple[Kind, int], float]:
        """The messages of a match with which others answer clicks, each with the seconds left for that."""
        return await self._database.read(partial(_answered, match, self.process), what=f"answers in match {match}")

    # In the database

    async def _divided(self, of: int, named: frozenset[int] | None, raw: Raw) -> int:
        """Enter, unless others who are there have divided into another number and parts are named; that number."""
        await raw.execute("SELECT pg_advisory_xact_lock($1, 0)", PRESENT)
        await raw.execute(_BURY, self.process)
        there = await raw.fetchval(_DIVIDED)
        if there != of and (there is None or not await raw.fetchval(_OTHERS, self.process)):
            await raw.execute("DELETE FROM leases")
            await raw.execute(_DIVIDE, of)
            there = of
        if there == of or named is None:
            await self._enter(raw, named)
        return int(there)

    async def _enter(self, raw: Raw, named: frozenset[int] | None) -> None:
        """Be there again. What nobody has taken meanwhile is nobody's, for somebody may be at it."""
        await raw.execute(_GIVE_ALL, self.process)
        await raw.execute(_ENTER, self.process, None if named is None else sorted(named), self._lease)

    async def _left(self, raw: Raw) -> None:
        await raw.execute(_LEAVE, self.process)
        await raw.execute("SELECT pg_notify($1, '')", TURN)

    # The watch

    async def _connected(self) -> Any:
        """A connection whose locks say that this process is there, and that listens."""
        raw = await connected(self._database.where, {**SETTINGS, "lock_timeout": "500ms"})
        try:
            if not await raw.fetchval("SELECT pg_try_advisory_lock_shared($1)", ALONE):
                raise StorageError(MOVED)
            await versions.enter(raw, self._database.known)
            if not self.process:
                self.process = self._database.process = await raw.fetchval("SELECT nextval('process_numbers')")
            await raw.execute("SELECT pg_advisory_lock_shared($1, $2)", PRESENT, self.process)
            await raw.execute(_BACK, self.process)
            await raw.add_listener(CHANNEL, self._heard)
            await raw.add_listener(TURN, lambda *_: self._hurry.set())
            raw.add_termination_listener(lambda *_: self._hurry.set())
        except BaseException:
            await raw.close(timeout=CONNECTING)
            raise
        return raw

    async def _watch(self, raw: Any) -> None:
        """Renew what is held, and take what is free; where the connection is cut, there is another one."""
        try:
            while not self._ended:
                try:
                    if raw.is_closed():
                        raw = await self._connected()
                    async with asyncio.timeout(PATIENCE):
                        await self._beat(raw)
                    self._complained = self._database.outdated = False
                except StorageError as error:  # a newer version has changed the layout, or it is being moved
                    if not self._database.outdated:
                        log.error("%s", error)
                    self._database.outdated = True
                    self._hold({})
                    raw.terminate()
                except FORESEEN as error:
                    if not self._complained:
                        log.warning("My servers could not be renewed as mine: %s", describe(error))
                    self._complained = True
                    raw.terminate()
                except Exception:  # the watch's boundary: it never dies
                    log.exception("What is held could not be renewed.")
                await self._pause(OUTDATED if self._database.outdated else AGAIN if raw.is_closed() else BEAT)
        finally:
            await raw.close(timeout=CONNECTING)

    async def _pause(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._hurry.wait()
        self._hurry.clear()

    async def _beat(self, raw: Raw) -> None:
        """Renew; take out who is gone; give back, one by one, what is too much for this one, and take what is free."""
        await versions.check(raw, self._database.known)
        if not self._there:
            return
        asked = now()
        here, processes, leases = await raw.fetchrow(_BEAT, self.process, self._lease) or (False, "[]", "[]")
        if not self._there:  # meanwhile
            return
        if not here:  # this one was taken out
            self._hold({})
            await self._enter(raw, self._named)
            self._hurry.set()
            return
        seen = Seen.read(json.loads(processes), json.loads(leases))
        if seen.past:
            log.info("Another process is gone: %s", ", ".join(map(str, sorted(seen.past))))
            await raw.execute(_BURY, self.process)
        self.alive = max(1, len(seen.alive))
        held, (back, taken) = seen.held(self.process), plan(seen, self.process)
        for part in back:
            del held[part]
        self._until = asked + self._lease - SAFE
        self._hold(held)
        if back:
            await raw.execute(_GIVE, self.process, back)
            await raw.execute("SELECT pg_notify($1, '')", TURN)
        if taken and self._there:
            free = columns(((part, *seen.leases[part]) for part in taken), 3)
            with suppress(asyncpg.LockNotAvailableError):  # whoever held it is still writing, or stands still in it
                new = {row[0]: row[1] for row in await raw.fetch(_TAKE, self.process, *free)}
                self._hold({**self._epochs, **new} if self._there else {})

    def _hold(self, epochs: Mapping[int, int]) -> None:
        """Hold these parts under these epochs, and tell what is new of that."""
        before, self._epochs = self._epochs, dict(epochs)
        self._part = Part(frozenset(epochs), self._part.of)
        lost = frozenset(part for part, epoch in before.items() if epochs.get(part) != epoch)
        gained = frozenset(part for part, epoch in epochs.items() if before.get(part) != epoch)
        if self._ending is not None:
            self._ending.cancel()
        if epochs:
            self._ending = asyncio.get_running_loop().call_later(max(0.0, self._until - now()), self._end)
        for changed in ((frozenset[int](), lost), (gained, frozenset[int]())):
            if any(changed):
                try:
                    self.changed(*(Part(numbers, self._part.of) for numbers in changed))
                except Exception:  # the boundary of whoever is told: what is held is held all the same
                    log.exception("What is held was not heard of.")

    def _end(self) -> None:
        """The time of what is held is past."""
        if now() < self._until:
            self._ending = asyncio.get_running_loop().call_later(self._until - now(), self._end)
        elif self._epochs:
            log.warning("PostgreSQL cannot be asked whether others look after my servers by now: I leave them alone.")
            self._hold({})

    def _heard(self, _: object, process: int, channel: str, payload: object) -> None:
        """Somebody has changed a match, or what is shown of it."""
        match, _, revision = read(str(payload)).rpartition(" ")
        if process not in self._database.own and revision.removeprefix("-").isdecimal():
            self.told(match, int(revision))


async def _news(mine: Part, raw: Raw) -> dict[str, int]:
    return {row[0]: row[1] for row in await raw.fetch(_NEWS, mine.of, sorted(mine.numbers))}


async def _answered(match: str, process: int, raw: Raw) -> dict[tuple[Kind, int], float]:
    return {(kind, seat): left for kind, seat, left in await raw.fetch(_ANSWERED, match, process)}
