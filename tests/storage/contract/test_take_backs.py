"""A take-back is a row among the moves and an action in the history; requests have due times of their own."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from engines.store.match_store import DueRule, DueTime, Move
from engines.store.undoing import TableRequest, Undoing
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
    request = TableRequest(0, 1, 2000, (1,))
    info = replace(change.info, revision=2, undoing=Undoing(request))
    rules = (DueRule("take back", 1001, decision=1, delay=999), DueRule("ask", 1001, 1, 9, None))
    assert await matches.commit(replace(move_change(change.info), info=replace(info, moves=1), due_rules=rules)) == (
        2000 if at is None else at
    )
    found, _ = await matches.load_due(5000)
    asks = [(due.kind, due.seat, due.decision, due.at) for due in found]
    assert asks == [*([("ask", 1, 9, at)] if at else []), ("take back", -1, 1, 2000)]
    await matches.commit(replace(move_change(replace(info, moves=1)), due_rules=()))
    assert (await matches.load_due(5000))[0] == []


async def test_the_end_of_a_rest_postpones_what_is_due_for_decisions(matches: MatchStore) -> None:
    info = await start_running(matches)
    await start_running(matches, "m2")
    clocks = (
        DueRule("clock", 1000, 0, 3, 60),
        DueRule("reminder", 1000, 0, 3, 45),
        DueRule("call", 1000, 0, 3, 20),
        DueRule("call", 1000, 1, 4, 30),
        DueRule("break", 5000, 0, 5000, 0),
        DueRule("take back", 1010, decision=1, delay=60),
    )
    await matches.commit(change := replace(move_change(info), due_rules=clocks))
    await matches.mark_done(DueTime("call", "m1", 0, 3, 1020))
    other = await matches.load_info("m2")
    assert other is not None
    await matches.commit(replace(move_change(other), due_rules=clocks))
    assert await matches.postpone_deadlines(1020, 1025) == {"m1": True, "m2": True}, "the request alone lapses later"
    now = [each for each in clocks if each.kind != "take back"]
    await matches.commit(replace(move_change(change.info), due_rules=(*now,), rest=40))
    found = {(due.match, due.kind, due.seat): due.at for due in (await matches.load_due(9000))[0]}
    assert {key[1:]: at for key, at in found.items() if key[0] == "m1"} == {
        ("clock", 0): 1100,
        ("reminder", 0): 1085,
        ("call", 1): 1070,
        ("break", 0): 5000,
    }
    assert {key[1:]: at for key, at in found.items() if key[0] == "m2"} == {
        ("clock", 0): 1060,
        ("reminder", 0): 1045,
        ("call", 0): 1020,
        ("call", 1): 1030,
        ("break", 0): 5000,
        ("take back", -1): 1075,
    }


def test_the_moves_that_a_row_takes_back_are_read_from_its_notation() -> None:
    rows = [Move(number, 0, 0, notation, 5) for number, notation in enumerate(("bid 1", "undo 1", "undo only 41"), 1)]
    found = [row.undo for row in rows]
    assert [each and (each.move, each.only) for each in found] == [None, (1, False), (41, True)]
    assert [str(each) for each in found if each] == ["undo 1", "undo only 41"]


async def test_an_outage_postpones_clocks_up_to_an_open_request_and_the_request_itself(matches: MatchStore) -> None:
    """The end of the request gives back the time since it was made."""
    info = await start_running(matches)
    await start_running(matches, "m2")
    clock, request = DueRule("clock", 1000, 0, 3, 7200), DueRule("take back", 1500, decision=1, delay=600)
    for match, rules in (("m1", (clock, request)), ("m2", (clock,))):
        change = move_change(replace(info, id=match))
        await matches.commit(replace(change, due_rules=rules))
    await matches.postpone_deadlines(1200, 2000)
    found = {(due.match, due.kind): due.at for due in (await matches.load_due(99_999))[0]}
    assert found == {
        ("m1", "clock"): 8200 + 300,
        ("m1", "take back"): 2100 + 500,
        ("m2", "clock"): 8200 + 800,
    }
    loaded = await matches.load("m1")
    assert loaded is not None
    assert loaded.lapse == await matches.load_lapse("m1") == DueTime("take back", "m1", -1, 1, 2600)
    assert await matches.load_lapse("m2") is None
