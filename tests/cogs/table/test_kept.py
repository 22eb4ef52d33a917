"""What is kept in memory of what is shown: never anything else than what is stored."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from cogs.table.kept import IDLE, Displays, Kept
from engines.shown import Inbox, Mention, Preferences, Surface
from engines.store import StoreFailure
from storage import Database, MatchStore, SurfaceStore
from tests.storage.samples import lobby

TABLE = Surface("m1", "table", message=5)
MENTION = Mention("m1", 1, 7, "nonce", 9)


class Store:
    """A number a key, and how often they were read. It can be made to fail, and to wait."""

    def __init__(self) -> None:
        self.values: dict[str, int] = {}
        self.reads = 0
        self.failing = False
        self.open = asyncio.Event()
        self.open.set()

    async def read(self, key: str) -> int:
        found = self.values.get(key, 0)
        self.reads += 1
        await self.open.wait()
        self._fail()
        return found

    async def put(self, key: str, value: int) -> None:
        await self.open.wait()
        self.values[key] = value
        self._fail()  # it is written, and nobody is told so: what a cut leaves behind

    def _fail(self) -> None:
        if self.failing:
            raise StoreFailure("not now")


class Bench:
    """A store, what is kept of it, and a clock."""

    def __init__(self) -> None:
        self.store = Store()
        self.now = 1000
        self.kept = Kept(self.store.read, lambda: self.now)

    async def put(self, key: str, value: int) -> None:
        await self.kept.change(key, partial(self.store.put, key, value), lambda _: value)


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with Database.open(tmp_path / "motley.db", clock=lambda: 0) as database:
        yield database


async def test_what_is_kept_is_read_once(bench: Bench) -> None:
    assert await asyncio.gather(*(bench.kept.get("a") for _ in range(3))) == [0, 0, 0]
    await bench.put("a", 4)
    assert await bench.kept.get("a") == 4
    assert bench.store.reads == 1


async def test_what_was_written_unread_is_read_when_it_is_asked_for(bench: Bench) -> None:
    await bench.put("a", 4)
    assert (await bench.kept.get("a"), bench.store.reads) == (4, 1)


async def test_after_a_failing_write_it_is_read_anew(bench: Bench) -> None:
    assert await bench.kept.get("a") == 0
    bench.store.failing = True
    with pytest.raises(StoreFailure):
        await bench.put("a", 4)
    with pytest.raises(StoreFailure):
        await bench.kept.get("a")
    bench.store.failing = False
    assert await bench.kept.get("a") == 4


async def test_a_write_goes_on_without_the_one_who_waited_for_it(bench: Bench) -> None:
    assert await bench.kept.get("a") == 0
    bench.store.open.clear()
    writing = asyncio.create_task(bench.put("a", 4))
    await asyncio.sleep(0)
    writing.cancel()
    await asyncio.gather(writing, return_exceptions=True)
    assert await bench.kept.get("a") == 0  # as it still is in the store
    bench.store.open.set()
    await asyncio.sleep(0.01)
    assert (await bench.kept.get("a"), bench.store.values) == (4, {"a": 4})


async def test_a_write_that_fails_after_its_asker_is_gone_is_read_anew(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    assert await bench.kept.get("a") == 0
    bench.store.open.clear()
    writing = asyncio.create_task(bench.put("a", 4))
    await asyncio.sleep(0)
    writing.cancel()
    await asyncio.gather(writing, return_exceptions=True)
    bench.store.failing = True
    bench.store.open.set()
    await asyncio.sleep(0.01)
    bench.store.failing = False
    assert await bench.kept.get("a") == 4
    del writing
    gc.collect()
    assert not caplog.records  # as asyncio would log an error that nobody has taken


async def test_a_write_that_overtakes_a_reading_counts(bench: Bench) -> None:
    bench.store.open.clear()
    reading = asyncio.create_task(bench.kept.get("a"))
    await asyncio.sleep(0)
    writing = asyncio.create_task(bench.put("a", 4))
    await asyncio.sleep(0)
    bench.store.open.set()
    await asyncio.gather(reading, writing)
    assert await bench.kept.get("a") == 4


async def test_writes_count_in_the_order_in_which_they_were_made(bench: Bench) -> None:
    assert await bench.kept.get("a") == 0
    await asyncio.gather(*(bench.put("a", value) for value in range(1, 6)))
    assert (await bench.kept.get("a"), bench.store.values) == (5, {"a": 5})


async def test_what_nobody_asks_for_is_let_go_when_something_else_comes(bench: Bench) -> None:
    for key in ("a", "b"):
        await bench.kept.get(key)
    bench.now += IDLE
    await bench.kept.get("b")
    bench.now += 1
    await bench.kept.get("c")
    assert set(bench.kept._cells) == {"b", "c"}


async def test_what_somebody_is_at_is_not_let_go(bench: Bench) -> None:
    assert await bench.kept.get("a") == 0
    bench.store.open.clear()
    writing = asyncio.create_task(bench.put("a", 4))
    await asyncio.sleep(0.01)
    bench.kept.forget("a")
    assert set(bench.kept._cells) == {"a"}
    bench.store.open.set()
    await writing
    bench.kept.forget("a")
    assert (await bench.kept.get("a"), bench.store.reads) == (4, 2)


Change = Callable[[Displays], Awaitable[None]]


@pytest.mark.parametrize(
    "change",
    [
        lambda shown: shown.put(Surface("m1", "hand", 2, 8)),
        lambda shown: shown.put(Surface("m1", "table", -1, 8)),
        lambda shown: shown.drop("m1", "table"),
        lambda shown: shown.drop("m1", "hand", 3),
        lambda shown: shown.put_mention(Mention("m1", 0, 8, "nonce", 9)),
        lambda shown: shown.put_mention(Mention("m1", 1, 7, "nonce", 9, 10, "sent")),
        lambda shown: shown.drop_mention("m1", 1, 7),
        lambda shown: shown.drop_mention("m1", 3, 7),
        lambda shown: shown.put_inbox(5, 78, True),
        lambda shown: shown.prefer(5, lambda old: replace(old, call=None)),
        lambda shown: shown.prefer(6, lambda old: replace(old, words=True)),
        lambda shown: shown.put_note("key", "value"),
    ],
)
async def test_what_is_shown_is_what_is_stored(
    database: Database, monkeypatch: pytest.MonkeyPatch, change: Change
) -> None:
    """Whoever has read before the change knows the same as whoever reads after it, and reads nothing more."""

    async def everything(shown: Displays) -> tuple[object, ...]:
        one = [await shown.one("m1", "table"), await shown.one("m1", "hand", 2)]
        notes = await shown.note("key")
        liked = [await shown.preferences(5), await shown.preferences(6)]
        of, mentions = [await shown.of("m1"), await shown.of("m2")], await shown.mentions("m1")
        return of, one, mentions, await shown.inbox(5), liked, notes

    matches, surfaces = MatchStore(database), SurfaceStore(database)
    await asyncio.gather(*(matches.insert(lobby(name), by=5) for name in ("m1", "m2")))
    before = Displays(surfaces, lambda: 0)
    await asyncio.gather(before.put(TABLE), before.put_mention(MENTION), before.put_inbox(5, 77, False))
    liked = [Preferences(), Preferences()]
    assert await everything(before) == ([[TABLE], []], [TABLE, None], [MENTION], Inbox(77, False), liked, None)
    await change(before)
    with monkeypatch.context() as patched:
        read, asked = Database.read, []

        async def counted(database: Database, work: Callable[..., object], *, what: str) -> object:
            asked.append(what)
            return await read(database, work, what=what)

        patched.setattr(Database, "read", counted)
        kept = await everything(before)
    assert kept == await everything(Displays(surfaces, lambda: 0))
    assert asked == ["surfaces"]  # the note, which is read as it is


async def test_doubt_takes_back_nothing_that_is_written_at_the_same_time(database: Database) -> None:
    await MatchStore(database).insert(lobby("m1"), by=5)
    shown = Displays(SurfaceStore(database), lambda: 0)
    await shown.put(replace(TABLE, digest="d", lost="locked"))
    assert await shown.one("m1", "table")
    newer = replace(TABLE, digest="d", lost="locked", message=6)
    await asyncio.gather(shown.put(newer), shown.doubt("m1", "table"), shown.doubt("m1", "lobby"))
    assert await shown.of("m1") == [replace(newer, digest="", lost="")]
    assert await SurfaceStore(database).of("m1") == await shown.of("m1")


async def test_what_is_not_in_memory_can_be_doubted(database: Database) -> None:
    await MatchStore(database).insert(lobby("m1"), by=5)
    await SurfaceStore(database).put(replace(TABLE, digest="d", lost="locked"))
    shown = Displays(SurfaceStore(database), lambda: 0)
    await shown.doubt("m1", "table")
    assert await SurfaceStore(database).of("m1") == await shown.of("m1") == [TABLE]
