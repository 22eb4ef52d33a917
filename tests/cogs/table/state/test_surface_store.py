"""The surface cache never holds anything but what is stored."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cogs.system_clock import SystemClock
from cogs.table.channels.table_services import TableServices
from cogs.table.state.read_through_cache import IDLE_SECONDS, ReadThroughCache
from cogs.table.state.server_lease import ServerLease
from cogs.table.state.surface_store import SurfaceCache
from cogs.table.surfaces import stale_tracking
from cogs.table.surfaces.stale_tracking import StaleTracker
from cogs.table.transport.background_tasks import BackgroundTasks
from engines.features.registry import FEATURES
from engines.hosting.matches import Matches
from engines.hosting.matches.activity import PlayerActivity
from engines.store.match_store import NotLeaseHolder, StoreFailure
from engines.store.server_ownership import SoleOwnership
from engines.store.surface_storage import Inbox, Mention, Preferences, Surface
from storage import Database, MatchStore, SurfaceStore
from tests.cogs.waiting import wait_until
from tests.engines.memory_store import MemoryStore
from tests.engines.memory_surfaces import MemoryShown
from tests.storage.samples import lobby_info

TABLE = Surface("m1", "table", message=5)
UNREACHED = Inbox(77, closed=False, reached=False)
MENTION = Mention("m1", 1, 7, "nonce", 9)


class CacheBench:
    """A store of one number per key that counts reads, and its cache. It can be made to fail or to wait."""

    def __init__(self) -> None:
        self.values: dict[str, int] = {}
        self.reads = 0
        self.failing = False
        self.open = asyncio.Event()
        self.open.set()
        self.now = 1000
        self.kept = ReadThroughCache(self.read, lambda: self.now)

    async def read(self, key: str) -> int:
        found = self.values.get(key, 0)
        self.reads += 1
        await self.open.wait()
        self._fail()
        return found

    async def put(self, key: str, value: int) -> None:
        await self.kept.change(key, partial(self._write, key, value), lambda _: value)

    async def _write(self, key: str, value: int) -> None:
        await self.open.wait()
        self.values[key] = value
        self._fail()  # written without confirmation, as after a broken connection

    def _fail(self) -> None:
        if self.failing:
            raise StoreFailure("not now")


@pytest.fixture
def bench() -> CacheBench:
    return CacheBench()


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with Database.open(tmp_path / "motley.db", clock=lambda: 0) as database:
        yield database


async def test_cached_values_are_read_once(bench: CacheBench) -> None:
    assert await asyncio.gather(*(bench.kept.get("a") for _ in range(3))) == [0, 0, 0]
    await bench.put("a", 4)
    assert await bench.kept.get("a") == 4
    assert bench.reads == 1
    await bench.put("b", 5)  # unread so far
    assert (await bench.kept.get("b"), bench.reads) == (5, 2)
    await asyncio.gather(*(bench.put("a", value) for value in range(1, 6)))
    assert (await bench.kept.get("a"), bench.values) == (5, {"a": 5, "b": 5}), "not in the order of the writes"


async def test_after_a_failing_write_it_is_read_again(bench: CacheBench) -> None:
    assert await bench.kept.get("a") == 0
    bench.failing = True
    with pytest.raises(StoreFailure):
        await bench.put("a", 4)
    with pytest.raises(StoreFailure):
        await bench.kept.get("a")
    bench.failing = False
    assert await bench.kept.get("a") == 4


@pytest.mark.parametrize("failing", [False, True])
async def test_a_write_goes_on_without_the_one_who_waited_for_it_and_is_read_again_if_it_fails(
    failing: bool, bench: CacheBench, caplog: pytest.LogCaptureFixture
) -> None:
    assert await bench.kept.get("a") == 0
    bench.open.clear()
    writing = asyncio.create_task(bench.put("a", 4))
    await asyncio.sleep(0)
    writing.cancel()
    await asyncio.gather(writing, return_exceptions=True)
    assert await bench.kept.get("a") == 0  # the value that is still in the store
    bench.failing = failing
    bench.open.set()
    await asyncio.sleep(0.01)
    bench.failing = False
    assert (await bench.kept.get("a"), bench.values) == (4, {"a": 4})
    gc.collect()
    assert not caplog.records  # asyncio would log an error that nobody has retrieved


async def test_a_write_that_overtakes_a_reading_counts(bench: CacheBench) -> None:
    bench.open.clear()
    reading = asyncio.create_task(bench.kept.get("a"))
    await asyncio.sleep(0)
    writing = asyncio.create_task(bench.put("a", 4))
    await asyncio.sleep(0)
    bench.open.set()
    await asyncio.gather(reading, writing)
    assert await bench.kept.get("a") == 4


async def test_a_value_read_before_another_process_wrote_is_not_cached(bench: CacheBench) -> None:
    bench.open.clear()
    reading = asyncio.create_task(bench.kept.get("a"))
    await asyncio.sleep(0)
    bench.values["a"] = 2
    bench.kept.invalidate("a", "b")
    bench.open.set()
    assert (await reading, await bench.kept.get("a")) == (0, 2)


async def test_a_value_that_nobody_asks_for_leaves_the_cache_unless_it_is_in_use(bench: CacheBench) -> None:
    for key in ("a", "b"):
        await bench.kept.get(key)
    bench.now += IDLE_SECONDS
    await bench.kept.get("b")
    bench.now += 1
    await bench.kept.get("c")
    assert set(bench.kept._entries) == {"b", "c"}
    bench.open.clear()
    writing = asyncio.create_task(bench.put("a", 4))
    await asyncio.sleep(0.01)
    for key in "abc":
        bench.kept.forget(key)
    assert set(bench.kept._entries) == {"a"}
    bench.open.set()
    await writing
    bench.kept.forget("a")
    assert (await bench.kept.get("a"), bench.reads) == (4, 4)


Change = Callable[[SurfaceCache], Awaitable[None]]


@pytest.mark.parametrize(
    "change",
    [
        lambda cache: cache.put(Surface("m1", "hand", 2, 8)),
        lambda cache: cache.put(Surface("m1", "table", -1, 8)),
        lambda cache: cache.drop_hand("m1", TABLE.channel),
        lambda cache: cache.drop_hand("m1", 999),
        lambda cache: cache.put_mention(Mention("m1", 0, 8, "nonce", 9)),
        lambda cache: cache.put_mention(Mention("m1", 1, 7, "nonce", 9, 10, "sent")),
        lambda cache: cache.drop_mention("m1", 1, 7),
        lambda cache: cache.drop_mention("m1", 3, 7),
        lambda cache: cache.put_inbox(5, Inbox(78, closed=True, reached=True)),
        lambda cache: cache.change_preferences(5, lambda old: replace(old, call=None)),
        lambda cache: cache.change_preferences(6, lambda old: replace(old, words=True)),
        lambda cache: cache.store.put_note("key", "value"),
    ],
)
async def test_the_cache_equals_the_store(database: Database, monkeypatch: pytest.MonkeyPatch, change: Change) -> None:
    """A cache that was read before the change has the same values as a fresh one, without more reads."""

    async def everything(cache: SurfaceCache) -> tuple[object, ...]:
        one = [await cache.find_surface("m1", "table"), await cache.find_surface("m1", "hand", 2)]
        notes = await cache.store.read_note("key")
        liked = [await cache.preferences(5), await cache.preferences(6)]
        of, mentions = [await cache.surfaces_of("m1"), await cache.surfaces_of("m2")], await cache.mentions("m1")
        return of, one, mentions, await cache.inbox(5), liked, notes

    matches, surfaces = MatchStore(database), SurfaceStore(database)
    await asyncio.gather(*(matches.insert(lobby_info(name), by=5) for name in ("m1", "m2")))
    before = SurfaceCache(surfaces, lambda: 0)
    await asyncio.gather(before.put(TABLE), before.put_mention(MENTION), before.put_inbox(5, UNREACHED))
    liked = [Preferences(), Preferences()]
    assert await everything(before) == ([[TABLE], []], [TABLE, None], [MENTION], UNREACHED, liked, None)
    await change(before)
    with monkeypatch.context() as patched:
        read, reads = Database.read, []

        async def counted(database: Database, work: Callable[..., object], *, what: str) -> object:
            reads.append(what)
            return await read(database, work, what=what)

        patched.setattr(Database, "read", counted)
        expected = await everything(before)
    assert expected == await everything(SurfaceCache(surfaces, lambda: 0))
    assert reads == ["note"]  # notes are not cached


async def test_a_surface_outside_the_cache_can_be_doubted_and_takes_back_no_write_of_that_time(
    database: Database,
) -> None:
    await MatchStore(database).insert(lobby_info("m1"), by=5)
    await SurfaceStore(database).put(replace(TABLE, digest="d", lost="locked"))
    cache = SurfaceCache(SurfaceStore(database), lambda: 0)
    await cache.doubt("m1", "table")
    assert await SurfaceStore(database).surfaces_of("m1") == await cache.surfaces_of("m1") == [TABLE]
    newer = replace(TABLE, digest="d", lost="locked", message=6)
    await asyncio.gather(cache.put(newer), cache.doubt("m1", "table"), cache.doubt("m1", "lobby"))
    assert await cache.surfaces_of("m1") == [replace(newer, digest="", lost="")]
    assert await SurfaceStore(database).surfaces_of("m1") == await cache.surfaces_of("m1")


HAND = replace(TABLE, kind="hand", seat=2, message=7)


@pytest.fixture
async def surfaces(database: Database) -> SurfaceStore:
    await MatchStore(database).insert(lobby_info("m1"), by=5)
    store = SurfaceStore(database)
    for surface in (TABLE, HAND):
        await store.put(replace(surface, digest="old", shown=1))
    await store.mark_current({"m1": lobby_info("m1").revision})
    return store


@pytest.fixture
def cache(surfaces: SurfaceStore) -> SurfaceCache:
    return SurfaceCache(surfaces, lambda: 0)


@pytest.fixture
def settled(cache: SurfaceCache, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, int]]:
    """What the store is told to be current, from now on."""
    marks: list[dict[str, int]] = []

    async def mark_current(given: dict[str, int]) -> None:
        marks.append(given)

    monkeypatch.setattr(cache.store, "mark_current", mark_current)
    return marks


async def fail(*given: object) -> None:
    raise StoreFailure("not now")


async def digests(cache: SurfaceCache) -> list[str]:
    return [surface.digest for surface in await cache.surfaces_of("m1")]


def shown_at_revision(surface: Surface, revision: int = 2) -> Surface:
    return replace(surface, digest=f"drawn at {revision}", shown=revision)


async def test_an_edit_is_known_at_once_and_the_store_is_told_of_many_in_one_go(cache: SurfaceCache) -> None:
    owing: list[bool] = []
    cache.on_unsaved.append(lambda: owing.append(cache.has_unsaved()))
    before = await cache.store.surfaces_of("m1")
    for revision in (2, 3):
        await cache.put_edits([shown_at_revision(TABLE, revision), shown_at_revision(HAND, revision)])
    assert await cache.surfaces_of("m1") == [shown_at_revision(HAND, 3), shown_at_revision(TABLE, 3)]
    assert await cache.store.surfaces_of("m1") == before
    assert owing == [True, True]
    await cache.save_edits()
    assert await cache.store.surfaces_of("m1") == await cache.surfaces_of("m1")
    assert not cache.has_unsaved()
    await cache.put_edits([replace(shown_at_revision(TABLE, 4), message=4)])  # which was replaced meanwhile
    assert (await cache.surfaces_of("m1"))[-1] == shown_at_revision(TABLE, 3)


def make_tracker(matches: Matches, cache: SurfaceCache, tasks: BackgroundTasks) -> StaleTracker:
    no_client: Any = None
    return StaleTracker(TableServices(no_client, matches, cache, SystemClock(), tasks, ServerLease()))


async def test_some_seconds_later_the_store_knows(cache: SurfaceCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stale_tracking, "SAVE_DELAY", 0.01)
    async with BackgroundTasks() as tasks:
        tracker = make_tracker(Matches(MemoryStore(), {}, lambda: 0, features=FEATURES), cache, tasks)
        for revision in (2, 3):
            await cache.put_edits([shown_at_revision(TABLE, revision)])
            tracker.mark_current("m1", 0)
            assert tasks.is_running("settle")
            await wait_until(lambda: not tasks.is_running("settle"))
            assert (await cache.store.surfaces_of("m1"))[-1] == shown_at_revision(TABLE, revision)


async def test_a_surface_that_becomes_stale_during_a_save_is_not_marked_current(
    cache: SurfaceCache, settled: list[dict[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    put_edits = cache.store.put_edits
    async with BackgroundTasks() as tasks:
        tracker = make_tracker(Matches(MemoryStore(), {}, lambda: 0, features=FEATURES), cache, tasks)

        async def edited(given: Collection[Surface]) -> None:
            await put_edits(given)
            tracker.mark_stale("m1")

        monkeypatch.setattr(cache.store, "put_edits", edited)
        await cache.put_edits([shown_at_revision(TABLE)])
        tracker.mark_current("m1", 2)
        await tracker.save_state()
    assert settled == []


async def test_an_edit_that_the_store_does_not_take_is_told_again_and_nothing_is_said_to_be_shown(
    cache: SurfaceCache, settled: list[dict[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    await cache.put_edits([shown_at_revision(TABLE)])
    with monkeypatch.context() as patched:
        patched.setattr(cache.store, "put_edits", fail)
        await cache.save_edits()
        await cache.mark_current({"m1": 2, "m2": 3})
    assert settled == [{"m2": 3}]
    assert await cache.find_surface("m1", "table") == shown_at_revision(TABLE)
    await cache.save_edits()
    await cache.mark_current({"m1": 2})
    assert settled == [{"m2": 3}, {"m1": 2}]
    assert (await cache.store.surfaces_of("m1"))[-1] == shown_at_revision(TABLE)


@pytest.mark.parametrize(
    "change",
    [
        lambda cache: cache.put(replace(TABLE, message=6, digest="posted again", shown=2)),
        lambda cache: cache.doubt("m1", "table"),
    ],
)
async def test_an_edit_undoes_no_later_change(cache: SurfaceCache, change: Change) -> None:
    await cache.put_edits([shown_at_revision(TABLE), shown_at_revision(HAND)])
    await change(cache)
    await cache.save_edits()
    assert await cache.store.surfaces_of("m1") == await cache.surfaces_of("m1")
    assert (await cache.store.surfaces_of("m1"))[0] == shown_at_revision(HAND)


async def test_after_a_crash_nobody_relies_on_what_is_stored_of_a_match_that_is_behind(surfaces: SurfaceStore) -> None:
    """The stored digests are not trusted until all of the match is shown, because edits may not have been stored."""
    crashed = SurfaceCache(surfaces, lambda: 0)
    await crashed.put_edits([shown_at_revision(TABLE)])
    cache = SurfaceCache(surfaces, lambda: 0)
    assert await digests(cache) == ["", ""]
    cache.invalidate("m1")  # as after a failed write
    assert await digests(cache) == ["", ""]
    await cache.mark_current({"m1": 2})
    cache.invalidate("m1")
    assert await digests(cache) == ["old", "old"]


@pytest.mark.parametrize("begin_edit", [lambda cache: cache.surfaces_of("m2"), lambda cache: cache.preload_unsure()])
async def test_a_surface_that_became_stale_later_is_relied_on(cache: SurfaceCache, begin_edit: Change) -> None:
    await begin_edit(cache)
    await cache.store.mark_stale(["m1"])
    assert await digests(cache) == ["old", "old"]


async def test_an_edit_that_no_change_of_the_match_has_brought_is_marked_once(cache: SurfaceCache) -> None:
    """An edit after a change is marked by that change; an edit of an older message may need its own mark."""
    was = lobby_info("m1").revision
    assert await cache.store.stale_matches() == []
    await cache.put_edits([shown_at_revision(TABLE, was + 1)])
    assert await cache.store.stale_matches() == ["m1"]
    for revision, marked in ((was, ["m1"]), (was + 1, [])):
        await cache.save_edits()
        await cache.mark_current({"m1": was})
        assert await cache.store.stale_matches() == []
        await cache.put_edits([shown_at_revision(HAND, revision)])
        assert await cache.store.stale_matches() == marked


@pytest.mark.parametrize("method", ["put", "drop"])
async def test_an_uncertain_edit_is_doubted(cache: SurfaceCache, monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    """Otherwise the store would keep the digest from before the edit, and a later edit back to it would be skipped."""
    await cache.put_edits([shown_at_revision(HAND)])
    monkeypatch.setattr(cache.store, method, fail)
    with pytest.raises(StoreFailure):
        await (cache.put(shown_at_revision(HAND)) if method == "put" else cache.drop_hand("m1", HAND.channel))
    assert await cache.find_hand("m1", HAND.channel) == replace(shown_at_revision(HAND), digest="")
    await cache.save_edits()
    assert replace(shown_at_revision(HAND), digest="") in await cache.store.surfaces_of("m1")


async def test_a_closed_match_is_not_kept_for_what_the_store_is_told_later(cache: SurfaceCache) -> None:
    await cache.put_edits([shown_at_revision(TABLE)])
    cache.forget("m1")
    await cache.save_edits()
    assert not cache._matches._entries
    assert (await cache.store.surfaces_of("m1"))[-1] == shown_at_revision(TABLE)


class MovableLease(SoleOwnership):
    """A holder of its server's lease with an epoch that can change."""

    number = 1

    def epoch(self, guild: int) -> int:
        return self.number


