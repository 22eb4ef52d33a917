"""Due times: written with the change that causes them, moved by preferences, and done once."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from engines.hosting.timing.due_times import BRIEF_ABSENCE_SECONDS, MAX_CALL_DELAY, RETURN_SECONDS
from engines.store.match_store import Change, DueRule, DueTime, MatchInfo, Place, Seat, Status, WriteConflict
from engines.store.partition import GUILD_SHIFT, Partition
from engines.store.surface_storage import ContactChange
from tests.storage.contract.kinds import MatchStore, SqlAccess, SurfaceStore
from tests.storage.samples import lobby_info, move_change, start_change

EXPIRY = DueRule("expiry", 1000, delay=50)
BOTH = (DueRule("call", 2000, 0, 3), DueRule("call", 2000, 1, 4))  # the seats of users 5 and 6
WAYS = ("3:o:trade ♣", "4:g:a")


async def begin_awaiting(matches: MatchStore, *awaited: DueRule, match: str = "m1", guild: int = 1) -> MatchInfo:
    lobby = lobby_info(match, place=Place(guild, 2, 3))
    await matches.insert(lobby, 5, due_rules=[EXPIRY])
    change = start_change(lobby, due_rules=awaited)
    change = replace(change, info=replace(change.info, changed=2000))
    await matches.commit(change)
    return change.info


async def due_rows_until(matches: MatchStore, by: int = 10**6) -> list[tuple[str, int, int, int]]:
    return [(due.kind, due.seat, due.decision, due.at) for due in (await matches.load_due(by))[0]]


async def test_a_lobby_is_due_until_it_has_begun(matches: MatchStore) -> None:
    assert await matches.insert(lobby_info(), 5, due_rules=[EXPIRY]) == 1050
    assert await matches.load_due(1049) == ([], 1050)
    assert await matches.load_due(1050) == ([DueTime("expiry", "m1", -1, 0, 1050)], None)
    later = replace(BOTH[1], since=2100)
    assert await matches.commit(start_change(lobby_info(), due_rules=(BOTH[0], later))) == 2060
    assert await due_rows_until(matches) == [("call", 0, 3, 2060), ("call", 1, 4, 2160)]
    assert await matches.load_due(2059) == ([], 2060)
    assert await matches.load_due(2060) == ([DueTime("call", "m1", 0, 3, 2060)], 2160)


@pytest.mark.parametrize(
    ("call", "rule", "at"),
    [
        (60, {}, 2060),
        (0, {}, 2000),
        (0, {"min_delay": 60}, 2060),
        (300, {"min_delay": 60}, 2300),
        (300, {"delay": 0}, 2000),
        (None, {}, None),
        (None, {"delay": 0}, None),
    ],
)
async def test_one_is_called_as_one_likes(
    matches: MatchStore, surfaces: SurfaceStore, call: int | None, rule: dict[str, Any], at: int | None
) -> None:
    await surfaces.change_preferences(5, lambda old: replace(old, call=call))
    await begin_awaiting(matches, replace(BOTH[0], **rule))
    assert await due_rows_until(matches) == ([] if at is None else [("call", 0, 3, at)])


async def test_awaited_decisions_keep_their_time_and_others_go(matches: MatchStore) -> None:
    info = await begin_awaiting(matches, *BOTH)
    with pytest.raises(WriteConflict):
        await matches.commit(Change(replace(info, revision=9), "settle"))
    assert len(await due_rows_until(matches)) == 2
    later = (DueRule("call", 2500, 0, 3), DueRule("call", 2500, 1, 5))
    assert await matches.commit(move_change(info, due_rules=later)) == 2560
    assert await due_rows_until(matches) == [("call", 0, 3, 2060), ("call", 1, 5, 2560)]
    after = move_change(info).info
    assert await matches.commit(move_change(after, due_rules=later[:1])) is None
    assert await due_rows_until(matches) == [("call", 0, 3, 2060)]
    await matches.set_aside(replace(after, revision=after.revision + 2))
    assert await due_rows_until(matches) == []


async def test_a_done_reminder_is_no_longer_due_for_that_decision(matches: MatchStore) -> None:
    info = await begin_awaiting(matches, *BOTH)
    await matches.mark_done(DueTime("call", "m1", 0, 3, 2060))
    await matches.mark_done(DueTime("call", "m1", 1, 2, 2060))  # of an earlier decision
    assert await due_rows_until(matches) == [("call", 1, 4, 2060)]
    await matches.commit(move_change(info, due_rules=BOTH))
    assert await due_rows_until(matches) == [("call", 1, 4, 2060)]
    next_rule = (replace(BOTH[0], decision=8),)
    await matches.commit(move_change(move_change(info).info, due_rules=next_rule))
    assert await due_rows_until(matches) == [("call", 0, 8, 2060)]


async def test_another_setting_moves_what_is_pending_for_them(matches: MatchStore, surfaces: SurfaceStore) -> None:
    await begin_awaiting(matches, *BOTH)
    await begin_awaiting(matches, *BOTH, match="m2")
    await matches.mark_done(DueTime("call", "m2", 0, 3, 2060))
    for call, at in ((300, 2300), (None, None), (0, 2000)):
        await surfaces.change_preferences(5, partial(replace, call=call))
        own_rows = [("call", 0, 3, at)] if at else []
        other_rows = [("call", 1, 4, 2060)] * 2
        assert sorted(await due_rows_until(matches)) == sorted(own_rows + other_rows)
    await surfaces.change_preferences(6, lambda old: replace(old, words=True))
    assert ("call", 1, 4, 2060) in await due_rows_until(matches)


async def test_somebody_who_is_at_it_is_called_later(matches: MatchStore, surfaces: SurfaceStore) -> None:
    await begin_awaiting(matches, *BOTH)
    await surfaces.change_preferences(6, lambda old: replace(old, call=0))
    clicks = (("m1", 0, 2050), ("m1", 1, 2050), ("m9", 0, 1))
    await asyncio.gather(*(matches.postpone_call(*click) for click in clicks))
    assert await due_rows_until(matches) == [("call", 0, 3, 2110), ("call", 1, 4, 2110)]
    await matches.mark_done(DueTime("call", "m1", 0, 3, 2110))
    await matches.postpone_call("m1", 0, 2200)
    assert await due_rows_until(matches) == [("call", 1, 4, 2110)]


async def test_the_way_to_a_move_is_kept_with_the_call_of_its_decision(matches: MatchStore) -> None:
    info = await begin_awaiting(matches, *BOTH)
    assert await matches.load_move_steps("m1") == {}
    for way, kept_then in (("3:o:trade ♣", "3:o:trade ♣"), (None, "3:o:trade ♣"), ("", ""), ("3:g:a/b", "3:g:a/b")):
        await matches.postpone_call("m1", 0, 2050, way)
        assert await matches.load_move_steps("m1") == ({0: kept_then} if kept_then else {})
    await matches.commit(move_change(info, due_rules=(replace(BOTH[0], decision=8), BOTH[1])))
    assert await matches.load_move_steps("m1") == {}


async def test_a_way_is_kept_if_the_call_was_made_or_is_unwanted(matches: MatchStore, surfaces: SurfaceStore) -> None:
    await begin_awaiting(matches, *BOTH)
    await matches.mark_done(DueTime("call", "m1", 0, 3, 2060))
    await surfaces.change_preferences(6, partial(replace, call=None))
    for seat, way in enumerate(WAYS):
        assert await matches.postpone_call("m1", seat, 2050, way) is None
    assert await matches.load_move_steps("m1") == dict(enumerate(WAYS))


async def test_a_pause_keeps_the_steps_of_somebody_who_stays_and_of_nobody_else(matches: MatchStore) -> None:
    info = await begin_awaiting(matches, *BOTH)
    for seat, way in enumerate(WAYS):
        await matches.postpone_call("m1", seat, 2050, way)
    stays, leaves = info.seats
    leaver = replace(leaves, gone="left")
    paused = await changed(matches, info, Status.PAUSED, (stays, leaver))
    assert await matches.load_due(10**6) == ([], None)
    assert await matches.load_move_steps("m1") == {0: WAYS[0]}
    running = await changed(matches, paused, Status.RUNNING, (stays, replace(leaves, user=9)), BOTH)
    assert await matches.load_move_steps("m1") == {0: WAYS[0]}
    assert sorted(await due_rows_until(matches)) == [("call", 0, 3, 2060), ("call", 1, 4, 2060)], (
        "the wait begins again"
    )
    paused = await changed(matches, running, Status.PAUSED, (stays, leaver))
    paused = await changed(matches, paused, Status.PAUSED, (replace(stays, gone="left"), leaver))
    await changed(matches, paused, Status.RUNNING, (replace(stays, user=8), replace(leaves, user=9)), BOTH)
    assert await matches.load_move_steps("m1") == {}, "somebody has the way of the player who sat there before"


async def test_somebody_who_takes_a_seat_amid_the_same_decision_has_no_way(matches: MatchStore) -> None:
    info = await begin_awaiting(matches, *BOTH)
    await matches.postpone_call("m1", 0, 2050, WAYS[0])
    own_seat, other = info.seats
    left = await changed(matches, info, Status.RUNNING, (replace(own_seat, gone="left", level="easy"), other), BOTH[1:])
    await changed(matches, left, Status.RUNNING, (replace(own_seat, user=9), other), BOTH)
    assert await matches.load_move_steps("m1") == {}


async def changed(
    matches: MatchStore, info: MatchInfo, status: Status, seats: tuple[Seat, ...], awaited: tuple[DueRule, ...] = ()
) -> MatchInfo:
    new = replace(info, status=status, seats=seats, revision=info.revision + 1)
    await matches.commit(Change(new, "leave", 5, due_rules=awaited, seats_changed=True))
    return new


async def test_no_click_puts_a_call_off_for_ever(matches: MatchStore) -> None:
    clock = DueRule("clock", 2000, 1, 4, 300)
    start = (await begin_awaiting(matches, *BOTH, clock)).changed
    for second in range(start, start + 2 * MAX_CALL_DELAY, 50):
        await matches.postpone_call("m1", 0, second)
        await matches.postpone_call("m1", 1, second)
    calls = [("call", 1, 4, clock.since + 300 - 60), ("call", 0, 3, start + MAX_CALL_DELAY)]
    assert sorted(await due_rows_until(matches)) == sorted([*calls, ("clock", 1, 4, clock.since + 300)])
    await matches.postpone_call("m1", 0, start + 3 * MAX_CALL_DELAY)  # it was to come earlier, and does not move on
    assert calls[1] in await due_rows_until(matches)


async def test_somebody_who_is_at_it_at_a_live_table_is_not_called(matches: MatchStore) -> None:
    await begin_awaiting(matches, *BOTH, DueRule("clock", 2000, 0, 3, 120))
    for second in (2050, 2100):
        await matches.postpone_call("m1", 0, second)
        assert ("call", 0, 3, second + 60) in await due_rows_until(matches)


# Deadlines


async def test_after_an_absence_nobody_has_less_than_some_seconds(matches: MatchStore) -> None:
    """It may have begun before it was noticed."""
    clocks = (DueRule("clock", 2000, 0, 3, 30), DueRule("clock", 2000, 1, 4, 60))
    await begin_awaiting(matches, *clocks, DueRule("reminder", 2000, 0, 3, 20))
    assert await matches.postpone_deadlines(2028, 2100) == {"m1": True}
    rows = [("clock", 0, 3, 2100 + RETURN_SECONDS), ("clock", 1, 4, 2060 + 72), ("reminder", 0, 3, 2020 + 72)]
    assert sorted(await due_rows_until(matches)) == rows
    assert await matches.postpone_deadlines(2114, 2115) == {"m1": True}, "on a live clock every second is shown"


TIMED = (
    DueRule("clock", 2000, 0, 3, 3600),
    DueRule("reminder", 2000, 0, 3, 2700),
    DueRule("call", 2000, 0, 3, None),
    DueRule("clock", 2600, 1, 4, 3600),
)


async def test_deadlines_come_later_by_as_much_of_an_absence_as_they_had_run_for(matches: MatchStore) -> None:
    await begin_awaiting(matches, *TIMED)
    assert await matches.postpone_deadlines(2500, 3000) == {"m1": True}
    clocks = [("clock", 0, 3, 2000 + 3600 + 500), ("clock", 1, 4, 2600 + 3600 + 400)]
    reminder = ("reminder", 0, 3, 2000 + 2700 + 500)
    assert sorted(await due_rows_until(matches)) == [("call", 0, 3, 2060), *clocks, reminder]
    loaded = await matches.load("m1")
    assert loaded is not None
    assert [due.at for due in loaded.deadlines] == [6100, 6600]
    assert list(loaded.deadlines) == await matches.load_deadlines("m1")
    await matches.mark_done(DueTime("reminder", "m1", 0, 3, reminder[-1]))
    await matches.postpone_deadlines(3500, 4000)
    assert [row for row in await due_rows_until(matches) if row[0] == "reminder"] == []


async def test_the_absence_before_a_start_counts_once(matches: MatchStore, sql: SqlAccess) -> None:
    await begin_awaiting(matches, *TIMED)
    assert await matches.postpone_deadlines(None, 2100) == {}  # nothing is known of the time before
    await matches.record_alive(2200)
    assert await matches.postpone_deadlines(None, 2300) == {"m1": False}, "so little that nobody needs to see it"
    assert await matches.postpone_deadlines(None, 2300) == {}
    assert ("clock", 0, 3, 2000 + 3600 + 100) in await due_rows_until(matches)
    assert ("clock", 1, 4, 2600 + 3600) in await due_rows_until(matches), "it had not begun to run"
    await sql.execute("UPDATE notes SET value = '22\x7f0' WHERE key = 'alive'")  # a damaged note puts nothing off
    assert await matches.postpone_deadlines(None, 2400) == {}
    assert await matches.postpone_deadlines(None, 2500) == {"m1": False}, "it is noted again"


async def test_a_brief_absence_puts_off_short_decisions_alone(matches: MatchStore) -> None:
    """A gateway sometimes reconnects, in seconds: no reason to announce every deadline again."""
    await begin_awaiting(matches, *TIMED)
    await begin_awaiting(matches, DueRule("clock", 2000, 0, 3, 300), match="m2")
    assert await matches.postpone_deadlines(2100, 2100 + BRIEF_ABSENCE_SECONDS - 1) == {"m2": True}
    assert ("clock", 0, 3, 2300 + BRIEF_ABSENCE_SECONDS - 1) in await due_rows_until(matches)
    assert ("clock", 0, 3, 2000 + 3600) in await due_rows_until(matches)
    assert await matches.postpone_deadlines(2200, 2200 + BRIEF_ABSENCE_SECONDS) == {"m1": False, "m2": True}


async def test_the_absence_from_a_part_of_the_servers_puts_off_nothing_elsewhere(matches: MatchStore) -> None:
    names = [f"m{number}" for number in range(4)]
    for number, name in enumerate(names):
        await begin_awaiting(matches, *TIMED, match=name, guild=number << GUILD_SHIFT | 9)
    await matches.record_alive(2200)
    assert await matches.postpone_deadlines(2500, 3000, Partition.all_of(4).only_number(2)) == {"m2": True}
    clocks = [due for due in (await matches.load_due(10**6))[0] if (due.kind, due.seat) == ("clock", 0)]
    assert {due.match: due.at for due in clocks} == dict.fromkeys(names, 5600) | {"m2": 6100}
    assert await matches.postpone_deadlines(3000, 3500, Partition.parse("0-1/2")) == dict.fromkeys(names, True)
    await matches.postpone_deadlines(None, 4000)  # since it was there for all, which was not noted since
    assert ("clock", 0, 3, 6100 + 1500) in await due_rows_until(matches)


async def test_a_computer_is_to_be_requested_if_nobody_is_called_any_more(matches: MatchStore) -> None:
    lobby = lobby_info(seats=(Seat(5, "Eve"), Seat(0, "Computer", level="easy")))
    await matches.insert(lobby, 5)
    change = start_change(lobby, due_rules=(DueRule("call", 2000, 0, 3), DueRule("clock", 2000, 0, 3, 60)))
    await matches.commit(change)
    assert await matches.matches_awaiting_computers() == []
    change = move_change(change.info, due_rules=(DueRule("reminder", 2000, 0, 9, 60),))
    await matches.commit(change)
    assert await matches.matches_awaiting_computers() == ["m1"]
    halves = Partition.all_of(2)
    assert [await matches.matches_awaiting_computers(halves.only_number(number)) for number in range(2)] == [["m1"], []]
    assert [await matches.live_matches_after("", 9, halves.only_number(number)) for number in range(2)] == [["m1"], []]
    assert await matches.load_deadlines("m1") == []
    assert await due_rows_until(matches) == [("reminder", 0, 9, 2060)]
    change = move_change(change.info, due_rules=(DueRule("call", 3000, 0, 3),))
    assert await matches.commit(change) == 3060, "the same decision after another is a new one"
    assert await matches.matches_awaiting_computers() == []


async def test_each_part_of_the_servers_has_its_own_due_times(matches: MatchStore) -> None:
    for number in range(3):
        await begin_awaiting(matches, *BOTH[: number + 1], match=f"m{number}", guild=number << GUILD_SHIFT | 9)
    three = Partition.all_of(3)
    assert [due.match for due in (await matches.load_due(3000, three.only_number(1)))[0]] == ["m1", "m1"]
    assert (await matches.load_due(2000, three.only_number(0)))[1] == 2060
    assert await matches.load_due(3000, Partition(frozenset(), 3)) == ([], None)
    assert await matches.load_due(3000, three) == await matches.load_due(3000)


async def test_each_partition_has_its_own_time_at_which_the_bot_was_last_there(
    matches: MatchStore, sql: SqlAccess
) -> None:
    for number in range(2):
        await begin_awaiting(matches, *TIMED, match=f"m{number}", guild=number << GUILD_SHIFT | 9)
    halves, quarters = Partition.all_of(2), Partition.all_of(4)
    await matches.record_alive(2200, halves)
    await matches.record_alive(2500, halves.only_number(1))
    assert await matches.postpone_deadlines(None, 2600, halves) == {"m0": True, "m1": False}
    assert await matches.postpone_deadlines(None, 2600, halves) == {}
    await matches.record_alive(2900, halves.only_number(0))
    # Divided otherwise: since the newest.
    assert await matches.postpone_deadlines(None, 3000, quarters.only_number(1)) == {"m1": False}
    assert await matches.postpone_deadlines(None, 3200, quarters.only_number(0)) == {"m0": True}
    assert len(await sql.query("SELECT key FROM notes WHERE key LIKE 'alive%'")) == 4


async def test_times_that_a_wrong_clock_wrote_are_put_right_once(matches: MatchStore) -> None:
    """What was written by the right clock keeps its times; what lies in the future counts from now."""
    wrong = 400 * 86_400
    clock = DueRule("clock", 2000, 0, 3, 3600)
    await begin_awaiting(matches, BOTH[0], clock)
    lobby = lobby_info("m2", created=wrong, changed=wrong, place=Place(1, 2, 4))
    await matches.insert(lobby, 5, due_rules=[DueRule("expiry", wrong, delay=50)])
    awaited = [replace(each, since=wrong + 10) for each in (BOTH[0], clock)]
    started = start_change(lobby, due_rules=awaited)
    await matches.commit(replace(started, info=replace(started.info, changed=wrong + 10)))
    await matches.insert(lobby_info("m3", created=wrong, changed=wrong), 5, due_rules=[replace(EXPIRY, since=wrong)])
    later = lobby_info("m4", created=3050, changed=3050)
    await matches.insert(later, 5, due_rules=[replace(EXPIRY, since=3050)])
    await matches.record_alive(wrong)
    assert await matches.put_times_right(3000) == ["m2", "m3"]
    found = {(due.match, due.kind): due.at for due in (await matches.load_due(10**6))[0]}
    assert found == {
        ("m1", "call"): 2060,
        ("m1", "clock"): 5600,
        ("m2", "call"): 3060,
        ("m2", "clock"): 6600,
        ("m3", "expiry"): 3050,
        ("m4", "expiry"): 3100,
    }
    for match, revision in (("m2", started.info.revision + 1), ("m3", 1)):
        saved = await matches.load_info(match)
        assert saved is not None
        assert (max(saved.created, saved.changed), saved.revision) == (3000, revision)
    assert await matches.put_times_right(3000) == [], "once"
    assert await matches.postpone_deadlines(None, 3000) == {"m1": True}, "its newest row tells when it was last there"


def _note_contact(at: int, note: str | None, contact: int) -> ContactChange[None]:
    return ContactChange("", at, None)


async def test_a_first_contact_that_a_wrong_clock_wrote_counts_from_now(
    matches: MatchStore, surfaces: SurfaceStore
) -> None:
    for user, at in ((5, 400 * 86_400), (6, 2000)):
        await surfaces.change_first_contact(user, "contacts", partial(_note_contact, at))
    await matches.put_times_right(3000)
    assert [await surfaces.first_contact(user) for user in (5, 6)] == [3000, 2000]


async def test_a_ping_after_a_break_was_not_written_by_a_wrong_clock(matches: MatchStore) -> None:
    info = await begin_awaiting(matches, replace(BOTH[0], since=9000))
    await matches.change_rest(info.seats[0].user, 9000, 2500)
    before = await due_rows_until(matches)
    assert await matches.put_times_right(3000) == []
    assert await due_rows_until(matches) == before
