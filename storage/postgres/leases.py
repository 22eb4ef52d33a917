"""Leases for the partitions of all servers, by PostgreSQL's clock, renewed a few times a second.

A process is present as long as it has a row in `processes`. Others delete the row when its time is over, or sooner if
the session that held its lock is gone. Then its partitions are free. Nothing else takes a partition from a living
holder.
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

from engines.store.listeners import Listeners
from engines.store.match_store import StoreFailure
from engines.store.partition import GUILD_SHIFT, Partition
from engines.store.surface_storage import SurfaceKind
from storage.postgres.connection import versions
from storage.postgres.connection.connection import RawConnection
from storage.postgres.connection.errors import (
    BEING_MOVED,
    EXPECTED_ERRORS,
    OTHER_PARTITION_COUNT,
    as_storage_error,
    describe_error,
)
from storage.postgres.connection.text import decode_text, to_columns
from storage.postgres.database import CONNECT_TIMEOUT, EXCLUSIVE_LOCK, SETTINGS, Database, connect
from storage.postgres.partition_shares import NO_PROCESS, SeenLeases, plan_partitions
from storage.postgres.writing.stale_surfaces import CHANNEL
from storage.shared.errors import StorageError

log = logging.getLogger(__name__)
RENEW_SECONDS = 0.3  # seconds between two renewals
LEASE_SECONDS = 6.0  # seconds that one renewal lasts
SAFETY_MARGIN = 0.5  # seconds by which a holder stops before others may start
SESSION_GRACE = 0.6  # seconds after which a lost session counts: a short disconnect is over by then
STARTUP_GRACE = 2.0  # seconds that every process has to reconnect after PostgreSQL was started
RENEW_TIMEOUT = 2.0  # seconds for a renewal
RECONNECT_PAUSE = 0.2  # seconds until the next attempt to reconnect
OUTDATED_PAUSE = 1.0  # seconds until an outdated version checks again whether it may continue
LEASES_CHANNEL = "motley_leases"  # notifies processes that a partition is free
PRESENCE_LOCK = 0x6D6F746C  # combined with a process number: the lock that shows that the process is present

# Times are compared with the row locked, so a process that has just renewed is not removed.
_IS_GONE = f"""
pg_postmaster_start_time() < clock_timestamp() - interval '{STARTUP_GRACE} s' AND (
    until < clock_timestamp()
    OR CASE WHEN beat < clock_timestamp() - interval '{SESSION_GRACE} s' AND session > pg_postmaster_start_time()
        THEN pg_try_advisory_xact_lock({PRESENCE_LOCK}, process::integer) ELSE FALSE END
)
"""
_RENEW = f"""
WITH me AS (
    UPDATE processes SET beat = clock_timestamp(), until = clock_timestamp() + make_interval(secs => $2)
    WHERE process = $1 RETURNING process
)
SELECT EXISTS (SELECT FROM me),
    (SELECT json_agg(json_build_array(process, named, process <> $1 AND {_IS_GONE})) FROM processes),
    (SELECT json_agg(json_build_array(part, holder, epoch)) FROM leases)
