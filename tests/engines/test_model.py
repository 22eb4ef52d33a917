"""Matches and their store beside a plain model: whatever is done, in whatever order, and however the store fails."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from engines.chance import Chance
from engines.due import LOBBY_SECONDS
from engines.forgetting import Records
from engines.game import IllegalMove
from engines.match import Match, Refused
from engines.matches import Matches
from engines.store import LIVE, Change, Conflict, Info, Place, Seat, Status, StoreFailure
from tests.engines import model
from tests.engines.memory_store import MemoryStore
from tests.engines.model import Chair, Table, Tables
from tests.games import GAMES

SOAK = bool(os.environ.get("MOTLEY_SOAK"))
PEOPLE = st.integers(1, 6)
SEED = "5eed" * 8
NOW = 1_000_000
LOST, KEPT, BUSY = "lost", "kept", "busy"
"""How a commit fails: before it; after it, so that nobody knows; by a conflict, after which it is tried again."""


class Unsure:
    """Makes a store fail when it is told to: before it has written, or after that, without a word."""

    def __init__(self, store: Records) -> None:
        self.how = ""
        self._commit = store.commit
        setattr(store, "commit", self._unsurely)  # noqa: B010  # mypy lets nobody assign it

    async def _unsurely(self, change: Change) -> int | None:
        how, self.how = self.how, ""
        if how == LOST:
            raise StoreFailure("Nothing was written.")
        if how == BUSY:
            raise Conflict("The match has moved on.")
        done = await self._commit(change)
        if how == KEPT:
            raise asyncio.CancelledError
        return done


@dataclass
class Clock:
    """The time, set by hand."""

    now: int = NOW
    numbers: Any = field(default_factory=lambda: count(1))

    def __call__(self) -> int:
        return self.now


class Machine(RuleBasedStateMachine):
    """People, admins, computers and clocks at several tables at once."""

    PLACE = (1, 2)

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.clock = Clock()
        self.tables: Tables = {}
        self.set_up()

    def set_up(self) -> None:
        """Whatever holds matches."""
        self.store: Records = MemoryStore()
        self.unsure = Unsure(self.store)
        self.matches = self._matches()

    def teardown(self) -> None:
        self.loop.close()

    # What is done

    @precondition(lambda self: len(self.tables) < 3)
    @rule(key=st.sampled_from([*GAMES]), host=PEOPLE)
    def open(self, key: str, host: int) -> None:
        game = GAMES[key]
        place = self.PLACE
        table = model.opened(self.tables, Table(game, game.options(), place, host, (Chair(host),), self.clock.now))
        info = self._do(lambda: self.matches.open(game, game.options(), Place(*place), Seat(host, "x")))
        assert (info is None) == (table is None)
        if info is not None and table is not None:
            self.tables = {**self.tables, info.id: table}

    @precondition(lambda self: self.tables)
    @rule(data=st.data(), user=PEOPLE, fails=st.sampled_from(("", "", "", LOST, KEPT, BUSY)))
    def ask(self, data: st.DataObject, user: int, fails: str) -> None:
        """Somebody asks for something at some table; the disk may fail meanwhile."""
        match = data.draw(st.sampled_from([*self.tables]))
        table = self.tables[match]
        name = data.draw(st.sampled_from([*ASKED]))
        level, to = data.draw(st.sampled_from(("", "normal"))), data.draw(PEOPLE)
        act, after = ASKED[name](self, match, table, user, level, to)
        self._change(match, act, after, fails)

    @precondition(lambda self: any(table.status is Status.LOBBY for table in self.tables.values()))
    @rule(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        """Computers take what places are free, and the host starts: else few matches would come as far."""
        match = data.draw(st.sampled_from([m for m, t in self.tables.items() if t.status is Status.LOBBY]))
        for name in ("computers", "start"):
            act, after = ASKED[name](self, match, self.tables[match], self.tables[match].host, "", 1)
            self._change(match, act, after, "")

    @precondition(lambda self: any(table.status is Status.RUNNING for table in self.tables.values()))
    @rule(
        data=st.data(),
        wrong=st.sampled_from(("", "", "", "who", "when")),
        fails=st.sampled_from(("", "", "", LOST, KEPT, BUSY)),
    )
    def play(self, data: st.DataObject, wrong: str, fails: str) -> None:
        """Whoever may moves, or the computer; or somebody who may not, or to a decision that is past."""
        match = data.draw(st.sampled_from([m for m, t in self.tables.items() if t.status is Status.RUNNING]))
        table = self.tables[match]
        seat, decision = data.draw(st.sampled_from(sorted(table.game.decisions(table.state).items())))
        moves = table.game.moves(table.state, seat)
        notation = table.game.write(moves[data.draw(st.integers(0, len(moves) - 1))])
        number = decision.number + (data.draw(st.sampled_from((-1, 1))) if wrong == "when" else 0)
        chair = table.chairs[seat]
        user = data.draw(PEOPLE) if wrong == "who" else chair.user
        if chair.level and wrong != "who":
            after = model.play_for(table, seat, number, notation)
            self._change(match, lambda: self.matches.play_for(match, seat, number, notation), after, fails)
        else:
            after = model.play(table, user, number, notation)
            self._change(match, lambda: self.matches.play(match, user, number, notation), after, fails)

    @rule(seconds=st.sampled_from((1, 11, 700, LOBBY_SECONDS)))
    def wait(self, seconds: int) -> None:
        self.clock.now += seconds

    @rule()
    def restart(self) -> None:
        """All that is in memory is gone."""
        self.matches = self._matches()

    # What holds

    @invariant()
    def they_never_differ(self) -> None:
        """What is kept, and what somebody sees who looks, is what the model says."""
        kept, found = self._run(self._kept())
        assert kept == self.tables
        assert found == {match for match, table in self.tables.items() if table.status in LIVE}

    # Inside

    async def _kept(self) -> tuple[Tables, set[str]]:
        """All that the store keeps, and the matches that are found."""
        infos = await self.store.find(statuses=frozenset(Status))
        tables = {info.id: model.kept(GAMES[info.game], info, await self.store.load(info.id)) for info in infos}
        return tables, {info.id for info in await self.matches.find()}

    def _matches(self) -> Matches:
        return Matches(
            self.store,
            GAMES,
            self.clock,
            seed=lambda: Chance(SEED),
            new_id=lambda: f"{next(self.clock.numbers):08d}".replace("0", "a"),
        )

    def _change(self, match: str, act: Callable[[], Awaitable[Info]], after: Table | None, fails: str) -> None:
        """Do it: it is refused just where the model says so; where the store fails, it has happened or it has not."""
        self.unsure.how = fails
        done = self._do(act)
        failed, self.unsure.how = fails not in ("", BUSY) and not self.unsure.how, ""
        assert after is not None or done is None, "this is not allowed"
        assert failed or (done is None) == (after is None), "this is refused without need"
        if after is not None and (done is not None or (failed and fails == KEPT)):
            self.tables = {**self.tables, match: after}
        look = self._run(self.matches.look(match))
        table = self.tables[match]
        revision = look.info.revision - bool(look.info.place.thread)  # to have noted its thread is no change here
        assert (look.info.status, revision, look.state) == (table.status, table.revision, table.state)

    def _do(self, act: Callable[[], Awaitable[Info]]) -> Info | None:
        """What comes of it; nothing where it is refused, or fails."""
        try:
            info: Info = self._run(act())
        except (Refused, IllegalMove, StoreFailure, asyncio.CancelledError):
            return None
        return info

    def _run(self, work: Awaitable[Any]) -> Any:
        async def run() -> Any:
            return await work

        return self.loop.run_until_complete(run())


Asking = Callable[[Machine, str, Table, int, str, int], tuple[Callable[[], Awaitable[Info]], Table | None]]
ASKED: dict[str, Asking] = {
    "join": lambda m, i, t, u, level, to: (lambda: m.matches.join(i, u, "x"), model.join(t, u)),
    "join again": lambda m, i, t, u, level, to: (lambda: m.matches.join(i, to, "x"), model.join(t, to)),
    "leave": lambda m, i, t, u, level, to: (lambda: m.matches.leave(i, u, level), model.leave(t, u, level)),
    "computers": lambda m, i, t, u, level, to: (
        lambda: m.matches.add_computers(i, t.host, "easy"),
        model.add_computers(t, t.host, "easy"),
    ),
    "computers of others": lambda m, i, t, u, level, to: (
        lambda: m.matches.add_computers(i, u, "easy"),
        model.add_computers(t, u, "easy"),
    ),
    "no computer": lambda m, i, t, u, level, to: (
        lambda: m.matches.remove_computer(i, u),
        model.remove_computer(t, u),
    ),
    "host": lambda m, i, t, u, level, to: (
        lambda: m.matches.hand_over(i, t.host, to),
        model.hand_over(m.tables, i, t.host, to),
    ),
    "clock": lambda m, i, t, u, level, to: (
        lambda: m.matches.choose(i, u, "clock", level or "1 hour"),
        model.choose(t, u, "clock", level or "1 hour", m.clock.now),
    ),
    "cancel": lambda m, i, t, u, level, to: (lambda: m.matches.cancel(i, u), model.cancel(t, u) if to else None),
    "expire": lambda m, i, t, u, level, to: (lambda: m.matches.expire(i), model.expire(t, m.clock.now)),
    "start": lambda m, i, t, u, level, to: (
        lambda: m.matches.start(i, t.host),
        model.start(t, t.host, SEED, m.clock.now),
    ),
    "start of another": lambda m, i, t, u, level, to: (
        lambda: m.matches.start(i, u),
        model.start(t, u, SEED, m.clock.now),
    ),
    "seat": lambda m, i, t, u, level, to: (lambda: m.matches.take_seat(i, u, "x"), model.take_seat(t, u)),
    "vote": lambda m, i, t, u, level, to: (lambda: m.matches.vote_end(i, u), model.vote_end(t, u)),
    "remove": lambda m, i, t, u, level, to: (lambda: m.matches.remove(i, u, 9), model.remove(t, u)),
    "give seat": lambda m, i, t, u, level, to: (
        lambda: m.matches.give_seat(i, to - 1, "normal", 9),
        model.give_seat(t, to - 1, "normal"),
    ),
    "give back": lambda m, i, t, u, level, to: (
        lambda: m.matches.give_back(i, to - 1, 9),
        model.give_back(t, to - 1),
    ),
    "back": lambda m, i, t, u, level, to: (lambda: m.matches.back(i, u), model.back(t, u)),
}
"""What may be asked: how it is done, and what the model says becomes of the table."""


def run(examples: int, steps: int, phases: Collection[Phase] = tuple(Phase), machine: type[Machine] = Machine) -> None:
    """Have the machine do so many things in a row, so many times."""
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
    run(*((20_000, 120) if SOAK else (80, 60)))


def the_state_leads_the_store(patched: pytest.MonkeyPatch) -> None:
    async def safely(matches: Matches, match: str, commit: Awaitable[Any]) -> Any:
        return await commit

    patched.setattr(Matches, "_safely", safely)


def anybody_starts(patched: pytest.MonkeyPatch) -> None:
    patched.setattr("engines.lobbies.hosted", lambda info, user: info)


def stale_decisions_count(patched: pytest.MonkeyPatch) -> None:
    real = Match.draft

    def draft(match: Match, user: int, decision: int | None, notation: str, clock: int) -> Any:
        return real(match, user, None, notation, clock)

    patched.setattr(Match, "draft", draft)


@pytest.mark.parametrize("broken", [the_state_leads_the_store, anybody_starts, stale_decisions_count])
def test_where_they_differ_is_seen(
    broken: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(monkeypatch)
    with pytest.raises(AssertionError):
        run(200, 40, (Phase.generate,))
