"""Time rests while somebody asks to take a move back: nothing moves by itself, and nobody pays for it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from random import Random

import pytest

from engines.features.takebacks.rules import TakeBackLimits
from engines.features.takebacks.taking_back import TakingBack
from engines.hosting import match_changes
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.hosting.matches import Matches
from engines.hosting.timing.running_time import rest_seconds, time_runs
from engines.store.match_store import FORCED, DueTime, Status
from engines.store.table_options import Clock as TableClock
from engines.store.table_options import TableOptions
from engines.store.undoing import TableRequest
from tests.contract.helpers import HELPERS
from tests.engines.memory_matches import (
    ADA,
    BELA,
    CHIDI,
    DORA,
    Clock,
    make_matches,
    open_lobby,
    play_first_legal,
    start_match,
)
from tests.engines.memory_store import MemoryStore
from tests.games import GAMES
from tests.server_time import SetServerTime
from tests.storage.samples import lobby_info

BANK: TableClock = "2 minutes plus 15 seconds a move"
CLOCKS: tuple[TableClock, ...] = ("60 seconds", BANK, "1 hour", "24 hours")
THOUGHT, ASKED = 7, 50  # seconds: from the move to the request, and from there to its end
MAX_MOVES = 150
Ending = Callable[[Matches, Clock, str, TableRequest], Awaitable[object]]


async def play_by_lot(matches: Matches, match: str, chance: Random) -> int:
    """Make a move by lot, and return whose it was."""
    snapshot = await matches.cache.get_snapshot(match)
    seat = chance.choice(snapshot.due_seats())
    user = snapshot.info.seats[seat].user
    await matches.moves.play_move(match, user, None, snapshot.game.format_move(chance.choice(snapshot.moves(seat))))
    return user


async def ask_about_a_move(matches: Matches, clock: Clock, match: str) -> TableRequest:
    """Play until a move can be taken back with the consent of others, and ask for it."""
    chance, asking = Random(5), TakingBack(matches.editor, TakeBackLimits(999, 999))
    for _ in range(MAX_MOVES):
        user = await play_by_lot(matches, match, chance)
        clock.now += THOUGHT
        try:
            info, outcome = await asking.take_back(match, user)
        except RequestRefused:
            continue
        if outcome == "asked":
            assert info.undoing.open_request is not None
            return info.undoing.open_request
        await play_by_lot(matches, match, chance)
    raise AssertionError("nobody has to be asked in this game")


async def refuse_request(matches: Matches, clock: Clock, match: str, request: TableRequest) -> None:
    info = (await matches.cache.get_snapshot(match)).info
    clock.now += ASKED
    await TakingBack(matches.editor).answer_take_back(
        match, info.seats[request.seats[0]].user, request.move, agrees=False
    )


async def let_it_lapse(matches: Matches, clock: Clock, match: str, request: TableRequest) -> None:
    clock.now = request.until
    await matches.requests.lapse_request(match, request.move)


async def leave_an_asked_seat(matches: Matches, clock: Clock, match: str, request: TableRequest) -> None:
    clock.now += ASKED
    snapshot = await matches.cache.get_snapshot(match)
    due = snapshot.due_seats()
    quiet = next(seat for seat in (*request.seats, request.seat) if seat not in due or len(due) > 1)
    await matches.seating.give_seat_to_computer(match, quiet, "easy", ADA)


ENDINGS: dict[str, Ending] = {"no": refuse_request, "lapse": let_it_lapse, "seat": leave_an_asked_seat}


def remaining_seconds(snapshot: MatchSnapshot, now: int) -> dict[tuple[int, int], int]:
    """The seconds left for each seat and decision."""
    return {(seat, due.decision): due.at - now for seat, due in snapshot.deadlines.items()}


async def check_rest(key: str, clock_name: TableClock, end: Ending) -> None:
    """The law: a request costs nobody time, whatever ends it, also for a process that loads the match afterwards."""
    store, clock = MemoryStore(), Clock()
    matches, game = make_matches(store, clock), GAMES[key]
    users = (ADA, BELA, CHIDI, DORA)[: max(2, game.seats_with(game.options())[0])]
    match = await start_match(matches, *users, table_options=TableOptions(clock_name, autoplay=False), game=game)
    request = await ask_about_a_move(matches, clock, match)
    asking = await matches.cache.get_snapshot(match)
    assert asking.deadline() is None, "no countdown is shown"
    before = remaining_seconds(asking, clock.now)
    await end(matches, clock, match, request)
    for each in (matches, make_matches(store, clock)):
        after = await each.cache.get_snapshot(match)
        assert after.info.undoing.open_request is None
        now = remaining_seconds(after, clock.now)
        assert now, "nobody's clock runs"
        assert {key: before[key] for key in now} == now
        assert not {seat for seat, _ in before.keys() - now.keys()} & {*after.due_seats()} or end is leave_an_asked_seat
        assert [bank for seat, bank in enumerate(after.info.banks) if seat in after.deadlines] == [
            bank for seat, bank in enumerate(asking.info.banks) if seat in after.deadlines
        ]


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("clock_name", CLOCKS)
@pytest.mark.parametrize("key", HELPERS)
async def test_a_request_costs_nobody_time(key: str, clock_name: TableClock, ending: str) -> None:
    await check_rest(key, clock_name, ENDINGS[ending])


async def test_the_law_finds_a_match_whose_time_does_not_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_changes, "rest_seconds", lambda before, after, rest_began: 0)
    with pytest.raises(AssertionError):
        await check_rest("wizard", "60 seconds", refuse_request)


async def test_nothing_ends_a_decision_while_a_request_is_open(matches: Matches, clock: Clock) -> None:
    match = await open_lobby(matches, ADA, BELA, table_options=TableOptions("60 seconds"))
    await matches.lobbies.add_computers(match, ADA, "easy")
    await matches.lobbies.start_match(match, ADA)
    while True:
        snapshot = await matches.cache.get_snapshot(match)
        seat = snapshot.due_seats()[0]
        notation, number = snapshot.game.format_move(snapshot.moves(seat)[0]), snapshot.decisions()[seat].number
        if snapshot.info.seats[seat].level:
            await matches.moves.play_computer_move(match, seat, number, notation)
            continue
        await matches.moves.play_move(match, snapshot.info.seats[seat].user, number, notation)
        asking = TakingBack(matches.editor, TakeBackLimits(999, 999))
        info, _ = await asking.take_back(match, snapshot.info.seats[seat].user)
        request = info.undoing.open_request
        assert request is not None
        snapshot = await matches.cache.get_snapshot(match)
        (due,) = snapshot.due_seats()
        number, notation = snapshot.decisions()[due].number, snapshot.game.format_move(snapshot.moves(due)[0])
        clock.now += ASKED
        if snapshot.info.seats[due].level:
            with pytest.raises(RequestRefused, match="the computer makes no moves"):
                await matches.moves.play_computer_move(match, due, number, notation)
            break
        late = DueTime("clock", match, due, number, snapshot.deadlines[due].at)
        clock.now = late.at + 1
        with pytest.raises(RequestRefused, match="the computer makes no moves"):
            await matches.moves.play_for_expired_seat(late, "normal", notation)
        with pytest.raises(RequestRefused, match="the computer makes no moves"):
            await matches.moves.play_move(match, snapshot.info.seats[due].user, number, notation, is_automatic=True)
        await TakingBack(matches.editor).answer_take_back(
            match, snapshot.info.seats[due].user, request.move, agrees=False
        )


async def test_a_forced_move_rests_as_well(matches: Matches, clock: Clock) -> None:
    match = await start_match(matches, table_options=TableOptions("60 seconds"), rounds=1)
    while not (snapshot := await matches.cache.get_snapshot(match)).forced_seats():
        await play_first_legal(matches, match)
        user = snapshot.info.seats[snapshot.due_seats()[0]].user
    await TakingBack(matches.editor).take_back(match, user)
    snapshot = await matches.cache.get_snapshot(match)
    (seat,) = snapshot.forced_seats()
    with pytest.raises(RequestRefused, match="the computer makes no moves"):
        await matches.moves.play_forced_move(match, seat, snapshot.decisions()[seat].number)
    assert FORCED not in {row.level for row in matches.editor.store.saved[match].moves}  # type: ignore[attr-defined]


async def test_a_due_time_that_came_during_a_request_comes_again(matches: Matches, clock: Clock) -> None:
    match = await start_match(matches, table_options=TableOptions("60 seconds", autoplay=False))
    request = await ask_about_a_move(matches, clock, match)
    info = (await matches.cache.get_snapshot(match)).info
    clock.now += ASKED + 20
    rules_due = {due for due in (await matches.due_times.load_due())[0] if due.kind in ("call", "clock")}
    assert rules_due, "they are due, but their receiver leaves them alone"
    hinted: list[int] = []
    matches.editor.on_due.append(hinted.append)
    await TakingBack(matches.editor).answer_take_back(
        match, info.seats[request.seats[0]].user, request.move, agrees=False
    )
    assert 0 in hinted, "the scheduler looks again"
    clock.now += 90
    assert not rules_due & {*(await matches.due_times.load_due())[0]}, (
        "they have another time, and so are handed out again"
    )
    assert {due.kind for due in (await matches.due_times.load_due())[0]} >= {"call", "clock"}


async def test_an_outage_during_a_request_counts_once(matches: Matches, clock: Clock) -> None:
    match = await start_match(matches, table_options=TableOptions(BANK, autoplay=False))
    request = await ask_about_a_move(matches, clock, match)
    snapshot = await matches.cache.get_snapshot(match)
    before, start = remaining_seconds(snapshot, clock.now), clock.now
    clock.now += 40
    await matches.due_times.postpone_deadlines(start + 10)
    assert not [due for due in (await matches.due_times.load_due())[0] if due.kind == "take back"]
    clock.now = request.until
    assert not [due for due in (await matches.due_times.load_due())[0] if due.kind == "take back"], (
        "nobody could answer"
    )
    clock.now += 30
    (lapse,) = [due for due in (await matches.due_times.load_due())[0] if due.kind == "take back"]
    assert await matches.due_times.is_due(lapse)
    assert not await matches.due_times.is_due(replace(lapse, at=request.until))
    await matches.requests.lapse_request(match, request.move)
    assert remaining_seconds(await matches.cache.get_snapshot(match), clock.now) == before


def test_time_runs_only_in_a_running_match_without_a_request() -> None:
    info = replace(lobby_info(), status=Status.RUNNING)
    asking = replace(info, undoing=replace(info.undoing, request=TableRequest(0, 1, 200, (1,), since=100)))
    refused = replace(asking, undoing=replace(info.undoing, request=TableRequest(0, 1, 200, ended="refused")))
    assert time_runs(info)
    assert time_runs(refused)
    assert not time_runs(asking)
    assert not time_runs(info, is_reachable=False)
    assert not time_runs(replace(info, status=Status.PAUSED))
    assert rest_seconds(asking, replace(refused, changed=130)) == 30
    assert rest_seconds(asking, replace(refused, changed=100)) == 1, "so that what came due comes due again"
    assert rest_seconds(asking, replace(asking, changed=130)) == 0
    assert rest_seconds(info, asking) == 0
    assert rest_seconds(asking, replace(refused, changed=130), 120) == 20
    assert rest_seconds(asking, replace(refused, changed=130), 90) == 1, "the other rest gives all of it back"
    assert rest_seconds(asking, replace(refused, changed=130), 0) == 30
    assert rest_seconds(refused, replace(info, changed=130)) == 0


async def test_a_request_that_a_wrong_clock_dated_lapses_and_costs_nobody_time(matches: Matches, clock: Clock) -> None:
    """The store has put the times of the match and of what is due right, but the request has its own."""
    match = await start_match(matches, table_options=TableOptions("24 hours", autoplay=False))
    right, wrong = clock.now, 400 * 86_400
    clock.now += wrong
    request = await ask_about_a_move(matches, clock, match)
    clock.now = right + 1000
    before = remaining_seconds(await matches.cache.get_snapshot(match), clock.now)
    assert all(left > wrong for left in before.values())
    await matches.due_times.put_times_right()
    before = remaining_seconds(await matches.cache.get_snapshot(match), clock.now)
    assert all(left <= 86_400 for left in before.values())
    clock.now += 86_400
    (lapse,) = [due for due in (await matches.due_times.load_due())[0] if due.kind == "take back"]
    assert await matches.due_times.is_due(lapse)
    await matches.requests.lapse_request(match, request.move)
    assert remaining_seconds(await matches.cache.get_snapshot(match), clock.now) == before


async def test_rows_written_while_the_clock_is_known_to_be_wrong_have_the_right_time(
    matches: Matches, clock: Clock
) -> None:
    for wrong in (-400 * 86_400, 400 * 86_400):
        right = clock.now
        clock.now += wrong
        matches.editor.follow_time(SetServerTime(ahead=wrong))
        match = await start_match(matches, table_options=TableOptions("24 hours", autoplay=False))
        info = (await matches.cache.get_snapshot(match)).info
        assert (info.created, info.changed) == (right, right)
        assert {*remaining_seconds(await matches.cache.get_snapshot(match), right).values()} == {86_400}
        matches.editor.follow_time(SetServerTime())
        clock.now = right


async def test_an_outage_before_a_request_counts_as_well(matches: Matches, clock: Clock) -> None:
    match = await start_match(matches, table_options=TableOptions("24 hours", autoplay=False))
    request = await ask_about_a_move(matches, clock, match)
    before = remaining_seconds(await matches.cache.get_snapshot(match), clock.now)
    clock.now += 100
    await matches.due_times.postpone_deadlines(request.since - 5)
    postponed = remaining_seconds(await matches.cache.get_snapshot(match), request.since)
    assert {key: postponed[key] - before[key] for key in before} == dict.fromkeys(before, 5)


@pytest.mark.parametrize("before", [-5, 0, 20])
@pytest.mark.parametrize("agrees", [False, True])
@pytest.mark.parametrize("clock_name", [BANK, "24 hours"])
async def test_a_request_that_ends_in_an_absence_counts_once(
    matches: Matches, clock: Clock, clock_name: TableClock, agrees: bool, before: int
) -> None:
    """The absence begins some seconds before the request, with it or after it, and goes on after its end."""
    match = await start_match(matches, ADA, BELA, CHIDI, table_options=TableOptions(clock_name, autoplay=False))
    clock.now += 60
    request = await ask_about_a_move(matches, clock, match)
    asking = await matches.cache.get_snapshot(match)
    start = clock.now + before
    left = remaining_seconds(asking, min(clock.now, start))
    clock.now += ASKED
    matches.editor.follow_time(SetServerTime(start))
    for seat in request.seats if agrees else request.seats[:1]:
        await TakingBack(matches.editor).answer_take_back(
            match, asking.info.seats[seat].user, request.move, agrees=agrees
        )
    clock.now += 10
    matches.editor.follow_time(SetServerTime())
    await matches.due_times.postpone_deadlines(start)
    after = await matches.cache.get_snapshot(match)
    assert after.info.undoing.open_request is None
    now = remaining_seconds(after, clock.now)
    assert now
    unchanged = {key: each for key, each in now.items() if key in left}
    assert unchanged or agrees
    assert all(each - left[key] in (0, 1) for key, each in unchanged.items()), (left, now)
    born = [each for key, each in now.items() if key not in left]
    full = max(asking.info.banks) if asking.info.banks else 86_400
    assert all(each <= full for each in born), "nobody has more than all their time"
