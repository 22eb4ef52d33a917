"""What a match awaits is committed with every change: who is due, since when, and when a lobby closes."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engines.hosting.matches import Matches
from engines.hosting.timing.due_times import LOBBY_SECONDS, MIN_CALL_SECONDS
from engines.store.match_store import DueRule, StoreFailure
from tests.engines.memory_matches import (
    ADA,
    BELA,
    CHIDI,
    DORA,
    Clock,
    open_lobby,
    play_first_legal,
    play_out,
    start_match,
)
from tests.engines.memory_store import MemoryStore


def awaited_rules(store: MemoryStore, match: str) -> list[DueRule]:
    return [each for key, (each, _) in store.awaited.items() if key[0] == match]


async def test_a_lobby_awaits_its_end_from_its_opening_even_if_people_come(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    opening_time = clock.now
    match = await open_lobby(matches, ADA)
    clock.now += 500
    await matches.lobbies.join(match, BELA, "Bela")
    assert awaited_rules(store, match) == [DueRule("expiry", opening_time, delay=LOBBY_SECONDS)]
    assert await matches.due_times.load_due() == ([], opening_time + LOBBY_SECONDS)


async def test_every_turn_after_that_is_due_from_its_own_beginning(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await start_match(matches, rounds=4)
    own = 0
    while (snapshot := await matches.cache.get_snapshot(match)).due_seats():
        mover = snapshot.due_seats()[0]
        clock.now += 7
        await play_first_legal(matches, match)
        after = await matches.cache.get_snapshot(match)
        decisions = after.decisions()
        least = {seat: MIN_CALL_SECONDS if seat == mover else 0 for seat in after.due_seats()}
        own += mover in after.due_seats()
        assert awaited_rules(store, match) == [
            DueRule("call", clock.now, seat, decisions[seat].number, None, least[seat]) for seat in after.due_seats()
        ]
    assert own, "nobody ever moved twice"
    assert await matches.due_times.load_due() == ([], None)


async def test_the_first_turn_is_due_at_once_and_what_is_done_is_due_no_more(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await start_match(matches)
    seat = (await matches.cache.get_snapshot(match)).due_seats()[0]
    (only,) = awaited_rules(store, match)
    assert (only.kind, only.since, only.seat, only.delay) == ("call", clock.now, seat, 0)
    (due,), then = await matches.due_times.load_due()
    assert (due.seat, due.at, then) == (seat, clock.now, None)
    await matches.due_times.mark_done(due)
    assert await matches.due_times.load_due() == ([], None)
    await matches.seating.vote_to_end(match, ADA)  # nobody's decision has changed
    assert await matches.due_times.load_due() == ([], None)


async def test_a_paused_match_awaits_nobody_and_one_that_goes_on_begins_again(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await start_match(matches)
    await matches.seating.leave_match(match, CHIDI)
    assert awaited_rules(store, match) == []
    clock.now += 1000
    await matches.seating.take_seat(match, DORA, "Dora")
    (only,) = awaited_rules(store, match)
    assert (only.since, only.delay) == (clock.now, None)


@pytest.mark.parametrize("ending", ["reset", "ended", "over", "cancelled"])
async def test_a_closed_match_awaits_nothing(matches: Matches, store: MemoryStore, ending: str) -> None:
    if ending == "over":
        match = await play_out(matches, ADA, BELA, CHIDI)
    elif ending == "cancelled":
        match = await open_lobby(matches, ADA)
        await matches.lobbies.cancel_lobby(match, ADA)
    else:
        match = await start_match(matches)
        if ending == "reset":
            await matches.seating.reset_match(match, ADA)
        else:
            await matches.seating.vote_to_end(match, ADA)
            await matches.seating.vote_to_end(match, BELA)
    assert awaited_rules(store, match) == []


async def test_somebody_who_is_at_it_is_due_as_long_after_that(matches: Matches, clock: Clock) -> None:
    match = await start_match(matches)
    await play_first_legal(matches, match)
    seat = (await matches.cache.get_snapshot(match)).due_seats()[0]
    clock.now += 50
    due_times: list[int] = []
    matches.editor.on_due.append(due_times.append)
    await matches.activity.note_activity(await matches.cache.get_snapshot(match), (seat + 1) % 3)
    assert not matches.activity.has_unsaved_activity()
    assert (due_times, await matches.due_times.load_due()) == ([], ([], clock.now + MIN_CALL_SECONDS - 50)), (
        "a match does not wait for them"
    )
    await matches.activity.note_activity(await matches.cache.get_snapshot(match), seat)
    assert await matches.due_times.load_due() == ([], clock.now + MIN_CALL_SECONDS)
    assert due_times == [clock.now + MIN_CALL_SECONDS]


async def test_the_store_gets_one_of_many_signs_of_activity_unless_other_processes_ask_it(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match, seat = await start_later_turn(matches, store)
    owing, before = [], dict(store.awaited)
    matches.activity.on_unsaved.append(lambda: owing.append(matches.activity.has_unsaved_activity()))
    for way in ("5:o:trade ♣", None, "5:o:trade ♣ ♦", None):
        clock.now += 1
        await matches.activity.note_activity(await matches.cache.get_snapshot(match), seat, way)
    assert (store.awaited, owing) == (before, [True] * 4)
    calls = activity_calls(store)
    await matches.activity.save_activity()
    assert calls == [(match, seat, clock.now, "5:o:trade ♣ ♦")]
    assert not matches.activity.has_unsaved_activity()
    await matches.activity.save_activity()
    assert len(calls) == 1
    store.is_shared = True
    await matches.activity.note_activity(await matches.cache.get_snapshot(match), seat)
    assert (len(calls), matches.activity.has_unsaved_activity()) == (2, False)


async def test_somebody_who_has_moved_since_does_not_put_off_their_next_call(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match, seat = await start_later_turn(matches, store)

    async def move_until_due_again() -> None:
        await play_first_legal(matches, match)
        while seat not in (await matches.cache.get_snapshot(match)).due_seats():
            await play_first_legal(matches, match)

    await matches.activity.note_activity(await matches.cache.get_snapshot(match), seat)
    await move_until_due_again()
    calls = activity_calls(store)
    await matches.activity.save_activity()
    assert (calls, matches.activity.has_unsaved_activity()) == ([], False)
    await matches.activity.note_activity(await matches.cache.get_snapshot(match), seat, "5:o:trade ♣")
    await move_until_due_again()
    await matches.activity.note_activity(await matches.cache.get_snapshot(match), seat)
    await matches.activity.save_activity()
    assert calls == [(match, seat, clock.now, None)], "a way of the decision before"


async def test_a_new_player_of_the_same_decision_does_not_inherit_the_steps_of_the_one_who_left(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match, seat = await start_later_turn(matches, store)
    before = await matches.cache.get_snapshot(match)
    await matches.activity.note_activity(await matches.cache.get_snapshot(match), seat, "5:o:trade ♣")
    await matches.seating.leave_match(match, before.info.seats[seat].user)
    await matches.seating.take_seat(match, DORA, "Dora")
    after = await matches.cache.get_snapshot(match)
    assert (after.info.seats[seat].user, after.decisions()[seat]) == (DORA, before.decisions()[seat])
    calls = activity_calls(store)
    await matches.activity.save_activity()
    assert (calls, matches.activity.has_unsaved_activity()) == ([], False)
    await matches.activity.note_activity(await matches.cache.get_snapshot(match), seat, "5:o:trade ♦")
    await matches.seating.leave_match(match, DORA)
    await matches.seating.take_seat(match, before.info.seats[seat].user, "Ada")
    await matches.activity.note_activity(await matches.cache.get_snapshot(match), seat)
    await matches.activity.save_activity()
    assert calls == [(match, seat, clock.now, None)]


async def test_a_write_that_the_store_refuses_is_repeated_later_unless_there_is_a_newer_one(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match, seat = await start_later_turn(matches, store)
    await matches.activity.note_activity(await matches.cache.get_snapshot(match), seat, "5:g:a")
    calls, taken = activity_calls(store), asyncio.Event()

    async def failing(*busy: Any) -> int | None:
        await taken.wait()
        raise StoreFailure("No room.")

    takes, store.postpone_call = store.postpone_call, failing  # type: ignore[method-assign, assignment]
    keeping = asyncio.create_task(matches.activity.save_activity())
    await asyncio.sleep(0)
    clock.now += 3
    await matches.activity.note_activity(await matches.cache.get_snapshot(match), seat)
    taken.set()
    with pytest.raises(StoreFailure):
        await keeping
    assert matches.activity.has_unsaved_activity()
    assert isinstance((await matches.due_times.load_due())[0], list), "what is due can be read all the same"
    cut = asyncio.create_task(matches.activity.save_activity())
    taken.clear()
    await asyncio.sleep(0)
    cut.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cut
    store.postpone_call = takes  # type: ignore[method-assign]
    await matches.activity.save_activity()
    assert calls == [(match, seat, clock.now, "5:g:a")]


async def test_a_caller_that_asks_for_due_times_during_a_write_waits_for_it(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match, seat = await start_later_turn(matches, store)
    clock.now += MIN_CALL_SECONDS
    await matches.activity.note_activity(await matches.cache.get_snapshot(match), seat)
    takes, slowly = store.postpone_call, asyncio.Event()

    async def slow(*busy: Any) -> int | None:
        await slowly.wait()
        return await takes(*busy)

    store.postpone_call = slow  # type: ignore[method-assign, assignment]
    keeping, asking = (
        asyncio.create_task(matches.activity.save_activity()),
        asyncio.create_task(matches.due_times.load_due()),
    )
    await asyncio.sleep(0.01)
    slowly.set()
    assert await asking == ([], clock.now + MIN_CALL_SECONDS)
    await keeping


async def start_later_turn(matches: Matches, store: MemoryStore) -> tuple[str, int]:
    """A match of a store that nobody else asks, and the seat it waits for, which is not called at once."""
    store.is_shared = False
    match = await start_match(matches, rounds=4)
    await play_first_legal(matches, match)
    return match, (await matches.cache.get_snapshot(match)).due_seats()[0]


def activity_calls(store: MemoryStore) -> list[tuple[Any, ...]]:
    """What the store will have been told of who is at it."""
    calls: list[tuple[Any, ...]] = []
    takes = store.postpone_call

    async def active(*busy: Any) -> int | None:
        calls.append(busy)
        return await takes(*busy)

    store.postpone_call = active  # type: ignore[method-assign, assignment]
    return calls


async def test_a_move_that_is_not_committed_makes_nothing_due(matches: Matches, store: MemoryStore) -> None:
    match = await start_match(matches)
    due_times: list[int] = []
    matches.editor.on_due.append(due_times.append)
    before = awaited_rules(store, match)
    store.fail = StoreFailure("No room.")
    with pytest.raises(StoreFailure):
        await play_first_legal(matches, match)
    assert (awaited_rules(store, match), due_times) == (before, [])
    await play_first_legal(matches, match)
    assert len(due_times) == 1
