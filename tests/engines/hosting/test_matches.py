"""Matches: the lobby, moves under concurrency and failure, leaving and ending, resuming."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from weakref import ref

import pytest

from engines import GAMES, terminal
from engines.hosting import match_cache
from engines.hosting.match import RequestRefused, StaleDecision
from engines.hosting.match_cache import FINISHED_SECONDS, IDLE_SECONDS
from engines.hosting.matches import Matches
from engines.hosting.records import record
from engines.kit.errors import IllegalMove
from engines.store.match_store import Change, MatchInfo, Status, StoreFailure, UncertainWrite, WriteConflict
from tests.engines import memory_matches
from tests.engines.memory_matches import (
    ADA,
    BELA,
    DORA,
    Clock,
    first_due_move,
    make_matches,
    play_first_legal,
    start_match,
)
from tests.engines.memory_store import MemoryStore

# Moves


async def test_a_whole_match_is_played_to_its_outcome_and_then_has_a_record(
    matches: Matches, store: MemoryStore
) -> None:
    match = await start_match(matches, rounds=3)
    with pytest.raises(RequestRefused):
        await matches.records.build_record(match)
    await memory_matches.play_to_end(matches, match)
    snapshot = await matches.cache.get_snapshot(match)
    assert snapshot.info.status is Status.OVER
    assert snapshot.outcome() is not None
    assert snapshot.info.moves == len(store.saved[match].moves) == 3 * (1 + 2 + 3) + 3 * 3
    assert snapshot.decisions() == {}
    parsed = record.parse_record(await matches.records.build_record(match))
    assert (parsed.seed, parsed.players) == (memory_matches.SEED, ("user11", "user12", "user13"))
    assert record.replay(parsed, GAMES).state == snapshot.state
    lines: list[str] = []
    assert terminal.check_record(await matches.records.build_record(match), GAMES, lines.append), lines


async def test_all_readers_of_a_match_share_results_until_something_changes(matches: Matches) -> None:
    match = await start_match(matches)
    snapshot = await matches.cache.get_snapshot(match)
    assert await matches.cache.get_snapshot(match) is snapshot
    assert snapshot.decisions() is snapshot.decisions()
    other, works = replace(snapshot, state=snapshot.game.copy(snapshot.state)), iter(range(3))
    assert [each.compute_once("what", lambda: next(works)) for each in (snapshot, snapshot, other)] == [0, 0, 1]
    await play_first_legal(matches, match)
    after = await matches.cache.get_snapshot(match)
    assert (snapshot.info.moves, after.info.moves) == (0, 1)
    assert len(after.events) > len(snapshot.events)
    assert after.decisions() != snapshot.decisions()
    await matches.seating.leave_match(match, BELA)
    assert (await matches.cache.get_snapshot(match)).info.status is Status.PAUSED
    assert after.info.status is Status.RUNNING
    reference = ref(after)
    del after
    assert reference() is None, "nobody looks at it any more"


async def test_a_store_that_nobody_else_writes_to_is_not_asked_for_what_is_known(
    matches: Matches, store: MemoryStore
) -> None:
    match = await start_match(matches)
    for shared in (False, True):
        store.is_shared, before = shared, store.compared
        await matches.cache.get_fresh_snapshot(match)
        with pytest.raises(RequestRefused):
            await matches.moves.play_move(match, DORA, None, "bid 0")
        assert store.compared - before == (2 if shared else 0)


async def test_a_click_delivered_twice_applies_once_and_a_stale_one_changes_nothing(
    matches: Matches, store: MemoryStore
) -> None:
    match = await start_match(matches)
    user, decision, notation = first_due_move(await matches.cache.get_snapshot(match))
    twice = (matches.moves.play_move(match, user, decision, notation) for _ in range(2))
    results = await asyncio.gather(*twice, return_exceptions=True)
    assert sum(isinstance(one, StaleDecision) for one in results) == 1
    assert (await matches.cache.get_snapshot(match)).info.moves == 1
    before = len(store.changes)
    for stale in (decision, decision + 7):
        with pytest.raises(StaleDecision):
            await matches.moves.play_move(match, user, stale, notation)
    assert len(store.changes) == before


async def test_an_illegal_move_or_one_out_of_turn_changes_nothing_and_is_refused_with_a_reason(
    matches: Matches, store: MemoryStore
) -> None:
    match = await start_match(matches)
    user, decision, _ = first_due_move(await matches.cache.get_snapshot(match))
    before = len(store.changes)
    for notation, rule in (("bid 9", "W4"), ("play 2H", "W4"), ("dance", None)):
        with pytest.raises(IllegalMove) as refusal:
            await matches.moves.play_move(match, user, decision, notation)
        assert refusal.value.rule == rule
    other = next(u for u in (ADA, BELA, memory_matches.CHIDI) if u != user)
    for wrong, reason in ((DORA, "not sitting"), (other, "not your turn")):
        with pytest.raises(RequestRefused, match=reason):
            await matches.moves.play_move(match, wrong, None, "bid 0")
    assert len(store.changes) == before


async def test_plays_of_one_match_are_serialised_and_of_different_ones_are_not(
    matches: Matches, store: MemoryStore
) -> None:
    one, two = await start_match(matches), await start_match(matches)
    store.gate = asyncio.Event()
    store.most_writing = 0
    tasks = [asyncio.create_task(play_first_legal(matches, match)) for match in (one, one, two)]
    for _ in range(10):
        await asyncio.sleep(0)
    assert store.writing == 2  # one of each match; the second click of the first match waits
    store.gate.set()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert store.most_writing == 2
    assert sum(isinstance(each, StaleDecision) for each in results) == 1


async def test_a_failing_store_leaves_the_match_as_it_was_and_a_change_by_somebody_else_is_built_upon(
    matches: Matches, store: MemoryStore
) -> None:
    match = await start_match(matches)
    before = await matches.cache.get_snapshot(match)
    store.fail = StoreFailure("The move could not be saved.")
    with pytest.raises(StoreFailure, match="could not be saved"):
        await play_first_legal(matches, match)
    after = await matches.cache.get_snapshot(match)
    assert (after.info, after.state) == (before.info, before.state)
    assert (await play_first_legal(matches, match)).moves == 1
    await play_first_legal(make_matches(store, Clock()), match)
    with pytest.raises((StaleDecision, RequestRefused)):
        await play_first_legal(matches, match)  # drawn from what this process knew: no longer open
    assert (await matches.cache.get_snapshot(match)).info.moves == 2
    assert (await play_first_legal(matches, match)).moves == 3


async def test_work_that_a_cancelled_click_began_goes_on_and_is_reported(matches: Matches, store: MemoryStore) -> None:
    match = await start_match(matches)
    changed: list[str] = []
    matches.editor.on_changed.append(changed.append)
    store.gate = asyncio.Event()
    task = asyncio.create_task(play_first_legal(matches, match))
    for _ in range(5):
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await matches.cache.get_snapshot(match)).info.moves == 0
    store.gate.set()
    for _ in range(5):
        await asyncio.sleep(0)
    assert (await matches.cache.get_snapshot(match)).info.moves == 1
    assert changed == [match], "else nobody would show it"
    assert (await play_first_legal(matches, match)).moves == 2


async def test_every_commit_tells_its_listeners_afterwards(matches: Matches, store: MemoryStore) -> None:
    changes: list[tuple[str, int]] = []
    matches.editor.on_changed.append(lambda match: changes.append((match, store.infos[match].revision)))
    match = await start_match(matches)
    await play_first_legal(matches, match)
    assert changes == [(match, revision) for revision in range(5)]


async def test_a_closed_match_stays_while_its_end_is_shown_and_is_read_when_asked_for_then(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await start_match(matches)
    await matches.seating.reset_match(match, by=99)
    for _ in range(2):
        assert (await matches.cache.get_snapshot(match)).info.status is Status.RESET
    assert store.loads == []
    clock.now += FINISHED_SECONDS
    for number in (1, 2):
        assert (await matches.cache.get_snapshot(match)).info.status is Status.RESET
        assert store.loads == [match] * number
    store.infos[match] = replace(store.infos[match], reason="changed in the store")
    store.saved[match] = replace(store.saved[match], info=store.infos[match])
    assert (await matches.cache.get_snapshot(match)).info.reason == "changed in the store"


# Leaving, ending, coming in


async def test_leaving_pauses_a_substitute_takes_the_hand_and_somebody_who_was_removed_may_not_come_back(
    matches: Matches,
) -> None:
    match = await start_match(matches)
    hand = (await matches.cache.get_snapshot(match)).view(1).hand
    await matches.seating.leave_match(match, BELA)
    assert (await matches.seating.take_seat(match, BELA, "user12")).status is Status.RUNNING
    info = await matches.seating.leave_match(match, BELA)
    assert (info.status, info.reason) == (Status.PAUSED, "user12 left.")
    with pytest.raises(RequestRefused, match="paused"):
        await matches.moves.play_move(match, ADA, None, "bid 0")
    info = await matches.seating.take_seat(match, DORA, "Dora")
    assert info.status is Status.RUNNING
    assert info.seat_of(DORA) == 1
    assert (await matches.cache.get_snapshot(match)).view(1).hand == hand
    await matches.seating.remove_player(match, DORA, by=99)
    with pytest.raises(RequestRefused, match="removed you"):
        await matches.seating.take_seat(match, DORA, "Dora")


async def test_more_than_half_of_those_there_end_a_match(matches: Matches) -> None:
    match = await start_match(matches, 1, 2, 3, 4)
    await matches.seating.leave_match(match, 4)
    assert (await matches.seating.vote_to_end(match, 1)).status is Status.PAUSED
    with pytest.raises(RequestRefused, match="already voted"):
        await matches.seating.vote_to_end(match, 1)
    info = await matches.seating.vote_to_end(match, 2)
    assert (info.status, info.reason) == (Status.ENDED, "2 of 3 players voted to end it.")


async def test_a_reset_ends_whatever_runs_and_names_who_did_it(matches: Matches, store: MemoryStore) -> None:
    match = await start_match(matches)
    assert (await matches.seating.reset_match(match, by=99)).status is Status.RESET
    assert (store.changes[-1].action, store.changes[-1].by) == ("reset", 99)
    with pytest.raises(RequestRefused):
        await matches.seating.reset_match(match, by=99)


async def test_a_record_names_who_moved_for_a_seat(matches: Matches) -> None:
    match = await start_match(matches, rounds=2)
    while (snapshot := await matches.cache.get_snapshot(match)).last_move_number(1) == 0:
        await play_first_legal(matches, match)
    await matches.seating.leave_match(match, BELA, "normal")
    while (snapshot := await matches.cache.get_snapshot(match)).movers.count(1) < 3:
        seat = snapshot.due_seats()[0]
        if snapshot.info.seats[seat].level:
            notation = snapshot.game.format_move(snapshot.moves(seat)[0])
            await matches.moves.play_computer_move(match, seat, snapshot.decisions()[seat].number, notation)
        else:
            await play_first_legal(matches, match)
    _, *computed = [number for number, seat in enumerate(snapshot.movers, 1) if seat == 1]
    assert snapshot.computer_moves == set(computed)
    matches.cache.evict(match)
    assert (await matches.cache.get_snapshot(match)).computer_moves == set(computed)
    await matches.seating.take_seat(match, DORA, "Dora")
    await memory_matches.play_to_end(matches, match)
    parsed = record.parse_record(await matches.records.build_record(match))
    by = [row.author for row in parsed.moves if row.seat == 1]
    assert by == ["", "computer, normal", "computer, normal", *["substitute"] * (len(by) - 3)]
    assert len(by) > 3
    assert {row.author for row in parsed.moves if row.seat != 1} == {""}
    lines: list[str] = []
    assert terminal.check_record(await matches.records.build_record(match), GAMES, lines.append)
    assert "Made by a computer, normal: 2 of the moves." in lines


# Resuming


async def test_a_match_resumes_with_state_events_and_movers_and_racing_first_looks_share_one_lock(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await start_match(matches)
    for _ in range(7):
        await play_first_legal(matches, match)
    user, decision, notation = first_due_move(await matches.cache.get_snapshot(match))
    restarted, racing = make_matches(store, clock), make_matches(store, clock)
    assert [info.id for info in await memory_matches.reload_live(restarted)] == [match]
    assert await restarted.cache.get_snapshot(match) == await matches.cache.get_snapshot(match)
    plays = (racing.moves.play_move(match, user, decision, notation) for _ in range(4))
    results = await asyncio.gather(*plays, return_exceptions=True)
    assert sum(isinstance(one, MatchInfo) for one in results) == 1
    assert store.infos[match].moves == 8


# Memory


async def test_a_match_that_nobody_asks_for_is_let_go_and_read_again_as_it_was(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    abandoned, played = await start_match(matches), await start_match(matches)
    for _ in range(3):
        await play_first_legal(matches, abandoned)
    before = await matches.cache.get_snapshot(abandoned)
    for _ in range(4):
        clock.now += IDLE_SECONDS // 3
        await play_first_legal(matches, played)
    assert store.loads == []
    assert await matches.cache.get_snapshot(abandoned) == before
    assert store.loads == [abandoned]
    assert (await play_first_legal(matches, abandoned)).moves == 4
    await play_first_legal(matches, played)
    assert store.loads == [abandoned]


async def test_callers_during_a_read_share_it_unless_it_fails(matches: Matches, store: MemoryStore) -> None:
    match = await start_match(matches)
    matches.cache.evict(match)
    first, *others = await asyncio.gather(
        *[matches.cache.get_snapshot(match) for _ in range(3)], play_first_legal(matches, match)
    )
    assert store.loads == [match]
    assert others[:2] == [first, first]
    assert (await matches.cache.get_snapshot(match)).info.moves == 1
    matches.cache.evict(match)
    cancelled = asyncio.create_task(matches.cache.get_snapshot(match))
    late = asyncio.create_task(matches.cache.get_snapshot(match))
    await asyncio.sleep(0)
    cancelled.cancel()
    assert (await late).info.moves == 1
    assert store.loads == [match] * 3, "a caller that waited for a cancelled one reads it"


async def test_no_more_matches_are_in_memory_than_may_be(
    matches: Matches, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_cache, "MAX_CACHED", 3)
    one, two, three = [await start_match(matches) for _ in range(3)]
    await matches.cache.get_snapshot(one)  # the others were not asked for since
    four = await start_match(matches)
    for match in (one, three, four):
        await matches.cache.get_snapshot(match)
    assert store.loads == []
    await matches.cache.get_snapshot(two)
    assert store.loads == [two]


async def test_no_match_is_let_go_while_somebody_changes_it_or_waits_for_that(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match, other = await start_match(matches), await start_match(matches)
    # as soon as the first of them is done, while the second is yet to be woken
    matches.editor.on_changed.append(matches.cache.evict)
    store.gate = asyncio.Event()
    first = asyncio.create_task(play_first_legal(matches, match))
    second = asyncio.create_task(matches.seating.leave_match(match, memory_matches.CHIDI))
    for _ in range(2):
        await asyncio.sleep(0)
    clock.now += 2 * IDLE_SECONDS
    await matches.cache.get_snapshot(other)
    store.gate.set()
    await asyncio.gather(first, second)
    assert store.loads == []
    assert ((await matches.cache.get_snapshot(match)).info.moves, store.infos[match].status) == (1, Status.PAUSED)
    assert store.loads == [match]


async def test_a_conflict_that_stays_is_told(matches: Matches, store: MemoryStore) -> None:
    match = await start_match(matches)
    store.infos[match] = replace(store.infos[match], revision=50)  # what is saved and what is counted disagree
    with pytest.raises(WriteConflict):
        await play_first_legal(matches, match)


async def test_a_computers_move_that_was_written_after_all_is_told(matches: Matches, store: MemoryStore) -> None:
    match = await start_match(matches)
    snapshot = await matches.cache.get_snapshot(match)
    seat = snapshot.due_seats()[0]
    await matches.seating.give_seat_to_computer(match, seat, "easy", by=99)
    notation = snapshot.game.format_move(snapshot.moves(seat)[0])
    commit, changed = store.commit, list[str]()

    async def commit_unsurely(change: Change) -> int | None:
        store.commit = commit  # type: ignore[method-assign]
        await commit(change)
        raise UncertainWrite("The connection was cut.")

    store.commit = commit_unsurely  # type: ignore[method-assign]
    matches.editor.on_changed.append(changed.append)
    with pytest.raises(StaleDecision):
        await matches.moves.play_computer_move(match, seat, snapshot.decisions()[seat].number, notation)
    assert (await matches.cache.get_snapshot(match)).info.moves == 1
    assert changed == [match], "nobody shows it"
