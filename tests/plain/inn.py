"""A server with people in it and the whole bot, over a plain wire: quick, and the same every time."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import partial
from time import monotonic
from types import CoroutineType, MappingProxyType
from typing import Any

import pytest

from cogs.client import Motley
from cogs.pictures.studio import Studio
from cogs.table.pages import page_drawing
from cogs.table.scheduling import change_feed, computer_turns, deadlines, retention, scheduler
from cogs.table.scheduling.scheduler import ASLEEP
from cogs.table.surfaces import hand_pacing, reconciler, stale_tracking, surface_sync
from cogs.table.surfaces import other_process_replies as answered_elsewhere
from cogs.table.transport import connectivity, interaction_response, interrupted_edits, rate_limiter
from engines.hosting.match import Look
from engines.hosting.matches import Matches
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.store.match_store import Due
from engines.store.server_ownership import Holding
from engines.store.surface_storage import Kind
from players import Budget, advice
from storage import Database, MatchStore, SurfaceStore
from tests.engines.memory_shown import MemoryShown
from tests.engines.memory_store import MemoryStore
from tests.fronts import FRONTS
from tests.games import GAMES
from tests.manual_time import ManualTime
from tests.messages import Message
from tests.painting import paint
from tests.plain.payloads import ALL, CHANNEL
from tests.plain.wire import Asked, Wire, plug, wired
from tests.thinking.at_once import AtOnce
from worker_pool.pool import Thinkers

BRIEF = Budget(2, candidates=2)  # a hint need not be good here, but soon there
PEOPLE = ("Ada", "Bela", "Chidi", "Dora", "Emil", "Fumi", "Greta")
WATCHER = "Greta"
NOW = 1_767_225_600
COMMAND, COMPONENT, TYPING = 2, 3, 4  # kinds of interactions
SUBCOMMAND, STRING, INTEGER, BUTTON, SELECT = 1, 3, 4, 2, 3
FAILING = ("again", "outage", "inbox")  # tasks that wait until what failed is tried again
PATIENCE = 30.0  # real seconds after which something surely waits for what never comes
TIME: ContextVar[ManualTime] = ContextVar("time")
NEVER = 1e9  # seconds
NAP = 0.001  # seconds after which it is seen that a task has gone to sleep


class OnTheSpot(ThreadPoolExecutor):
    """What is to be done in a thread is done at once: nothing hangs on which thread is faster."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Do it."""
        done: Future[Any] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001  # as an executor does
            done.set_exception(error)
        return done


class Exchanged(Matches):
    """Matches whose state can be exchanged for another one in their midst."""

    def exchange(self, look: Look) -> None:
        """From now on the match stands so; with a revision of its own, so that everything is looked at anew."""
        held = self._held[look.info.id]
        held.info = replace(look.info, revision=max(look.info.revision, held.info.revision) + 1)
        held.state = look.game.copy(look.state)
        held.told, held.movers, held.computed = list(look.told), list(look.movers), set(look.computed)
        held.clocks, held.late = dict(look.clocks), set(look.late)
        text = look.game.checkpoints.dump_json(look.state).decode()
        store = self._store
        assert isinstance(store, MemoryStore)
        saved = store.saved[look.info.id]
        store.infos[look.info.id] = held.info
        store.saved[look.info.id] = replace(
            saved, info=held.info, base=text, checkpoint=text, base_moves=held.info.moves, moves=()
        )
        self.changed(look.info.id)


