"""Whole matches in two worlds that one reader cannot tell apart: all that this reader gets must be the same.

That is: every message, answer, offer, refusal and call, to the byte and with its pictures, in its order and at its
time; how many there are; and what is logged and counted. The worlds differ in all that is hidden from the reader.
Where a move cannot be made in the other world, or would tell them apart, that world is exchanged for another behind
the reader's back, or both are moved on without a word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from random import Random
from typing import Any

from cogs.table.scheduling.computer_turns import INSTEAD, PAUSE
from cogs.table.scheduling.computer_turns import waiting as computer_due
from engines.hosting.match import Look
from players import Level, levels, player
from tests.contract.helper import Helper, Start
from tests.contract.helpers import HELPERS
from tests.contract.secrets import planned
from tests.plain import asking
from tests.plain.asking import ADMIN, EVERYBODY, NO_ADMINS, STRANGER, Reader, logged, seated
from tests.plain.inn import PEOPLE, Plain, plain
from tests.plain.told import differing, kind, numbers
from tests.plain.wire import Sent

TRIES = 8
"""How often another world is looked for in which a move can be made as well."""
FEW = 20  # moves
LATE = 0.05  # of the moves that are waited for alone
THOUGHT = 0.0002  # seconds that the shortest thought takes; the longest, 256 of them
NONCE = re.compile(r'"nonce": "([0-9a-f]{24})"')
Act = Callable[[Plain], Awaitable[object]]


@dataclass(frozen=True)
class Table:
    """Who sits at a table, and who reads."""

    helper: Helper
    start: Start
    reader: Reader
    computers: Sequence[str] = ()  # the levels of those in the last seats
    closed: frozenset[str] = frozenset()  # whose direct messages are closed
    clock: str = ""  # the house's, where it is not the usual one
    pictures: bool = False

    @property
    def people(self) -> int:
        """How many sit there."""
        return self.start.seats - len(self.computers)


@dataclass
class Worlds:
    """The same match, as it is and as it might be."""

    table: Table
    one: Plain
    two: Plain
    rng: Random
    log: list[str]
    counted: Counter[str] = field(default_factory=Counter)
    match: str = ""
    differ: int = 0  # how often somebody else was shown another thing than in the other world
    moved: int = 0
    script: dict[tuple[int, int, int], str] = field(default_factory=dict)
    nonces: dict[int, list[str]] = field(default_factory=dict)  # those that the reader has seen, by inn
    moves: list[Any] = field(default_factory=list)  # of another match, to be tried at the wrong time

    # The match

    async def begin(self) -> None:
        """Sit down in both, and have the second be another one."""
        table = self.table
        house = {"clock": table.clock} if table.clock else {}
        self.moves = [step.move for step in planned(table.helper, table.start, 0)]
        for inn in self.both:
            inn.rights = dict.fromkeys(set(EVERYBODY) - {ADMIN}, NO_ADMINS)
            inn.rooms = {STRANGER: asking.ELSEWHERE}
            inn.wire.closed = {inn.wire.people[name] for name in table.closed}
            inn.bot.computers.choose = partial(self._choose, inn)  # type: ignore[method-assign]
            self.match = await asking.begun(inn, table.helper, table.start, table.computers, house)
            inn.wire.sent.clear()
        await self._exchange(await self.one.look(self.match))

    async def step(self, share: float) -> bool:
        """One move, of a person or of the computers that are due, and what happens before. False: the match is over."""
        look = await self.one.look(self.match)
        if not look.decisions():
            return False
        if self.rng.random() < share:
            await self._ask(look, self.table.reader)
            beside = seated(self.rng.choice([*range(self.table.people), None]))
            if self.rng.random() < 0.3 and beside != self.table.reader:
                await self._ask(look, beside)
        if computer_due(look) is None:
            await self._wait(self.rng.choice((0, 0, 0.5, 1.0, 4.5, 61.0)))
        look = await self.one.look(self.match)
        if not look.decisions():
            return False
        seat = computer_due(look)
        away = [each for each in look.due() if each >= self.table.people or look.info.seats[each].level]
        if seat is not None and (self.rng.random() < 0.7 or len(away) == len(look.decisions())):
            await self._computers_move(look)
        else:
            await self._person_moves(look)
        return True

    async def end(self) -> None:
        """Whoever runs the bot reads the same numbers of either."""
        first, second = [await numbers(inn) for inn in self.both]
        assert first == second, f"the numbers tell {differing(first, second)}"
        self.counted["numbers"] += len(first.splitlines())

    @property
    def both(self) -> tuple[Plain, Plain]:
        """The two."""
        return self.one, self.two

    # What happens

    async def _ask(self, look: Look, who: Reader) -> None:
        """Somebody asks for everything that there is; of moves, for such as they may make in neither world."""
        seed, own = self.rng.random(), set[Any]()
        if who.seat is not None:
            own = {move for inn in self.both for move in (await inn.look(self.match)).moves(who.seat)}
        await self._same(lambda inn: asking.ask(inn, look, who, self.moves, own, Random(seed)))

    async def _wait(self, seconds: float) -> None:
        if seconds:
            await self._same(lambda inn: inn.later(seconds))

    async def _person_moves(self, look: Look) -> None:
        """Somebody who may act does; what is hidden of it may be another thing in the other world."""
        people = [seat for seat in look.decisions() if not look.info.seats[seat].level]
        due = [seat for seat in people if seat in look.due()]
        seat = self.rng.choice(due if due and self.rng.random() < 0.8 else people)
        move = self.rng.choice(look.moves(seat))
        if not await self._prepared([(seat, move)]):
            await self._pass_over(look, [(seat, move)])
            return
        other = await self._likewise(seat, move)
        made = {id(self.one): move, id(self.two): other}
        out = look.runs_out(seat)
        if out is not None and seat != self.table.reader.seat and look.due() == (seat,) and self.rng.random() < LATE:
            for inn in self.both:
                await self._write_down(inn, [(seat, made[id(inn)])])
            late = out - self.one.bot.clock() + _thinks(self.table.helper.game, INSTEAD)
            await self._same(lambda inn: inn.later(late + PAUSE / 2))
            for inn in self.both:
                assert (await inn.look(self.match)).info.moves == look.info.moves + 1, "nobody moves for who is late"
            self.counted["clocks run out"] += 1
        else:
            await self._same(lambda inn: asking.press(inn, self.match, seat, made[id(inn)]))
            self.moved += 1
        if computer_due(await self.one.look(self.match)) is not None:
            await self._same(self._begin_anew)  # what is planned already is not what is written down

    async def _computers_move(self, look: Look) -> None:
        """Whatever the computers do after their pause, however long each of them thinks."""
        made = self._chain(look)
        if not await self._prepared(made):
            await self._pass_over(look, made)
            return
        for inn in self.both:
            await self._write_down(inn, made)
        await self._same(lambda inn: inn.later(PAUSE))
        assert (await self.one.look(self.match)).info.moves == look.info.moves + len(made), "the computers wait"
        self.moved += len(made)
        self.counted["computers' moves"] += len(made)

    async def _write_down(self, inn: Plain, made: Sequence[tuple[int, Any]]) -> None:
        """Have computers do this there."""
        look = await inn.look(self.match)
        state = look.game.copy(look.state)
        for seat, move in made:
            self.script[id(inn), seat, look.game.decisions(state)[seat].number] = look.game.write(move)
            look.game.play(state, seat, move)

    def _chain(self, look: Look) -> list[tuple[int, Any]]:
        """What computers are to do until people are, or one of them is to move again after another has."""
        made: list[tuple[int, Any]] = []
        while (seat := computer_due(look)) is not None:
            if made and seat in [each for each, _ in made] and seat != made[-1][0]:
                break
            made.append((seat, self.rng.choice(look.moves(seat))))
            state = look.game.copy(look.state)
            look.game.play(state, *made[-1])
            look = replace(look, state=state)
        return made

    async def _choose(self, inn: Plain, look: Look, seat: int, level: str) -> str:
        """What was written down for that computer; where it searches, its hand says how long it thinks."""
        known = blake2b(repr(look.view(seat)).encode(), digest_size=1).digest()[0] if level == "hard" else 0
        await inn.time.sleep(THOUGHT * (1 + known))
        number = look.decisions()[seat].number
        found: str | None = self.script.get((id(inn), seat, number))
        return found or look.game.write(look.moves(seat)[0])

    # The other world

    async def _prepared(self, made: Sequence[tuple[int, Any]]) -> bool:
        """Have the other world be one in which this can be done, too, and tells nothing. Whether there is one."""
        look, there = await self.one.look(self.match), (await self.two.look(self.match)).state
        other = look.game.copy(there)
        other.chance = look.state.chance.copy()  # what everybody is to see of it falls the same
        for _ in range(TRIES):
            if self._tellable(look.state, other, made):
                break
            other = self._elsewhere(look)
        else:
            return False
        if other != there or self.rng.random() < 0.1:
            await self._exchange(look, other)
        return True

    def _elsewhere(self, look: Look) -> Any:
        """Another state that the reader cannot tell from this one."""
        other = self.table.helper.scramble(look.state, self.table.reader.seat, self.rng)
        other.chance = look.state.chance.copy()
        return other

    def _tellable(self, state: Any, other: Any, made: Sequence[tuple[int, Any]]) -> bool:
        """Whether the moves can be made in both, end neither, and show the reader nothing that was hidden."""
        helper, game, seen = self.table.helper, self.table.helper.game, self.table.reader.seat
        state, other = game.copy(state), game.copy(other)
        for seat, move in made:
            open_to = game.decisions(other).get(seat)
            if open_to is None or move not in game.moves(other, seat) or helper.reveals(state, seen, seat, move):
                return False
            game.play(state, seat, move)
            game.play(other, seat, move)
            if not game.decisions(state) or not game.decisions(other):
                return False
        return True

    async def _likewise(self, seat: int, move: Any) -> Any:
        """The move in the other world: where nobody but its seat is told which it is, mostly another one."""
        game, seen = self.table.helper.game, self.table.reader.seat
        states = [(await inn.look(self.match)).state for inn in self.both]
        if seat == seen or self.rng.random() < 0.3:
            return move
        others = [each for each in game.moves(states[1], seat) if each != move]
        for other in self.rng.sample(others, min(3, len(others))):
            after = [_after(game, state, seat, each, seen) for state, each in zip(states, (move, other), strict=True)]
            if after[0] == after[1]:
                self.counted["hidden moves"] += 1
                return other
        return move

    async def _exchange(self, look: Look, other: Any = None) -> None:
        """Have the other world be that one; the reader sees nothing of it."""
        other = self._elsewhere(look) if other is None else other
        await self._same(lambda inn: self._set(inn, other if inn is self.two else None))
        self.differ += repr(look.view(None)) == repr(look.game.view(other, None)) and any(
            repr(look.view(seat)) != repr(look.game.view(other, seat)) for seat in range(self.table.start.seats)
        )
        self.counted["worlds"] += 1

    async def _set(self, inn: Plain, other: Any) -> None:
        look = await inn.look(self.match)
        inn.bot.tasks.stop(f"computers {self.match}")
        await inn.exchange(look if other is None else replace(look, state=other))

    async def _begin_anew(self, inn: Plain) -> None:
        """Have the computers look at the match anew."""
        inn.bot.tasks.stop(f"computers {self.match}")
        await inn.wake_computers(self.match)

    async def _pass_over(self, look: Look, made: Sequence[tuple[int, Any]]) -> None:
        """Move on without a word where a move tells the worlds apart; from there, both as if they had come so."""
        for inn in self.both:
            inn.bot.tasks.stop(f"computers {self.match}")
        for seat, move in made:
            await self.one.play(await self.one.look(self.match), seat, move)
        look = await self.one.look(self.match)
        if not look.decisions():
            return
        other = replace(look, state=self._elsewhere(look))
        await self._same(lambda inn: inn.exchange(look) if inn is self.one else inn.exchange(other, self.one))
        self.counted["worlds"] += 1

    # What the reader gets

    async def _same(self, act: Act) -> None:
        """Do the same in both; the reader, and the log, must be told the same."""
        told: list[list[Sent]] = []
        logs: list[list[str]] = []
        hidden: list[list[Sent]] = []
        for inn in self.both:
            since = len(inn.wire.sent)
            self.log.clear()
            await act(inn)
            sent = inn.wire.sent[since:]
            seen = [self._unnamed(inn, each) for each in sent if self.table.reader.sees(each)]
            told.append(sorted(seen, key=lambda each: (each.at, each.path)))
            hidden.append([each for each in sent if not self.table.reader.sees(each)])
            logs.append(sorted(self.log))
        self._compare(told[0], told[1])
        self._compare(logs[0], logs[1])
        self.differ += hidden[0] != hidden[1]

    def _unnamed(self, inn: Plain, sent: Sent) -> Sent:
        """What was sent, with its number among those that this reader has seen in place of a name drawn by lot."""
        seen = self.nonces.setdefault(id(inn), [])
        if (found := NONCE.search(sent.said)) is None or found[1] not in inn.lots:
            return sent
        if found[1] not in seen:
            seen.append(found[1])
        return sent._replace(said=sent.said.replace(found[1], f"number {seen.index(found[1])}"))

    def _compare(self, first: Sequence[Sent | str], second: Sequence[Sent | str]) -> None:
        who = self.table.reader.name
        for one, two in zip(first, second, strict=False):
            assert one == two, f"{who} is told {differing(one, two)}"
        assert len(first) == len(second), (
            f"{who} is told more or less: {[*first, *second][min(len(first), len(second))]}"
        )
        self.counted["nothing said"] += not first
        for each in first:
            self.counted[kind(each)] += 1
            self.counted["pictures"] += 0 if isinstance(each, str) else len(each.files)


def _thinks(game: Any, level: Level) -> float:
    """How long a computer takes that moves for somebody who is late: who searches, to the end of a pause."""
    return 0.0 if player(game, level).budget is None else PAUSE


def _after(game: Any, state: Any, seat: int, move: Any, reader: int | None) -> tuple[Any, ...]:
    """What a reader sees of a state after a move, and of the move itself."""
    state = game.copy(state)
    events = game.play(state, seat, move)
    told = [event for event in events if event.seen_by(reader)]
    return game.view(state, reader), told, game.decisions(state), bool(game.decisions(state))


async def compared(table: Table, rng: Random, steps: int, share: float) -> Worlds:
    """So many moves of a match at that table in two worlds, or all that it has; what was compared."""
    more: dict[str, Any] = {"paced": True, "people": EVERYBODY, "elsewhere": asking.THERE, "pictures": table.pictures}
    with logged() as log:
        async with AsyncExitStack() as stack:
            one, two = [await stack.enter_async_context(plain(table.start.seed, **more)) for _ in range(2)]
            worlds = Worlds(table, one, two, rng, log)
            await worlds.begin()
            for _ in range(steps):
                if not await worlds.step(share):
                    break
            await worlds.end()
    return worlds


async def other_worlds_look_the_same(helper: Helper, start: Start, positions: int) -> Counter[str]:
    """Whoever looks is told the same in both worlds, each through so many moves; some beside a computer.

    In a short search that is a player and somebody else, by lot; in a long one, everybody.
    """
    lot = Random(f"{start.seed} readers")
    players, others = [*map(seated, range(start.seats))], [seated(None), Reader(ADMIN), Reader(STRANGER)]
    some = [lot.choice(players), lot.choice(others)] if positions < FEW else [*players, *others]
    counted, differ, moved = Counter[str](), 0, 0
    for number, reader in enumerate(some):
        beside = number % 2 and reader.seat != start.seats - 1
        table = Table(helper, start, reader, levels(helper.game)[-1:] if beside else ())
        worlds = await compared(table, Random(f"{start.seed} worlds {number}"), positions, 0.5)
        counted += worlds.counted
        differ, moved = differ + worlds.differ, moved + worlds.moved
    assert differ, "nothing was ever exchanged that anybody can see"
    assert moved, "no move was ever made in both worlds"
    return counted


async def evening(seed: int, steps: int) -> Counter[str]:
    """A match drawn by lot, with computers or without: its game, its seats, who reads. What was compared."""
    rng = Random(seed)
    helper = rng.choice([*HELPERS.values()])
    start = rng.choice(helper.starts())
    start = replace(start, seed=f"{rng.getrandbits(128):032x}")
    computers = tuple(rng.choices(levels(helper.game), k=rng.choice((0, 0, 1, 1, 2))))[: start.seats - 1]
    people = start.seats - len(computers)
    reader = rng.choice([*map(seated, range(people)), seated(None), Reader(ADMIN), Reader(STRANGER)])
    closed = frozenset(rng.sample(PEOPLE[:people], rng.choice((0, 0, 1))))
    clock = rng.choice(("", "1 hour"))
    table = Table(helper, start, reader, computers, closed, clock, rng.random() < 0.04)
    return (await compared(table, rng, steps, 0.25)).counted
