"""Practice matches begin in the middle of another one, for one person; nobody joins them, and they stay practice."""

from __future__ import annotations

import pytest

from engines.hosting.lobbies import PracticeStart
from engines.hosting.match import RequestRefused
from engines.hosting.matches import Matches
from engines.kit.chance import Chance
from engines.store.match_store import Place, Seat, Status
from tests.engines.at_tables import ADA, BELA, SEED, TIMELESS, WIZARD, Clock, make_matches, open_lobby
from tests.engines.memory_store import MemoryStore


def middle(seat: int = 1) -> PracticeStart:
    state = WIZARD.start(3, WIZARD.options(rounds=2), Chance(SEED))
    WIZARD.play(state, state.turn, WIZARD.moves(state, state.turn)[0])
    return PracticeStart(state, SEED, 3, seat, "normal")


async def open_practice(matches: Matches) -> str:
    info = await matches.open_lobby(
        WIZARD, WIZARD.options(rounds=2), Place(1, 2), Seat(ADA, "Ada"), table_options=TIMELESS, practice=True
    )
    return info.id


async def test_it_begins_at_that_moment_and_is_loaded_as_it_was(
    store: MemoryStore, matches: Matches, clock: Clock
) -> None:
    match, start = await open_practice(matches), middle()
    info = await matches.start_practice(match, ADA, start)
    assert (info.status, info.practice, info.moves) == (Status.RUNNING, True, 0)
    assert [seat.user for seat in info.seats] == [0, ADA, 0]
    assert [seat.level for seat in info.seats] == ["normal", "", "normal"]
    again = await make_matches(store, clock).get_snapshot(match)
    assert (again.state, again.info) == (start.state, info)


async def test_nobody_joins_it_and_it_begins_once(matches: Matches) -> None:
    match = await open_practice(matches)
    with pytest.raises(RequestRefused, match="nobody can join"):
        await matches.join(match, BELA, "Bela")
    with pytest.raises(RequestRefused, match="Only the host"):
        await matches.start_practice(match, BELA, middle())
    await matches.start_practice(match, ADA, middle())
    with pytest.raises(RequestRefused, match="already started"):
        await matches.start_practice(match, ADA, middle())


async def test_no_other_lobby_begins_in_the_middle(matches: Matches) -> None:
    match = await open_lobby(matches, ADA)
    with pytest.raises(RequestRefused, match="Only a new practice match"):
        await matches.start_practice(match, ADA, middle())
