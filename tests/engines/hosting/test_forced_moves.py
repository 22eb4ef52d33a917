"""Forced moves: when they may be made for whom, and what of a match they leave alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.features.breaks import take_break
from engines.hosting.match import RequestRefused, StaleDecision
from engines.hosting.matches import Matches
from engines.store.match_store import FORCED, Status
from engines.store.table_options import TableOptions
from tests.engines.memory_matches import ADA, CHIDI, Clock, make_matches, play_first_legal, start_match
from tests.engines.memory_store import MemoryStore

TABLE_OPTIONS = TableOptions("1 hour")


async def start_forced(
    matches: Matches, table_options: TableOptions = TABLE_OPTIONS, rounds: int = 2
) -> tuple[str, int, int]:
    """A match in which everybody has bid and has one card: its id, the seat in turn, and its decision."""
    match = await start_match(matches, rounds=rounds, table_options=table_options)
    for _ in range(3):
        await play_first_legal(matches, match)
    snapshot = await matches.cache.get_snapshot(match)
    (seat,) = snapshot.due_seats()
    return match, seat, snapshot.decisions()[seat].number


async def test_the_only_card_is_played_for_its_owner(matches: Matches, store: MemoryStore, clock: Clock) -> None:
    match, seat, decision = await start_forced(matches)
    snapshot = await matches.cache.get_snapshot(match)
    assert snapshot.forced_seats() == {seat}
    assert not matches.cache.needs_people(match)
    assert (snapshot.deadline(), [key for key in store.awaited if key[0] == match]) == (None, []), "no clock, no ping"
    assert await matches.lookup.matches_awaiting_computers() == [match], "it is found after a restart"
    await matches.moves.play_forced_move(match, seat, decision)
    after = await matches.cache.get_snapshot(match)
    move = store.saved[match].moves[-1]
    assert (move.user, move.level, move.is_forced) == (snapshot.info.seats[seat].user, FORCED, True)
    assert after.forced_moves == {4}
    assert not after.computer_moves | after.timeout_moves
    assert after.last_move_number(seat) < 4, "its player did not choose it"
    assert after.info.seats == snapshot.info.seats
    assert (await make_matches(store, clock).cache.get_snapshot(match)).forced_moves == {4}


async def test_a_decision_counts_once(matches: Matches) -> None:
    match, seat, decision = await start_forced(matches)
    await matches.moves.play_forced_move(match, seat, decision)
    for late in ((seat, decision), (seat, decision + 1)):
        with pytest.raises(StaleDecision):
            await matches.moves.play_forced_move(match, *late)
    assert (await matches.cache.get_snapshot(match)).info.moves == 4


async def test_nothing_is_forced_if_there_is_a_choice_or_the_table_wants_clicks(matches: Matches) -> None:
    match = await start_match(matches, rounds=2, table_options=TABLE_OPTIONS)
    snapshot = await matches.cache.get_snapshot(match)
    (seat,) = snapshot.due_seats()
    assert snapshot.forced_seats() == frozenset()
    assert matches.cache.needs_people(match)
    with pytest.raises(StaleDecision):
        await matches.moves.play_forced_move(match, seat, snapshot.decisions()[seat].number)
    match, seat, decision = await start_forced(matches, replace(TABLE_OPTIONS, autoplay=False))
    snapshot = await matches.cache.get_snapshot(match)
    assert (snapshot.forced_seats(), snapshot.deadline() is not None) == (frozenset(), True)
    with pytest.raises(StaleDecision):
        await matches.moves.play_forced_move(match, seat, decision)


async def test_a_computer_moves_by_itself_and_its_owner_does_not_come_back(matches: Matches) -> None:
    match, seat, decision = await start_forced(matches)
    await matches.seating.give_seat_to_computer(match, seat, "normal", by=99)
    assert (await matches.cache.get_snapshot(match)).forced_seats() == frozenset()
    with pytest.raises(StaleDecision):
        await matches.moves.play_forced_move(match, seat, decision)


async def test_a_pause_stops_it_and_a_newcomer_plays_on(matches: Matches, store: MemoryStore) -> None:
    match, seat, decision = await start_forced(matches)
    user = (await matches.cache.get_snapshot(match)).info.seats[seat].user
    await matches.seating.leave_match(match, user, "")
    assert (await matches.cache.get_snapshot(match)).info.status is Status.PAUSED
    assert matches.cache.needs_people(match)
    with pytest.raises(RequestRefused, match="paused"):
        await matches.moves.play_forced_move(match, seat, decision)
    await matches.seating.take_seat(match, 99, "Newcomer")
    await matches.moves.play_forced_move(match, seat, decision)
    assert store.saved[match].moves[-1].user == 99


async def test_an_away_player_stays_away_while_others_cards_fall(matches: Matches) -> None:
    match, seat, decision = await start_forced(matches)
    other = (seat + 1) % 3
    await matches.seating.give_seat_to_computer(match, other, "normal", by=99)
    await matches.moves.play_forced_move(match, seat, decision)
    snapshot = await matches.cache.get_snapshot(match)
    assert (snapshot.due_seats(), snapshot.forced_seats(), snapshot.info.seats[other].is_away) == (
        (other,),
        frozenset(),
        True,
    )


async def test_missed_deadlines_are_neither_more_nor_forgotten(matches: Matches, clock: Clock) -> None:
    match = await start_match(matches, rounds=2, table_options=TABLE_OPTIONS)
    snapshot = await matches.cache.get_snapshot(match)
    (first,) = snapshot.due_seats()
    clock.now += 3600
    move = snapshot.game.format_move(snapshot.moves(first)[0])
    await matches.moves.play_for_expired_seat(snapshot.deadlines[first], "normal", move)
    for _ in range(2):
        await play_first_legal(matches, match)
    snapshot = await matches.cache.get_snapshot(match)
    assert first in snapshot.forced_seats()
    await matches.moves.play_forced_move(match, first, snapshot.decisions()[first].number)
    assert (await matches.cache.get_snapshot(match)).info.seats[first].missed == 1


async def test_a_break_does_not_hold_it_up(matches: Matches) -> None:
    match, seat, decision = await start_forced(matches)
    user = (await matches.cache.get_snapshot(match)).info.seats[seat].user
    assert user in range(ADA, CHIDI + 1)
    await take_break(matches.rests, user, "1 day")
    snapshot = await matches.cache.get_snapshot(match)
    assert snapshot.forced_seats() == {seat}
    assert snapshot.deadline() is None
    await matches.moves.play_forced_move(match, seat, decision)
    assert (await matches.cache.get_snapshot(match)).info.seats[seat].is_resting
