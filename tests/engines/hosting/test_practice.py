"""Practice matches begin in the middle of another one, for one person; nobody joins them, and they stay practice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.features.deals.cutting import cut_deal
from engines.features.registry import FEATURES
from engines.features.replays.practice import PracticeStart, end_older_practice, start_practice
from engines.hosting.match import RequestRefused
from engines.hosting.matches import Matches
from engines.hosting.timing.due_times import PRACTICE_SECONDS
from engines.kit.chance import Chance
from engines.store.match_store import Place, Seat, Status
from tests.engines.memory_matches import (
    ADA,
    BELA,
    CHIDI,
    SEED,
    TIMELESS,
    WIZARD,
    Clock,
    make_matches,
    open_lobby,
    start_match,
)
from tests.engines.memory_store import MemoryStore


def middle(seat: int = 1) -> PracticeStart:
    state = WIZARD.start(3, WIZARD.options(rounds=2), Chance(SEED))
    WIZARD.play(state, state.turn, WIZARD.moves(state, state.turn)[0])
    return PracticeStart(state, SEED, 3, seat, "normal")


async def open_practice(matches: Matches) -> str:
    info = await matches.lobbies.open_lobby(
        WIZARD, WIZARD.options(rounds=2), Place(1, 2), Seat(ADA, "Ada"), table_options=TIMELESS, practice=True
    )
    return info.id


async def test_it_begins_at_that_moment_and_is_loaded_as_it_was(
    store: MemoryStore, matches: Matches, clock: Clock
) -> None:
    match, start = await open_practice(matches), middle()
    info = await start_practice(matches.editor, match, ADA, start)
    assert (info.status, info.practice, info.moves) == (Status.RUNNING, True, 0)
    assert [seat.user for seat in info.seats] == [0, ADA, 0]
    assert [seat.level for seat in info.seats] == ["normal", "", "normal"]
    reloaded = await make_matches(store, clock).cache.get_snapshot(match)
    assert (reloaded.state, reloaded.info) == (start.state, info)


async def test_nobody_joins_it_and_it_begins_once(matches: Matches) -> None:
    match = await open_practice(matches)
    with pytest.raises(RequestRefused, match="nobody can join"):
        await matches.lobbies.join(match, BELA, "Bela")
    with pytest.raises(RequestRefused, match="Only the host"):
        await start_practice(matches.editor, match, BELA, middle())
    await start_practice(matches.editor, match, ADA, middle())
    with pytest.raises(RequestRefused, match="already started"):
        await start_practice(matches.editor, match, ADA, middle())


async def test_no_other_lobby_begins_in_the_middle(matches: Matches) -> None:
    match = await open_lobby(matches, ADA)
    with pytest.raises(RequestRefused, match="Only a new practice match"):
        await start_practice(matches.editor, match, ADA, middle())


async def test_a_table_that_could_not_begin_there_does_not_begin_with_other_cards(matches: Matches) -> None:
    match = await open_practice(matches)
    with pytest.raises(RequestRefused, match="Go back to that move"):
        await matches.lobbies.start_match(match, ADA)
    with pytest.raises(RequestRefused, match="nobody can cut here"):
        await cut_deal(matches.editor, match, ADA, "7")
    assert not (await matches.cache.get_snapshot(match)).info.seal


# Its end


async def begin_practice(matches: Matches) -> str:
    match = await open_practice(matches)
    await start_practice(matches.editor, match, ADA, middle())
    return match


async def expiry_of(store: MemoryStore, match: str) -> int:
    found, _ = await store.load_due(10**12)
    (at,) = [due.at for due in found if (due.match, due.kind) == (match, "expiry")]
    return at


async def test_it_ends_when_nobody_has_played_for_a_day(store: MemoryStore, matches: Matches, clock: Clock) -> None:
    match = await begin_practice(matches)
    assert await expiry_of(store, match) == clock.now + PRACTICE_SECONDS
    clock.now += PRACTICE_SECONDS - 1
    with pytest.raises(RequestRefused, match="has played in this practice match within a day"):
        await matches.practice.end_idle_practice(match)
    snapshot = await matches.cache.get_snapshot(match)
    (seat,) = snapshot.due_seats()
    notation = snapshot.game.format_move(snapshot.moves(seat)[0])
    if snapshot.info.seats[seat].level:
        await matches.moves.play_computer_move(match, seat, snapshot.decisions()[seat].number, notation)
    else:
        await matches.moves.play_move(match, ADA, snapshot.decisions()[seat].number, notation)
    assert await expiry_of(store, match) == clock.now + PRACTICE_SECONDS, "the move did not count"
    clock.now += PRACTICE_SECONDS
    info = await matches.practice.end_idle_practice(match)
    assert (info.status, info.reason) == (Status.ENDED, "A practice match ends when nobody has played for a day.")
    assert await store.load_due(10**12) == ([], None)
    assert store.changes[-1].action == "idle"
    with pytest.raises(RequestRefused):
        await matches.practice.end_idle_practice(match)


async def test_no_other_match_ends_because_nobody_plays(store: MemoryStore, matches: Matches, clock: Clock) -> None:
    match = await start_match(matches, ADA, BELA, CHIDI)
    found, _ = await store.load_due(10**12)
    assert not [due for due in found if due.kind == "expiry"]
    clock.now += 2 * PRACTICE_SECONDS
    with pytest.raises(RequestRefused, match="not a practice match"):
        await matches.practice.end_idle_practice(match)


async def test_a_newer_one_takes_the_place_of_the_older_ones_of_that_person(matches: Matches, clock: Clock) -> None:
    older = [await begin_practice(matches) for _ in range(2)]
    clock.now += 1
    newest = await begin_practice(matches)
    other = await start_match(matches, ADA, BELA, CHIDI)
    ended = await end_older_practice(matches.editor, ADA)
    assert {info.id for info in ended} == {*older}
    assert {info.reason for info in ended} == {"Its player began another practice match from a replay."}
    for match in (newest, other):
        assert (await matches.cache.get_snapshot(match)).info.status is Status.RUNNING
    for person in (ADA, BELA):
        assert await end_older_practice(matches.editor, person) == []


async def test_a_match_that_became_practice_by_a_take_back_stays_beside_one_from_a_replay(
    store: MemoryStore, clock: Clock
) -> None:
    sealed = Matches(store, {WIZARD.key: WIZARD}, lambda: clock.now, features=FEATURES)
    info = await sealed.lobbies.open_lobby(WIZARD, WIZARD.options(rounds=2), Place(1, 2), Seat(ADA, "Ada"), click=5)
    await sealed.lobbies.add_computers(info.id, ADA, "normal")
    await sealed.lobbies.start_match(info.id, ADA)
    store.infos[info.id] = replace(store.infos[info.id], practice=True)
    clock.now += 1
    await begin_practice(sealed)
    assert await end_older_practice(sealed.editor, ADA) == []
