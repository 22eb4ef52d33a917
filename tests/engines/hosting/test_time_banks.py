"""Time banks: a plain count of seconds beside real matches, whatever happens at their tables."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.hosting.match import MAX_MISSED, MatchSnapshot
from engines.hosting.matches import Matches
from engines.hosting.timing.due_times import LONG_DECISION_SECONDS, due_rules_after
from engines.hosting.timing.time_banks import banks_after, settle_banks
from engines.kit.contract import AnyGame
from engines.store.match_store import Change, DueTime, Status, StoreFailure
from engines.store.table_options import CLOCK_SECONDS, MOVE_SECONDS, TableOptions
from engines.store.table_options import Clock as TableClock
from tests.engines import memory_matches
from tests.engines.memory_matches import ADA, BELA, CHIDI, DORA, Clock, first_due_move, make_matches, play_first_legal
from tests.engines.memory_store import MemoryStore
from tests.games import GAMES
from tests.storage.samples import lobby_info, move_change

BANK: TableClock = "2 minutes plus 15 seconds a move"
START, EXTRA = CLOCK_SECONDS[BANK], MOVE_SECONDS[BANK]
EVENTS = ("move", "move", "expire", "pause", "leave", "away", "back", "vote", "restart", "outage", "unsaved")


async def start_match(
    matches: Matches, game: AnyGame = memory_matches.WIZARD, rounds: int | None = None, *, autoplay: bool = False
) -> str:
    table_options = TableOptions(BANK, autoplay=autoplay)
    return await memory_matches.start_match(matches, rounds=rounds, table_options=table_options, game=game)


async def only_seat(matches: Matches, match: str) -> int:
    (seat,) = (await matches.cache.get_snapshot(match)).due_seats()
    return seat


async def move_until_due(matches: Matches, match: str, seat: int) -> None:
    while (await matches.cache.get_snapshot(match)).due_seats() != (seat,):
        await play_first_legal(matches, match)


async def expire(matches: Matches, match: str, clock: Clock, late: int = 0) -> None:
    """Let the time of the first seat run out, and have the computer move so many seconds later."""
    snapshot = await matches.cache.get_snapshot(match)
    seat = min(snapshot.deadlines, key=lambda seat: snapshot.deadlines[seat].at)
    clock.now = max(clock.now, snapshot.deadlines[seat].at) + late
    move = snapshot.game.format_move(snapshot.moves(seat)[0])
    await matches.moves.play_for_expired_seat(snapshot.deadlines[seat], "normal", move)


async def seconds_left(matches: Matches, match: str, clock: Clock, seat: int) -> int:
    at = (await matches.cache.get_snapshot(match)).deadline(seat)
    assert at is not None
    return at - clock.now


def test_the_bank_runs_with_a_decision_and_grows_with_a_move() -> None:
    info = replace(lobby_info(), table_options=TableOptions(BANK), status=Status.RUNNING, changed=1000)
    move = move_change(info)  # of seat 1
    later = replace(move, info=replace(move.info, changed=1000))
    assert banks_after((), {}, Change(info, "start"), {0: 1}) == (START, START)
    due = {1: DueTime("clock", "m1", 1, 3, 1040)}
    assert banks_after((90, 70), due, later, {0: 1}) == (90, 40 + EXTRA)
    assert banks_after((90, 70), due, later, {1: 4}) == (90, 40 + EXTRA)
    assert banks_after((90, 70), due, Change(info, "vote end"), {1: 3}) == (90, 70), "an open decision keeps its clock"
    assert banks_after((90, 70), due, Change(info, "leave"), {}) == (90, 40)
    late = {1: DueTime("clock", "m1", 1, 3, 990)}
    assert banks_after((90, 70), late, later, {}) == (90, EXTRA), "what comes late takes nothing from the next move"
    assert banks_after((3, 7), {}, Change(info, "take seat"), {0: 1}) == (EXTRA, 7)
    by_computer = replace(later, move=replace(later.move, user=0) if later.move else None)
    assert banks_after((90, 70), {}, by_computer, {}) == (90, 70)


async def test_a_player_has_what_is_left_and_fifteen_seconds_more(matches: Matches, clock: Clock) -> None:
    match = await start_match(matches, rounds=9)
    seat, left = await only_seat(matches, match), START
    for used in (20, 0, 50, 1):
        await move_until_due(matches, match, seat)
        assert await seconds_left(matches, match, clock, seat) == left
        clock.now += used
        await play_first_legal(matches, match)
        left += EXTRA - used
        assert (await matches.cache.get_snapshot(match)).info.banks[seat] == left


async def test_with_an_empty_bank_the_computer_moves_and_the_next_decision_has_fifteen_seconds(
    matches: Matches, clock: Clock
) -> None:
    match = await start_match(matches, rounds=9)
    seat = await only_seat(matches, match)
    for missed in range(1, MAX_MISSED + 1):
        await expire(matches, match, clock, late=4)
        assert (await matches.cache.get_snapshot(match)).info.banks[seat] == EXTRA, (
            "the computer was late, not the player"
        )
        assert (await matches.cache.get_snapshot(match)).info.seats[seat].is_away == (missed == MAX_MISSED)
        if missed < MAX_MISSED:
            await move_until_due(matches, match, seat)
            assert await seconds_left(matches, match, clock, seat) == EXTRA
    while (snapshot := await matches.cache.get_snapshot(match)).due_seats() != (seat,):
        await play_first_legal(matches, match)
    _, decision, notation = first_due_move(snapshot)
    clock.now += 500
    await matches.moves.play_computer_move(match, seat, decision, notation)
    assert (await matches.cache.get_snapshot(match)).info.banks[seat] == EXTRA, (
        "a computer's moves cost and earn nothing"
    )


async def test_a_pause_stops_every_clock_and_the_next_owner_of_the_seat_has_its_bank(
    matches: Matches, clock: Clock
) -> None:
    match = await start_match(matches, GAMES["jest"])
    assert (await matches.cache.get_snapshot(match)).due_seats() == (0, 1, 2)
    clock.now += 50
    await matches.seating.leave_match(match, CHIDI)
    assert (await matches.cache.get_snapshot(match)).deadlines == {}
    clock.now += 10_000
    await matches.seating.take_seat(match, DORA, "Dora")
    for seat in range(3):
        assert await seconds_left(matches, match, clock, seat) == START - 50
    clock.now += START - 51
    await matches.seating.leave_match(match, DORA)
    await matches.seating.take_seat(match, DORA, "Dora")
    for seat in range(3):
        assert await seconds_left(matches, match, clock, seat) == EXTRA, "nobody can move in one second"


async def test_no_clock_runs_for_a_forced_move_so_its_bank_stays(matches: Matches) -> None:
    match = await start_match(matches, autoplay=True)
    for _ in range(3):
        await play_first_legal(matches, match)
    snapshot = await matches.cache.get_snapshot(match)
    assert snapshot.forced_seats()
    poor = replace(snapshot.info, banks=(3, 3, 3))
    assert settle_banks(snapshot.game, poor, {}, Change(poor, "vote end"), snapshot.state).info.banks == (3, 3, 3)


async def test_a_rematch_has_new_banks(matches: Matches, clock: Clock) -> None:
    match = await start_match(matches, rounds=1)
    while (await matches.cache.get_snapshot(match)).info.status is Status.RUNNING:
        clock.now += 9
        await play_first_legal(matches, match)
    rematch = (await matches.rematches.join_rematch(match, ADA, "Ada")).info
    assert (rematch.table_options, rematch.banks) == (TableOptions(BANK, autoplay=False), ())
    for user in (BELA, CHIDI):
        await matches.rematches.join_rematch(match, user, "one more")
    assert (await matches.lobbies.start_match(rematch.id, ADA)).banks == (START,) * 3


async def test_not_even_a_large_bank_has_a_reminder(matches: Matches) -> None:
    snapshot = await matches.cache.get_snapshot(await start_match(matches))
    rich = Change(replace(snapshot.info, banks=(2 * LONG_DECISION_SECONDS,) * 3), "vote end")
    assert [rule.kind for rule in due_rules_after(snapshot.game, rich, snapshot.state)] == ["call", "clock"]


async def test_other_clocks_have_no_banks(matches: Matches) -> None:
    match = await memory_matches.start_match(matches, table_options=TableOptions("30 seconds"))
    assert (await matches.cache.get_snapshot(match)).info.banks == ()


async def test_a_process_that_missed_a_postponement_takes_no_time_from_anyone(
    matches: Matches, store: MemoryStore, clock: Clock
) -> None:
    """An outage ends elsewhere: the match has the same revision, but other deadlines."""
    match = await start_match(matches, rounds=9)
    seat, other_process = await only_seat(matches, match), make_matches(store, clock)
    clock.now += 10
    await other_process.due_times.record_alive()
    clock.now += 60
    await other_process.due_times.postpone_deadlines()
    assert await seconds_left(matches, match, clock, seat) == START - 70, "this process has heard of it"
    info = await play_first_legal(matches, match)
    assert (info.moves, info.banks[seat]) == (1, START - 10 + EXTRA)


@dataclass
class PlainBanks:
    """Seconds for each seat, counted with nothing but additions; and the decisions whose clocks run."""

    seconds: list[int] = field(default_factory=lambda: [START] * 3)
    running: dict[int, int] = field(default_factory=dict)

    def pass_time(self, seconds: int) -> None:
        for seat in self.running:
            self.seconds[seat] = max(0, self.seconds[seat] - seconds)

    def end_outage(self) -> None:
        for seat in self.running:
            self.seconds[seat] = max(self.seconds[seat], EXTRA)

    def follow(self, snapshot: MatchSnapshot) -> None:
        """Start and stop the clocks as the match awaits people now."""
        now = {
            seat: decision.number
            for seat, decision in snapshot.decisions().items()
            if decision.due and snapshot.info.seats[seat].owner_plays and seat not in snapshot.forced_seats()
        }
        for seat in now.items() - self.running.items():
            self.seconds[seat[0]] = max(self.seconds[seat[0]], EXTRA)
        self.running = now


class BankedMatch:
    """A match with banks, a plain count beside it, and everything that may happen to both."""

    def __init__(self) -> None:
        self.clock, self.store = Clock(), MemoryStore()
        self.matches = make_matches(self.store, self.clock)
        self.count = PlainBanks()
        self.match = ""

    async def look(self) -> MatchSnapshot:
        return await self.matches.cache.get_snapshot(self.match)

    async def pass_time(self, seconds: int) -> None:
        """Let time pass, but let nobody's run out."""
        snapshot = await self.look()
        left = min((due.at - self.clock.now for due in snapshot.deadlines.values()), default=seconds)
        self.clock.now += min(seconds, left)
        self.count.pass_time(min(seconds, left))

    async def happen(self, event: str, number: int) -> None:
        await self.pass_time(number)
        snapshot = await self.look()
        if snapshot.info.status is not Status.RUNNING:
            return
        seat = snapshot.due_seats()[number % len(snapshot.due_seats())]
        sits = snapshot.info.seats[seat]
        if event == "move" or (event == "unsaved" and sits.owner_plays):
            await self._move(snapshot, seat, fails=event == "unsaved")
        elif event == "expire" and snapshot.deadlines:
            seat = min(snapshot.deadlines, key=lambda seat: snapshot.deadlines[seat].at)
            self.count.pass_time(snapshot.deadlines[seat].at - self.clock.now)
            await expire(self.matches, self.match, self.clock)
            self.count.seconds[seat] += EXTRA
        elif event in ("pause", "leave") and sits.owner_plays:
            await self.matches.seating.leave_match(self.match, sits.user, "normal" if event == "leave" else "")
            self.count.follow(await self.look())
            await self.pass_time(number)  # in a pause nobody's time runs
            if (await self.look()).info.status in (Status.RUNNING, Status.PAUSED):
                await self.matches.seating.take_seat(self.match, sits.user, sits.name)
        elif event == "away" and sits.owner_plays:
            await self.matches.seating.give_seat_to_computer(self.match, seat, "normal", by=99)
        elif event == "back":
            for away in (each for each in snapshot.info.seats if each.is_away):
                await self.matches.seating.return_to_seat(self.match, away.user)
        elif event == "vote":
            await self.matches.lobbies.set_thread(self.match, 70 + number)
        elif event == "restart":
            self.matches = make_matches(self.store, self.clock)
        elif event == "outage":
            await self.matches.due_times.record_alive()
            self.clock.now += number
            await self.matches.due_times.postpone_deadlines()
            if number:
                self.count.end_outage()
        self.count.follow(await self.look())

    async def _move(self, snapshot: MatchSnapshot, seat: int, *, fails: bool) -> None:
        sits, notation = snapshot.info.seats[seat], snapshot.game.format_move(snapshot.moves(seat)[0])
        decision = snapshot.decisions()[seat].number
        if not sits.owner_plays:
            await self.matches.moves.play_computer_move(self.match, seat, decision, notation)
            return
        if fails:  # the process dies before the commit
            self.store.fail = StoreFailure("No room.")
            with pytest.raises(StoreFailure):
                await self.matches.moves.play_move(self.match, sits.user, decision, notation)
            self.matches = make_matches(self.store, self.clock)
            return
        if seat in snapshot.forced_seats() and self.clock.now % 2:
            await self.matches.moves.play_forced_move(self.match, seat, decision)
        else:
            await self.matches.moves.play_move(self.match, sits.user, decision, notation)
        self.count.seconds[seat] += EXTRA  # no matter who makes it

    async def check(self) -> None:
        """Compare what the match says, and what its store says, with the plain count."""
        for matches in (self.matches, make_matches(self.store, self.clock)):
            snapshot = await matches.cache.get_snapshot(self.match)
            left = {seat: due.at - self.clock.now for seat, due in snapshot.deadlines.items()}
            assert left == {seat: self.count.seconds[seat] for seat in self.count.running}
            idle = [seat for seat in range(3) if seat not in left]
            assert [snapshot.info.banks[seat] for seat in idle] == [self.count.seconds[seat] for seat in idle]


@pytest.mark.parametrize("key", ["wizard", "jest"])
@settings(max_examples=60)
@given(st.lists(st.tuples(st.sampled_from(EVENTS), st.integers(0, 50)), max_size=30))
def test_nobody_wins_or_loses_a_second_whatever_happens(key: str, events: list[tuple[str, int]]) -> None:
    async def play() -> None:
        banked = BankedMatch()
        banked.match = await start_match(banked.matches, GAMES[key], autoplay=True)
        banked.count.follow(await banked.look())
        await banked.check()
        for event, number in events:
            await banked.happen(event, number)
            await banked.check()

    asyncio.run(play())
