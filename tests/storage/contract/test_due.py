"""Due times: written with the change that brings them, moved by what people like, and done once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import pytest

from engines.hosting.due_times import BRIEF, PUT_OFF
from engines.store.match_store import Awaited, Change, Conflict, Due, Info, Place, Seat, Status
from engines.store.partition import SHIFT, Part
from tests.storage.contract.kinds import MatchStore, Sql, SurfaceStore
from tests.storage.samples import lobby, played, started

EXPIRY = Awaited("expiry", 1000, wait=50)
BOTH = (Awaited("call", 2000, 0, 3), Awaited("call", 2000, 1, 4))  # the seats of users 5 and 6


async def begun(matches: MatchStore, *awaited: Awaited, match: str = "m1", guild: int = 1) -> Info:
    """A match that has begun and awaits that."""
    opened = lobby(match, place=Place(guild, 2, 3))
    await matches.insert(opened, 5, awaited=[EXPIRY])
    change = started(opened, awaited=awaited)
    change = replace(change, info=replace(change.info, changed=2000))
    await matches.commit(change)
    return change.info


async def kept(matches: MatchStore, by: int = 10**6) -> list[tuple[str, int, int, int]]:
    """All that is due by then."""
    return [(due.kind, due.seat, due.decision, due.at) for due in (await matches.due(by))[0]]


async def test_a_lobby_is_due_until_it_has_begun(matches: MatchStore) -> None:
    assert await matches.insert(lobby(), 5, awaited=[EXPIRY]) == 1050
    assert await matches.due(1049) == ([], 1050)
    assert await matches.due(1050) == ([Due("expiry", "m1", -1, 0, 1050)], None)
    assert await matches.commit(started(lobby(), awaited=BOTH)) == 2060
    assert await kept(matches) == [("call", 0, 3, 2060), ("call", 1, 4, 2060)]


async def test_the_next_is_told_with_what_is_due(matches: MatchStore) -> None:
    await begun(matches, Awaited("call", 2000, 0, 3), Awaited("call", 2100, 1, 4))
    assert await matches.due(2059) == ([], 2060)
    found, then = await matches.due(2060)
    assert ([due.seat for due in found], then) == ([0], 2160)


@pytest.mark.parametrize(
    ("call", "awaited", "at"),
    [
        (60, Awaited("call", 2000, 0, 3), 2060),
        (0, Awaited("call", 2000, 0, 3), 2000),
        (0, Awaited("call", 2000, 0, 3, least=60), 2060),
        (300, Awaited("call", 2000, 0, 3, least=60), 2300),
        (300, Awaited("call", 2000, 0, 3, wait=0), 2000),
        (None, Awaited("call", 2000, 0, 3), None),
        (None, Awaited("call", 2000, 0, 3, wait=0), None),
    ],
)
async def test_one_is_called_as_one_likes(
    matches: MatchStore, surfaces: SurfaceStore, call: int | None, awaited: Awaited, at: int | None
) -> None:
    await surfaces.prefer(5, lambda old: replace(old, call=call))
    await begun(matches, awaited)
    assert await kept(matches) == ([] if at is None else [("call", 0, 3, at)])


async def test_what_was_awaited_before_keeps_its_time_and_what_is_no_longer_goes(matches: MatchStore) -> None:
    info = await begun(matches, *BOTH)
    later = (Awaited("call", 2500, 0, 3), Awaited("call", 2500, 1, 5))
    assert await matches.commit(played(info, awaited=later)) == 2560
    assert await kept(matches) == [("call", 0, 3, 2060), ("call", 1, 5, 2560)]
    after = played(info).info
    assert await matches.commit(played(after, awaited=later[:1])) is None
    assert await kept(matches) == [("call", 0, 3, 2060)]
    await matches.set_aside(replace(after, revision=after.revision + 2))
    assert await kept(matches) == []


async def test_a_change_that_is_not_kept_moves_nothing(matches: MatchStore) -> None:
    info = await begun(matches, *BOTH)
    with pytest.raises(Conflict):
        await matches.commit(Change(replace(info, revision=9), "settle"))
    assert len(await kept(matches)) == 2


async def test_what_is_done_is_due_no_more_for_that_decision(matches: MatchStore) -> None:
    info = await begun(matches, *BOTH)
    await matches.done(Due("call", "m1", 0, 3, 2060))
    await matches.done(Due("call", "m1", 1, 2, 2060))  # of a decision that is past
    assert await kept(matches) == [("call", 1, 4, 2060)]
    await matches.commit(played(info, awaited=BOTH))
    assert await kept(matches) == [("call", 1, 4, 2060)]
    again = (replace(BOTH[0], decision=8),)
    await matches.commit(played(played(info).info, awaited=again))
    assert await kept(matches) == [("call", 0, 8, 2060)]


async def test_another_setting_moves_what_is_pending_of_that_person(
    matches: MatchStore, surfaces: SurfaceStore
) -> None:
    await begun(matches, *BOTH)
    await begun(matches, *BOTH, match="m2")
    await matches.done(Due("call", "m2", 0, 3, 2060))
    for call, at in ((300, 2300), (None, None), (0, 2000)):
        await surfaces.prefer(5, partial(replace, call=call))
        mine = [("call", 0, 3, at)] if at else []
        theirs = [("call", 1, 4, 2060)] * 2
        assert sorted(await kept(matches)) == sorted(mine + theirs)
    await surfaces.prefer(6, lambda old: replace(old, words=True))
    assert ("call", 1, 4, 2060) in await kept(matches)


async def test_who_is_at_it_is_called_later(matches: MatchStore, surfaces: SurfaceStore) -> None:
    await begun(matches, *BOTH)
    await surfaces.prefer(6, lambda old: replace(old, call=0))
    await asyncio.gather(matches.active("m1", 0, 2050), matches.active("m1", 1, 2050), matches.active("m9", 0, 1))
    assert await kept(matches) == [("call", 0, 3, 2110), ("call", 1, 4, 2110)]
    await matches.done(Due("call", "m1", 0, 3, 2110))
    await matches.active("m1", 0, 2200)
    assert await kept(matches) == [("call", 1, 4, 2110)]


async def test_the_way_to_a_move_is_kept_with_the_call_of_its_decision(matches: MatchStore) -> None:
    info = await begun(matches, *BOTH)

    assert await matches.ways("m1") == {}
    for way, kept_then in (("3:o:trade ♣", "3:o:trade ♣"), (None, "3:o:trade ♣"), ("", ""), ("3:g:a/b", "3:g:a/b")):
        await matches.active("m1", 0, 2050, way)
        assert await matches.ways("m1") == ({0: kept_then} if kept_then else {})
    await matches.commit(played(info, awaited=(replace(BOTH[0], decision=8), BOTH[1])))
    assert await matches.ways("m1") == {}


async def test_the_way_to_a_move_is_kept_though_the_call_was_made_or_is_not_wanted(
    matches: MatchStore, surfaces: SurfaceStore
) -> None:
    await begun(matches, *BOTH)
    await matches.done(Due("call", "m1", 0, 3, 2060))
    await surfaces.prefer(6, partial(replace, call=None))
    for seat, way in enumerate(("3:o:trade ♣", "4:g:a")):
        assert await matches.active("m1", seat, 2050, way) is None
    assert await matches.ways("m1") == {0: "3:o:trade ♣", 1: "4:g:a"}


async def test_a_pause_keeps_the_way_of_whoever_stays_and_of_nobody_else(matches: MatchStore) -> None:
    info = await begun(matches, *BOTH)
    for seat, way in enumerate(("3:o:trade ♣", "4:g:a")):
        await matches.active("m1", seat, 2050, way)
    stays, leaves = info.seats[0], info.seats[1]
    paused = await changed(matches, info, Status.PAUSED, (stays, replace(leaves, gone="left")))
    assert await matches.due(10**6) == ([], None)
    assert await matches.ways("m1") == {0: "3:o:trade ♣"}
    running = await changed(matches, paused, Status.RUNNING, (stays, replace(leaves, user=9)), BOTH)
    assert await matches.ways("m1") == {0: "3:o:trade ♣"}
    assert sorted(await kept(matches)) == [("call", 0, 3, 2060), ("call", 1, 4, 2060)], "the wait begins anew"
    paused = await changed(matches, running, Status.PAUSED, (stays, replace(leaves, gone="left")))
    paused = await changed(matches, paused, Status.PAUSED, (replace(stays, gone="left"), replace(leaves, gone="left")))
    await changed(matches, paused, Status.RUNNING, (replace(stays, user=8), replace(leaves, user=9)), BOTH)
    assert await matches.ways("m1") == {}, "somebody has the way of whoever sat there before"


async def test_whoever_takes_a_seat_amid_the_same_decision_has_no_way(matches: MatchStore) -> None:
    info = await begun(matches, *BOTH)
    await matches.active("m1", 0, 2050, "3:o:trade ♣")
    kept_by_computer = (replace(info.seats[0], gone="left", level="easy"), info.seats[1])
    left = await changed(matches, info, Status.RUNNING, kept_by_computer, BOTH[1:])
    await changed(matches, left, Status.RUNNING, (replace(info.seats[0], user=9), info.seats[1]), BOTH)
    assert await matches.ways("m1") == {}


async def changed(
    matches: MatchStore, info: Info, status: Status, seats: tuple[Seat, ...], awaited: Sequence[Awaited] = ()
) -> Info:
    """Keep that a match has become so."""
    new = replace(info, status=status, seats=seats, revision=info.revision + 1)
    await matches.commit(Change(new, "leave", 5, awaited=tuple(awaited), seated=True))
    return new


async def test_no_click_puts_a_call_off_for_ever(matches: MatchStore, surfaces: SurfaceStore) -> None:
    clock = Awaited("clock", 2000, 1, 4, 300)
    changed = (await begun(matches, *BOTH, clock)).changed
    for second in range(changed, changed + 2 * PUT_OFF, 50):
        await matches.active("m1", 0, second)
        await matches.active("m1", 1, second)
    calls = [("call", 1, 4, clock.since + 300 - 60), ("call", 0, 3, changed + PUT_OFF)]
    assert sorted(await kept(matches)) == sorted([*calls, ("clock", 1, 4, clock.since + 300)])
    await matches.active("m1", 0, changed + 3 * PUT_OFF)  # it was to come before, and comes no sooner than it was to
    assert calls[1] in await kept(matches)


# Deadlines


TIMED = (
    Awaited("clock", 2000, 0, 3, 3600),
    Awaited("reminder", 2000, 0, 3, 2700),
    Awaited("call", 2000, 0, 3, None),
    Awaited("clock", 2600, 1, 4, 3600),
)


async def test_deadlines_come_later_by_as_much_of_an_absence_as_they_had_run_for(matches: MatchStore) -> None:
    await begun(matches, *TIMED)
    assert await matches.absent(2500, 3000) == {"m1": True}
    assert sorted(await kept(matches)) == [
        ("call", 0, 3, 2060),
        ("clock", 0, 3, 2000 + 3600 + 500),
        ("clock", 1, 4, 2600 + 3600 + 400),
        ("reminder", 0, 3, 2000 + 2700 + 500),
    ]
    loaded = await matches.load("m1")
    assert loaded is not None
    assert [due.at for due in loaded.clocks] == [6100, 6600]
    assert list(loaded.clocks) == await matches.clocks("m1")


async def test_the_absence_before_a_start_is_since_the_bot_was_last_there_and_counts_once(matches: MatchStore) -> None:
    await begun(matches, *TIMED)
    assert await matches.absent(None, 2100) == {}  # of when it was there before, nothing is known
    await matches.alive(2200)
    assert await matches.absent(None, 2300) == {"m1": False}, "so little that nobody needs to see it"
    assert await matches.absent(None, 2300) == {}
    assert ("clock", 0, 3, 2000 + 3600 + 100) in await kept(matches)
    assert ("clock", 1, 4, 2600 + 3600) in await kept(matches), "it had not begun to run"


async def test_a_damaged_note_of_when_the_bot_was_there_puts_nothing_off(matches: MatchStore, sql: Sql) -> None:
    await begun(matches, *TIMED)
    await matches.alive(2200)
    await sql.write("UPDATE notes SET value = '22\x7f0' WHERE key = 'alive'")
    assert await matches.absent(None, 2300) == {}
    assert await matches.absent(None, 2400) == {"m1": False}, "it is noted anew"


async def test_a_brief_absence_puts_off_short_decisions_alone(matches: MatchStore) -> None:
    """A gateway connects anew now and then, in seconds: that is no reason to tell every deadline anew."""
    await begun(matches, *TIMED)
    await begun(matches, Awaited("clock", 2000, 0, 3, 300), match="m2")
    assert await matches.absent(2100, 2100 + BRIEF - 1) == {"m2": True}
    assert ("clock", 0, 3, 2300 + BRIEF - 1) in await kept(matches)
    assert ("clock", 0, 3, 2000 + 3600) in await kept(matches)
    assert await matches.absent(2200, 2200 + BRIEF) == {"m1": False, "m2": True}


async def test_the_absence_from_a_part_of_the_servers_puts_off_nothing_elsewhere(matches: MatchStore) -> None:
    for number in range(4):
        await begun(matches, *TIMED, match=f"m{number}", guild=number << SHIFT | 9)
    await matches.alive(2200)
    assert await matches.absent(2500, 3000, Part.all(4).only(2)) == {"m2": True}
    assert {due.match: due.at for due in (await matches.due(10**6))[0] if (due.kind, due.seat) == ("clock", 0)} == {
        "m0": 5600,
        "m1": 5600,
        "m2": 6100,
        "m3": 5600,
    }
    assert await matches.absent(3000, 3500, Part.read("0-1/2")) == dict.fromkeys(("m0", "m1", "m2", "m3"), True)
    await matches.absent(None, 4000)
    assert ("clock", 0, 3, 6100 + 1500) in await kept(matches), "that the bot was there for all was not noted since"


async def test_a_reminder_that_was_made_is_made_no_more(matches: MatchStore) -> None:
    await begun(matches, *TIMED)
    await matches.done(Due("reminder", "m1", 0, 3, 4700))
    await matches.absent(2500, 3000)
    assert [row for row in await kept(matches) if row[0] == "reminder"] == []


async def test_where_nobody_is_called_any_more_a_computer_is_to_be_asked(matches: MatchStore) -> None:
    seats = (Seat(5, "Eve"), Seat(0, "Computer", level="easy"))
    await matches.insert(lobby(seats=seats), 5)
    change = started(lobby(seats=seats), awaited=(Awaited("call", 2000, 0, 3), Awaited("clock", 2000, 0, 3, 60)))
    await matches.commit(change)
    assert await matches.computing() == []
    change = played(change.info, awaited=(Awaited("reminder", 2000, 0, 9, 60),))
    await matches.commit(change)
    assert await matches.computing() == ["m1"]
    halves = Part.all(2)
    assert [await matches.computing(halves.only(number)) for number in range(2)] == [["m1"], []]
    assert [await matches.live_after("", 9, halves.only(number)) for number in range(2)] == [["m1"], []]
    assert await matches.clocks("m1") == []
    assert await kept(matches) == [("reminder", 0, 9, 2060)]
    change = played(change.info, awaited=(Awaited("call", 3000, 0, 3),))
    assert await matches.commit(change) == 3060, "the same decision after another is a new one"
    assert await matches.computing() == []


async def test_each_part_of_the_servers_has_its_own_due_times(matches: MatchStore) -> None:
    for number in range(3):
        await begun(matches, *BOTH[: number + 1], match=f"m{number}", guild=number << SHIFT | 9)
    three = Part.all(3)
    assert [due.match for due in (await matches.due(3000, three.only(1)))[0]] == ["m1", "m1"]
    assert (await matches.due(2000, three.only(0)))[1] == 2060
    assert await matches.due(3000, Part(frozenset(), 3)) == ([], None)
    assert await matches.due(3000, three) == await matches.due(3000)


async def test_it_is_noted_for_each_part_of_the_servers_that_the_bot_was_there(matches: MatchStore, sql: Sql) -> None:
    for number in range(2):
        await begun(matches, *TIMED, match=f"m{number}", guild=number << SHIFT | 9)
    halves = Part.all(2)
    await matches.alive(2200, halves)
    await matches.alive(2500, halves.only(1))
    assert await matches.absent(None, 2600, halves) == {"m0": True, "m1": False}
    assert await matches.absent(None, 2600, halves) == {}
    await matches.alive(2900, halves.only(0))
    assert await matches.absent(None, 3000, Part.all(4).only(1)) == {"m1": False}, "divided otherwise: since the newest"
    assert await matches.absent(None, 3200, Part.all(4).only(0)) == {"m0": True}
    assert len(await sql.rows("SELECT key FROM notes WHERE key LIKE 'alive%'")) == 4
