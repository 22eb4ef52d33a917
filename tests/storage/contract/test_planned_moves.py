"""Planned moves belong to a person and a match: read back, replaced, deleted, and forgotten with either."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.store.match_store import Change, Status, StoreFailure
from engines.store.partition import Partition
from engines.store.surface_storage import PlannedMove
from tests.storage.contract.kinds import MatchStore, SurfaceStore
from tests.storage.samples import NASTY_TEXTS, start_running

PLAN = PlannedMove(7, "play 10H", "need", "play 3 H")


@pytest.fixture(autouse=True)
async def _two_matches(matches: MatchStore) -> None:
    for match in ("m1", "m2"):
        await start_running(matches, match)


async def test_a_plan_is_one_persons_in_one_match(surfaces: SurfaceStore) -> None:
    assert await surfaces.planned_moves("m1") == {}
    for match, user in (("m1", 5), ("m1", 6), ("m2", 2**62)):
        await surfaces.put_planned_move(match, user, replace(PLAN, decision=user))
    await surfaces.put_planned_move("m1", 5, replace(PLAN, dropped="enough"))
    assert await surfaces.planned_moves("m1") == {5: replace(PLAN, dropped="enough"), 6: replace(PLAN, decision=6)}
    assert await surfaces.planned_moves("m2") == {2**62: replace(PLAN, decision=2**62)}
    assert await surfaces.matches_with_plans() == ["m1", "m2"]
    for user in (5, 6, 7):
        await surfaces.put_planned_move("m1", user, None)
    assert await surfaces.planned_moves("m1") == {}
    assert await surfaces.matches_with_plans() == ["m2"]
    assert await surfaces.matches_with_plans(Partition(frozenset(), 4)) == []
    with pytest.raises(StoreFailure):
        await surfaces.put_planned_move("nowhere", 5, PLAN)


@pytest.mark.parametrize("text", [text for text in NASTY_TEXTS if text])
async def test_a_plan_comes_back_as_it_is(surfaces: SurfaceStore, text: str) -> None:
    plan = PlannedMove(0, text, text, text, text, 2**40)
    await surfaces.put_planned_move("m1", 5, plan)
    assert await surfaces.planned_moves("m1") == {5: plan}


async def test_a_plan_makes_the_hand_stale(surfaces: SurfaceStore) -> None:
    for plan in (PLAN, None):
        await surfaces.mark_current({"m1": 1, "m2": 1})
        assert await surfaces.stale_matches() == []
        await surfaces.put_planned_move("m1", 5, plan)
        assert await surfaces.stale_matches() == ["m1"]


async def test_a_plan_goes_with_its_match_and_with_its_person(surfaces: SurfaceStore, matches: MatchStore) -> None:
    for match in ("m1", "m2"):
        for user in (5, 6):
            await surfaces.put_planned_move(match, user, PLAN)
    await surfaces.forget_person(5)
    assert [await surfaces.planned_moves(match) for match in ("m1", "m2")] == [{6: PLAN}] * 2
    await matches.erase_match("m1")
    assert await surfaces.planned_moves("m1") == {}
    assert await surfaces.planned_moves("m2") == {6: PLAN}


async def test_a_plan_is_forgotten_with_a_persons_part_in_the_match(
    surfaces: SurfaceStore, matches: MatchStore
) -> None:
    for user in (5, 6):
        await surfaces.put_planned_move("m1", user, PLAN)
    info = await matches.load_info("m1")
    assert info is not None
    seats = (replace(info.seats[0], user=-7, name="Somebody"), info.seats[1])
    left = replace(info, seats=seats, host=6, revision=info.revision + 1, status=Status.RUNNING)
    await matches.commit(Change(left, "forget", -7, forgotten_user=5))
    assert await surfaces.planned_moves("m1") == {6: PLAN}


async def test_a_plan_is_in_the_data_of_its_person_alone(surfaces: SurfaceStore, matches: MatchStore) -> None:
    await surfaces.put_planned_move("m1", 5, PLAN)
    assert [trace.plan for trace in await matches.load_traces(5, 0, 9)] == [PLAN, None]
    assert [trace.plan for trace in await matches.load_traces(6, 0, 9)] == [None, None]
