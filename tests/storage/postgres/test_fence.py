"""Only the lease holder writes surfaces, never under an old epoch; other processes are notified."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import asyncpg
import pytest

from engines.store.match_store import DueRule, MatchInfo, NotLeaseHolder, Place
from engines.store.surface_storage import Mention, Surface
from storage.postgres import Database, Leases, MatchStore, SurfaceStore
from tests.feature_rows import player_notes, put_player_note
from tests.storage.postgres.test_leases import wait_until
from tests.storage.postgres.test_opening import query
from tests.storage.samples import lobby_info, move_change, start_change

GUILD = 5 << 22
HAND = Surface("m1", "hand", 1, 7, 8, "shown", 1)
MENTION = Mention("m1", 1, 7, "nonce", 9)


@dataclass(frozen=True)
class Process:
    leases: Leases
    matches: MatchStore
    surfaces: SurfaceStore
    changes_told: list[tuple[str, int]]

    @property
    def epoch(self) -> int:
        return self.leases.epoch(GUILD)


@asynccontextmanager
async def open_process(address: str) -> AsyncIterator[Process]:
    async with Database.open(address, clock=lambda: 7) as database, Leases.hold(database) as leases:
        changes: list[tuple[str, int]] = []
        leases.on_match_changed.append(lambda match, revision: changes.append((match, revision)))
        await leases.claim_partitions(None, 1)
        yield Process(leases, MatchStore(database), SurfaceStore(database), changes)


@pytest.fixture
async def holder(address: str) -> AsyncIterator[Process]:
    async with open_process(address) as holder:
        await wait_until(lambda: holder.epoch, 3)
        yield holder


@pytest.fixture
async def other(address: str, holder: Process) -> AsyncIterator[Process]:
    async with open_process(address) as other:
        yield other


@pytest.fixture
async def info(other: Process, holder: Process) -> MatchInfo:
    lobby = lobby_info(place=Place(GUILD, 2))
    await other.matches.insert(lobby, by=5)
    change = start_change(lobby, due_rules=(DueRule("call", 1001, 1, 7),))
    await other.matches.commit(change)
    await holder.surfaces.put(HAND, holder.epoch)
    await wait_until(lambda: len(other.changes_told) == 1 and len(holder.changes_told) == 2, 2)
    holder.changes_told.clear()
    other.changes_told.clear()
    return change.info


async def take_over(holder: Process, other: Process) -> int:
    """Let the lease change hands; return the previous epoch."""
    before = holder.epoch
    await holder.leases.release_all()
    await wait_until(lambda: other.epoch, 2)
    return before


async def test_an_old_epoch_writes_nothing_and_raises_doubt(holder: Process, other: Process, info: MatchInfo) -> None:
    await holder.surfaces.put_mention(MENTION, holder.epoch)
    old = await take_over(holder, other)
    newer = replace(HAND, digest="new", nonce="begun")
    for refused in (
        holder.surfaces.put(newer, old),
        holder.surfaces.put(replace(newer, seat=0), old),
        holder.surfaces.drop("m1", "hand", 1, old),
        holder.surfaces.put_mention(replace(MENTION, message=10, state="sent"), old),
        holder.surfaces.drop_mention("m1", 1, 7, old),
    ):
        with pytest.raises(NotLeaseHolder):
            await refused
    assert await other.surfaces.surfaces_of("m1") == [replace(HAND, digest="")]
    assert await other.surfaces.mentions("m1") == [MENTION]
    assert await other.leases.changed_matches() == {"m1": -1}
    await wait_until(lambda: other.changes_told.count(("m1", -1)) >= 5, 1)
    await other.surfaces.put(newer, other.epoch)
    await other.surfaces.drop_mention("m1", 1, 7, other.epoch)
    await other.surfaces.drop("m1", "hand", 5, other.epoch)  # it does not exist, which is right
    assert await other.surfaces.surfaces_of("m1") == [newer]
    assert await other.surfaces.mentions("m1") == []


async def test_edits_are_the_holders_and_late_ones_are_doubted(
    holder: Process, other: Process, info: MatchInfo
) -> None:
    edited = replace(HAND, digest="edited", shown=2)
    await holder.surfaces.put_edits([edited, replace(HAND, message=99, digest="of another")])
    assert await other.surfaces.surfaces_of("m1") == [edited]
    await take_over(holder, other)
    await holder.surfaces.put_edits([replace(HAND, digest="late", shown=3)])
    assert await other.surfaces.surfaces_of("m1") == [replace(edited, digest="")]
    await other.surfaces.put_edits([replace(HAND, digest="new", shown=3)])
    assert [surface.digest for surface in await other.surfaces.surfaces_of("m1")] == ["new"]


async def test_the_holder_does_due_and_settled_work(holder: Process, other: Process, info: MatchInfo) -> None:
    (due,), _ = await other.matches.load_due(2000)
    old = await take_over(holder, other)
    with pytest.raises(NotLeaseHolder):
        await holder.matches.mark_done(due, old)
    assert (await other.matches.load_due(2000))[0] == [due]
    await holder.surfaces.mark_current({"m1": 1})
    assert await other.surfaces.stale_matches() == ["m1"]
    await other.matches.mark_done(due, other.epoch)
    assert (await other.matches.load_due(2000))[0] == []
    await other.leases.changed_matches()
    await other.surfaces.mark_current({"m1": 1})
    assert await other.surfaces.stale_matches() == []


async def test_only_writes_of_the_present_epoch_are_made_in_a_transaction(holder: Process, info: MatchInfo) -> None:
    puts = [replace(HAND, seat=seat, digest=f"{seat}") for seat in (0, 1, 1, 0, 2)]
    epochs = [0, holder.epoch, holder.epoch, holder.epoch, holder.epoch - 1]
    outcomes = await asyncio.gather(
        *map(holder.surfaces.put, puts, epochs), holder.surfaces.drop("m1", "hand", 9, 0), return_exceptions=True
    )
    assert [isinstance(outcome, NotLeaseHolder) for outcome in outcomes] == [True, False, False, False, True, True]
    assert [surface.digest for surface in await holder.surfaces.surfaces_of("m1")] == ["0", "1"]


async def test_a_write_that_is_being_made_is_waited_for_by_the_one_who_takes_over(
    holder: Process, other: Process, info: MatchInfo, address: str
) -> None:
    raw = await asyncpg.connect(address)
    async with Database.open(address, clock=lambda: 7) as writer:
        writer.process_number = 99
        async with raw.transaction():
            await raw.execute("SELECT FROM surfaces WHERE match = 'm1' FOR UPDATE")
            last = replace(HAND, digest="last")
            writing = asyncio.create_task(SurfaceStore(writer).put(last, holder.epoch))
            await asyncio.sleep(0.1)
            await holder.leases.release_all()
            await asyncio.sleep(0.6)
            assert not other.epoch
        await writing
    await raw.close()
    await wait_until(lambda: other.epoch, 2)
    assert await other.surfaces.surfaces_of("m1") == [last]


# Answering clicks


async def test_somebody_who_answers_a_move_holds_the_hand_until_then(
    holder: Process, other: Process, info: MatchInfo
) -> None:
    change = move_change(info, click=99, reply_surface=("hand", 1))
    await other.matches.commit(change)
    left = await holder.leases.other_replies("m1")
    assert left.keys() == {("hand", 1)}
    assert 7 < left["hand", 1] <= 8
    assert await other.leases.other_replies("m1") == {}, "its own"
    await other.surfaces.put_reply(replace(HAND, digest="new", shown=2))
    assert await holder.leases.other_replies("m1") == {}
    assert await holder.surfaces.surfaces_of("m1") == [replace(HAND, digest="new", shown=2)]
    await wait_until(lambda: holder.changes_told == [("m1", 2), ("m1", -1)], 2)
    assert await holder.leases.changed_matches() == {"m1": -1}
    assert await holder.leases.changed_matches() == {"m1": 2}
    assert await other.leases.changed_matches() == {}, "it holds nothing"


@pytest.mark.parametrize("why", ["the holder has written it during that time", "it took too long", "it was doubted"])
async def test_an_answer_that_may_have_crossed_with_something_else_is_doubted(
    holder: Process, other: Process, info: MatchInfo, address: str, why: str
) -> None:
    await other.matches.commit(move_change(info, click=99, reply_surface=("hand", 1)))
    if why == "it was doubted":
        await holder.surfaces.doubt("m1", "hand", 1)
    elif why == "it took too long":
        await query(address, "UPDATE answering SET until = clock_timestamp() - interval '1 s'")
        assert -2 < (await holder.leases.other_replies("m1"))["hand", 1] < 0
    else:
        await holder.surfaces.put(replace(HAND, digest="of before"), holder.epoch)
        assert await holder.leases.other_replies("m1") == {}
    await other.surfaces.put_reply(replace(HAND, digest="new", shown=2))
    assert [surface.digest for surface in await holder.surfaces.surfaces_of("m1")] == [""]


async def test_the_holder_settles_nothing_that_others_changed(holder: Process, other: Process, info: MatchInfo) -> None:
    await other.surfaces.mark_stale(["m1", "nowhere"])
    await holder.surfaces.mark_current({"m1": 1})
    assert await holder.surfaces.stale_matches() == ["m1"]
    assert await holder.leases.changed_matches() == {"m1": -1}
    await holder.surfaces.mark_current({"m1": 1})
    assert await holder.leases.changed_matches() == {}
    await other.surfaces.change_preferences(6, lambda old: replace(old, words=True))
    assert await holder.leases.changed_matches() == {"m1": -1}
    for note in ("a thought", ""):
        await put_player_note(other.surfaces, "m1", 6, note)
        assert await holder.leases.changed_matches() == {"m1": -1}
        assert await player_notes(holder.surfaces, "m1") == ({6: note} if note else {})


async def test_nobody_is_told_of_what_they_did_themselves(holder: Process, other: Process, info: MatchInfo) -> None:
    await holder.matches.commit(move_change(info))
    await holder.surfaces.put(HAND, holder.epoch)
    await holder.surfaces.doubt("m1", "hand", 1)
    await wait_until(lambda: other.changes_told == [("m1", 2), ("m1", -1), ("m1", -1)], 2)
    assert holder.changes_told == []
