"""Breaks: the clock and the pings of a resting player wait, within the limit of each table."""

from __future__ import annotations

import pytest

from engines.features.breaks import BREAK_SECONDS, LIMIT, RestLimit, end_break, take_break
from engines.hosting.match import RequestRefused
from engines.hosting.matches import Matches
from engines.hosting.timing.due_times import MIN_CALL_SECONDS
from engines.store.match_store import Place, Seat, Status, StoreFailure
from engines.store.table_options import DEFAULT_TABLE_OPTIONS, TableOptions
from engines.store.table_options import Clock as TableClock
from tests.engines.memory_matches import (
    ADA,
    BELA,
    CHIDI,
    DORA,
    WIZARD,
    Clock,
    first_due_move,
    make_matches,
    open_lobby,
    play_first_legal,
    play_to_end,
    start_match,
)
from tests.engines.memory_store import MemoryStore

HOUR, DAY = 60 * 60, 24 * 60 * 60


def due_times(store: MemoryStore, match: str, seat: int) -> dict[str, int]:
    """What is still to come for a seat, by kind."""
    return {
        kind: due.at
        for (of, kind, at), (_, due) in store.awaited.items()
        if (of, at) == (match, seat) and due not in store.done_dues
    }


async def due_seat(matches: Matches, match: str) -> tuple[int, int]:
    """The seat that the match waits for, and who sits there."""
    snapshot = await matches.cache.get_snapshot(match)
    (seat,) = snapshot.due_seats()
    return seat, snapshot.info.seats[seat].user


async def move_until_due(matches: Matches, match: str, seat: int) -> None:
    while (await due_seat(matches, match))[0] != seat:
        await play_first_legal(matches, match)


async def check_deadline(matches: Matches, store: MemoryStore, match: str, seat: int, at: int, clock: Clock) -> None:
    """The store, the match in memory and a restarted process agree."""
    assert due_times(store, match, seat)["clock"] == at
    for each in (matches, make_matches(store, clock)):
        assert (await each.cache.get_snapshot(match)).deadline(seat) == at


@pytest.mark.parametrize("length", BREAK_SECONDS)
async def test_a_break_moves_what_is_due_to_its_end_within_the_limit(
    matches: Matches, store: MemoryStore, clock: Clock, length: str
) -> None:
    match = await start_match(matches, rounds=4, table_options=DEFAULT_TABLE_OPTIONS)
    seat, user = await due_seat(matches, match)
    start = clock.now
    clock.now += 100
    until = await take_break(matches.rests, user, length)
    assert until == clock.now + BREAK_SECONDS[length]
    rest = min(until, start + DAY)
    await check_deadline(matches, store, match, seat, rest + DAY, clock)
    assert due_times(store, match, seat) == {
        "call": rest,  # the first ping of a match comes at once
        "reminder": rest + DAY * 3 // 4,
        "clock": rest + DAY,
        "break": until,
    }
    snapshot = await matches.cache.get_snapshot(match)
    assert snapshot.rests_until(seat) == rest
    assert [each.rest_until for each in snapshot.info.seats] == [until if i == seat else 0 for i in range(3)]


