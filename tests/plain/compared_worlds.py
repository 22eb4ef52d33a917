"""Whole matches in two worlds that one reader cannot tell apart: all that this reader gets must be the same.

That is: every message, answer, offer, refusal and call, to the byte and with its pictures, in its order and at its
time; how many there are; and what is logged and counted. The worlds differ in all that is hidden from the reader.
People also do in secret what they like, more often in one world than in the other (`secret_acts.py`).
Where a move cannot be made in the other world, or would tell them apart, that world is exchanged for another behind
the reader's back, or both are moved on without a word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from hashlib import blake2b
from operator import or_
from random import Random
from typing import Any

from cogs.table.scheduling.computer_turns import MOVE_PAUSE, awaited_seat
from engines.hosting.match import MatchSnapshot
from motley.metrics import Metrics
from players import available_levels
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.helpers import HELPERS
from tests.contract.secrets import plan_match
from tests.games import GAMES
from tests.plain import leak_reader
from tests.plain.fake_discord import SentRequest
from tests.plain.leak_reader import ADMIN, ALL_NAMES, ORDINARY_RIGHTS, STRANGER, LeakReader, capture_log, reader_in_seat
from tests.plain.plain_bot import PEOPLE, PlainBot, start_plain_bot
from tests.plain.secret_acts import Secretive, secret_acts

TRY_COUNT = 8
"""How often another world is looked for in which a move can be made as well."""
FEW_STATES = 20  # moves
UNEQUAL_SHARE = 0.3  # of the steps before which something is done in secret
MOST_TIMES = 3
LATE_SHARE = 0.05  # of the moves that are waited for alone
GLANCE_SECONDS = 1 / 32  # less than any pause
THINK_SECONDS = 0.0002  # seconds that the shortest thought takes; the longest, 256 of them
NONCE_PATTERN = re.compile(r'"nonce": "([0-9a-f]{24})"')
OUTSIDERS = LeakReader(ADMIN), LeakReader(STRANGER)
Act = Callable[[PlainBot], Awaitable[object]]


@dataclass(frozen=True)
class ComparedTable:
    helper: GameHelper
    start: MatchStart
    reader: LeakReader
    computers: Sequence[str] = ()  # the levels of those in the last seats
    closed_inboxes: frozenset[str] = frozenset()  # whose direct messages are closed
    clock: str = ""  # the table's clock, if it is not the usual one
    pictures: bool = False
    autoplay: bool = True  # whether forced moves are made automatically

    @property
    def people(self) -> int:
        return self.start.seats - len(self.computers)


@dataclass
class ComparedWorlds:
    """The same match, as it is and as it might be."""

    table: ComparedTable
    one: PlainBot
    two: PlainBot
    rng: Random
    log: list[str]
    secret_rng: Random = field(default_factory=lambda: Random(1))  # of what is done in secret
    counts: Counter[str] = field(default_factory=Counter)
    match: str = ""
    is_unequal: bool = False  # whether something was done more often in one of the worlds
    differing_steps: int = 0  # how often somebody else was shown another thing than in the other world
    moves_made: int = 0
    planned_moves: dict[tuple[int, int, int], str] = field(default_factory=dict)
    nonces: dict[int, list[str]] = field(default_factory=dict)  # those that the reader has seen, by bot
    moves: list[Any] = field(default_factory=list)  # of another match, to be tried at the wrong time

    # The match

    async def begin_both(self) -> None:
        table = self.table
        table_options = {"autoplay": str(table.autoplay).lower()} | ({"clock": table.clock} if table.clock else {})
        self.moves = [step.move for step in plan_match(table.helper, table.start, 0)]
        for plain_bot in self.both:
            plain_bot.rights = dict.fromkeys(set(ALL_NAMES) - {ADMIN}, ORDINARY_RIGHTS)
            plain_bot.rooms = {STRANGER: leak_reader.OTHER_CHANNEL}
            plain_bot.wire.closed_inboxes = {plain_bot.wire.people[name] for name in table.closed_inboxes}
            plain_bot.bot.computers.choose_notation = partial(self._choose_planned, plain_bot)  # type: ignore[method-assign]
            self.match = await leak_reader.start_match(
                plain_bot, table.helper, table.start, table.computers, table_options
            )
            plain_bot.wire.sent_requests.clear()
        await self._replace_other(await self.one.load_snapshot(self.match))

    async def step_both(self, share: float) -> bool:
        """One move, of a person or of the computers that are due, and what happens before. False: the match is over."""
        snapshot = await self.one.load_snapshot(self.match)
        if not snapshot.decisions():
            return False
        if self.rng.random() < share:
            await self._ask_both(snapshot, self.table.reader)
            other_reader = reader_in_seat(self.rng.choice([*range(self.table.people), None]))
            if self.rng.random() < 0.3 and other_reader != self.table.reader:
                await self._ask_both(snapshot, other_reader)
        if self.secret_rng.random() < UNEQUAL_SHARE:
            if awaited_seat(snapshot) is None:  # the hands that follow the last move are still waiting then
                seconds = self.secret_rng.choice((0, 0.5))
                await self._do_in_both(partial(PlainBot.pass_time, seconds=seconds))
            await self._act_unequally(await self.one.load_snapshot(self.match))
        if awaited_seat(snapshot) is None and (seconds := self.rng.choice((0, 0, 0.5, 1.0, 4.5, 61.0))):
            await self._do_in_both(lambda plain_bot: plain_bot.pass_time(seconds))
        snapshot = await self.one.load_snapshot(self.match)
        if not snapshot.decisions():
            return False
        seat = awaited_seat(snapshot)
        away = [each for each in snapshot.due_seats() if each >= self.table.people or snapshot.info.seats[each].level]
        if seat is not None and (self.rng.random() < 0.7 or len(away) == len(snapshot.decisions())):
            await self._move_computers(snapshot)
        else:
            await self._move_person(snapshot)
        return True

    @property
    def both(self) -> tuple[PlainBot, PlainBot]:
        return self.one, self.two

    # What happens

    async def _ask_both(self, snapshot: MatchSnapshot, asker: LeakReader) -> None:
        """Somebody asks for everything that there is; of moves, for such as they may make in neither world."""
        seed, own = self.rng.random(), set[Any]()
        if asker.seat is not None:
            own = {
                move
                for plain_bot in self.both
                for move in (await plain_bot.load_snapshot(self.match)).moves(asker.seat)
            }
        await self._do_in_both(
            lambda plain_bot: leak_reader.ask_everything(plain_bot, snapshot, asker, self.moves, own, Random(seed))
        )

    async def _act_unequally(self, snapshot: MatchSnapshot) -> None:
        """Somebody else does something in secret, in one world more often; the reader is told nothing."""
        others = [seat for seat in range(self.table.people) if seat != self.table.reader.seat]
        acts = [(seat, act) for seat in others for act in secret_acts(snapshot, seat)]
        if not acts:
            return
        (seat, act), seed, sent_lists = (
            self.secret_rng.choice(acts),
            self.secret_rng.random(),
            list[list[SentRequest]](),
        )
        for plain_bot, times in zip(self.both, self.secret_rng.sample(range(MOST_TIMES + 1), 2), strict=True):
            start, actor = (
                len(plain_bot.wire.sent_requests),
                Secretive(plain_bot, self.match, seat, Random(seed), self.moves),
            )
            for _ in range(times):
                await act(actor)
            sent = plain_bot.wire.sent_requests[start:]
            sent_lists.append([self._without_nonces(plain_bot, each) for each in sent if self.table.reader.sees(each)])
            self.counts[f"secret: {act.__name__}"] += times
        try:
            self._compare_sent(*sent_lists)
        except AssertionError as error:
            raise AssertionError(f"{act.__name__} of {PEOPLE[seat]}: {error}") from None
        self.is_unequal = True
        # the ids of interactions are Discord's
        counts = [plain_bot.wire.snowflakes.interaction_counts() for plain_bot in self.both]
        for plain_bot in self.both:
            plain_bot.wire.snowflakes.counts |= reduce(or_, counts)
        await self._do_in_both(PlainBot.reschedule)  # what is due comes up to a second later, as clicks fall

    async def _move_person(self, snapshot: MatchSnapshot) -> None:
        """Somebody who may act does; what is hidden of it may be another thing in the other world."""
        people = [seat for seat in snapshot.decisions() if not snapshot.info.seats[seat].level]
        due = [seat for seat in people if seat in snapshot.due_seats()]
        seat = self.rng.choice(due if due and self.rng.random() < 0.8 else people)
        move = self.rng.choice(snapshot.moves(seat))
        if not await self._prepare_other([(seat, move)]):
            await self._move_silently(snapshot, [(seat, move)])
            return
        other = await self._counterpart_move(seat, move)
        moves_by_bot = {id(self.one): move, id(self.two): other}
        out, alone = snapshot.deadline(seat), seat != self.table.reader.seat and snapshot.due_seats() == (seat,)
        if out is not None and alone and self.rng.random() < LATE_SHARE:
            before = [(await plain_bot.load_snapshot(self.match)).info.moves for plain_bot in self.both]
            for plain_bot in self.both:
                await self._plan_moves(plain_bot, [(seat, moves_by_bot[id(plain_bot)])])
            await self._run_out(out)
            after = [(await plain_bot.load_snapshot(self.match)).info.moves for plain_bot in self.both]
            assert after == [moves + 1 for moves in before], "nobody moves for who is late"
            self.counts["clocks run out"] += 1
        else:
            await self._do_in_both(
                lambda plain_bot: leak_reader.press_move(plain_bot, self.match, seat, moves_by_bot[id(plain_bot)])
            )
            self.moves_made += 1
        if awaited_seat(await self.one.load_snapshot(self.match)) is not None:

            async def restart(plain_bot: PlainBot) -> None:
                plain_bot.bot.tasks.stop(f"computers {self.match}")
                await plain_bot.wake_computers(self.match)

            await self._do_in_both(restart)  # what is planned already is not what is written down

    async def _run_out(self, deadline: int) -> None:
        """Let a deadline pass, until somebody moves for who is late; nobody else moves so soon."""
        before = (await self.one.load_snapshot(self.match)).info.moves
        left = deadline - self.one.time.start - self.one.time.seconds
        for seconds in (left, *[GLANCE_SECONDS] * int(2 * MOVE_PAUSE / GLANCE_SECONDS)):
            await self._do_in_both(partial(PlainBot.pass_time, seconds=seconds))
            if (await self.one.load_snapshot(self.match)).info.moves > before:
                break

    async def _move_computers(self, snapshot: MatchSnapshot) -> None:
        chain = self._computer_chain(snapshot)
        if not await self._prepare_other(chain):
            await self._move_silently(snapshot, chain)
            return
        for plain_bot in self.both:
            await self._plan_moves(plain_bot, chain)
        pause = await self.one.bot.computers.next_pause(snapshot)
        await self._do_in_both(lambda plain_bot: plain_bot.pass_time(pause))
        moves = (await self.one.load_snapshot(self.match)).info.moves
        assert moves == snapshot.info.moves + len(chain), "the computers wait"
        self.moves_made += len(chain)
        self.counts["computers' moves"] += len(chain)

    async def _plan_moves(self, plain_bot: PlainBot, moves: Sequence[tuple[int, Any]]) -> None:
        snapshot = await plain_bot.load_snapshot(self.match)
        state = snapshot.game.copy(snapshot.state)
        for seat, move in moves:
            self.planned_moves[id(plain_bot), seat, snapshot.game.decisions(state)[seat].number] = (
                snapshot.game.format_move(move)
            )
            snapshot.game.play(state, seat, move)

    def _computer_chain(self, snapshot: MatchSnapshot) -> list[tuple[int, Any]]:
        """What computers are to do until people are, or one of them is to move again after another has; or, while a
        person can change a sealed choice, until all have moved who are due."""
        moves: list[tuple[int, Any]] = []
        due = snapshot.due_seats()
        changeable = any(each not in due and each < self.table.people for each in snapshot.decisions())
        while (seat := awaited_seat(snapshot)) is not None:
            has_moved = seat in [each for each, _ in moves]
            if (has_moved and seat != moves[-1][0]) or (changeable and (has_moved or seat not in due)):
                break
            moves.append((seat, self.rng.choice(snapshot.moves(seat))))
            state = snapshot.game.copy(snapshot.state)
            snapshot.game.play(state, *moves[-1])
            snapshot = replace(snapshot, state=state)
        return moves

    async def _choose_planned(self, plain_bot: PlainBot, snapshot: MatchSnapshot, seat: int, level: str) -> str:
        """What was written down for that computer; if it searches, its hand says how long it thinks."""
        known = blake2b(repr(snapshot.view(seat)).encode(), digest_size=1).digest()[0] if level == "hard" else 0
        await plain_bot.time.sleep(THINK_SECONDS * (1 + known))
        number = snapshot.decisions()[seat].number
        found: str | None = self.planned_moves.get((id(plain_bot), seat, number))
        return found or snapshot.game.format_move(snapshot.moves(seat)[0])

    # The other world

    async def _prepare_other(self, moves: Sequence[tuple[int, Any]]) -> bool:
        """Have the other world be one in which this can be done, too, and tells nothing. Whether there is one."""
        snapshot, other_state = (
            await self.one.load_snapshot(self.match),
            (await self.two.load_snapshot(self.match)).state,
        )
        other = snapshot.game.copy(other_state)
        other.chance = snapshot.state.chance.copy()  # what everybody is to see of it falls the same
        for _ in range(TRY_COUNT):
            if self._is_indistinguishable(snapshot.state, other, moves):
                break
            other = self._other_state(snapshot)
        else:
            return False
        if other != other_state or self.rng.random() < 0.1:
            await self._replace_other(snapshot, other)
        return True

    def _other_state(self, snapshot: MatchSnapshot) -> Any:
        """Another state that the reader cannot tell from this one."""
        other = self.table.helper.scramble_hidden(snapshot.state, self.table.reader.seat, self.rng)
        other.chance = snapshot.state.chance.copy()
        return other

    def _is_indistinguishable(self, state: Any, other: Any, moves: Sequence[tuple[int, Any]]) -> bool:
        """Whether the moves can be made in both, end neither, and show the reader nothing that was hidden."""
        helper, game, reader = self.table.helper, self.table.helper.game, self.table.reader.seat
        state, other = game.copy(state), game.copy(other)
        for seat, move in moves:
            open_to = game.decisions(other).get(seat)
            if open_to is None or move not in game.moves(other, seat) or helper.is_revealing(state, reader, seat, move):
                return False
            game.play(state, seat, move)
            game.play(other, seat, move)
            if not game.decisions(state) or not game.decisions(other):
                return False
        return True

    async def _counterpart_move(self, seat: int, move: Any) -> Any:
        """The move in the other world: mostly another one, if nobody but its seat is told which it is."""
        game, reader = self.table.helper.game, self.table.reader.seat
        states = [(await plain_bot.load_snapshot(self.match)).state for plain_bot in self.both]
        if seat == reader or self.rng.random() < 0.3:
            return move
        others = [each for each in game.moves(states[1], seat) if each != move]
        for other in self.rng.sample(others, min(3, len(others))):
            after = _state_after(game, states[0], seat, move, reader)
            if after == _state_after(game, states[1], seat, other, reader):
                self.counts["hidden moves"] += 1
                return other
        return move

    async def _replace_other(self, snapshot: MatchSnapshot, other: Any = None) -> None:
        other = self._other_state(snapshot) if other is None else other

        async def set_state(plain_bot: PlainBot) -> None:
            current = await plain_bot.load_snapshot(self.match)
            plain_bot.bot.tasks.stop(f"computers {self.match}")
            await plain_bot.replace_state(replace(current, state=other) if plain_bot is self.two else current)

        await self._do_in_both(set_state)
        self.differing_steps += repr(snapshot.view(None)) == repr(snapshot.game.view(other, None)) and any(
            repr(snapshot.view(seat)) != repr(snapshot.game.view(other, seat)) for seat in range(self.table.start.seats)
        )
        self.counts["worlds"] += 1

    async def _move_silently(self, snapshot: MatchSnapshot, moves: Sequence[tuple[int, Any]]) -> None:
        """Move on without a word if a move tells the worlds apart; from there, both as if they had come so."""
        for plain_bot in self.both:
            plain_bot.bot.tasks.stop(f"computers {self.match}")
        for seat, move in moves:
            await self.one.play_undrawn(await self.one.load_snapshot(self.match), seat, move)
        snapshot = await self.one.load_snapshot(self.match)
        if not snapshot.decisions():
            return
        other = replace(snapshot, state=self._other_state(snapshot))
        offers = await self.one.offering_seats(self.match)
        given = {id(self.one): (snapshot, None, offers), id(self.two): (other, self.one, offers)}
        await self._do_in_both(lambda plain_bot: plain_bot.replace_state(*given[id(plain_bot)]))
        self.counts["worlds"] += 1

    # What the reader gets

    async def _do_in_both(self, act: Act) -> None:
        """Do the same in both; the reader, and the log, must be told the same."""
        sent_lists: list[list[SentRequest]] = []
        logs: list[list[str]] = []
        hidden: list[list[SentRequest]] = []
        for plain_bot in self.both:
            start = len(plain_bot.wire.sent_requests)
            self.log.clear()
            await act(plain_bot)
            sent = plain_bot.wire.sent_requests[start:]
            visible = [self._without_nonces(plain_bot, each) for each in sent if self.table.reader.sees(each)]
            sent_lists.append(sorted(visible, key=lambda each: (each.at, each.path)))
            hidden.append([each for each in sent if not self.table.reader.sees(each)])
            logs.append(sorted(self.log))
        self._compare_sent(sent_lists[0], sent_lists[1])
        self._compare_sent(logs[0], logs[1])
        self.differing_steps += not self.is_unequal and hidden[0] != hidden[1]

    def _without_nonces(self, plain_bot: PlainBot, sent: SentRequest) -> SentRequest:
        """What was sent, with its number among those that this reader has seen in place of a name drawn by lot."""
        nonces = self.nonces.setdefault(id(plain_bot), [])
        if (found := NONCE_PATTERN.search(sent.body_text)) is None or found[1] not in plain_bot.drawn_lots:
            return sent
        if found[1] not in nonces:
            nonces.append(found[1])
        return sent._replace(body_text=sent.body_text.replace(found[1], f"number {nonces.index(found[1])}"))

    def _compare_sent(self, first: Sequence[SentRequest | str], second: Sequence[SentRequest | str]) -> None:
        name = self.table.reader.name
        for one, two in zip(first, second, strict=False):
            assert one == two, f"{name} is told {first_difference(one, two)}"
        more = [*first, *second][min(len(first), len(second)) :][:1]
        assert len(first) == len(second), f"{name} is told more or less: {more}"
        self.counts["nothing said"] += not first
        for each in first:
            self.counts[kind_of_sent(each)] += 1
            self.counts["pictures"] += 0 if isinstance(each, str) else len(each.files)


def _state_after(game: Any, state: Any, seat: int, move: Any, reader: int | None) -> tuple[Any, ...]:
    state = game.copy(state)
    events = game.play(state, seat, move)
    visible = [event for event in events if event.is_visible_to(reader)]
    return game.view(state, reader), visible, game.decisions(state), bool(game.decisions(state))


async def compare_match(table: ComparedTable, rng: Random, steps: int, share: float) -> ComparedWorlds:
    """So many moves of a match at that table in two worlds, or all that it has; what was compared."""
    more: dict[str, Any] = {"paced": True, "people": ALL_NAMES, "other_servers": leak_reader.OTHER_SERVERS}
    more["pictures"] = table.pictures
    with capture_log() as log:
        async with AsyncExitStack() as stack:
            one, two = [await stack.enter_async_context(start_plain_bot(table.start.seed, **more)) for _ in range(2)]
            worlds = ComparedWorlds(table, one, two, rng, log, Random(f"{table.start.seed} {table.reader}"))
            await worlds.begin_both()
            for _ in range(steps):
                if not await worlds.step_both(share):
                    break
            first, second = [await comparable_metrics(plain_bot, worlds.is_unequal) for plain_bot in worlds.both]
            assert first == second, f"the numbers tell {first_difference(first, second)}"
            worlds.counts["numbers"] += len(first.splitlines())
    return worlds


async def other_worlds_look_the_same(helper: GameHelper, start: MatchStart, positions: int) -> Counter[str]:
    """A reader is told the same in both worlds, each through so many moves; some beside a computer.

    In a short search that is a player and somebody else, by lot; in a long one, everybody.
    """
    lot = Random(f"{start.seed} readers")
    players, others = [*map(reader_in_seat, range(start.seats))], [reader_in_seat(None), *OUTSIDERS]
    some = [lot.choice(players), lot.choice(others)] if positions < FEW_STATES else [*players, *others]
    counted, differ, moved = Counter[str](), 0, 0
    for number, reader in enumerate(some):
        has_computers = number % 2 and reader.seat != start.seats - 1
        table = ComparedTable(helper, start, reader, available_levels(helper.game)[-1:] if has_computers else ())
        worlds = await compare_match(table, Random(f"{start.seed} worlds {number}"), positions, 0.5)
        counted += worlds.counts
        differ, moved = differ + worlds.differing_steps, moved + worlds.moves_made
    assert differ, "nothing was ever exchanged that anybody can see"
    assert moved, "no move was ever made in both worlds"
    return counted


async def compare_random_match(seed: int, steps: int) -> Counter[str]:
    """A match drawn by lot, with computers or without: its game, its seats, who reads. What was compared."""
    rng = Random(seed)
    helper = rng.choice([*HELPERS.values()])
    start = rng.choice(helper.starts())
    start = replace(start, seed=f"{rng.getrandbits(128):032x}")
    computers = tuple(rng.choices(available_levels(helper.game), k=rng.choice((0, 0, 1, 1, 2))))[: start.seats - 1]
    people = start.seats - len(computers)
    reader = rng.choice([*map(reader_in_seat, range(people)), reader_in_seat(None), *OUTSIDERS])
    closed = frozenset(rng.sample(PEOPLE[:people], rng.choice((0, 0, 1))))
    clock = rng.choice(("", "1 hour"))
    table = ComparedTable(helper, start, reader, computers, closed, clock, rng.random() < 0.04)
    return (await compare_match(table, rng, steps, 0.25)).counts


METRIC_PATTERN = re.compile(r"motley_(?!loop|discord_budget)(?!\w+_(sum|bucket))")
WORK_PATTERN = re.compile(
    r"motley_(answer_seconds|writes|commit_seconds|discord_requests|pool_jobs|messages_following)"
)
COMPARED_KINDS = ("messages", "edits", "deletions", "answers", "offers", "pictures")
"""What counts as a comparison: one for each thing that the reader got. What else is compared is counted apart."""


def kind_of_sent(sent: SentRequest | str) -> str:
    if isinstance(sent, str):
        return "lines of the log"
    if sent.path.endswith("/callback"):
        return "offers" if '"choices"' in sent.body_text else "answers"
    return {"POST": "messages", "PATCH": "edits"}.get(sent.method, "deletions")


def first_difference(first: SentRequest | str, second: SentRequest | str) -> str:
    one, two = (each if isinstance(each, str) else f"{each.at:g} {each.path} {each.text}" for each in (first, second))
    at = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    return f"“…{one[max(0, at - 60) : at + 60]}…” here and “…{two[max(0, at - 60) : at + 60]}…” there"


async def comparable_metrics(plain_bot: PlainBot, is_unequal: bool = False) -> str:
    """What the owner of the bot can read of it, apart from how long anything took.

    If not all was done as often in both worlds, it is also apart from how much was done in all, and from hands that
    wait, because an own click updates the own hand.
    """
    metrics = Metrics(GAMES)
    metrics.bot = plain_bot.bot
    page = (await metrics.render_page()).decode()
    lines = [line for line in page.splitlines() if METRIC_PATTERN.match(line)]
    return "\n".join(line for line in lines if not (is_unequal and WORK_PATTERN.match(line)))


def count_compared(counted: Counter[str]) -> int:
    return sum(counted[kind] for kind in COMPARED_KINDS)
