"""Planned moves if several processes, some of an older version, share the database."""

from __future__ import annotations

import pytest

from engines.features.plans.planned_moves import PLANNED_MOVES, PlannedMove
from engines.store.rows import PutRow
from storage.postgres import Database, MatchStore
from tests.storage.postgres.test_opening import query
from tests.storage.samples import start_running

OLD = """
INSERT INTO planned_moves (match, "user", decision, notation, condition, situation, dropped)
VALUES ('m1', 5, {}, '{}', 'any', '', '{}')
ON CONFLICT (match, "user") DO UPDATE SET decision = excluded.decision, notation = excluded.notation,
    condition = excluded.condition, situation = excluded.situation, dropped = excluded.dropped
"""
MARKED, MOVES = PlannedMove("m1", 5, 3, "play QC", "any", "", moves=1), 4


@pytest.mark.parametrize(
    ("decision", "notation", "dropped", "known"),
    [(7, "play QC", "", MOVES), (3, "play 2H", "", MOVES), (3, "play QC", "", 1), (3, "play QC", "illegal", 1)],
)
async def test_the_time_of_a_mark_is_known_for_a_plan_that_an_older_version_replaces(
    address: str, decision: int, notation: str, dropped: str, known: int
) -> None:
    async with Database.open(address, clock=lambda: 7) as database:
        matches = MatchStore(database)
        await start_running(matches, moves=MOVES)
        await matches.write_rows([PutRow(PLANNED_MOVES, MARKED)], "m1")
        await query(address, OLD.format(decision, notation, dropped))
        (plan,) = await matches.load_rows(PLANNED_MOVES)
        assert (plan.decision, plan.notation, plan.dropped, plan.moves) == (decision, notation, dropped, known)


async def test_this_version_says_itself_what_the_player_knew(address: str) -> None:
    async with Database.open(address, clock=lambda: 7) as database:
        matches = MatchStore(database)
        await start_running(matches, moves=MOVES)
        for plan in (MARKED, PlannedMove("m1", 5, 7, "play 2H", "any", "", moves=3)):
            await matches.write_rows([PutRow(PLANNED_MOVES, plan)], "m1")
            assert await matches.load_rows(PLANNED_MOVES) == [plan]
