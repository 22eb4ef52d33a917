"""The clock: decisions whose time runs out are made by the computer, which keeps the seat of an absent player."""

from __future__ import annotations

import pytest

from engines.hosting.match import MAX_MISSED, RequestRefused
from engines.hosting.matches import Matches
from engines.store.match_store import Change, DueRule, DueTime, Status, StoreFailure
from engines.store.table_options import CLOCK_SECONDS, TableOptions
from engines.store.table_options import Clock as TableClock
from tests.engines import memory_matches
from tests.engines.memory_matches import ADA, BELA, CHIDI, DORA, Clock, first_due_move, make_matches, play_first_legal
from tests.engines.memory_store import MemoryStore

DAY = 24 * 60 * 60


async def start_timed(matches: Matches, clock: TableClock | None = "24 hours", rounds: int | None = 4) -> str:
    return await memory_matches.start_match(matches, rounds=rounds, table_options=TableOptions(clock, autoplay=False))


async def only_deadline(matches: Matches, match: str) -> DueTime:
    snapshot = await matches.cache.get_snapshot(match)
    (seat,) = snapshot.due_seats()
    return snapshot.deadlines[seat]


async def expire_and_move(matches: Matches, match: str, clock: Clock) -> int:
    """Let the time of the due player run out, and have the computer move; the seat."""
    out = await only_deadline(matches, match)
    clock.now = out.at
    await matches.moves.play_for_expired_seat(out, "normal", first_due_move(await matches.cache.get_snapshot(match))[2])
    return out.seat


async def move_until_due(matches: Matches, match: str, seat: int) -> None:
    while (await matches.cache.get_snapshot(match)).due_seats() != (seat,):
        await play_first_legal(matches, match)


