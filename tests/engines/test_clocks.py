"""The clock: decisions whose time runs out are made by the computer, which keeps the seat of whoever is away."""

from __future__ import annotations

import pytest

from engines.hosting.match import MISSES, Refused
from engines.hosting.matches import Matches
from engines.store.match_store import Awaited, Change, Due, Status, StoreFailure
from engines.store.table_options import SECONDS, House
from engines.store.table_options import Clock as Named
from tests.engines.at_tables import ADA, BELA, CHIDI, DORA, Clock, due, lobby, move, over, started
from tests.engines.memory_store import MemoryStore

DAY = 24 * 60 * 60


async def timed(matches: Matches, clock: Named | None = "24 hours", rounds: int | None = 4) -> str:
    """A running match whose decisions have so much time."""
    return await started(matches, rounds=rounds, house=House(clock))


async def only_clock(matches: Matches, match: str) -> Due:
    """When the time of the one who is due runs out."""
    look = await matches.look(match)
    (seat,) = look.due()
    return look.clocks[seat]


async def run_out(matches: Matches, match: str, clock: Clock) -> int:
    """Let the time of whoever is due run out, and have the computer move; the seat."""
    out = await only_clock(matches, match)
    clock.now = out.at
    await matches.run_out(out, "normal", due(await matches.look(match))[2])
    return out.seat


async def until_due(matches: Matches, match: str, seat: int) -> None:
    """Have the others move until that seat is due."""
    while (await matches.look(match)).due() != (seat,):
        await move(matches, match)


