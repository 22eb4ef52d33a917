"""Matches: the lobby, moves under concurrency and failure, leaving and ending, resuming."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from weakref import ref

import pytest

from engines import terminal
from engines.hosting import match_changes, record
from engines.hosting.match import Refused, Stale
from engines.hosting.match_changes import CLOSING_SECONDS, IDLE_SECONDS
from engines.hosting.matches import Matches
from engines.kit.contract import IllegalMove
from engines.store.match_store import Conflict, Info, Status, StoreFailure
from tests.engines.at_tables import ADA, BELA, CHIDI, DORA, SEED, Clock, checked, due, move, over, started
from tests.engines.memory_store import MemoryStore

# Moves


async def test_a_whole_match_is_played_to_its_outcome(matches: Matches, store: MemoryStore) -> None:
    match = await started(matches, rounds=3)
    while (await matches.look(match)).info.status is Status.RUNNING:
        await move(matches, match)
    look = await matches.look(match)
    assert look.info.status is Status.OVER
    assert look.outcome() is not None
    assert look.info.moves == len(store.saved[match].moves) == 3 * (1 + 2 + 3) + 3 * 3
    assert look.decisions() == {}


async def test_what_was_worked_out_of_a_moment_is_not_taken_for_another_one(matches: Matches) -> None:
    look = await matches.look(await started(matches))
    other = replace(look, state=look.game.copy(look.state))
    works = iter(range(3))
    assert [each.once("what", lambda: next(works)) for each in (look, look, other)] == [0, 0, 1]


async def test_whoever_looks_at_a_match_shares_what_is_worked_out_until_something_changes(matches: Matches) -> None:
    match = await started(matches)
    look = await matches.look(match)
    assert await matches.look(match) is look
    assert look.decisions() is look.decisions()
    await move(matches, match)
    after = await matches.look(match)
    assert (look.info.moves, after.info.moves) == (0, 1)
    assert len(after.told) > len(look.told)
    assert after.decisions() != look.decisions()
    await matches.leave(match, BELA)
    assert (await matches.look(match)).info.status is Status.PAUSED
    assert after.info.status is Status.RUNNING


async def test_nothing_is_kept_of_what_nobody_looks_at_any_more(matches: Matches) -> None:
    match = await started(matches)
    look = await matches.look(match)
    look.decisions()
    gone = ref(look)
    del look
    assert gone() is None
    assert (await matches.look(match)).due()


async def test_a_store_that_nobody_else_writes_to_is_not_asked_for_what_is_known(
    matches: Matches, store: MemoryStore
) -> None:
    match = await started(matches)
    for shared in (False, True):
        store.shared, before = shared, store.compared
        await matches.fresh(match)
        with pytest.raises(Refused):
            await matches.play(match, DORA, None, "bid 0")
        assert store.compared - before == (2 if shared else 0)


async def test_a_move_is_true_for_others_only_once_it_is_committed(matches: Matches, store: MemoryStore) -> None:
    match = await started(matches)
    store.gate = asyncio.Event()
    task = asyncio.create_task(move(matches, match))
    for _ in range(5):
        await asyncio.sleep(0)
    assert (await matches.look(match)).info.moves == 0
    store.gate.set()
    await task
    assert (await matches.look(match)).info.moves == 1


async def test_a_click_delivered_twice_applies_once(matches: Matches) -> None:
    match = await started(matches)
    user, decision, notation = due(await matches.look(match))
    twice = (matches.play(match, user, decision, notation) for _ in range(2))
    done = await asyncio.gather(*twice, return_exceptions=True)
    assert sum(isinstance(one, Stale) for one in done) == 1
    assert (await matches.look(match)).info.moves == 1


async def test_a_stale_click_changes_nothing(matches: Matches, store: MemoryStore) -> None:
    match = await started(matches)
    user, decision, notation = due(await matches.look(match))
    await matches.play(match, user, decision, notation)
    before = len(store.changes)
    with pytest.raises(Stale):
        await matches.play(match, user, decision, notation)
    with pytest.raises(Stale):
        await matches.play(match, user, decision + 7, notation)
    assert len(store.changes) == before


async def test_an_illegal_move_changes_nothing_and_names_its_rule(matches: Matches, store: MemoryStore) -> None:
    match = await started(matches)
    user, decision, _ = due(await matches.look(match))
    before = len(store.changes)
    for notation, rule in (("bid 9", "W4"), ("play 2H", "W4"), ("dance", None)):
        with pytest.raises(IllegalMove) as refusal:
            await matches.play(match, user, decision, notation)
        assert refusal.value.rule == rule
    assert len(store.changes) == before


async def test_only_who_sits_there_and_is_due_may_move(matches: Matches) -> None:
    match = await started(matches)
    user, _, notation = due(await matches.look(match))
    with pytest.raises(Refused, match="not sitting"):
        await matches.play(match, DORA, None, notation)
    other = next(u for u in (ADA, BELA, CHIDI) if u != user)
    with pytest.raises(Refused, match="not your turn"):
        await matches.play(match, other, None, notation)


async def test_plays_of_one_match_are_serialised_and_of_different_ones_are_not(
    matches: Matches, store: MemoryStore
) -> None:
    one, two = await started(matches), await started(matches)
    store.gate = asyncio.Event()
    store.most_writing = 0
    tasks = [asyncio.create_task(move(matches, match)) for match in (one, one, two)]
    for _ in range(10):
        await asyncio.sleep(0)
    assert store.writing == 2  # one of each match; the second click of the first match waits
    store.gate.set()
    done = await asyncio.gather(*tasks, return_exceptions=True)
    assert store.most_writing == 2
    assert sum(isinstance(each, Stale) for each in done) == 1


async def test_a_failing_store_leaves_the_match_as_it_was(matches: Matches, store: MemoryStore) -> None:
    match = await started(matches)
    before = await matches.look(match)
    store.fail = StoreFailure("The move could not be saved.")
    with pytest.raises(StoreFailure, match="could not be saved"):
        await move(matches, match)
    after = await matches.look(match)
    assert (after.info, after.state) == (before.info, before.state)
    assert (await move(matches, match)).moves == 1


async def test_what_a_cancelled_click_has_begun_goes_on_and_is_told(matches: Matches, store: MemoryStore) -> None:
    match = await started(matches)
    told: list[str] = []
    matches.changed = told.append
    store.gate = asyncio.Event()
    task = asyncio.create_task(move(matches, match))
    for _ in range(5):
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await matches.look(match)).info.moves == 0
    store.gate.set()
    for _ in range(5):
        await asyncio.sleep(0)
    assert (await matches.look(match)).info.moves == 1
    assert told == [match], "else nobody would show it"
    assert (await move(matches, match)).moves == 2


async def test_a_change_by_somebody_else_is_seen_and_built_upon(matches: Matches, store: MemoryStore) -> None:
    match = await started(matches)
    other = over(store, Clock())
    await move(other, match)
    with pytest.raises((Stale, Refused)):
        await move(matches, match)  # drawn from what this process knew: no longer open
    assert (await matches.look(match)).info.moves == 1
    assert (await move(matches, match)).moves == 2


async def test_every_commit_tells_who_listens_after_it(matches: Matches, store: MemoryStore) -> None:
    told: list[tuple[str, int]] = []
    matches.changed = lambda match: told.append((match, store.infos[match].revision))
    match = await started(matches)
    await move(matches, match)
    assert told == [(match, revision) for revision in range(5)]


async def test_a_closed_match_stays_while_its_end_is_shown_and_is_read_when_asked_for_then(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await started(matches)
    await matches.reset(match, by=99)
    for _ in range(2):
        assert (await matches.look(match)).info.status is Status.RESET
    assert store.loads == []
    clock.now += CLOSING_SECONDS
    for number in (1, 2):
        assert (await matches.look(match)).info.status is Status.RESET
        assert store.loads == [match] * number
    store.infos[match] = replace(store.infos[match], reason="changed in the store")
    store.saved[match] = replace(store.saved[match], info=store.infos[match])
    assert (await matches.look(match)).info.reason == "changed in the store"


# Leaving, ending, coming in


async def test_leaving_pauses_and_a_substitute_takes_the_hand(matches: Matches) -> None:
    match = await started(matches)
    hand = (await matches.look(match)).view(1).hand
    info = await matches.leave(match, BELA)
    assert (info.status, info.reason) == (Status.PAUSED, "user12 left.")
    with pytest.raises(Refused, match="paused"):
        await move_of(matches, match, ADA)
    info = await matches.take_seat(match, DORA, "Dora")
    assert info.status is Status.RUNNING
    assert info.seat_of(DORA) == 1
    assert (await matches.look(match)).view(1).hand == hand


async def move_of(matches: Matches, match: str, user: int) -> Info:
    return await matches.play(match, user, None, "bid 0")


async def test_who_left_may_come_back_and_who_was_removed_may_not(matches: Matches) -> None:
    match = await started(matches)
    await matches.leave(match, BELA)
    assert (await matches.take_seat(match, BELA, "Bela")).status is Status.RUNNING
    await matches.remove(match, BELA, by=99)
    with pytest.raises(Refused, match="removed you"):
        await matches.take_seat(match, BELA, "Bela")


async def test_more_than_half_of_those_there_end_a_match(matches: Matches) -> None:
    match = await started(matches, 1, 2, 3, 4)
    await matches.leave(match, 4)
    assert (await matches.vote_end(match, 1)).status is Status.PAUSED
    with pytest.raises(Refused, match="already voted"):
        await matches.vote_end(match, 1)
    info = await matches.vote_end(match, 2)
    assert (info.status, info.reason) == (Status.ENDED, "2 of 3 players voted for that.")


async def test_when_everybody_has_left_the_match_is_ended(matches: Matches) -> None:
    match = await started(matches)
    for user in (ADA, BELA):
        assert (await matches.leave(match, user)).status is Status.PAUSED
    assert (await matches.leave(match, CHIDI)).status is Status.ENDED


async def test_the_host_passes_on_when_it_leaves_a_running_match(matches: Matches) -> None:
    match = await started(matches)
    assert (await matches.leave(match, ADA)).host == BELA


async def test_a_reset_ends_whatever_runs_and_names_who_did_it(matches: Matches, store: MemoryStore) -> None:
    match = await started(matches)
    assert (await matches.reset(match, by=99)).status is Status.RESET
    assert (store.changes[-1].action, store.changes[-1].by) == ("reset", 99)
    with pytest.raises(Refused):
        await matches.reset(match, by=99)


async def test_the_record_is_for_finished_matches_only(matches: Matches) -> None:
    match = await started(matches, rounds=1)
    with pytest.raises(Refused):
        await matches.record(match)
    while (await matches.look(match)).info.status is Status.RUNNING:
        await move(matches, match)
    kept = record.parse(await matches.record(match))
    assert (kept.seed, kept.players) == (SEED, ("user11", "user12", "user13"))
    assert record.replay(kept).state == (await matches.look(match)).state
    said: list[str] = []
    assert terminal.check(await matches.record(match), said.append), said


async def test_a_record_names_who_moved_for_a_seat(matches: Matches) -> None:
    match = await started(matches, rounds=2)
    while (look := await matches.look(match)).last_move(1) == 0:
        await move(matches, match)
    await matches.leave(match, BELA, "normal")
    while (look := await matches.look(match)).movers.count(1) < 3:
        seat = look.due()[0]
        if look.info.seats[seat].level:
            notation = look.game.write(look.moves(seat)[0])
            await matches.play_for(match, seat, look.decisions()[seat].number, notation)
        else:
            await move(matches, match)
    _, *computed = [number for number, seat in enumerate(look.movers, 1) if seat == 1]
    assert look.computed == set(computed)
    matches.forget(match)
    assert (await matches.look(match)).computed == set(computed)
    await matches.take_seat(match, DORA, "Dora")
    while (await matches.look(match)).info.status is Status.RUNNING:
        await move(matches, match)
    kept = record.parse(await matches.record(match))
    by = [made.by for made in kept.moves if made.seat == 1]
    assert by == ["", "computer, normal", "computer, normal", *["substitute"] * (len(by) - 3)]
    assert len(by) > 3
    assert {made.by for made in kept.moves if made.seat != 1} == {""}
    said: list[str] = []
    assert terminal.check(await matches.record(match), said.append)
    assert "Made by a computer, normal: 2 of the moves." in said


# Resuming


async def test_a_match_resumes_with_state_events_and_movers(matches: Matches, store: MemoryStore, clock: Clock) -> None:
    match = await started(matches)
    for _ in range(7):
        await move(matches, match)
    again = over(store, clock)
    assert [info.id for info in await checked(again)] == [match]
    assert await again.look(match) == await matches.look(match)


async def test_racing_first_looks_after_a_restart_share_one_lock(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await started(matches)
    user, decision, notation = due(await matches.look(match))
    again = over(store, clock)
    plays = (again.play(match, user, decision, notation) for _ in range(4))
    done = await asyncio.gather(*plays, return_exceptions=True)
    assert sum(isinstance(one, Info) for one in done) == 1
    assert store.infos[match].moves == 1


# Memory


async def test_a_match_that_nobody_asks_for_is_let_go_and_read_anew_as_it_was(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    abandoned, played = await started(matches), await started(matches)
    for _ in range(3):
        await move(matches, abandoned)
    before = await matches.look(abandoned)
    for _ in range(4):
        clock.now += IDLE_SECONDS // 3
        await move(matches, played)
    assert store.loads == []
    assert await matches.look(abandoned) == before
    assert store.loads == [abandoned]
    assert (await move(matches, abandoned)).moves == 4
    await move(matches, played)
    assert store.loads == [abandoned]


async def test_whoever_asks_while_a_match_is_read_shares_the_reading_unless_that_fails(
    matches: Matches, store: MemoryStore
) -> None:
    match = await started(matches)
    matches.forget(match)
    first, *others = await asyncio.gather(*[matches.look(match) for _ in range(3)], move(matches, match))
    assert store.loads == [match]
    assert others[:2] == [first, first]
    assert (await matches.look(match)).info.moves == 1
    matches.forget(match)
    gone = asyncio.create_task(matches.look(match))
    late = asyncio.create_task(matches.look(match))
    await asyncio.sleep(0)
    gone.cancel()
    assert (await late).info.moves == 1
    assert store.loads == [match] * 3, "whoever waited for one who was cancelled reads it"


async def test_no_more_matches_are_in_memory_than_may_be(
    matches: Matches, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_changes, "MOST_HELD", 3)
    one, two, three = [await started(matches) for _ in range(3)]
    await matches.look(one)  # the others were not asked for since
    four = await started(matches)
    for match in (one, three, four):
        await matches.look(match)
    assert store.loads == []
    await matches.look(two)
    assert store.loads == [two]


async def test_no_match_is_let_go_while_somebody_changes_it_or_waits_for_that(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match, other = await started(matches), await started(matches)
    matches.changed = matches.forget  # as soon as the first of them is done, while the second is yet to be woken
    store.gate = asyncio.Event()
    first = asyncio.create_task(move(matches, match))
    second = asyncio.create_task(matches.leave(match, CHIDI))
    for _ in range(2):
        await asyncio.sleep(0)
    clock.now += 2 * IDLE_SECONDS
    await matches.look(other)
    store.gate.set()
    await asyncio.gather(first, second)
    assert store.loads == []
    assert ((await matches.look(match)).info.moves, store.infos[match].status) == (1, Status.PAUSED)
    assert store.loads == [match]


async def test_a_conflict_that_stays_is_told(matches: Matches, store: MemoryStore) -> None:
    match = await started(matches)
    store.infos[match] = replace(store.infos[match], revision=50)  # what is saved and what is counted disagree
    with pytest.raises(Conflict):
        await move(matches, match)
