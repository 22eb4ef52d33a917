"""Several processes on one database share the servers, and take over those of a process that is gone."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from engines.store.match_store import StoreFailure
from engines.store.partition import GUILD_SHIFT, Partition
from engines.store.server_ownership import ServerOwnership
from storage import StorageError
from storage.postgres import Database, Leases, MatchStore
from storage.postgres.connection.schema import load_own_migrations
from storage.postgres.database import connect
from storage.postgres.leases import LEASE_SECONDS, PRESENCE_LOCK, RENEW_SECONDS, boot_time
from tests.storage.postgres.test_opening import query
from tests.storage.samples import lobby_info

OF = 8


@asynccontextmanager
async def open_process(address: str, lease: float = LEASE_SECONDS) -> AsyncIterator[Leases]:
    async with Database.open(address, clock=lambda: 7) as database, Leases.hold(database, lease) as leases:
        yield leases


async def wait_until(condition: Callable[[], object], seconds: float) -> float:
    """Wait for a condition; return the seconds that it took."""
    start = time.monotonic()
    while not condition():
        assert time.monotonic() < start + seconds, "it takes too long"
        await asyncio.sleep(0.01)
    return time.monotonic() - start


def count_partitions(*processes: Leases) -> list[int]:
    """Return how many partitions each process holds; none may be held twice."""
    parts = [number for each in processes for number in each.partition.numbers]
    assert len(parts) == len(set(parts))
    return [len(each.partition.numbers) for each in processes]


@asynccontextmanager
async def open_only(address: str, of: int = OF) -> AsyncIterator[tuple[Database, Leases]]:
    """A process that holds everything."""
    async with Database.open(address, clock=lambda: 7) as database, Leases.hold(database) as only:
        await only.claim_partitions(None, of)
        await wait_until(lambda: count_partitions(only) == [of], 2)
        yield database, only


@asynccontextmanager
async def open_pair(address: str) -> AsyncIterator[tuple[Leases, Leases, list[object]]]:
    """Two processes with half of the partitions each; what they are told of later changes of owners is collected."""
    async with open_process(address) as first, open_process(address) as second:
        await first.claim_partitions(None, OF)
        await second.claim_partitions(None, OF)
        await wait_until(lambda: count_partitions(first, second) == [4, 4], 4)
        changes: list[object] = []
        for process in (first, second):
            process.on_ownership_changed.append(lambda *parts: changes.append(parts))
        yield first, second, changes


def guild_in(part: int) -> int:
    return part << GUILD_SHIFT


async def test_parts_are_shared_evenly_and_each_time_one_changes_hands_it_has_a_greater_epoch(address: str) -> None:
    changes: list[tuple[Partition, Partition]] = []
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(open_process(address))
        holding: ServerOwnership = first
        assert (holding.partition.numbers, holding.is_only_process) == (frozenset(), False)
        assert holding.epoch(guild_in(3)) == 0
        first.on_ownership_changed.append(lambda gained, lost: changes.append((gained, lost)))
        assert await first.claim_partitions(None, OF) == Partition.all_of(OF)
        await wait_until(lambda: count_partitions(first) == [OF], 2)
        before = [first.epoch(guild_in(part)) for part in range(OF)]
        assert min(before) > 0
        second = await stack.enter_async_context(open_process(address))
        assert await second.claim_partitions(None, 5) == Partition.all_of(OF), "as those do that are there already"
        await wait_until(lambda: count_partitions(first, second) == [4, 4], 4)
        third = await stack.enter_async_context(open_process(address))
        await third.claim_partitions(None, OF)
        await wait_until(lambda: count_partitions(first, second, third) == [3, 3, 2], 4)
        assert first.process_count == second.process_count == third.process_count == 3
        for part in second.partition.numbers | third.partition.numbers:
            assert second.epoch(guild_in(part)) + third.epoch(guild_in(part)) > max(before)
        await third.release_all()
        assert count_partitions(third) == [0]
        # What is given back is taken at once.
        assert await wait_until(lambda: count_partitions(first, second) == [4, 4], 2) < 0.5
    gained, lost = changes[0]
    assert (gained, lost) == (Partition.all_of(OF), Partition(frozenset(), OF))
    assert [len(lost.numbers) for _, lost in changes[1:6]] == [1] * 5, "one by one"


async def test_named_parts_are_taken_and_no_other_and_others_leave_them(address: str) -> None:
    async with open_process(address) as shares, open_process(address) as names, open_process(address) as other:
        await shares.claim_partitions(None, OF)
        await wait_until(lambda: count_partitions(shares) == [OF], 2)
        two_parts, quarter = Partition.parse(f"2-3/{OF}"), Partition.parse("0/4")
        assert await names.claim_partitions(two_parts, 1) == two_parts
        await wait_until(lambda: names.partition == two_parts and count_partitions(shares, names) == [6, 2], 3)
        with pytest.raises(StorageError, match="divides the servers into 4, but"):
            await other.claim_partitions(quarter, 1)
        await shares.release_all()
        await asyncio.sleep(0.5)
        assert count_partitions(names) == [2]
        await names.release_all()
        # Nobody is there who divides otherwise.
        assert await other.claim_partitions(quarter, 1) == quarter
        await wait_until(lambda: count_partitions(other) == [1], 2)


async def test_one_of_two_processes_stands_by_if_there_is_one_partition(address: str) -> None:
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(open_process(address))
        await first.claim_partitions(None, 1)
        await wait_until(lambda: count_partitions(first) == [1], 2)
        async with open_process(address) as second:
            await second.claim_partitions(None, 1)
            await asyncio.sleep(0.7)
            assert count_partitions(first, second) == [1, 0]
            await stack.aclose()
            assert await wait_until(lambda: count_partitions(second) == [1], 2) < 0.5


async def test_a_cut_connection_of_the_watch_costs_nothing(address: str) -> None:
    sql = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid ="
    async with open_pair(address) as (first, second, changes):
        for _ in range(3):
            assert await query(address, f"{sql} {PRESENCE_LOCK}")
            await asyncio.sleep(0.5)
        await asyncio.sleep(0.5)
        assert count_partitions(first, second) == [4, 4]
        assert changes == []
        notices: list[object] = []
        first.on_match_changed.append(lambda *match: notices.append(match))
        await query(address, "NOTIFY motley, 'm1 7'")
        await wait_until(lambda: notices == [("m1", 7)], 1)


async def test_a_break_is_announced_to_other_processes_with_the_new_revision(address: str) -> None:
    async with (
        Database.open(address, clock=lambda: 7) as database,
        open_pair(address) as (first, second, _),
    ):
        matches = MatchStore(database)
        for match in ("m1", "m2"):
            await matches.insert(lobby_info(match), 5)
        notices: list[tuple[str, int]] = []
        for process in (first, second):
            process.on_match_changed.append(lambda *match: notices.append(match))
        await matches.change_rest(5, 100, 7)
        await wait_until(lambda: set(notices) >= {("m1", 1), ("m2", 1)}, 1)
        notices.clear()
        await matches.end_expired_rests(100)
        await wait_until(lambda: set(notices) >= {("m1", 2), ("m2", 2)}, 1)
        found = {**await first.changed_matches(), **await second.changed_matches()}
        assert set(found) == {"m1", "m2"}, "a lost notification is not made up for"


async def test_a_lease_ends_by_its_own_clock_and_keeps_its_epoch(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_only(address) as (_, only):
        epoch, ended = only.epoch(guild_in(5)), boot_time() + 99
        monkeypatch.setattr("storage.postgres.leases.boot_time", lambda: ended)
        assert (count_partitions(only), only.epoch(guild_in(5))) == ([0], 0), "with or without other processes"
        monkeypatch.undo()
        assert only.epoch(guild_in(5)) == epoch


async def test_a_newer_layout_ends_all_leases_for_a_while(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    attempts: list[float] = []

    async def connected(*args: Any) -> Any:
        attempts.append(time.monotonic())
        return await connect(*args)

    newer = len(load_own_migrations()) + 1
    async with open_only(address) as (database, only):
        await query(address, f"INSERT INTO schema_migrations VALUES ({newer}, 'x', 0, '', {newer})")
        await wait_until(lambda: count_partitions(only) == [0] and database.is_outdated, 2)
        monkeypatch.setattr("storage.postgres.leases.connect", connected)
        await asyncio.sleep(2.5)
        assert 1 <= len(attempts) <= 3
        await query(address, f"DELETE FROM schema_migrations WHERE number = {newer}")
        await wait_until(lambda: count_partitions(only) == [OF] and not database.is_outdated, 2)


async def test_the_watch_ends_even_if_its_caller_is_cancelled(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def cancelled(holding: Leases) -> None:
        raise asyncio.CancelledError

    monkeypatch.setattr(Leases, "release_all", cancelled)
    async with Database.open(address, clock=lambda: 7) as database:
        with pytest.raises(asyncio.CancelledError):
            async with Leases.hold(database):
                await asyncio.sleep(RENEW_SECONDS)
        assert "storage: leases" not in {task.get_name() for task in asyncio.all_tasks()}


async def test_a_failing_callback_stops_no_change_of_partitions(address: str, caplog: pytest.LogCaptureFixture) -> None:
    def fail(*_: object) -> None:
        raise ValueError("no")

    async with open_process(address) as first, open_process(address) as second:
        first.on_ownership_changed.append(fail)
        await first.claim_partitions(None, OF)
        await second.claim_partitions(None, OF)
        await wait_until(lambda: count_partitions(first, second) == [4, 4], 5)
    assert "The callback for new leases failed" in caplog.text


async def test_a_failing_renewal_ends_no_lease_for_good(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unforeseen error in a pass of the watch ends the pass alone."""
    renew, calls = Leases._renew, [0]

    async def fail_first(leases: Leases, raw: Any) -> None:
        calls[0] += 1
        if calls[0] == 1:
            raise KeyError("unforeseen")
        await renew(leases, raw)

    monkeypatch.setattr(Leases, "_renew", fail_first)
    async with open_only(address):
        assert calls[0] > 1