@pytest.mark.parametrize("name", [None, *CLOCK_SECONDS])
async def test_a_decision_has_the_time_that_the_lobby_chose(
    matches: Matches, store: MemoryStore, clock: Clock, name: TableClock | None
) -> None:
    match = await start_timed(matches, name)
    (seat,) = (await matches.cache.get_snapshot(match)).due_seats()
    number = (await matches.cache.get_snapshot(match)).decisions()[seat].number
    found = [each for (of, _, _), (each, _) in store.awaited.items() if of == match and each.kind != "call"]
    if name is None:
        assert (found, (await matches.cache.get_snapshot(match)).deadline()) == ([], None)
        return
    seconds = CLOCK_SECONDS[name]
    reminder = DueRule("reminder", clock.now, seat, number, seconds * 3 // 4)
    assert set(found) == {DueRule("clock", clock.now, seat, number, seconds), *([reminder] if seconds >= 3600 else [])}
    assert (await matches.cache.get_snapshot(match)).deadline(seat) == clock.now + seconds
    assert (await matches.cache.get_snapshot(match)).deadline((seat + 1) % 3) is None


async def test_a_deadline_stays_whatever_else_happens_and_the_next_decision_has_its_own(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await start_timed(matches)
    first = await only_deadline(matches, match)
    clock.now += 500
    await matches.seating.vote_to_end(match, ADA)
    await matches.lobbies.set_thread(match, 77)
    assert await only_deadline(matches, match) == first
    restarted = await make_matches(store, clock).cache.get_snapshot(match)
    assert restarted.deadlines == {first.seat: first}, "a restart changes a deadline"
    await play_first_legal(matches, match)
    snapshot = await matches.cache.get_snapshot(match)
    assert snapshot.deadline() == clock.now + DAY
    await matches.due_times.record_alive()
    clock.now += 100
    await matches.due_times.postpone_deadlines()
    later = await matches.cache.get_snapshot(match)
    assert (later.info, later.deadline()) == (snapshot.info, (snapshot.deadline() or 0) + 100)
    await matches.seating.leave_match(match, CHIDI)
    paused = await matches.cache.get_snapshot(match)
    assert (paused.deadlines, paused.deadline()) == ({}, None)
    clock.now += 3 * DAY
    await matches.seating.take_seat(match, DORA, "Dora")
    assert (await only_deadline(matches, match)).at == clock.now + DAY


async def test_the_computer_makes_the_one_decision_whose_time_ran_out_once_that_can_be_saved(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await start_timed(matches)
    out, before = await only_deadline(matches, match), await matches.cache.get_snapshot(match)
    user, _, notation = first_due_move(before)
    for when in (clock.now, out.at - 1):
        clock.now = when
        with pytest.raises(RequestRefused, match="There is still time left"):
            await matches.moves.play_for_expired_seat(out, "normal", notation)
    clock.now = out.at
    store.fail = StoreFailure("No room.")
    with pytest.raises(StoreFailure):
        await matches.moves.play_for_expired_seat(out, "normal", notation)
    assert (await matches.cache.get_snapshot(match)).info == before.info
    assert (await matches.due_times.load_due())[0][-1] == out, "the deadline is gone, the move was not made"
    info = await matches.moves.play_for_expired_seat(out, "normal", notation)
    assert (info.moves, info.seats[out.seat].missed, info.seats[out.seat].level) == (1, 1, "")
    entry = store.saved[match].moves[-1]
    assert (entry.seat, entry.user, entry.level) == (out.seat, user, "normal"), "it is not told who moved for whom"
    with pytest.raises(RequestRefused):
        await matches.moves.play_for_expired_seat(out, "normal", notation)
    for each in (matches, make_matches(store, clock)):
        snapshot = await each.cache.get_snapshot(match)
        assert snapshot.timeout_moves == {1}
        assert snapshot.last_move_number(out.seat) == 0, "it was no move of their own"
    late = await only_deadline(matches, match)
    clock.now = late.at
    user, decision, notation = first_due_move(await matches.cache.get_snapshot(match))
    await matches.moves.play_move(match, user, decision, notation)  # in the last second
    with pytest.raises(RequestRefused):
        await matches.moves.play_for_expired_seat(late, "normal", notation)
    assert (await matches.cache.get_snapshot(match)).info.moves == 2


async def test_after_three_in_a_row_the_computer_keeps_the_seat_and_nobody_is_called_there(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await start_timed(matches, rounds=9)
    seat = (await matches.cache.get_snapshot(match)).due_seats()[0]
    for missed in range(1, MAX_MISSED + 1):
        await move_until_due(matches, match, seat)
        await expire_and_move(matches, match, clock)
        owner = (await matches.cache.get_snapshot(match)).info.seats[seat]
        assert (owner.missed, owner.is_away) == (missed, missed == MAX_MISSED)
    await move_until_due(matches, match, seat)
    assert (match, seat) not in {(of, at) for of, _, at in store.awaited}
    assert not (await matches.cache.get_snapshot(match)).deadlines
    assert (await make_matches(store, clock).cache.get_snapshot(match)).info.seats[seat].is_away
    with pytest.raises(RequestRefused, match="no empty seat"):
        await matches.seating.take_seat(match, DORA, "Dora")


async def test_a_move_of_ones_own_in_between_begins_the_count_again(matches: Matches, clock: Clock) -> None:
    match = await start_timed(matches, rounds=9)
    seat = (await matches.cache.get_snapshot(match)).due_seats()[0]
    for own in (False, False, True, False, False):
        await move_until_due(matches, match, seat)
        await (play_first_legal(matches, match) if own else expire_and_move(matches, match, clock))
    assert (await matches.cache.get_snapshot(match)).info.seats[seat].missed == 2
    assert not (await matches.cache.get_snapshot(match)).info.seats[seat].is_away


async def test_a_move_says_whether_the_seats_are_as_they_were(
    matches: Matches, store: MemoryStore, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await start_timed(matches, rounds=9)
    seat, keep = (await matches.cache.get_snapshot(match)).due_seats()[0], store.commit
    flags: list[bool] = []

    async def commit(change: Change) -> int | None:
        flags.append(change.seats_changed)
        return await keep(change)

    monkeypatch.setattr(store, "commit", commit)
    for own, others in ((True, False), (False, True), (True, True), (True, False)):
        await move_until_due(matches, match, seat)
        await (play_first_legal(matches, match) if own else expire_and_move(matches, match, clock))
        assert flags[-1] is others


@pytest.mark.parametrize("way", ["back", "move", "given back"])
async def test_the_owner_takes_the_seat_back(matches: Matches, clock: Clock, way: str) -> None:
    match = await start_timed(matches, rounds=9)
    seat = (await matches.cache.get_snapshot(match)).due_seats()[0]
    user = (await matches.cache.get_snapshot(match)).info.seats[seat].user
    await matches.seating.give_seat_to_computer(match, seat, "normal", by=99)
    for other in {ADA, BELA, CHIDI, DORA} - {user}:
        with pytest.raises(RequestRefused):
            await matches.seating.return_to_seat(match, other)
    assert (await matches.cache.get_snapshot(match)).info.seats[seat].is_away
    clock.now += 7
    if way == "back":
        await matches.seating.return_to_seat(match, user)
        with pytest.raises(RequestRefused, match="Your seat is still yours"):
            await matches.seating.return_to_seat(match, user)
    elif way == "given back":
        await matches.seating.give_seat_back(match, seat, by=99)
        with pytest.raises(RequestRefused, match="for anyone"):
            await matches.seating.give_seat_back(match, seat, by=99)
    else:
        await matches.moves.play_move(match, user, None, first_due_move(await matches.cache.get_snapshot(match))[2])
    owner = (await matches.cache.get_snapshot(match)).info.seats[seat]
    assert (owner.owner_plays, owner.missed) == (True, 0)
    if way != "move":
        assert (await only_deadline(matches, match)).at == clock.now + DAY, "somebody who is back has all their time"


async def test_an_admin_has_the_computer_play_at_an_empty_seat_and_the_match_goes_on(matches: Matches) -> None:
    match = await start_timed(matches)
    with pytest.raises(RequestRefused, match="no such seat"):
        await matches.seating.give_seat_to_computer(match, 7, "normal", by=99)
    await matches.seating.remove_player(match, CHIDI, by=99)
    assert (await matches.cache.get_snapshot(match)).info.status is Status.PAUSED
    info = await matches.seating.give_seat_to_computer(match, 2, "normal", by=99)
    assert (info.status, info.seats[2].gone, info.seats[2].level) == (Status.RUNNING, "removed", "normal")
    with pytest.raises(RequestRefused, match="already plays there"):
        await matches.seating.give_seat_to_computer(match, 2, "normal", by=99)
    with pytest.raises(RequestRefused, match="for anyone"):
        await matches.seating.give_seat_back(match, 2, by=99)
    with pytest.raises(RequestRefused, match="not started"):
        await matches.seating.give_seat_to_computer(await memory_matches.open_lobby(matches, ADA), 0, "normal", by=99)


async def test_those_who_are_away_keep_the_others_from_nothing(matches: Matches) -> None:
    match = await start_timed(matches)
    for seat in (1, 2):
        await matches.seating.give_seat_to_computer(match, seat, "normal", by=99)
    info = await matches.seating.vote_to_end(match, ADA)
    assert (info.status, info.reason) == (Status.ENDED, "Its only player wanted to end it.")
