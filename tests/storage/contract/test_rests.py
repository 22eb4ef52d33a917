"""Breaks: kept with the person, counted in every match of theirs, in one transaction."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from engines.features.breaks import LIMIT
from engines.features.registry import TABLE_OPTIONS
from engines.store.match_store import Change, DueRule, MatchInfo, Place, Status, WriteConflict
from engines.store.table_options import TableOptions
from tests.storage.contract.kinds import MatchStore, SqlAccess, SurfaceStore
from tests.storage.samples import lobby_info, move_change, start_change

DAY = 24 * 60 * 60
EVE, BO = 5, 6  # they have the seats 0 and 1
WAITING = (
    DueRule("call", 2000, 0, 3),
    DueRule("reminder", 2000, 0, 3, DAY * 3 // 4),
    DueRule("clock", 2000, 0, 3, DAY),
    DueRule("call", 2000, 1, 4),
    DueRule("clock", 2000, 1, 4, DAY),
)
NOW = 2010


async def begin_waiting(matches: MatchStore, match: str = "m1", table_options: TableOptions | None = None) -> MatchInfo:
    lobby = lobby_info(match, place=Place(1, 2, 3), table_options=table_options or TableOptions())
    await matches.insert(lobby, EVE)
    change = start_change(lobby, due_rules=WAITING)
    change = replace(change, info=replace(change.info, changed=2000))
    await matches.commit(change)
    return change.info


async def due_rows(matches: MatchStore, match: str = "m1", seat: int = 0) -> dict[str, int]:
    found, _ = await matches.load_due(10**9)
    return {due.kind: due.at for due in found if (due.match, due.seat) == (match, seat)}


async def test_a_break_is_kept_and_seen_at_every_seat_of_theirs(matches: MatchStore) -> None:
    before = [await begin_waiting(matches, match) for match in ("m1", "m2")]
    await matches.insert(lobby_info("m3"), BO)
    assert await matches.rest_until(EVE) == 0
    assert await matches.change_rest(EVE, NOW + 500, NOW) == ["m1", "m2", "m3"]
    assert (await matches.rest_until(EVE), await matches.rest_until(BO)) == (NOW + 500, 0)
    for each in await matches.find(user=BO):
        assert [seat.rest_until for seat in each.seats] == [NOW + 500, 0]
    for old in before:
        saved = await matches.load(old.id)
        assert saved is not None
        info = saved.info
        seats = tuple(replace(seat, rest_until=0) for seat in info.seats)
        assert replace(info, seats=seats, revision=old.revision) == old, "more than the break has changed"
        assert info.revision == old.revision + 1
        assert [(due.seat, due.at) for due in saved.deadlines] == [(0, NOW + 500 + DAY), (1, 2000 + DAY)]


async def test_every_match_of_theirs_is_stale_until_it_is_shown(matches: MatchStore, surfaces: SurfaceStore) -> None:
    for match in ("m1", "m2"):
        await begin_waiting(matches, match)
    for change in (NOW + 500, 0):
        await surfaces.mark_current({info.id: info.revision for info in await matches.find()})
        assert await surfaces.stale_matches() == []
        await matches.change_rest(EVE, change, NOW)
        assert await surfaces.stale_matches() == ["m1", "m2"]


async def test_due_times_move_with_every_change_of_a_break(matches: MatchStore) -> None:
    await begin_waiting(matches)
    others = await due_rows(matches, seat=1)
    end = NOW + 3600
    await matches.change_rest(EVE, end, NOW)
    assert await due_rows(matches) == {
        "call": end + 60,
        "reminder": end + DAY * 3 // 4,
        "clock": end + DAY,
        "break": end,
    }
    await matches.change_rest(EVE, NOW + 7 * DAY, NOW + 5)
    assert await due_rows(matches) == {
        "call": 2000 + DAY + 60,
        "reminder": 2000 + DAY + DAY * 3 // 4,
        "clock": 2000 + 2 * DAY,
        "break": NOW + 7 * DAY,
    }
    await matches.change_rest(EVE, 0, NOW + 100)
    assert await due_rows(matches) == {
        "call": NOW + 160,
        "reminder": NOW + 100 + DAY * 3 // 4,
        "clock": NOW + 100 + DAY,
    }
    assert await due_rows(matches, seat=1) == others
    assert (await matches.load_due(0))[1] == min([*others.values(), NOW + 160])


async def test_tables_have_limits_of_their_own(matches: MatchStore) -> None:
    none = TableOptions(known=TABLE_OPTIONS).set_option(LIMIT, None)
    for match, table_options in (("m1", none), ("m2", TableOptions("5 minutes")), ("m3", TableOptions())):
        await begin_waiting(matches, match, table_options)
    before = [await due_rows(matches, match) for match in ("m1", "m2")]
    await matches.change_rest(EVE, NOW + 3600, NOW)
    for match, old in zip(("m1", "m2"), before, strict=True):
        assert await due_rows(matches, match) == {**old, "break": NOW + 3600}
    assert (await due_rows(matches, "m3"))["clock"] == NOW + 3600 + DAY


async def test_done_reminders_stay_done_and_people_who_want_no_ping_get_none(
    matches: MatchStore, surfaces: SurfaceStore
) -> None:
    await begin_waiting(matches)
    found, _ = await matches.load_due(10**9)
    await matches.mark_done(next(due for due in found if (due.kind, due.seat) == ("call", 0)))
    await surfaces.change_preferences(BO, lambda old: replace(old, call=None))
    for user, seat in ((EVE, 0), (BO, 1)):
        await matches.change_rest(user, NOW + 3600, NOW)
        assert "call" not in await due_rows(matches, seat=seat)
    await surfaces.change_preferences(BO, lambda old: replace(old, call=0))
    assert (await due_rows(matches, seat=1))["call"] == NOW + 3600, "another setting ends the rest of a ping"


async def test_somebody_who_looks_at_their_hand_during_a_break_is_not_called(matches: MatchStore) -> None:
    await begin_waiting(matches)
    end = NOW + 3600
    await matches.change_rest(EVE, end, NOW)
    assert await matches.postpone_call("m1", 0, NOW + 50) == end + 60
    await matches.change_rest(EVE, end + 1000, NOW + 60)
    assert (await due_rows(matches))["call"] == end + 1060


async def test_breaks_end_when_their_time_is_over(matches: MatchStore) -> None:
    await begin_waiting(matches)
    await matches.change_rest(EVE, NOW + 100, NOW)
    await matches.change_rest(77, NOW + 50, NOW)  # in no match
    before = await due_rows(matches)
    assert await matches.end_expired_rests(NOW + 99) == []
    assert (await matches.rest_until(77), await matches.rest_until(EVE)) == (0, NOW + 100)
    assert await matches.end_expired_rests(NOW + 200) == ["m1"]
    assert await matches.end_expired_rests(NOW + 200) == []
    del before["break"]
    assert await due_rows(matches) == before, "the end of a break moves a time"
    info = await matches.load_info("m1")
    assert info is not None
    assert not any(seat.rest_until for seat in info.seats)


async def test_a_change_that_knows_nothing_of_a_break_is_refused(matches: MatchStore) -> None:
    info = await begin_waiting(matches)
    await matches.change_rest(EVE, NOW + 100, NOW)
    with pytest.raises(WriteConflict):
        await matches.commit(move_change(info, due_rules=WAITING))
    now = await matches.load_info("m1")
    assert now is not None
    await matches.commit(Change(replace(now, revision=now.revision + 1), "settle", due_rules=WAITING))
    assert (await due_rows(matches))["clock"] == NOW + 100 + DAY, "a decision that was open has got another time"
    await matches.commit(Change(replace(now, revision=now.revision + 2, status=Status.ENDED), "end"))
    assert await matches.change_rest(EVE, 0, NOW + 50) == [], "a match that is over has changed"


async def test_breaks_of_several_people_and_moves_at_once_all_count(matches: MatchStore) -> None:
    info = await begin_waiting(matches)
    results = await asyncio.gather(
        matches.change_rest(EVE, NOW + 100, NOW),
        matches.change_rest(BO, NOW + 200, NOW),
        matches.commit(move_change(info, due_rules=WAITING)),
        matches.change_rest(EVE, NOW + 300, NOW),
        return_exceptions=True,
    )
    assert all(not isinstance(each, Exception) or isinstance(each, WriteConflict) for each in results)
    for seat, end in ((0, NOW + 300), (1, NOW + 200)):
        assert (await due_rows(matches, seat=seat))["clock"] == end + DAY
    now = await matches.load_info("m1")
    assert now is not None
    assert [seat.rest_until for seat in now.seats] == [NOW + 300, NOW + 200]


async def test_a_forgotten_person_is_on_no_break(matches: MatchStore, surfaces: SurfaceStore, sql: SqlAccess) -> None:
    await matches.change_rest(EVE, NOW + 100, NOW)
    await matches.change_rest(BO, NOW + 100, NOW)
    await surfaces.forget_person(EVE)
    assert [await matches.rest_until(user) for user in (EVE, BO)] == [0, NOW + 100]
    assert await sql.query("SELECT until FROM breaks") == [(NOW + 100,)]


async def test_a_break_is_limited_at_a_table_whose_options_cannot_be_read(matches: MatchStore, sql: SqlAccess) -> None:
    await begin_waiting(matches)
    await sql.execute("UPDATE matches SET house = 'nonsense', revision = revision + 1")
    await matches.change_rest(EVE, NOW + 7 * DAY, NOW)
    assert LIMIT.default == "1 day"
    assert 2000 + DAY < (await due_rows(matches))["clock"] <= NOW + 2 * DAY