async def test_a_message_sent_when_a_partition_was_lost_is_doubted_and_not_cached() -> None:
    holding, store = MovableLease(), MemoryShown()
    lease = ServerLease(holding, lambda match: 1)
    displays = SurfaceCache(store, lambda: 0, lease)
    hand = Surface("m1", "hand", 0, 1, 2, "before")
    await displays.put(hand)
    with lease.acting_for(1):
        holding.number = 2  # the lease was lost and regained
        with pytest.raises(NotLeaseHolder):
            await displays.put(replace(hand, digest="after"))
    assert await store.surfaces_of("m1") == [replace(hand, digest="")]
    assert await displays.surfaces_of("m1") == [replace(hand, digest="")], "what was known of it is kept"
    holding.number = 0
    with pytest.raises(NotLeaseHolder), lease.acting_for(1):
        pass


async def test_a_process_that_answers_a_click_overwrites_nothing_after_it_lost_the_partition() -> None:
    holding, store = MovableLease(), MemoryShown()
    displays = SurfaceCache(store, lambda: 0, ServerLease(holding, lambda match: 1))
    holding.is_only_process = False
    hand = Surface("m1", "hand", 0, 1, 2, "before")
    await displays.put(hand)
    async with displays._matches.lock_entry("m1"):  # another task is writing
        answered = asyncio.create_task(displays.put_reply(replace(hand, digest="answered")))
        mentioned = asyncio.create_task(displays.put_mention(MENTION))
        await asyncio.sleep(0)
        holding.number = 0
        await store.put(newer := replace(hand, message=3, old=2))  # by the process that looks after the match now
    await answered
    with pytest.raises(NotLeaseHolder):
        await mentioned
    assert await store.surfaces_of("m1") == [replace(newer, digest="")], "it is doubted, and nothing else"
    assert await store.mentions("m1") == []
    with pytest.raises(NotLeaseHolder):
        await displays.drop_hand("m1", 1)