@dataclass
class Plain:
    """The bot and what it has sent."""

    bot: Motley
    store: MemoryStore
    matches: Exchanged
    wire: Wire
    chance: random.Random = field(default_factory=lambda: random.Random(1))
    lots: list[str] = field(default_factory=list)  # all that was drawn by lot
    outside: frozenset[Any] = frozenset()
    seed: str = ""  # from which the next match is dealt
    time: ManualTime = field(default_factory=ManualTime)  # by which hands that may wait do so, unless they need not
    numbers: Iterator[int] = field(default_factory=lambda: iter(range(10_000_000, 100_000_000)))  # of its matches
    rights: dict[str, str] = field(default_factory=dict)  # of those who may not do everything
    rooms: dict[str, int] = field(default_factory=dict)  # where those give commands who are in another server

    # Where things stand

    async def look(self, match: str) -> Look:
        """The match as it is now."""
        return await self.matches.look(match)

    async def surface(self, match: str, kind: Kind, seat: int = -1) -> Message:
        """The message that shows a lobby, a table or a hand."""
        found = await self.bot.keeper.surface(match, kind, seat)
        assert found is not None
        return self.wire.channels[found.channel][found.message]

    def newest(self, message: Message) -> Message:
        """A message as it stands now."""
        return self.wire.channels[int(message["channel_id"])][int(message["id"])]

    # What people do

    async def click(self, name: str, message: Message, custom_id: str, values: Sequence[str] | None = None) -> Asked:
        """Press a button or pick lines of a list, whether it is there or not."""
        data: dict[str, Any] = {"custom_id": custom_id, "component_type": BUTTON if values is None else SELECT}
        if values is not None:
            data["values"] = list(values)
        return await self._ask(name, int(message["channel_id"]), COMPONENT, data, message)

    async def slash(self, name: str, command: str, /, **options: Any) -> Asked:
        """Give a command, at the table's channel."""
        return await self._ask(name, self.rooms.get(name, CHANNEL), COMMAND, _command(command, options, ""))

    async def typing(
        self, name: str, command: str, option: str, current: str, /, **options: Any
    ) -> list[dict[str, Any]]:
        """What is offered while an option of a command is typed."""
        data = _command(command, options | {option: current}, option)
        return (await self._ask(name, self.rooms.get(name, CHANNEL), TYPING, data)).choices

    async def seat(
        self, game: AnyGame, names: Sequence[str], options: Mapping[str, Any], computers: Sequence[str] = ()
    ) -> str:
        """A match of these people, and computers of these levels, that has begun; its id."""
        known = {info.id for info in await self.matches.find()}
        await self.slash(names[0], f"{game.key} new", **options)
        (match,) = {info.id for info in await self.matches.find()} - known
        lobby = await self.surface(match, "lobby")
        for name in names[1:]:
            await self.click(name, lobby, f"t:{match}:join")
        for level in computers:  # the first click seats as many as it takes to start
            if len((await self.look(match)).info.seats) < len(names) + len(computers):
                await self.click(names[0], lobby, f"t:{match}:computer-{level}")
        await self.click(names[0], lobby, f"t:{match}:start")
        return match

    async def exchange(self, look: Look, like: Plain | None = None) -> None:
        """Have the match stand so; and have come there as in another inn. Nobody reads what a decision is numbered."""
        match, decisions, shown = look.info.id, look.decisions(), self.bot.shown
        if like is not None:
            self.store.changes, self.store.awaited = list(like.store.changes), dict(like.store.awaited)
            self.store.settled, self.bot.alarm._handed = list(like.store.settled), set(like.bot.alarm._handed)
        offering, offers = self.bot.keeper.showing._offering, await (like or self)._offers(match)
        for key, (_, message) in [*offering.items()]:
            if key[2] in offers and key[2] in decisions:
                offering[key] = decisions[key[2]].number, message
            else:
                del offering[key]
        for mention in await shown.mentions(match):
            if mention.seat in decisions:
                await shown.drop_mention(mention.match, mention.seat, mention.decision)
                await shown.put_mention(replace(mention, decision=decisions[mention.seat].number))
        look = replace(look, clocks=self._renumber(look))

        def act() -> None:
            self.matches.exchange(look)
            self.bot.alarm.look()

        await self._do(act)

    def _renumber(self, look: Look) -> dict[int, Due]:
        """Have what the match awaits be about its decisions as they are numbered now; the clocks, likewise."""
        numbers, numbered = {seat: each.number for seat, each in look.decisions().items()}, {}
        for (of, kind, seat), (awaited, due) in [*self.store.awaited.items()]:
            if of == look.info.id and seat in numbers:
                numbered[due] = replace(due, decision=numbers[seat])
                awaited = replace(awaited, decision=numbers[seat])
                self.store.awaited[of, kind, seat] = awaited, numbered[due]
        self.store.settled = [numbered.get(due, due) for due in self.store.settled]
        self.bot.alarm._handed = {numbered.get(due, due) for due in self.bot.alarm._handed}
        return {seat: replace(due, decision=numbers.get(seat, due.decision)) for seat, due in look.clocks.items()}

    async def _offers(self, match: str) -> set[int]:
        """The seats whose hands offer what they have to decide now."""
        offering, decisions = self.bot.keeper.showing._offering, (await self.look(match)).decisions()
        return {
            seat
            for seat, decision in decisions.items()
            if (found := offering.get((match, "hand", seat))) and found[0] == decision.number
        }

    async def catch_up(self, match: str) -> None:
        """Have the match's messages looked at."""
        await self._do(lambda: self.bot.keeper.wake(match))

    async def wake_computers(self, match: str) -> None:
        """Have the computers look at the match."""
        await self._do(lambda: self.bot.computers.wake(match))

    async def play(self, look: Look, seat: int, move: Any) -> None:
        """Make a move of which nothing is drawn, of a person or a computer."""
        TIME.set(self.time)
        told, self.matches.changed = self.matches.changed, lambda match: None
        match, sits, said = look.info.id, look.info.seats[seat], look.game.write(move)
        if sits.level:
            await self.matches.play_for(match, seat, look.decisions()[seat].number, said)
        else:
            await self.matches.play(match, sits.user, None, said)
        self.matches.changed = told

    async def quiet(self) -> None:
        """Wait until the bot has nothing left to do."""
        await self._do(lambda: None)

    async def later(self, seconds: float) -> None:
        """Let so much time pass."""
        end = self.time.seconds + seconds
        while (due := self.time.next_due()) <= end:
            await self._do(partial(self.time.pass_to, due))
        await self._do(partial(self.time.pass_to, end))

    async def at_once(self, *asking: Mapping[str, Any]) -> None:
        """Let Discord tell the bot of interactions, one right after the other."""

        def act() -> None:
            for told in asking:
                self.bot._connection.parse_interaction_create(told)  # type: ignore[arg-type]

        await self._do(act)

    # Inside

    async def _ask(self, name: str, channel: int, kind: int, data: dict[str, Any], source: Any = None) -> Asked:
        rights = self.rights.get(name, ALL)
        asked, told = self.wire.ask(self.wire.people[name], channel, kind, data, source, rights)
        await self.at_once(told)
        return asked

    async def _do(self, act: Callable[[], object]) -> None:
        """Do something, and wait until the bot is done with it. What it draws by lot is this inn's own."""
        TIME.set(self.time)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(secrets, "token_hex", self._by_lot)
            act()
            end = monotonic() + PATIENCE
            await asyncio.sleep(0)  # whoever was woken is asleep by name until then
            while busy := self._busy():
                failing = [task.get_name() for task in busy if task.get_name().startswith(FAILING)]
                assert not failing, f"something went wrong, and is to be tried again: {failing}"
                assert monotonic() < end, f"this has no end: {[task.get_name() for task in busy]}"
                await asyncio.wait(busy, return_when=asyncio.FIRST_COMPLETED, timeout=NAP)

    def _by_lot(self, size: int) -> str:
        self.lots.append(self.chance.randbytes(size).hex())
        return self.lots[-1]

    def _busy(self) -> list[asyncio.Task[Any]]:
        asleep = self.time.asleep
        there = asyncio.all_tasks() - self.outside - asleep - {asyncio.current_task()}
        return [task for task in there if task.get_name() != ASLEEP and not _awaits(task, asleep)]


