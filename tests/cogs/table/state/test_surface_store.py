"""What is kept in memory of what is shown: never anything else than what is stored."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from cogs.table.state.read_through_cache import IDLE, Kept
from cogs.table.state.server_lease import Held
from cogs.table.state.surface_store import Displays
from cogs.table.surfaces import stale_tracking
from cogs.table.surfaces.stale_tracking import Settled
from cogs.table.transport.background_tasks import Tasks
from engines.hosting.matches import Matches
from engines.store.match_store import NotHeld, StoreFailure
from engines.store.server_ownership import Alone
from engines.store.surface_storage import Inbox, Mention, Preferences, Surface
from storage import Database, MatchStore, SurfaceStore
from tests.engines.memory_shown import MemoryShown
from tests.engines.memory_store import MemoryStore
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


HAND = replace(TABLE, kind="hand", seat=2, message=7)


@pytest.fixture
async def surfaces(database: Database) -> SurfaceStore:
    await MatchStore(database).insert(lobby("m1"), by=5)
    store = SurfaceStore(database)
    for surface in (TABLE, HAND):
        await store.put(replace(surface, digest="old", shown=1))
    await store.settled({"m1": lobby("m1").revision})
    return store


def quiet() -> Matches:
    """Nobody is on the way to a move."""
    return Matches(MemoryStore(), {}, lambda: 0)


def now_shows(surface: Surface, revision: int = 2) -> Surface:
    return replace(surface, digest=f"drawn at {revision}", shown=revision)


async def test_an_edit_is_known_at_once_and_the_store_is_told_of_many_in_one_go(surfaces: SurfaceStore) -> None:
    shown, owing = Displays(surfaces, lambda: 0), []
    shown.owing = lambda: owing.append(shown.owes())
    before = await surfaces.of("m1")
    for revision in (2, 3):
        await shown.edited([now_shows(TABLE, revision), now_shows(HAND, revision)])
    assert await shown.of("m1") == [now_shows(HAND, 3), now_shows(TABLE, 3)]
    assert await surfaces.of("m1") == before
    assert owing == [True, True]
    await shown.keep()
    assert await surfaces.of("m1") == await shown.of("m1")
    assert not shown.owes()


async def test_some_seconds_later_the_store_knows(surfaces: SurfaceStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stale_tracking, "LATER", 0.01)
    async with Tasks() as tasks:
        shown = Displays(surfaces, lambda: 0)
        settling = Settled(quiet(), shown, tasks)
        for revision in (2, 3):
            await shown.edited([now_shows(TABLE, revision)])
            settling.settled("m1", 0)
            await asyncio.sleep(0.1)
            assert (await surfaces.of("m1"))[-1] == now_shows(TABLE, revision)
        assert not tasks.runs("settle")


async def test_what_is_not_told_yet_is_told_at_the_end(surfaces: SurfaceStore) -> None:
    async with Tasks() as tasks:
        shown = Displays(surfaces, lambda: 0)
        settling = Settled(quiet(), shown, tasks)
        await shown.edited([now_shows(TABLE)])
    await settling.keep()
    assert (await surfaces.of("m1"))[-1] == now_shows(TABLE)


async def test_what_is_to_be_shown_again_while_edits_are_told_is_not_said_to_be_shown(
    surfaces: SurfaceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Tasks() as tasks:
        shown = Displays(surfaces, lambda: 0)
        settling = Settled(quiet(), shown, tasks)
        await shown.edited([now_shows(TABLE)])
        settling.settled("m1", 2)
        told, said = surfaces.edited, []

        async def edited(given: Collection[Surface]) -> None:
            await told(given)
            settling.unsettled("m1")

        async def settled(given: dict[str, int]) -> None:
            said.append(given)

        monkeypatch.setattr(surfaces, "edited", edited)
        monkeypatch.setattr(surfaces, "settled", settled)
        await settling.keep()
        assert said == []


async def test_an_edit_that_the_store_does_not_take_is_told_again_and_nothing_is_said_to_be_shown(
    surfaces: SurfaceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = Displays(surfaces, lambda: 0)
    await shown.edited([now_shows(TABLE)])
    said = []

    async def fails(given: object) -> None:
        raise StoreFailure("not now")

    async def settled(given: dict[str, int]) -> None:
        said.append(given)

    monkeypatch.setattr(surfaces, "settled", settled)
    with monkeypatch.context() as patched:
        patched.setattr(surfaces, "edited", fails)
        await shown.keep()
        await shown.settled({"m1": 2, "m2": 3})
    assert said == [{"m2": 3}]
    assert await shown.one("m1", "table") == now_shows(TABLE)
    await shown.keep()
    await shown.settled({"m1": 2})
    assert said == [{"m2": 3}, {"m1": 2}]
    assert (await surfaces.of("m1"))[-1] == now_shows(TABLE)


@pytest.mark.parametrize(
    "change",
    [
        lambda shown: shown.put(replace(TABLE, message=6, digest="posted anew", shown=2)),
        lambda shown: shown.doubt("m1", "table"),
        lambda shown: shown.drop("m1", "table"),
    ],
)
async def test_an_edit_takes_back_nothing_that_has_become_of_the_message_since(
    surfaces: SurfaceStore, change: Change
) -> None:
    shown = Displays(surfaces, lambda: 0)
    await shown.edited([now_shows(TABLE), now_shows(HAND)])
    await change(shown)
    await shown.keep()
    assert await surfaces.of("m1") == await shown.of("m1")
    assert (await surfaces.of("m1"))[0] == now_shows(HAND)


async def test_an_edit_of_a_message_that_was_replaced_meanwhile_changes_nothing(surfaces: SurfaceStore) -> None:
    shown = Displays(surfaces, lambda: 0)
    await shown.edited([replace(now_shows(TABLE), message=4)])
    assert (await shown.of("m1"))[-1] == replace(TABLE, digest="old", shown=1)


async def test_after_a_crash_nobody_relies_on_what_is_stored_of_a_match_that_is_behind(surfaces: SurfaceStore) -> None:
    """Its messages may have been edited and the store not told of it, though they are to show what is stored again.

    That holds for whoever is first to ask, also before anybody has looked at what is behind, until all of it is shown.
    """
    crashed = Displays(surfaces, lambda: 0)
    await crashed.edited([now_shows(TABLE)])
    shown = Displays(surfaces, lambda: 0)
    assert [surface.digest for surface in await shown.of("m1")] == ["", ""]
    shown.renew("m1")  # as where a write fails
    assert [surface.digest for surface in await shown.of("m1")] == ["", ""]
    await shown.settled({"m1": 2})
    shown.renew("m1")
    assert [surface.digest for surface in await shown.of("m1")] == ["old", "old"]


async def test_what_came_to_be_behind_since_the_first_look_is_relied_on(surfaces: SurfaceStore) -> None:
    shown = Displays(surfaces, lambda: 0)
    await shown.of("m2")
    await surfaces.mark(["m1"])
    assert [surface.digest for surface in await shown.of("m1")] == ["old", "old"]


async def test_what_came_to_be_behind_since_the_bot_began_is_relied_on(surfaces: SurfaceStore) -> None:
    shown = Displays(surfaces, lambda: 0)
    await shown.begin()
    await surfaces.mark(["m1"])
    assert [surface.digest for surface in await shown.of("m1")] == ["old", "old"]


async def test_an_edit_that_no_change_of_the_match_has_brought_is_marked_once(surfaces: SurfaceStore) -> None:
    """One after a change is marked by that change; one of what was shown by a process before this may be either."""
    shown, was = Displays(surfaces, lambda: 0), lobby("m1").revision
    assert await surfaces.behind() == []
    await shown.edited([now_shows(TABLE, was + 1)])
    assert await surfaces.behind() == ["m1"]
    for revision, marked in ((was, ["m1"]), (was + 1, [])):
        await shown.keep()
        await shown.settled({"m1": was})
        assert await surfaces.behind() == []
        await shown.edited([now_shows(HAND, revision)])
        assert await surfaces.behind() == marked


@pytest.mark.parametrize("how", ["put", "drop"])
async def test_where_it_is_not_certain_what_became_of_a_message_its_edit_is_doubted(
    surfaces: SurfaceStore, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """Else the store would have it show what it showed before the edit, and it may have to show that again."""
    shown = Displays(surfaces, lambda: 0)
    await shown.edited([now_shows(TABLE)])

    async def fails(*given: object) -> None:
        raise StoreFailure("not now")

    monkeypatch.setattr(surfaces, how, fails)
    with pytest.raises(StoreFailure):
        await (shown.put(now_shows(TABLE)) if how == "put" else shown.drop("m1", "table"))
    assert await shown.one("m1", "table") == replace(now_shows(TABLE), digest="")
    await shown.keep()
    assert (await surfaces.of("m1"))[-1] == replace(now_shows(TABLE), digest="")


async def test_a_closed_match_is_not_kept_for_what_the_store_is_told_later(surfaces: SurfaceStore) -> None:
    shown = Displays(surfaces, lambda: 0)
    await shown.edited([now_shows(TABLE)])
    shown.forget("m1")
    await shown.keep()
    assert not shown._matches._cells
    assert (await surfaces.of("m1"))[-1] == now_shows(TABLE)


class Moved(Alone):
    """Holds its server under a number that can be moved."""

    number = 1

    def epoch(self, guild: int) -> int:
        return self.number


async def test_what_was_sent_when_a_part_was_lost_is_doubted_and_not_kept() -> None:
    holding, store = Moved(), MemoryShown()
    held = Held(holding, lambda match: 1)
    displays = Displays(store, lambda: 0, held)
    there = Surface("m1", "hand", 0, 1, 2, "before")
    await displays.put(there)
    with held.acting(1):
        holding.number = 2  # lost, and ours again
        with pytest.raises(NotHeld):
            await displays.put(replace(there, digest="after"))
    assert await store.of("m1") == [replace(there, digest="")]
    assert await displays.of("m1") == [replace(there, digest="")], "what was known of it is kept"
    holding.number = 0
    with pytest.raises(NotHeld), held.acting(1):
        pass


async def test_who_answers_a_click_overwrites_nothing_once_the_part_is_lost() -> None:
    holding, store = Moved(), MemoryShown()
    displays = Displays(store, lambda: 0, Held(holding, lambda match: 1))
    holding.alone = False
    there = Surface("m1", "hand", 0, 1, 2, "before")
    await displays.put(there)
    async with displays._matches.alone("m1"):  # somebody else writes just now
        answered = asyncio.create_task(displays.answer(replace(there, digest="answered")))
        mentioned = asyncio.create_task(displays.put_mention(MENTION))
        await asyncio.sleep(0)
        holding.number = 0
        await store.put(newer := replace(there, message=3, old=2))  # by the process that looks after it now
    await answered
    with pytest.raises(NotHeld):
        await mentioned
    assert await store.of("m1") == [replace(newer, digest="")], "it is doubted, and nothing else"
    assert await store.mentions("m1") == []
    with pytest.raises(NotHeld):
        await displays.drop("m1", "hand", 0)


async def test_what_was_read_before_another_process_wrote_is_not_kept() -> None:
    values, reading = [1], asyncio.Event()

    async def read(key: int) -> int:
        found = values[-1]
        await reading.wait()
        return found

    kept = Kept(read, lambda: 0)
    asked = asyncio.create_task(kept.get(5))
    await asyncio.sleep(0)
    values.append(2)
    kept.renew(5, 6)
    reading.set()
    assert (await asked, await kept.get(5)) == (1, 2)


class Asked(Matches):
    """Somebody is on the way to a move, until the store is told; the first time it takes nothing."""

    def __init__(self) -> None:
        super().__init__(MemoryStore(), {}, lambda: 0)
        self.told = 0

    def owes(self) -> bool:
        """Until it was told twice."""
        return self.told < 2

    async def keep(self) -> None:
        """Fails once."""
        self.told += 1
        if self.told == 1:
            raise StoreFailure("No room.")


async def test_who_is_on_the_way_to_a_move_is_told_some_seconds_later_too_and_where_that_fails_after_as_many(
    surfaces: SurfaceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stale_tracking, "LATER", 0.01)
    async with Tasks() as tasks:
        matches = Asked()
        Settled(matches, Displays(surfaces, lambda: 0), tasks)
        matches.owing()
        assert matches.told == 0
        for _ in range(100):
            if not tasks.runs("settle"):
                break
            await asyncio.sleep(0.01)
        assert matches.told == 2
        assert not tasks.runs("settle")


async def test_who_is_on_the_way_to_a_move_is_told_at_the_end_whatever_else_fails(surfaces: SurfaceStore) -> None:
    async with Tasks() as tasks:
        matches, shown = Asked(), Displays(surfaces, lambda: 0)
        settling = Settled(matches, shown, tasks)
        await shown.edited([now_shows(TABLE)])
    await settling.keep()
    assert matches.told == 1
    assert (await surfaces.of("m1"))[-1] == now_shows(TABLE)