class BusyActivity(PlayerActivity):
    """Unsaved activity until it is saved; the first save fails."""

    save_count = 0

    def has_unsaved_activity(self) -> bool:
        return self.save_count < 2

    async def save_activity(self) -> None:
        self.save_count += 1
        if self.save_count == 1:
            raise StoreFailure("No room.")


def make_busy_matches() -> tuple[Matches, BusyActivity]:
    matches = Matches(MemoryStore(), {}, lambda: 0, features=FEATURES)
    matches.activity = activity = BusyActivity(matches.editor)
    return matches, activity


async def test_activity_is_saved_soon_and_after_failures(cache: SurfaceCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stale_tracking, "SAVE_DELAY", 0.01)
    async with BackgroundTasks() as tasks:
        matches, activity = make_busy_matches()
        make_tracker(matches, cache, tasks)
        activity.on_unsaved()
        assert activity.save_count == 0
        await wait_until(lambda: not tasks.is_running("settle"))
        assert activity.save_count == 2


async def test_somebody_who_is_on_the_way_to_a_move_is_told_at_the_end_whatever_else_fails(cache: SurfaceCache) -> None:
    async with BackgroundTasks() as tasks:
        matches, activity = make_busy_matches()
        settling = make_tracker(matches, cache, tasks)
        await cache.put_edits([shown_at_revision(TABLE)])
    await settling.save_state()
    assert activity.save_count == 1
    assert (await cache.store.surfaces_of("m1"))[-1] == shown_at_revision(TABLE)