def _awaits(task: asyncio.Task[Any], asleep: Collection[asyncio.Task[Any] | None]) -> bool:
    """Whether it waits for what another task does that is asleep, as whoever asks for a change does."""
    inner = task.get_coro()
    while isinstance(inner, CoroutineType) and isinstance(inner.cr_await, CoroutineType):
        inner = inner.cr_await
    frame = inner.cr_frame if isinstance(inner, CoroutineType) else None
    known = frame.f_locals.values() if frame else ()
    return any(isinstance(each, asyncio.Task) and each in asleep for each in known)


async def _at_once(seconds: float) -> None:
    """What may wait follows at once."""


def _now() -> float:
    """The time in the inn whose bot asks."""
    return TIME.get().now()


async def _sleep(seconds: float) -> None:
    """Sleep in the inn whose bot does: several may stand side by side, each with a time of its own."""
    await TIME.get().sleep(seconds)


def _later(seconds: float, act: Callable[[], object]) -> asyncio.Task[None]:
    """Do something in a while, as time passes in the inn whose bot asks."""

    async def wait() -> None:
        await _sleep(seconds)
        act()

    return asyncio.create_task(wait(), name="later")


def _command(command: str, options: Mapping[str, Any], focused: str) -> dict[str, Any]:
    """A command's data, as Discord sends it; while `focused` is being typed."""
    root, part = command.split()
    given = [
        {"name": key, "type": INTEGER if isinstance(value, int) else STRING, "value": value}
        | ({"focused": True} if key == focused else {})
        for key, value in options.items()
    ]
    inner = {"name": part, "type": SUBCOMMAND, "options": given}
    return {"id": "1", "name": root, "type": 1, "options": [inner]}