"""
_REMOVE_GONE = f"DELETE FROM processes WHERE process <> $1 AND {_IS_GONE}"
_COUNT_OTHERS = "SELECT COUNT(*) FROM processes WHERE process <> $1"
_ADD_PROCESS = """
INSERT INTO processes (process, named, session, beat, until)
VALUES ($1, $2, clock_timestamp(), clock_timestamp(), clock_timestamp() + make_interval(secs => $3))
ON CONFLICT (process) DO UPDATE SET named = excluded.named, session = excluded.session
"""
_RENEW_SESSION = "UPDATE processes SET session = clock_timestamp() WHERE process = $1"
_REMOVE_PROCESS = "DELETE FROM processes WHERE process = $1"
_PARTITION_COUNT = "SELECT MAX(parts) FROM leases"
_CREATE_LEASES = f"""
INSERT INTO leases (part, parts, holder, epoch) SELECT part, $1, {NO_PROCESS}, 0 FROM generate_series(0, $1 - 1) AS part
"""
# Change only rows that are still as we read them; otherwise another process was faster.
_TAKE_FREE = """
WITH free AS (
    SELECT leases.part FROM leases JOIN unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS seen (part, holder, epoch)
        ON seen.part = leases.part AND seen.holder = leases.holder AND seen.epoch = leases.epoch
    ORDER BY leases.part FOR UPDATE OF leases
)
UPDATE leases SET holder = $1, epoch = nextval('epochs') FROM free WHERE leases.part = free.part
RETURNING leases.part, leases.epoch
"""
_RELEASE = f"""
WITH mine AS (SELECT part FROM leases WHERE holder = $1{{which}} ORDER BY part FOR UPDATE)
UPDATE leases SET holder = {NO_PROCESS} FROM mine WHERE leases.part = mine.part
"""
_RELEASE_SOME, _RELEASE_ALL = _RELEASE.format(which=" AND part = ANY($2)"), _RELEASE.format(which="")
# Each mark is reported once; a mark that is being made at the moment is reported again, so that nobody waits.
_CHANGED_MATCHES = f"""
WITH mine AS (
    SELECT match, revision, others FROM behind JOIN matches USING (match)
    WHERE (guild >> {GUILD_SHIFT}) % $1::bigint = ANY($2::bigint[])
), flagged AS (
    SELECT behind.match FROM behind JOIN mine USING (match) WHERE mine.others FOR UPDATE OF behind SKIP LOCKED
), told AS (
    UPDATE behind SET others = FALSE FROM flagged WHERE behind.match = flagged.match
)
SELECT match, CASE WHEN others THEN -1 ELSE revision END FROM mine
"""
_OTHER_REPLIES = """
SELECT kind, seat, EXTRACT(EPOCH FROM until - clock_timestamp())::float8 FROM answering
WHERE match = $1 AND process <> $2
"""


def boot_time() -> float:
    """Return monotonic seconds, including the time in which the machine sleeps if the system counts it."""
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


class Leases:
    """The partitions that this process holds. Implements server_ownership.ServerOwnership on its own connection.

    A lease counts from before its renewal was requested, by this machine's clock, so it ends here before others may
    start. If PostgreSQL is unreachable, the lease lasts until then.
    """

    def __init__(self, database: Database, lease_seconds: float = LEASE_SECONDS) -> None:
        self.on_ownership_changed = Listeners[[Partition, Partition]]()
        self.on_match_changed = Listeners[[str, int]]()
        self.is_only_process = False
        self.process_count = 1
        self.process_number = 0
        self._database = database
        self._lease_seconds = lease_seconds
        self._named_numbers: frozenset[int] | None = None
        self._is_present = False  # it holds partitions, or would
        self._is_ended = False
        self._partition = Partition(frozenset())
        self._epochs: dict[int, int] = {}
        self._owned_until = 0.0
        self._expiry_timer: asyncio.TimerHandle | None = None
        self._wake_up = asyncio.Event()
        self._is_reported = False
        self._may_have_missed = False  # whether a notification may have been lost

    @classmethod
    @asynccontextmanager
    async def hold(cls, database: Database, lease: float = LEASE_SECONDS) -> AsyncIterator[Leases]:
        """Join the processes on that database. Raises StorageError."""
        leases = cls(database, lease)
        with as_storage_error():
            first = await leases._connect()
        watch = asyncio.create_task(leases._watch_leases(first), name="storage: leases")
        try:
            yield leases
        finally:
            try:
                await leases.release_all()
            finally:  # also if the caller stops waiting
                leases._is_ended = True
                watch.cancel()
                await asyncio.wait({watch})

    @property
    def partition(self) -> Partition:
        """Return the partitions that are held."""
        return self._partition if boot_time() < self._owned_until else Partition(frozenset(), self._partition.count)

    def epoch(self, guild: int) -> int:
        """Return the lease epoch of that server; 0 if it is not held."""
        return self._epochs.get(self._partition.number_of(guild), 0) if boot_time() < self._owned_until else 0

    async def claim_partitions(self, partition: Partition | None, recommended: int) -> Partition:
        """Hold partitions from now on: the named ones, or any if none are named. Return those that may be held.

        Raises StorageError if other processes use another number of partitions, and StoreFailure.
        """
        of = partition.count if partition else recommended
        named = partition.numbers if partition else None
        found = await self._database.write(partial(self._enter_divided, of, named), what="parts")
        if found != of and partition is not None:  # a killed process stops counting in a moment
            await asyncio.sleep(SESSION_GRACE + RENEW_SECONDS)
            found = await self._database.write(partial(self._enter_divided, of, named), what="parts")
            if found != of:
                raise StorageError(OTHER_PARTITION_COUNT.format(wanted=of, there=found))
        self._named_numbers, self._partition, self._is_present = named, Partition(frozenset(), found), True
        self._database.partition_count = found
        self._wake_up.set()
        return partition or Partition.all_of(found)

    async def release_all(self) -> None:
        """Release everything, so that others can take it at once."""
        self._is_present = False
        self._set_owned({})
        with suppress(StoreFailure):
            await self._database.write(self._leave_group, what="partitions, given back")

    async def changed_matches(self) -> Mapping[str, int]:
        """Return the matches of our partitions that others may have changed, with their revision.

        The revision is -1, once, if another process has written about a message of the match.
        """
        own_partition = self.partition
        unsure, self._may_have_missed = self._may_have_missed, True
        found = await self._database.read(partial(_changed_matches, own_partition), what="changes by other processes")
        self._may_have_missed = False
        return dict.fromkeys(found, -1) if unsure else found

    async def other_replies(self, match: str) -> Mapping[tuple[SurfaceKind, int], float]:
        """Return the messages of a match with which others answer clicks, each with the seconds left for that."""
        return await self._database.read(
            partial(_other_replies, match, self.process_number), what=f"replies in match {match}"
        )

    # The database side

    async def _enter_divided(self, count: int, numbers: frozenset[int] | None, raw: RawConnection) -> int:
        """Join, unless others use another number of partitions and some are named here. Return their number."""
        await raw.execute("SELECT pg_advisory_xact_lock($1, 0)", PRESENCE_LOCK)
        await raw.execute(_REMOVE_GONE, self.process_number)
        stored_count = await raw.fetchval(_PARTITION_COUNT)
        if stored_count != count and (
            stored_count is None or not await raw.fetchval(_COUNT_OTHERS, self.process_number)
        ):
            await raw.execute("DELETE FROM leases")
            await raw.execute(_CREATE_LEASES, count)
            stored_count = count
        if stored_count == count or numbers is None:
            await self._enter_group(raw, numbers)
        return int(stored_count)

    async def _enter_group(self, raw: RawConnection, numbers: frozenset[int] | None) -> None:
        """Join again. Partitions that nobody has taken stay free, because another process may be about to take them."""
        await raw.execute(_RELEASE_ALL, self.process_number)
        await raw.execute(
            _ADD_PROCESS, self.process_number, None if numbers is None else sorted(numbers), self._lease_seconds
        )

    async def _leave_group(self, raw: RawConnection) -> None:
        await raw.execute(_REMOVE_PROCESS, self.process_number)
        await raw.execute("SELECT pg_notify($1, '')", LEASES_CHANNEL)

    # The renewal loop

    async def _connect(self) -> Any:
        """Open the connection that listens and whose locks show that this process is present."""
        raw = await connect(self._database.address, {**SETTINGS, "lock_timeout": "500ms"})
        try:
            if not await raw.fetchval("SELECT pg_try_advisory_lock_shared($1)", EXCLUSIVE_LOCK):
                raise StorageError(BEING_MOVED)
            await versions.enter_version(raw, self._database.known_layout)
            if not self.process_number:
                self.process_number = self._database.process_number = await raw.fetchval(
                    "SELECT nextval('process_numbers')"
                )
            await raw.execute("SELECT pg_advisory_lock_shared($1, $2)", PRESENCE_LOCK, self.process_number)
            await raw.execute(_RENEW_SESSION, self.process_number)
            await raw.add_listener(CHANNEL, self._on_notification)
            await raw.add_listener(LEASES_CHANNEL, lambda *_: self._wake_up.set())
            raw.add_termination_listener(lambda *_: self._wake_up.set())
        except BaseException:
            await raw.close(timeout=CONNECT_TIMEOUT)
            raise
        return raw

    async def _watch_leases(self, raw: Any) -> None:
        """Renew our leases and take free ones; reconnect if the connection is lost."""
        try:
            while not self._is_ended:
                try:
                    if raw.is_closed():
                        raw = await self._connect()
                    async with asyncio.timeout(RENEW_TIMEOUT):
                        await self._renew(raw)
                    self._is_reported = self._database.is_outdated = False
                except StorageError as error:  # a newer version has changed the layout, or the database is being moved
                    if not self._database.is_outdated:
                        log.error("%s", error)
                    self._database.is_outdated = True
                    self._set_owned({})
                    raw.terminate()
                except EXPECTED_ERRORS as error:
                    if not self._is_reported:
                        log.warning("The leases of my servers could not be renewed: %s", describe_error(error))
                    self._is_reported = True
                    raw.terminate()
                except Exception:  # the boundary of the loop: it never dies
                    log.exception("The leases could not be renewed.")
                await self._wait_for_wake_up(
                    OUTDATED_PAUSE
                    if self._database.is_outdated
                    else RECONNECT_PAUSE
                    if raw.is_closed()
                    else RENEW_SECONDS
                )
        finally:
            await raw.close(timeout=CONNECT_TIMEOUT)

    async def _wait_for_wake_up(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wake_up.wait()
        self._wake_up.clear()

    async def _renew(self, raw: RawConnection) -> None:
        """Renew, remove dead processes, give back one surplus partition at a time, and take free ones."""
        await versions.check_layout(raw, self._database.known_layout)
        if not self._is_present:
            return
        asked_at = boot_time()
        is_registered, processes, leases = await raw.fetchrow(_RENEW, self.process_number, self._lease_seconds) or (
            False,
            "[]",
            "[]",
        )
        if not self._is_present:  # it left in the meantime
            return
        if not is_registered:  # this process was removed
            self._set_owned({})
            await self._enter_group(raw, self._named_numbers)
            self._wake_up.set()
            return
        seen_leases = SeenLeases.from_rows(json.loads(processes), json.loads(leases))
        if seen_leases.gone:
            log.info("Another process is gone: %s", ", ".join(map(str, sorted(seen_leases.gone))))
            await raw.execute(_REMOVE_GONE, self.process_number)
        self.process_count = max(1, len(seen_leases.alive))
        owned, (back, taken) = (
            seen_leases.partitions_of(self.process_number),
            plan_partitions(seen_leases, self.process_number),
        )
        for part in back:
            del owned[part]
        self._owned_until = asked_at + self._lease_seconds - SAFETY_MARGIN
        self._set_owned(owned)
        if back:
            await raw.execute(_RELEASE_SOME, self.process_number, back)
            await raw.execute("SELECT pg_notify($1, '')", LEASES_CHANNEL)
        if taken and self._is_present:
            free = to_columns(((part, *seen_leases.leases[part]) for part in taken), 3)
            with suppress(
                asyncpg.LockNotAvailableError
            ):  # the previous holder is still writing, or is frozen in a write
                new = {row[0]: row[1] for row in await raw.fetch(_TAKE_FREE, self.process_number, *free)}
                self._set_owned({**self._epochs, **new} if self._is_present else {})

    def _set_owned(self, epochs: Mapping[int, int]) -> None:
        """Hold these partitions under these epochs, and report new ones."""
        before, self._epochs = self._epochs, dict(epochs)
        self._partition = Partition(frozenset(epochs), self._partition.count)
        lost = frozenset(part for part, epoch in before.items() if epochs.get(part) != epoch)
        gained = frozenset(part for part, epoch in epochs.items() if before.get(part) != epoch)
        if self._expiry_timer is not None:
            self._expiry_timer.cancel()
        if epochs:
            self._expiry_timer = asyncio.get_running_loop().call_later(
                max(0.0, self._owned_until - boot_time()), self._expire
            )
        for changed in ((frozenset[int](), lost), (gained, frozenset[int]())):
            if any(changed):
                try:
                    self.on_ownership_changed(*(Partition(numbers, self._partition.count) for numbers in changed))
                except Exception:  # the boundary of the callback: the leases count anyway
                    log.exception("The callback for new leases failed.")

    def _expire(self) -> None:
        """Release the leases because their time is over."""
        if boot_time() < self._owned_until:
            self._expiry_timer = asyncio.get_running_loop().call_later(self._owned_until - boot_time(), self._expire)
        elif self._epochs:
            log.warning(
                "PostgreSQL cannot be reached to see whether other processes look after my servers by now, so I "
                "leave them alone."
            )
            self._set_owned({})

    def _on_notification(self, _: object, process: int, channel: str, payload: object) -> None:
        """Handle a notification about a match or its surfaces."""
        match, _, revision = decode_text(str(payload)).rpartition(" ")
        if process not in self._database.own_backends and revision.removeprefix("-").isdecimal():
            self.on_match_changed(match, int(revision))


async def _changed_matches(partition: Partition, raw: RawConnection) -> dict[str, int]:
    return {row[0]: row[1] for row in await raw.fetch(_CHANGED_MATCHES, partition.count, sorted(partition.numbers))}


async def _other_replies(match: str, process: int, raw: RawConnection) -> dict[tuple[SurfaceKind, int], float]:
    return {(kind, seat): left for kind, seat, left in await raw.fetch(_OTHER_REPLIES, match, process)}