@pytest.mark.parametrize("name", [None, *SECONDS])
async def test_a_decision_has_the_time_that_the_lobby_chose(
    matches: Matches, store: MemoryStore, clock: Clock, name: Named | None
) -> None:
    match = await timed(matches, name)
    (seat,) = (await matches.look(match)).due()
    number = (await matches.look(match)).decisions()[seat].number
    found = [each for (of, _, _), (each, _) in store.awaited.items() if of == match and each.kind != "call"]
    if name is None:
        assert (found, (await matches.look(match)).runs_out()) == ([], None)
        return
    seconds = SECONDS[name]
    reminder = Awaited("reminder", clock.now, seat, number, seconds * 3 // 4)
    assert set(found) == {Awaited("clock", clock.now, seat, number, seconds), *([reminder] if seconds >= 3600 else [])}
    assert (await matches.look(match)).runs_out(seat) == clock.now + seconds
    assert (await matches.look(match)).runs_out((seat + 1) % 3) is None


async def test_a_deadline_stays_whatever_else_happens_and_the_next_decision_has_its_own(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await timed(matches)
    first = await only_clock(matches, match)
    clock.now += 500
    await matches.vote_end(match, ADA)
    await matches.settle(match, 77)
    assert await only_clock(matches, match) == first
    assert (await over(store, clock).look(match)).clocks == {first.seat: first}, "a restart changes a deadline"
    await move(matches, match)
    assert (await only_clock(matches, match)).at == clock.now + DAY


async def test_a_paused_match_has_no_deadlines_and_new_ones_when_it_goes_on(matches: Matches, clock: Clock) -> None:
    match = await timed(matches)
    await matches.leave(match, CHIDI)
    look = await matches.look(match)
    assert (look.clocks, look.runs_out()) == ({}, None)
    clock.now += 3 * DAY
    await matches.take_seat(match, DORA, "Dora")
    assert (await only_clock(matches, match)).at == clock.now + DAY


async def test_the_computer_makes_the_one_decision_whose_time_ran_out(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await timed(matches)
    out, (user, _, notation) = await only_clock(matches, match), due(await matches.look(match))
    for when in (clock.now, out.at - 1):
        clock.now = when
        with pytest.raises(Refused, match="There is time left"):
            await matches.run_out(out, "normal", notation)
    clock.now = out.at
    info = await matches.run_out(out, "normal", notation)
    assert (info.moves, info.seats[out.seat].missed, info.seats[out.seat].level) == (1, 1, "")
    made = store.saved[match].moves[-1]
    assert (made.seat, made.user, made.level) == (out.seat, user, "normal"), "it is not told who moved for whom"
    with pytest.raises(Refused):
        await matches.run_out(out, "normal", notation)
    for each in (matches, over(store, clock)):
        look = await each.look(match)
        assert look.late == {1}
        assert look.last_move(out.seat) == 0, "it was no move of their own"


async def test_a_look_knows_of_clocks_that_were_put_off(matches: Matches, clock: Clock) -> None:
    match = await timed(matches)
    look = await matches.look(match)
    await matches.alive()
    clock.now += 100
    await matches.absent()
    later = await matches.look(match)
    assert (later.info, later.runs_out()) == (look.info, (look.runs_out() or 0) + 100)


async def test_who_moves_in_the_last_second_has_moved(matches: Matches, clock: Clock) -> None:
    match = await timed(matches)
    out, (user, decision, notation) = await only_clock(matches, match), due(await matches.look(match))
    clock.now = out.at
    await matches.play(match, user, decision, notation)
    with pytest.raises(Refused):
        await matches.run_out(out, "normal", notation)
    assert (await matches.look(match)).info.moves == 1


async def test_a_late_move_that_is_not_saved_is_not_made(matches: Matches, store: MemoryStore, clock: Clock) -> None:
    match = await timed(matches)
    out, before = await only_clock(matches, match), await matches.look(match)
    clock.now = out.at
    store.fail = StoreFailure("No room.")
    with pytest.raises(StoreFailure):
        await matches.run_out(out, "normal", due(before)[2])
    assert (await matches.look(match)).info == before.info
    assert (await matches.due())[0][-1] == out, "the deadline is gone, the move was not made"


async def test_after_three_in_a_row_the_computer_keeps_the_seat_and_nobody_is_called_there(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    match = await timed(matches, rounds=9)
    seat = (await matches.look(match)).due()[0]
    for missed in range(1, MISSES + 1):
        await until_due(matches, match, seat)
        await run_out(matches, match, clock)
        held = (await matches.look(match)).info.seats[seat]
        assert (held.missed, held.away) == (missed, missed == MISSES)
    await until_due(matches, match, seat)
    assert (match, seat) not in {(of, at) for of, _, at in store.awaited}
    assert not (await matches.look(match)).clocks
    assert (await over(store, clock).look(match)).info.seats[seat].away
    with pytest.raises(Refused, match="no empty seat"):
        await matches.take_seat(match, DORA, "Dora")


async def test_a_move_of_ones_own_in_between_begins_the_count_anew(matches: Matches, clock: Clock) -> None:
    match = await timed(matches, rounds=9)
    seat = (await matches.look(match)).due()[0]
    for own in (False, False, True, False, False):
        await until_due(matches, match, seat)
        await (move(matches, match) if own else run_out(matches, match, clock))
    assert (await matches.look(match)).info.seats[seat].missed == 2
    assert not (await matches.look(match)).info.seats[seat].away


async def test_a_move_says_whether_the_seats_are_as_they_were(
    matches: Matches, store: MemoryStore, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await timed(matches, rounds=9)
    seat, keep = (await matches.look(match)).due()[0], store.commit
    said: list[bool] = []

    async def commit(change: Change) -> int | None:
        said.append(change.seated)
        return await keep(change)

    monkeypatch.setattr(store, "commit", commit)
    for own, others in ((True, False), (False, True), (True, True), (True, False)):
        await until_due(matches, match, seat)
        await (move(matches, match) if own else run_out(matches, match, clock))
        assert said[-1] is others


@pytest.mark.parametrize("how", ["back", "move", "given back"])
async def test_the_owner_takes_the_seat_back(matches: Matches, clock: Clock, how: str) -> None:
    match = await timed(matches, rounds=9)
    seat = (await matches.look(match)).due()[0]
    user = (await matches.look(match)).info.seats[seat].user
    await matches.give_seat(match, seat, "normal", by=99)
    assert (await matches.look(match)).info.seats[seat].away
    clock.now += 7
    if how == "back":
        await matches.back(match, user)
        with pytest.raises(Refused, match="your seat is yours"):
            await matches.back(match, user)
    elif how == "given back":
        await matches.give_back(match, seat, by=99)
        with pytest.raises(Refused, match="for nobody"):
            await matches.give_back(match, seat, by=99)
    else:
        await matches.play(match, user, None, due(await matches.look(match))[2])
    held = (await matches.look(match)).info.seats[seat]
    assert (held.present, held.missed) == (True, 0)
    if how != "move":
        assert (await only_clock(matches, match)).at == clock.now + DAY, "whoever is back has all their time"


async def test_nobody_else_takes_it_back(matches: Matches) -> None:
    match = await timed(matches)
    seat = (await matches.look(match)).due()[0]
    await matches.give_seat(match, seat, "normal", by=99)
    for user in (ADA, BELA, CHIDI, DORA):
        if user != (await matches.look(match)).info.seats[seat].user:
            with pytest.raises(Refused):
                await matches.back(match, user)
    assert (await matches.look(match)).info.seats[seat].away


async def test_an_admin_has_the_computer_play_at_an_empty_seat_and_the_match_goes_on(matches: Matches) -> None:
    match = await timed(matches)
    with pytest.raises(Refused, match="no such seat"):
        await matches.give_seat(match, 7, "normal", by=99)
    await matches.remove(match, CHIDI, by=99)
    assert (await matches.look(match)).info.status is Status.PAUSED
    info = await matches.give_seat(match, 2, "normal", by=99)
    assert (info.status, info.seats[2].gone, info.seats[2].level) == (Status.RUNNING, "removed", "normal")
    with pytest.raises(Refused, match="plays there already"):
        await matches.give_seat(match, 2, "normal", by=99)
    with pytest.raises(Refused, match="for nobody"):
        await matches.give_back(match, 2, by=99)
    with pytest.raises(Refused, match="not started"):
        await matches.give_seat(await lobby(matches, ADA), 0, "normal", by=99)


async def test_those_who_are_away_keep_the_others_from_nothing(matches: Matches) -> None:
    match = await timed(matches)
    for seat in (1, 2):
        await matches.give_seat(match, seat, "normal", by=99)
    info = await matches.vote_end(match, ADA)
    assert (info.status, info.reason) == (Status.ENDED, "The only one who played wanted that.")