async def test_a_decision_that_comes_up_during_a_break_rests_too(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await start_match(matches, rounds=4, table_options=TableOptions("1 hour", autoplay=False))
    first, _ = await due_seat(matches, match)
    seat = (first + 1) % 3
    until = await take_break(matches.rests, (await matches.cache.get_snapshot(match)).info.seats[seat].user, "8 hours")
    clock.now += HOUR // 2
    await move_until_due(matches, match, seat)
    await check_deadline(matches, store, match, seat, until + HOUR, clock)
    assert due_times(store, match, seat)["call"] == until + MIN_CALL_SECONDS
    await play_first_legal(matches, match)  # a move does not end a break
    clock.now = until + 10
    await matches.rests.end_expired_rests()
    await move_until_due(matches, match, seat)
    await check_deadline(matches, store, match, seat, clock.now + HOUR, clock)


@pytest.mark.parametrize(
    ("time", "limit", "rest"),
    [
        ("1 hour", None, 0),
        ("5 minutes", "7 days", 0),
        ("1 hour", "1 day", DAY),
        ("3 days", "3 days", 2 * DAY),
        ("24 hours", "7 days", 2 * DAY),
        (None, None, 2 * DAY),
    ],
)
async def test_each_table_has_its_own_limit(
    matches: Matches, store: MemoryStore, clock: Clock, time: TableClock | None, limit: RestLimit | None, rest: int
) -> None:
    table_options = TableOptions(time).set_option(LIMIT, limit)
    match = await start_match(matches, rounds=4, table_options=table_options)
    other = await start_match(matches, rounds=4, table_options=DEFAULT_TABLE_OPTIONS)
    seat, user = await due_seat(matches, match)
    await take_break(matches.rests, user, "2 days")
    start, seconds = clock.now, table_options.decision_seconds
    assert due_times(store, match, seat)["call"] == start + rest
    if seconds is not None:
        await check_deadline(matches, store, match, seat, start + rest + seconds, clock)
    assert due_times(store, other, (await due_seat(matches, other))[0])["clock"] == start + 2 * DAY


async def test_a_clock_runs_on_at_the_limit_and_no_missed_deadline_counts_before(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await start_match(matches, rounds=4, table_options=TableOptions("1 hour", autoplay=False))
    seat, user = await due_seat(matches, match)
    old = (await matches.cache.get_snapshot(match)).deadlines[seat]
    await take_break(matches.rests, user, "7 days")
    notation = first_due_move(await matches.cache.get_snapshot(match))[2]
    for clock.now in (old.at, old.at + DAY - 1):
        for due in (old, (await matches.cache.get_snapshot(match)).deadlines[seat]):
            with pytest.raises(RequestRefused, match="still time left"):
                await matches.moves.play_for_expired_seat(due, "normal", notation)
    clock.now = old.at + DAY
    due = (await matches.cache.get_snapshot(match)).deadlines[seat]
    info = await matches.moves.play_for_expired_seat(due, "normal", notation)
    assert (info.moves, info.seats[seat].missed, info.seats[seat].is_resting) == (1, 1, True)


@pytest.mark.parametrize("length", ["2 hours", "7 days"])
async def test_a_break_that_ends_early_starts_the_clock_then(
    matches: Matches, store: MemoryStore, clock: Clock, length: str
) -> None:
    match = await start_match(matches, rounds=4, table_options=TableOptions("3 days", autoplay=False))
    seat, user = await due_seat(matches, match)
    await take_break(matches.rests, user, length)
    clock.now += HOUR
    await end_break(matches.rests, user)
    await check_deadline(matches, store, match, seat, clock.now + 3 * DAY, clock)
    assert due_times(store, match, seat) == {
        "call": clock.now,
        "reminder": clock.now + 3 * DAY * 3 // 4,
        "clock": clock.now + 3 * DAY,
    }
    assert not any(each.rest_until for each in (await matches.cache.get_snapshot(match)).info.seats)
    with pytest.raises(RequestRefused, match="not on a break"):
        await end_break(matches.rests, user)


async def test_a_decision_waits_no_longer_than_the_limit_however_many_breaks_a_player_takes(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await start_match(matches, rounds=4, table_options=DEFAULT_TABLE_OPTIONS)
    seat, user = await due_seat(matches, match)
    start, deadline = clock.now, clock.now + DAY
    for _ in range(20):
        clock.now += 3 * HOUR
        await take_break(matches.rests, user, "2 hours")
        now = due_times(store, match, seat)["clock"]
        assert deadline <= now <= start + 2 * DAY, "a break takes time away, or gives more than the limit"
        clock.now += HOUR
        await end_break(matches.rests, user)
        deadline = due_times(store, match, seat)["clock"]
        assert deadline <= start + 2 * DAY
    assert deadline == start + 2 * DAY


async def test_the_end_of_a_break_is_due_and_changes_no_time(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await start_match(matches, rounds=4, table_options=DEFAULT_TABLE_OPTIONS)
    lobby = await open_lobby(matches, ADA, BELA, CHIDI)
    seat, user = await due_seat(matches, match)
    await take_break(matches.rests, user, "8 hours")
    before = due_times(store, match, seat)
    clock.now = before.pop("break")
    found, _ = await matches.due_times.load_due()
    ends = [due for due in found if due.kind == "break"]
    assert {due.match for due in ends} == {match, lobby}
    woken: list[str] = []
    matches.editor.on_changed.append(woken.append)
    await matches.rests.end_expired_rests()
    assert sorted(woken) == sorted([match, lobby])
    assert due_times(store, match, seat) == before
    assert [due for due in (await matches.due_times.load_due())[0] if due.kind == "break"] == []
    assert not (await matches.cache.get_snapshot(match)).info.seats[seat].is_resting
    await matches.rests.end_expired_rests()
    assert len(woken) == 2, "an end that was noticed is noticed again"


async def test_an_outage_during_a_break_takes_nothing_away(matches: Matches, store: MemoryStore, clock: Clock) -> None:
    match = await start_match(matches, rounds=4, table_options=DEFAULT_TABLE_OPTIONS)
    seat, user = await due_seat(matches, match)
    until = await take_break(matches.rests, user, "8 hours")
    clock.now = until + HOUR
    await matches.due_times.postpone_deadlines(until - HOUR)  # the end of the break fell into an outage
    at = (await matches.cache.get_snapshot(match)).deadline(seat)
    assert at is not None
    assert at >= until + HOUR + DAY
    await matches.rests.end_expired_rests()
    await check_deadline(matches, store, match, seat, at, clock)


async def test_somebody_who_joins_during_their_break_rests_at_the_new_table_and_in_a_rematch(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    old = await start_match(matches, rounds=1, table_options=DEFAULT_TABLE_OPTIONS)
    until = await take_break(matches.rests, ADA, "1 day")
    await play_to_end(matches, old)
    rematch = (await matches.rematches.join_rematch(old, ADA, "Ada")).info.id
    for user in (BELA, CHIDI):
        await matches.rematches.join_rematch(old, user, f"user{user}")
    await matches.lobbies.start_match(rematch, ADA)
    await move_until_due(matches, rematch, 0)
    await check_deadline(matches, store, rematch, 0, until + DAY, clock)
    match = await start_match(matches, BELA, CHIDI, DORA, rounds=4, table_options=DEFAULT_TABLE_OPTIONS)
    await matches.seating.leave_match(match, DORA)
    await matches.seating.take_seat(match, ADA, "Ada")
    await move_until_due(matches, match, 2)
    await check_deadline(matches, store, match, 2, until + DAY, clock)


async def test_computers_and_others_play_as_always(matches: Matches, store: MemoryStore, clock: Clock) -> None:
    match = await open_lobby(matches, ADA, BELA, rounds=4, table_options=TableOptions(autoplay=False))
    await matches.lobbies.add_computers(match, ADA, "normal")
    await matches.lobbies.start_match(match, ADA)
    await take_break(matches.rests, ADA, "7 days")
    snapshot = await matches.cache.get_snapshot(match)
    computer = next(number for number, seat in enumerate(snapshot.info.seats) if not seat.user)
    assert [seat.is_resting for seat in snapshot.info.seats] == [seat.user == ADA for seat in snapshot.info.seats]
    assert not any(seat == computer for _, _, seat in store.awaited)
    await move_until_due(matches, match, 1)
    await play_first_legal(matches, match)
    while (snapshot := await matches.cache.get_snapshot(match)).due_seats() != (1,):
        (seat,) = snapshot.due_seats()
        if seat == computer:
            decision = snapshot.decisions()[seat].number
            await matches.moves.play_computer_move(
                match, seat, decision, snapshot.game.format_move(snapshot.moves(seat)[0])
            )
        else:
            await play_first_legal(matches, match)
    await check_deadline(matches, store, match, 1, clock.now + DAY, clock)
    assert due_times(store, match, 1)["call"] == clock.now + MIN_CALL_SECONDS


async def test_a_pause_keeps_a_break_and_what_resumes_rests(matches: Matches, store: MemoryStore, clock: Clock) -> None:
    match = await start_match(matches, rounds=4, table_options=DEFAULT_TABLE_OPTIONS)
    seat, user = await due_seat(matches, match)
    other = next(each.user for each in (await matches.cache.get_snapshot(match)).info.seats if each.user != user)
    info = await matches.seating.leave_match(match, other)
    assert info.status is Status.PAUSED
    until = await take_break(matches.rests, user, "8 hours")
    clock.now += HOUR
    await matches.seating.take_seat(match, DORA, "Dora")
    await check_deadline(matches, store, match, seat, until + DAY, clock)
    assert due_times(store, match, seat)["break"] == until


async def test_a_refused_or_failed_break_changes_nothing(matches: Matches, store: MemoryStore, clock: Clock) -> None:
    match = await start_match(matches, rounds=4, table_options=DEFAULT_TABLE_OPTIONS)
    before, awaited = (await matches.cache.get_snapshot(match)).info, dict(store.awaited)
    for length in ("", "9 days", "back", "2 HOURS"):
        with pytest.raises(RequestRefused, match="Please choose a length for your break: 2 hours"):
            await take_break(matches.rests, ADA, length)
    store.fail = StoreFailure("No room.")
    with pytest.raises(StoreFailure):
        await take_break(matches.rests, ADA, "1 day")
    assert (await matches.cache.get_snapshot(match)).info == before
    assert (store.awaited, store.breaks, await matches.rests.rest_until(ADA)) == (awaited, {}, 0)


async def test_a_move_under_way_when_a_break_begins_is_made_and_rests(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await start_match(matches, rounds=4, table_options=DEFAULT_TABLE_OPTIONS)
    seat, _ = await due_seat(matches, match)
    other_process = make_matches(store, clock)
    await other_process.cache.get_snapshot(match)
    after = (await matches.cache.get_snapshot(match)).info.seats[(seat + 1) % 3].user
    until = await take_break(matches.rests, after, "8 hours")
    await play_first_legal(other_process, match)  # a process that has not heard of the break
    await check_deadline(other_process, store, match, (seat + 1) % 3, until + DAY, clock)


async def test_a_forgotten_person_is_on_no_break(matches: Matches, store: MemoryStore, clock: Clock) -> None:
    match = await start_match(matches, rounds=4, table_options=DEFAULT_TABLE_OPTIONS)
    await take_break(matches.rests, ADA, "8 hours")
    await matches.forgetting.request_forgetting(ADA)
    for user, pending in await matches.forgetting.pending_forgetting():
        if pending:
            await matches.forgetting.forget_in_match(pending, user, lambda game: "normal")
        else:
            await matches.forgetting.finish_forgetting(user)
    assert store.breaks == {}
    assert not any(seat.rest_until for seat in (await matches.cache.get_snapshot(match)).info.seats)
    assert not any(kind == "break" for _, kind, _ in store.awaited)


async def test_a_new_lobby_has_the_break_of_its_host(matches: Matches, clock: Clock) -> None:
    until = await take_break(matches.rests, ADA, "2 days")
    info = await matches.lobbies.open_lobby(WIZARD, WIZARD.options(), Place(1, 2), Seat(ADA, "Ada"))
    assert info.seats[0].rest_until == until
    assert (await matches.cache.get_fresh_snapshot(info.id)).info.seats[0].is_resting


@pytest.mark.parametrize(
    "table_options",
    [TableOptions("30 seconds", autoplay=False), TableOptions("2 minutes plus 15 seconds a move", autoplay=False)],
)
async def test_a_break_changes_nothing_at_a_table_with_a_live_clock(
    matches: Matches, store: MemoryStore, clock: Clock, table_options: TableOptions
) -> None:
    match = await start_match(matches, rounds=4, table_options=table_options)
    for _ in range(4):
        clock.now += 20
        await play_first_legal(matches, match)
    seat, user = await due_seat(matches, match)
    before = due_times(store, match, seat)["clock"]
    await take_break(matches.rests, user, "8 hours")
    await check_deadline(matches, store, match, seat, before, clock)
    await end_break(matches.rests, user)
    await check_deadline(matches, store, match, seat, before, clock)
