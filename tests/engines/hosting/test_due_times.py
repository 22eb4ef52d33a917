"""What a match awaits is committed with every change: who is due, since when, and when a lobby closes."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engines.hosting.due_times import AT_EASE, LOBBY_SECONDS
from engines.hosting.matches import Matches
from engines.store.match_store import Awaited, StoreFailure
from tests.engines.at_tables import ADA, BELA, CHIDI, DORA, Clock, lobby, move, played_out, started
from tests.engines.memory_store import MemoryStore


def awaited(store: MemoryStore, match: str) -> list[Awaited]:
    """What the match awaits, as it was last committed."""
    return [each for key, (each, _) in store.awaited.items() if key[0] == match]


async def test_a_lobby_awaits_its_end_since_it_was_opened_whoever_comes(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    opened = clock.now
    match = await lobby(matches, ADA)
    clock.now += 500
    await matches.join(match, BELA, "Bela")
    assert awaited(store, match) == [Awaited("expiry", opened, wait=LOBBY_SECONDS)]
    assert await matches.due() == ([], opened + LOBBY_SECONDS)


async def test_the_first_turn_is_due_at_once(matches: Matches, store: MemoryStore, clock: Clock) -> None:
    match = await started(matches)
    seat = (await matches.look(match)).due()[0]
    (only,) = awaited(store, match)
    assert (only.kind, only.since, only.seat, only.wait) == ("call", clock.now, seat, 0)
    found, then = await matches.due()
    assert [(each.seat, each.at) for each in found] == [(seat, clock.now)]
    assert then is None


async def test_every_turn_after_that_is_due_from_its_own_beginning(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await started(matches, rounds=4)
    own = 0
    while (look := await matches.look(match)).due():
        mover = look.due()[0]
        clock.now += 7
        await move(matches, match)
        after = await matches.look(match)
        decisions = after.decisions()
        least = {seat: AT_EASE if seat == mover else 0 for seat in after.due()}
        own += mover in after.due()
        assert awaited(store, match) == [
            Awaited("call", clock.now, seat, decisions[seat].number, None, least[seat]) for seat in after.due()
        ]
    assert own, "nobody ever moved twice"
    assert await matches.due() == ([], None)


async def test_what_is_done_is_due_no_more(matches: Matches) -> None:
    match = await started(matches)
    (only,), _ = await matches.due()
    await matches.done(only)
    assert await matches.due() == ([], None)
    await matches.vote_end(match, ADA)  # nobody's decision has changed
    assert await matches.due() == ([], None)


async def test_a_paused_match_awaits_nobody_and_one_that_goes_on_begins_anew(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await started(matches)
    await matches.leave(match, CHIDI)
    assert awaited(store, match) == []
    clock.now += 1000
    await matches.take_seat(match, DORA, "Dora")
    (only,) = awaited(store, match)
    assert (only.since, only.wait) == (clock.now, None)


@pytest.mark.parametrize("how", ["reset", "ended", "over", "cancelled"])
async def test_what_is_closed_awaits_nothing(matches: Matches, store: MemoryStore, how: str) -> None:
    if how == "over":
        match = await played_out(matches, ADA, BELA, CHIDI)
    elif how == "cancelled":
        match = await lobby(matches, ADA)
        await matches.cancel(match, ADA)
    else:
        match = await started(matches)
        if how == "reset":
            await matches.reset(match, ADA)
        else:
            await matches.vote_end(match, ADA)
            await matches.vote_end(match, BELA)
    assert awaited(store, match) == []


async def test_who_is_at_it_is_due_as_long_after_that(matches: Matches, clock: Clock) -> None:
    match = await started(matches)
    await move(matches, match)
    seat = (await matches.look(match)).due()[0]
    clock.now += 50
    told: list[int] = []
    matches.due_from = told.append
    await matches.active(match, (seat + 1) % 3)
    assert not matches.owes()
    assert (told, await matches.due()) == ([], ([], clock.now + AT_EASE - 50)), "a match does not wait for them"
    await matches.active(match, seat)
    assert await matches.due() == ([], clock.now + AT_EASE)
    assert told == [clock.now + AT_EASE]


async def test_of_many_signs_that_somebody_is_at_it_the_store_is_told_one(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match, seat = await at_a_later_turn(matches, store)
    owing, before = [], dict(store.awaited)
    matches.owing = lambda: owing.append(matches.owes())
    for way in ("5:o:trade ♣", None, "5:o:trade ♣ ♦", None):
        clock.now += 1
        await matches.active(match, seat, way)
    assert (store.awaited, owing) == (before, [True] * 4)
    told = counted(store)
    await matches.keep()
    assert told == [(match, seat, clock.now, "5:o:trade ♣ ♦")]
    assert not matches.owes()
    await matches.keep()
    assert len(told) == 1


async def test_whoever_has_moved_since_does_not_put_off_their_next_call(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match, seat = await at_a_later_turn(matches, store)
    await matches.active(match, seat)
    while True:
        await move(matches, match)
        if seat in (await matches.look(match)).due():
            break
    told = counted(store)
    await matches.keep()
    assert (told, matches.owes()) == ([], False)
    await matches.active(match, seat, "5:o:trade ♣")
    while True:
        await move(matches, match)
        if seat in (await matches.look(match)).due():
            break
    await matches.active(match, seat)
    await matches.keep()
    assert told == [(match, seat, clock.now, None)], "a way of the decision before"


async def test_whoever_sits_down_at_the_same_decision_is_not_taken_to_be_on_the_way_of_who_left(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match, seat = await at_a_later_turn(matches, store)
    before = await matches.look(match)
    await matches.active(match, seat, "5:o:trade ♣")
    await matches.leave(match, before.info.seats[seat].user)
    await matches.take_seat(match, DORA, "Dora")
    after = await matches.look(match)
    assert (after.info.seats[seat].user, after.decisions()[seat]) == (DORA, before.decisions()[seat])
    told = counted(store)
    await matches.keep()
    assert (told, matches.owes()) == ([], False)
    await matches.active(match, seat, "5:o:trade ♦")
    await matches.leave(match, DORA)
    await matches.take_seat(match, before.info.seats[seat].user, "Ada")
    await matches.active(match, seat)
    await matches.keep()
    assert told == [(match, seat, clock.now, None)]


async def test_what_the_store_does_not_take_it_is_told_later_unless_there_is_something_newer(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match, seat = await at_a_later_turn(matches, store)
    await matches.active(match, seat, "5:g:a")
    told, taken = counted(store), asyncio.Event()

    async def failing(*busy: Any) -> int | None:
        await taken.wait()
        raise StoreFailure("No room.")

    takes, store.active = store.active, failing  # type: ignore[method-assign, assignment]
    keeping = asyncio.create_task(matches.keep())
    await asyncio.sleep(0)
    clock.now += 3
    await matches.active(match, seat)
    taken.set()
    with pytest.raises(StoreFailure):
        await keeping
    assert matches.owes()
    assert isinstance((await matches.due())[0], list), "what is due can be read all the same"
    cut = asyncio.create_task(matches.keep())
    taken.clear()
    await asyncio.sleep(0)
    cut.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cut
    store.active = takes  # type: ignore[method-assign]
    await matches.keep()
    assert told == [(match, seat, clock.now, "5:g:a")]


async def test_who_asks_what_is_due_while_the_store_is_being_told_waits_for_that(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match, seat = await at_a_later_turn(matches, store)
    clock.now += AT_EASE
    await matches.active(match, seat)
    takes, slowly = store.active, asyncio.Event()

    async def slow(*busy: Any) -> int | None:
        await slowly.wait()
        return await takes(*busy)

    store.active = slow  # type: ignore[method-assign, assignment]
    keeping, asking = asyncio.create_task(matches.keep()), asyncio.create_task(matches.due())
    await asyncio.sleep(0.01)
    slowly.set()
    assert await asking == ([], clock.now + AT_EASE)
    await keeping


async def test_where_others_ask_the_store_it_is_told_at_once(matches: Matches, store: MemoryStore) -> None:
    match, seat = await at_a_later_turn(matches, store)
    store.shared = True
    told = counted(store)
    await matches.active(match, seat)
    assert (len(told), matches.owes()) == (1, False)


async def at_a_later_turn(matches: Matches, store: MemoryStore) -> tuple[str, int]:
    """A match of a store that nobody else asks, and the seat it waits for, which is not called at once."""
    store.shared = False
    match = await started(matches, rounds=4)
    await move(matches, match)
    return match, (await matches.look(match)).due()[0]


def counted(store: MemoryStore) -> list[tuple[Any, ...]]:
    """What the store will have been told of who is at it."""
    told: list[tuple[Any, ...]] = []
    takes = store.active

    async def active(*busy: Any) -> int | None:
        told.append(busy)
        return await takes(*busy)

    store.active = active  # type: ignore[method-assign, assignment]
    return told


async def test_a_move_that_is_not_committed_makes_nothing_due(matches: Matches, store: MemoryStore) -> None:
    match = await started(matches)
    told: list[int] = []
    matches.due_from = told.append
    before = awaited(store, match)
    store.fail = StoreFailure("No room.")
    with pytest.raises(StoreFailure):
        await move(matches, match)
    assert (awaited(store, match), told) == (before, [])
    await move(matches, match)
    assert len(told) == 1
