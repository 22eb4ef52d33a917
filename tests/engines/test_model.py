"""Matches and their store beside a plain model: whatever is done, in whatever order, and however the store fails."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from engines.features.deals.cutting import cut_deal, cut_last
from engines.features.registry import FEATURES
from engines.features.takebacks.taking_back import TakingBack
from engines.hosting.match import Match, RequestRefused
from engines.hosting.match_changes import MatchEditor
from engines.hosting.matches import Matches
from engines.hosting.matches.lobbies import MatchSources
from engines.hosting.timing.due_times import LOBBY_SECONDS
from engines.kit.errors import IllegalMove
from engines.store import match_store
from engines.store.forgetting import FullStorage
from engines.store.match_store import LIVE, MatchInfo, Place, Seat, Status, StoreFailure, UncertainWrite
from tests.engines import model, take_back_model
from tests.engines.memory_store import MemoryStore
from tests.engines.model import SeatModel, TableModel, Tables
from tests.games import GAMES

SOAK = bool(os.environ.get("MOTLEY_SOAK"))
PEOPLE = st.integers(1, 6)
PROCESS = st.integers(0, 1)
SEED = "5eed" * 8
SECRET = "5ec2e7" * 10 + "5ec2"
NOW = 1_000_000
LOST, BUSY, KEPT, CUT, GONE = "lost", "busy", "kept", "cut", "gone"
SILENT, MUTE = "silent", "mute"
FAILS = ("", "", "", LOST, BUSY, KEPT, CUT, GONE, SILENT, MUTE)
"""How a commit fails: before it; by a conflict, after which it is tried again. After it, so that nobody knows: it was
cancelled, or its connection was cut, maybe before it was written (GONE). And then the store answers nobody for a while:
it was written (SILENT), or it was not (MUTE)."""
DOUBLED = ("", "", "", "", "after", "beside")
"""How Discord tells of a click twice: once the first telling is answered, or both at once; each to another process."""
HOW: dict[str, Any] = {"fails": st.sampled_from(FAILS), "at": PROCESS, "doubled": st.sampled_from(DOUBLED)}


class UnsureStore:
    """Makes a store fail when it is told to: before it has written, or after that, without a word."""

    def __init__(self, store: FullStorage) -> None:
        self.how = ""
        self.silent = False
        for name in ("insert", "commit"):
            setattr(store, name, partial(self._unsurely, getattr(store, name)))
        for name in ("load_info", "load", "revision", "recent_clicks"):
            setattr(store, name, partial(self._answered, getattr(store, name)))

    async def _unsurely(self, write: Callable[..., Awaitable[int | None]], *given: Any) -> int | None:
        outcome, self.how = self.how, ""
        if outcome == LOST:
            raise StoreFailure("Nothing was written.")
        if outcome == BUSY:
            raise match_store.WriteConflict("The match has moved on.")
        result = None if outcome in (GONE, MUTE) else await write(*given)
        self.silent = self.silent or outcome in (SILENT, MUTE)
        if outcome == KEPT:
            raise asyncio.CancelledError
        if outcome:
            raise UncertainWrite("The connection was cut.")
        return result

    async def _answered(self, read: Callable[..., Awaitable[Any]], *given: Any) -> Any:
        if self.silent:
            raise StoreFailure("The database does not answer.")
        return await read(*given)


@dataclass
class Clock:
    now: int = NOW
    numbers: Any = field(default_factory=lambda: count(1))
    clicks: Any = field(default_factory=lambda: count(10**17 + 1))

    def __call__(self) -> int:
        return self.now


class Machine(RuleBasedStateMachine):
    """People, admins, computers and clocks at several tables at once, in two processes on one store.

    Neither is told what the other does. Every click comes to one of them, and some to both.
    """

    PLACE = (1, 2)

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.clock = Clock()
        self.tables: Tables = {}
        self.at = 0  # the process that is asked
        self.click = 0  # the number of what is asked; 0: nobody clicks
        self.error: BaseException | None = None  # why it was not done
        self.told: list[str] = []  # the matches that may have changed, as the processes say
        self.set_up()

    def set_up(self) -> None:
        """Whatever holds matches."""
        self.store: FullStorage = MemoryStore()
        self.unsure = UnsureStore(self.store)
        self.processes = [self._make_matches(), self._make_matches()]

    @property
    def matches(self) -> Matches:
        return self.processes[self.at]

    def teardown(self) -> None:
        self.loop.close()

    # What is done

    @precondition(lambda self: len(self.tables) < 3)
    @rule(
        key=st.sampled_from([*GAMES]), host=PEOPLE, **{**HOW, "fails": st.sampled_from(("", "", "", LOST, CUT, GONE))}
    )
    def open(self, key: str, host: int, fails: str, at: int, doubled: str) -> None:
        game = GAMES[key]
        place = self.PLACE
        table = model.open_lobby(
            self.tables, TableModel(game, game.options(), place, host, (SeatModel(host),), self.clock.now)
        )
        self._click_in(at)
        self.unsure.how = fails

        def act() -> Awaitable[MatchInfo]:
            return self.matches.lobbies.open_lobby(
                game, game.options(), Place(*place), Seat(host, "x"), click=self.click
            )

        found = self._do_once_or_twice(act, "" if fails == LOST else doubled)
        failed, self.unsure.how = fails == LOST and not self.unsure.how, ""
        assert len({info and info.id for info in found}) == 1, "one click opens one table"
        assert (found[0] is None) == (table is None or failed)
        if found[0] is not None and table is not None:
            self.tables = {**self.tables, found[0].id: table}

    @precondition(lambda self: self.tables)
    @rule(data=st.data(), user=PEOPLE, **HOW)
    def ask(self, data: st.DataObject, user: int, fails: str, at: int, doubled: str) -> None:
        """Somebody asks for something at some table; the disk may fail meanwhile."""
        match = data.draw(st.sampled_from([*self.tables]))
        name = data.draw(st.sampled_from([*ASKED]))
        level, to = data.draw(st.sampled_from(("", "normal"))), data.draw(PEOPLE)
        self._click_in(at, clicks=name not in {"expire", "lose"})
        self._ask_for(name, match, user, level, to, fails, doubled)

    def _ask_for(
        self, name: str, match: str, user: int, level: str, to: int, fails: str = "", doubled: str = ""
    ) -> None:
        method, given, after = ASKED[name](self, match, self.tables[match], user, level, to)
        self._change(match, partial(self._request, method, match, *given), after, fails, doubled)

    def _request(self, method: str, *given: Any) -> Awaitable[MatchInfo]:
        """Ask the process that is asked now, by a click or without one."""
        part, _, name = method.partition(".")
        functions = {"cut": partial(cut_deal, self.matches.editor), "cut_last": partial(cut_last, self.matches.editor)}
        ask = functions[name] if part == "cutting" else getattr(getattr(self.matches, part), name)
        request: Awaitable[MatchInfo] = ask(*given, **({"click": self.click} if self.click else {}))
        return request

    @precondition(lambda self: any(table.status is Status.LOBBY for table in self.tables.values()))
    @rule(data=st.data(), at=PROCESS)
    def begin(self, data: st.DataObject, at: int) -> None:
        """Computers take what places are free, and the host starts: else few matches would come as far."""
        match = data.draw(st.sampled_from([m for m, t in self.tables.items() if t.status is Status.LOBBY]))
        for name in ("computers", "start"):
            self._click_in(at)
            self._ask_for(name, match, self.tables[match].host, "", 1)

    @precondition(lambda self: any(table.status is Status.RUNNING for table in self.tables.values()))
    @rule(data=st.data(), wrong=st.sampled_from(("", "", "", "who", "when")), itself=st.booleans(), **HOW)
    def play(self, data: st.DataObject, wrong: str, itself: bool, fails: str, at: int, doubled: str) -> None:
        """A due player moves, or the computer; or somebody who may not, or to a decision that is past.

        Or the move is to be made automatically, whether it may or not.
        """
        match = data.draw(st.sampled_from([m for m, t in self.tables.items() if t.status is Status.RUNNING]))
        table = self.tables[match]
        seat, decision = data.draw(st.sampled_from(sorted(table.game.decisions(table.state).items())))
        moves = table.game.moves(table.state, seat)
        notation = table.game.format_move(moves[data.draw(st.integers(0, len(moves) - 1))])
        number = table.full_number(seat, decision.number)
        number += data.draw(st.sampled_from((-1, 1))) if wrong == "when" else 0
        chair = table.chairs[seat]
        user = data.draw(PEOPLE) if wrong == "who" else chair.user
        computer = bool(chair.level) and wrong != "who"
        self._click_in(at, clicks=not computer and not itself)
        if itself:
            after = model.play_forced(table, seat, number)
            move = partial(self._request, "moves.play_forced_move", match, seat, number)
        elif computer:
            after = model.play_for(table, seat, number, notation)
            move = partial(self._request, "moves.play_computer_move", match, seat, number, notation)
        else:
            after = model.play(table, user, number, notation)
            move = partial(self._request, "moves.play_move", match, user, number, notation)
        self._change(match, move, after, fails, doubled)

    @precondition(lambda self: any(table.status is Status.RUNNING for table in self.tables.values()))
    @rule(data=st.data(), user=PEOPLE, way=st.sampled_from(("take", "take", "practice", "agree", "no", "lapse")), **HOW)
    def take_back(self, data: st.DataObject, user: int, way: str, fails: str, at: int, doubled: str) -> None:
        """Somebody takes a move back, asks to, or answers; or nobody has answered in time."""
        match = data.draw(st.sampled_from([m for m, t in self.tables.items() if t.status is Status.RUNNING]))
        table = self.tables[match]
        people = [entry.user for entry in table.moves[-1:]] if way in ("take", "practice") else []
        request = table.request
        if request is not None and way in ("agree", "no"):
            people = [table.chairs[seat].user for seat in request.seats]
        user = data.draw(st.sampled_from([*people * 3, user]))
        move = request.move if request else 1
        self._click_in(at, clicks=way != "lapse")

        async def ask() -> MatchInfo:
            if way == "lapse":
                return await self.matches.requests.lapse_request(match, move)
            if way in ("agree", "no"):
                agrees = way == "agree"
                found = await TakingBack(self.matches.editor).answer_take_back(
                    match, user, move, agrees=agrees, click=self.click
                )
            else:
                accepts = way == "practice"
                found = await TakingBack(self.matches.editor).take_back(
                    match, user, accepts_practice=accepts, click=self.click
                )
            return found.info

        if way == "lapse":
            after = take_back_model.lapse(table, self.clock.now)
        elif way in ("agree", "no"):
            after = take_back_model.answer(table, user, move, agrees=way == "agree")
        else:
            accepts = way == "practice"
            after = take_back_model.take_back(table, user, self.clock.now, accepts_practice=accepts)
        self._change(match, ask, after, fails, doubled)

    @rule(seconds=st.sampled_from((1, 11, 700, LOBBY_SECONDS)))
    def wait(self, seconds: int) -> None:
        self.clock.now += seconds

    @rule()
    def restart(self) -> None:
        """All that is in memory of one process is gone."""
        self.processes = [self.processes[1], self._make_matches()]

    # What holds

    @invariant()
    def they_never_differ(self) -> None:
        """What is kept, and what somebody sees who looks, is what the model says."""
        stored, found = self._run(self._stored_tables())
        assert stored == self.tables
        assert found == {match for match, table in self.tables.items() if table.status in LIVE}

    # Inside

    async def _stored_tables(self) -> tuple[Tables, set[str]]:
        infos = await self.store.find(statuses=frozenset(Status))
        loaded = [(info, await self.store.load(info.id)) for info in infos]
        tables = {info.id: model.table_from_store(GAMES[info.game], info, saved) for info, saved in loaded}
        return tables, {info.id for info in await self.matches.lookup.find()}

    def _make_matches(self) -> Matches:
        matches = Matches(
            self.store,
            GAMES,
            self.clock,
            sources=MatchSources(lambda: SECRET, lambda: f"{next(self.clock.numbers):08d}".replace("0", "a")),
            features=FEATURES,
        )
        matches.editor.on_changed.append(self.told.append)
        return matches

    def seed_of(self, match: str) -> str:
        """The seed from which a lobby is dealt if it starts by this click."""
        info = self._run(self.store.load_info(match))
        assert info is not None
        cuts = ["computer" if not seat.user else seat.cut or "none" for seat in info.seats]
        if not any(seat.last_cut for seat in info.seats):
            cuts = [
                f"0{self.click}" if seat.user == info.host and len(cut) > 8 else cut
                for seat, cut in zip(info.seats, cuts, strict=True)
            ]
        words = " ".join(cuts)
        return blake2b(words.encode(), key=bytes.fromhex(SECRET), digest_size=16).hexdigest()

    def _click_in(self, at: int, *, clicks: bool = True) -> None:
        """Somebody clicks, and that process is told; or it does something by itself."""
        self.at = at
        self.click = next(self.clock.clicks) if clicks else 0

    def _change(
        self,
        match: str,
        act: Callable[[], Awaitable[MatchInfo]],
        after: TableModel | None,
        fails: str = "",
        doubled: str = "",
    ) -> None:
        """Do it: it is refused exactly if the model says so, and what was made is never told as failed."""
        self.unsure.how = fails
        self.told.clear()
        repetition = doubled if self.click and fails not in (LOST, SILENT, MUTE) else ""
        results = self._do_once_or_twice(act, repetition)
        failed, self.unsure.how = bool(fails) and not self.unsure.how, ""
        is_made = after is not None and not (failed and fails in (LOST, MUTE))
        if failed and fails in (SILENT, MUTE):
            assert isinstance(self.error, UncertainWrite), "nobody can know that"
            assert match in self.told, "what shows it has to ask until it knows"
        elif self.click or not failed:  # what nobody asked for is told to nobody
            assert is_made or results == [None] * len(results), "this is not allowed"
            assert not is_made or None not in results, "this is refused without need"
            assert not isinstance(self.error, UncertainWrite), "it can be looked up"
        if is_made and after is not None:
            self.tables = {**self.tables, match: after}
        self._check_match(match)

    def _check_match(self, match: str) -> None:
        """Every process shows what the model says."""
        table = self.tables[match]
        for matches in self.processes:
            snapshot = self._run(matches.cache.get_fresh_snapshot(match))
            revision = snapshot.info.revision - bool(
                snapshot.info.place.thread
            )  # to have noted its thread is no change here
            assert (snapshot.info.status, revision, snapshot.state) == (table.status, table.revision, table.state)

    def _do_once_or_twice(self, act: Callable[[], Awaitable[MatchInfo]], doubled: str) -> list[MatchInfo | None]:
        """Do it, as often as Discord tells of it, each time in another process; what comes of each."""
        self.error = None
        if doubled == "beside":
            requests = [self._ask_process(act)]
            self.at = 1 - self.at
            requests.append(self._ask_process(act))
            return list(self._run(self._gather(requests)))
        results = [self._do(act)]
        if doubled:
            self.at = 1 - self.at
            results.append(self._do(act))
        return results

    async def _gather(self, requests: list[Awaitable[MatchInfo | None]]) -> list[MatchInfo | None]:
        return await asyncio.gather(*requests)

    def _ask_process(self, act: Callable[[], Awaitable[MatchInfo]]) -> Awaitable[MatchInfo | None]:
        """Send the request to the process whose turn it is, and return the result."""
        return self._answer(act())

    async def _answer(self, request: Awaitable[MatchInfo]) -> MatchInfo | None:
        try:
            return await request
        except (RequestRefused, IllegalMove, StoreFailure, asyncio.CancelledError) as why:
            self.error = why
            return None

    def _do(self, act: Callable[[], Awaitable[MatchInfo]]) -> MatchInfo | None:
        """The result; None if it is refused or fails."""
        try:
            result: MatchInfo | None = self._run(self._ask_process(act))
        finally:
            self.unsure.silent = False
        return result

    def _run(self, work: Awaitable[Any]) -> Any:
        async def run() -> Any:
            return await work

        return self.loop.run_until_complete(run())


Asking = Callable[[Machine, str, TableModel, int, str, int], tuple[str, tuple[Any, ...], TableModel | None]]


def _ask_for_computers(table: TableModel, user: int) -> tuple[str, tuple[Any, ...], TableModel | None]:
    return "lobbies.add_computers", (user, "easy"), model.add_computers(table, user, "easy")


def _ask_for_clock(
    table: TableModel, user: int, clock: str, now: int
) -> tuple[str, tuple[Any, ...], TableModel | None]:
    return "lobbies.change_option", (user, "clock", clock), model.choose_option(table, user, "clock", clock, now)


ASKED: dict[str, Asking] = {
    "join": lambda m, i, t, u, level, to: ("lobbies.join", (u, "x"), model.join(t, u)),
    "join again": lambda m, i, t, u, level, to: ("lobbies.join", (to, "x"), model.join(t, to)),
    "leave": lambda m, i, t, u, level, to: ("seating.leave_match", (u, level), model.leave(t, u, level)),
    "computers": lambda m, i, t, u, level, to: _ask_for_computers(t, t.host),
    "computers of others": lambda m, i, t, u, level, to: _ask_for_computers(t, u),
    "no computer": lambda m, i, t, u, level, to: ("lobbies.remove_computer", (u,), model.remove_computer(t, u)),
    "host": lambda m, i, t, u, level, to: (
        "lobbies.hand_over_host",
        (t.host, to),
        model.hand_over(m.tables, i, t.host, to),
    ),
    "clock": lambda m, i, t, u, level, to: _ask_for_clock(t, u, level or "1 hour", m.clock.now),
    "cancel": lambda m, i, t, u, level, to: ("lobbies.cancel_lobby", (u,), model.cancel(t, u)),
    "expire": lambda m, i, t, u, level, to: ("lobbies.expire_lobby", (), model.expire(t, m.clock.now)),
    "lose": lambda m, i, t, u, level, to: ("lobbies.close_lost_lobby", (), model.lose_channel(t)),
    "start": lambda m, i, t, u, level, to: (
        "lobbies.start_match",
        (t.host,),
        model.start(t, t.host, m.seed_of(i), m.clock.now),
    ),
    "start of another": lambda m, i, t, u, level, to: (
        "lobbies.start_match",
        (u,),
        model.start(t, u, m.seed_of(i), m.clock.now),
    ),
    "cut": lambda m, i, t, u, level, to: ("cutting.cut", (u, f"0{to}"), model.cut(t, u, f"0{to}")),
    "no cut": lambda m, i, t, u, level, to: ("cutting.cut", (u, "123456789"), None),
    "last word": lambda m, i, t, u, level, to: ("cutting.cut_last", (u, True), model.cut_last(t, u, True)),
    "no last word": lambda m, i, t, u, level, to: ("cutting.cut_last", (u, False), model.cut_last(t, u, False)),
    "seat": lambda m, i, t, u, level, to: ("seating.take_seat", (u, "x"), model.take_seat(t, u)),
    "vote": lambda m, i, t, u, level, to: ("seating.vote_to_end", (u,), model.vote_end(t, u)),
    "remove": lambda m, i, t, u, level, to: ("seating.remove_player", (u, 9), model.remove(t, u)),
    "give seat": lambda m, i, t, u, level, to: (
        *("seating.give_seat_to_computer", (to - 1, "normal", 9)),
        model.give_seat(t, to - 1, "normal"),
    ),
    "give back": lambda m, i, t, u, level, to: ("seating.give_seat_back", (to - 1, 9), model.give_back(t, to - 1)),
    "back": lambda m, i, t, u, level, to: ("seating.return_to_seat", (u,), model.come_back(t, u)),
}
"""Possible requests: how each is made, and what the model says of the table afterwards."""


def run_machine(
    examples: int, steps: int, phases: Collection[Phase] = tuple(Phase), machine: type[Machine] = Machine
) -> None:
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            derandomize=not SOAK,
            database=None,
            suppress_health_check=list(HealthCheck),
            print_blob=SOAK,
            phases=phases,
            report_multiple_bugs=False,
        ),
    )


@pytest.mark.timeout(100_000)
def test_matches_and_the_model_never_differ() -> None:
    run_machine(*((20_000, 120) if SOAK else (80, 60)))


async def _no_clicks(store: MemoryStore, match: str) -> tuple[int, tuple[int, ...]]:
    return 0, ()


async def _nothing_written(editor: MatchEditor, match: str, click: int) -> None:
    raise StoreFailure("Nothing was written.")


BROKEN: dict[str, tuple[str, Any]] = {
    "a failing commit is believed": (
        "engines.hosting.match_changes.MatchEditor._commit_change",
        lambda editor, match, change: editor.store.commit(change),
    ),
    "what is kept is believed": ("engines.hosting.match_cache.is_newer_revision", lambda revision, cached: False),
    "nobody knows of clicks": ("tests.engines.memory_store.MemoryStore.recent_clicks", _no_clicks),
    "what is uncertain has failed": ("engines.hosting.match_changes.MatchEditor._find_written", _nothing_written),
    "anybody starts": ("engines.hosting.matches.lobbies.require_host", lambda info, user: info),
    "stale decisions count": (
        "engines.hosting.match.Match.draft_move",
        lambda match, user, decision, notation, clock, real=Match.draft_move, **options: real(
            match, user, None, notation, clock, **options
        ),
    ),
}


@pytest.mark.parametrize(("broken", "instead"), BROKEN.values(), ids=BROKEN)
def test_a_difference_is_found(broken: str, instead: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broken, instead)
    with pytest.raises(AssertionError):
        run_machine(800, 40, (Phase.generate,))