async def test_a_change_that_was_requested_in_vain_is_reported_as_new_again(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise StoreFailure("no")

    async with open_only(address, 1) as (database, only):
        await MatchStore(database).insert(lobby_info(), by=5)
        assert await only.changed_matches() == {"m1": 0}
        with monkeypatch.context() as broken:
            broken.setattr(database, "read", fail)
            with pytest.raises(StoreFailure):
                await only.changed_matches()
        assert await only.changed_matches() == {"m1": -1}
        assert await only.changed_matches() == {"m1": 0}


HOLDER = """
import asyncio, sys
from tests.storage.postgres.test_leases import open_process

async def main(address, lease):
    async with open_process(address, float(lease)) as leases:
        leases.on_ownership_changed.append(
            lambda gained, lost: print(len(gained.numbers), len(lost.numbers), flush=True)
        )
        await leases.claim_partitions(None, 8)
        await asyncio.sleep(60)

asyncio.run(main(*sys.argv[1:]))
"""


@asynccontextmanager
async def other_process(address: str, lease: float = LEASE_SECONDS) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", HOLDER, address, str(lease), cwd=Path(__file__).parents[3], stdout=PIPE
    )
    assert process.stdout is not None
    try:
        assert await process.stdout.readline() == b"8 0\n"
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def test_a_process_that_is_killed_is_followed_within_a_second(address: str) -> None:
    async with open_process(address) as leases, other_process(address) as other:
        await leases.claim_partitions(None, OF)
        await wait_until(lambda: count_partitions(leases) == [4], 3)
        other.kill()
        await wait_until(lambda: count_partitions(leases) == [OF], 1)


async def test_one_that_is_frozen_is_followed_when_its_time_is_past_and_wakes_up_with_nothing(address: str) -> None:
    assert LEASE_SECONDS + 2 * RENEW_SECONDS < 7, "which is what is promised"
    async with open_process(address) as leases, other_process(address, lease=2) as other:
        await leases.claim_partitions(None, OF)
        await wait_until(lambda: count_partitions(leases) == [4], 3)
        assert other.stdout is not None
        for _ in range(4):
            assert await other.stdout.readline() == b"0 1\n"
        other.send_signal(signal.SIGSTOP)
        assert await wait_until(lambda: count_partitions(leases) == [OF], 2 + 2 * RENEW_SECONDS) > 1, (
            "not at once: it may only be slow"
        )
        other.send_signal(signal.SIGCONT)
        assert await other.stdout.readline() == b"0 4\n"
        await wait_until(lambda: count_partitions(leases) == [4], 3)