@asynccontextmanager
async def plain(
    seed: str,
    *,
    paced: bool = False,
    thinkers: Thinkers | None = None,
    people: Sequence[str] = PEOPLE,
    elsewhere: Mapping[int, int] = MappingProxyType({}),
    database: Database | None = None,
    after: Plain | None = None,
    pictures: bool = False,
    holding: Holding | None = None,
    stores: tuple[Any, Any] | None = None,
    name: str = "",
) -> AsyncIterator[Plain]:
    """The bot, in a server with a few people; every match is dealt from the seed. Unless they are drawn, `pictures` say
    what they would show.

    Time stands still until it is told to pass; unless `paced`, what may wait a while does not. `elsewhere` are other
    servers with the bot in them, by their channel. All is kept in memory, unless there is a database. `after` another
    bot it is the same server still. With a `holding` it is one of several bots on the same `stores`, of that name.
    """
    asyncio.get_running_loop().set_default_executor(OnTheSpot())
    time = after.time if after else ManualTime()
    TIME.set(time)

    def clock() -> int:
        return NOW + int(time.seconds)

    store = stores[0] if stores else MemoryStore()
    matches = Exchanged(
        MatchStore(database) if database else store,
        GAMES,
        clock,
        seed=lambda: Chance(made.seed),
        new_id=lambda: f"{next(made.numbers):08d}".replace("0", "a"),
    )
    shown = stores[1] if stores else SurfaceStore(database) if database else MemoryShown()
    bot = Motley(matches, shown, FRONTS, thinkers or AtOnce(), clock, holding=holding)
    wire = after.wire if after else Wire({person: number for number, person in enumerate(people, 1)}, clock=time.now)
    wire.servers |= elsewhere
    outside = frozenset(asyncio.all_tasks())
    made = Plain(bot, store, matches, wire, outside=outside, seed=seed, time=time)
    made.numbers = after.numbers if after else made.numbers
    with wired(), pytest.MonkeyPatch.context() as patched:
        if not pictures:
            patched.setattr(Studio, "render", paint)
        patched.setattr(advice, "budget", lambda mind: BRIEF)
        patched.setattr(hand_pacing, "now", _now)
        patched.setattr(hand_pacing, "sleep", _sleep if paced else _at_once)
        patched.setattr(rate_limiter, "sleep", _at_once)
        patched.setattr(scheduler, "sleep", _sleep)
        patched.setattr(computer_turns, "sleep", _sleep)
        patched.setattr(deadlines, "sleep", _sleep)
        patched.setattr(stale_tracking, "sleep", _sleep)
        patched.setattr(retention, "sleep", _sleep)
        patched.setattr(interaction_response, "later", _later)
        patched.setattr(surface_sync, "sleep", _sleep)
        patched.setattr(answered_elsewhere, "sleep", _sleep)
        patched.setattr(answered_elsewhere, "now", _now)
        patched.setattr(change_feed, "sleep", _sleep)
        patched.setattr(interrupted_edits, "sleep", _sleep)
        patched.setattr(page_drawing, "THREADS", (OnTheSpot(),))
        patched.setattr(connectivity, "PATIENCE", NEVER)  # real seconds, which a busy machine may take
        patched.setattr(reconciler, "HEAD_START", NEVER)  # an answer takes no time, and then the rest is shown
        await bot._async_setup_hook()
        plug(bot, wire, name)
        await bot.setup_hook()
        if holding is None:
            await bot.absence.begin()
        try:
            yield made
        finally:
            await bot.tasks.close()
            left = asyncio.all_tasks() - outside - {asyncio.current_task()}
            for task in left:  # whatever was under way when a test failed
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)
