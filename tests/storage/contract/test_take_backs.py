"""A take-back is a row among the moves and an action in the history; requests have due times of their own."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from engines.store.match_store import DueRule, Move
from engines.store.take_backs import TakeBackRequest, TakeBacks
from tests.storage.contract.kinds import MatchStore, SurfaceStore
from tests.storage.samples import lobby_info, move_change, start_change, start_running


async def test_it_is_stored_with_the_checkpoint_before_the_move(matches: MatchStore) -> None:
    info = await start_running(matches, moves=2)
    change = move_change(info, "undo 2", checkpoint='{"n":1}', events="[]", action="take back", by=5)
    await matches.commit(replace(change, info=replace(change.info, decision_offset=2, practice=True)))
    saved = await matches.load("m1")
    assert saved is not None
    assert (saved.checkpoint, saved.info.decision_offset, saved.info.practice) == ('{"n":1}', 2, True)
    assert [move.notation for move in saved.moves] == ["bid 2", "bid 2", "undo 2"]
    assert [move.number for move in saved.in_force()] == [1]
    assert [(each.action, each.by) for each in await matches.load_history("m1")][-2:] == [("play", 5), ("take back", 5)]


async def test_its_click_counts_once(matches: MatchStore) -> None:
    info = await start_running(matches, moves=1)
    await matches.commit(move_change(info, "undo 1", action="take back", by=5, click=77))
    assert (await matches.recent_clicks("m1"))[1] == (77,)


@pytest.mark.parametrize(("call", "at"), [(0, 1001), (300, 1301), (None, None)])
async def test_a_request_pings_as_its_reader_likes(
    matches: MatchStore, surfaces: SurfaceStore, call: int | None, at: int | None
) -> None:
    lobby = lobby_info()
    await matches.insert(lobby, 5)
    await matches.commit(change := start_change(lobby))
    await surfaces.change_preferences(6, partial(replace, call=call))
    request = TakeBackRequest(0, 1, 2000, (1,))
    info = replace(change.info, revision=2, take_backs=TakeBacks(request))
    rules = (DueRule("take back", 1001, decision=1, delay=999), DueRule("ask", 1001, 1, 9, None))
    assert await matches.commit(replace(move_change(change.info), info=replace(info, moves=1), due_rules=rules)) == (
        2000 if at is None else at
    )
    found, _ = await matches.load_due(5000)
    asks = [(due.kind, due.seat, due.decision, due.at) for due in found]
    assert asks == [*([("ask", 1, 9, at)] if at else []), ("take back", -1, 1, 2000)]
    await matches.commit(replace(move_change(replace(info, moves=1)), due_rules=()))
    assert (await matches.load_due(5000))[0] == []


def test_what_a_row_takes_back_is_read_from_its_notation() -> None:
    rows = [Move(number, 0, 0, notation, 5) for number, notation in enumerate(("bid 1", "undo 1", "undo only 41"), 1)]
    found = [row.take_back for row in rows]
    assert [each and (each.move, each.only) for each in found] == [None, (1, False), (41, True)]
    assert [str(each) for each in found if each] == ["undo 1", "undo only 41"]
