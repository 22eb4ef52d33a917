"""A server with people in it and the whole bot, over a plain wire: quick, and the same every time."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from time import monotonic
from types import MappingProxyType
from typing import Any

import pytest

from cogs.client import Motley
from cogs.pictures.studio import Studio
from cogs.table import alarm, answers, computers, deadlines, drawing, housekeeping, outage, pace, settled, traffic
from cogs.table.alarm import ASLEEP
from engines.chance import Chance
from engines.game import AnyGame
from engines.match import Look
from engines.matches import Matches
from engines.shown import Kind
from players import Budget, advice
from storage import Database, MatchStore, SurfaceStore
from tests.engines.memory_shown import MemoryShown
from tests.engines.memory_store import MemoryStore
from tests.fronts import FRONTS
from tests.games import GAMES
from tests.manual_time import ManualTime
from tests.messages import Message
from tests.painting import paint
from tests.plain.payloads import CHANNEL
from tests.plain.wire import Asked, Wire, plug, wired
from tests.thinking.at_once import AtOnce
from thinking.thinkers import Thinkers

BRIEF = Budget(2, candidates=2)  # a hint need not be good here, but soon there
PEOPLE = ("Ada", "Bela", "Chidi", "Dora", "Emil", "Fumi", "Greta")
WATCHER = "Greta"
NOW = 1_767_225_600
COMMAND, COMPONENT, TYPING = 2, 3, 4  # kinds of interactions
SUBCOMMAND, STRING, INTEGER, BUTTON, SELECT = 1, 3, 4, 2, 3
FAILING = ("again", "outage", "inbox")  # tasks that wait until what failed is tried again
PATIENCE = 30.0  # real seconds after which something surely waits for what never comes
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
        held.clocks = dict(look.clocks)
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
    outside: frozenset[Any] = frozenset()
    seed: str = ""  # from which the next match is dealt
    time: ManualTime = field(default_factory=ManualTime)  # by which hands that may wait do so, unless they need not
    numbers: Iterator[int] = field(default_factory=lambda: iter(range(10_000_000, 100_000_000)))  # of its matches

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
        return await self._ask(name, CHANNEL, COMMAND, _command(command, options, ""))

    async def typing(
        self, name: str, command: str, option: str, current: str, /, **options: Any
    ) -> list[dict[str, Any]]:
        """What is offered while an option of a command is typed."""
        data = _command(command, options | {option: current}, option)
        return (await self._ask(name, CHANNEL, TYPING, data)).choices

    async def seat(self, game: AnyGame, names: Sequence[str], options: Mapping[str, Any]) -> str:
        """A match of these people that has begun; its id."""
        known = {info.id for info in await self.matches.find()}
        await self.slash(names[0], f"{game.key} new", **options)
        (match,) = {info.id for info in await self.matches.find()} - known
        lobby = await self.surface(match, "lobby")
        for name in names[1:]:
            await self.click(name, lobby, f"t:{match}:join")
        await self.click(names[0], lobby, f"t:{match}:start")
        return match

    async def exchange(self, look: Look, like: Plain | None = None) -> None:
        """Have the match stand so; and have come there as in another inn."""
        self.store.changes, self.store.awaited = list((like or self).store.changes), dict((like or self).store.awaited)
        decisions, shown = look.decisions(), self.bot.shown
        for mention in await shown.mentions(look.info.id):  # nobody reads what a decision is numbered
            if mention.seat in decisions:
                await shown.drop_mention(mention.match, mention.seat, mention.decision)
                await shown.put_mention(replace(mention, decision=decisions[mention.seat].number))
        await self._do(lambda: self.matches.exchange(look))

    async def catch_up(self, match: str) -> None:
        """Have the match's messages looked at."""
        await self._do(lambda: self.bot.keeper.wake(match))

    async def play(self, look: Look, seat: int, move: Any) -> None:
        """Make a move of which nothing is drawn."""
        told, self.matches.changed = self.matches.changed, lambda match: None
        await self.matches.play(look.info.id, look.info.seats[seat].user, None, look.game.write(move))
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
        asked, told = self.wire.ask(self.wire.people[name], channel, kind, data, source)
        await self.at_once(told)
        return asked

    async def _do(self, act: Callable[[], object]) -> None:
        """Do something, and wait until the bot is done with it. What it draws by lot is this inn's own."""
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(secrets, "token_hex", lambda size: self.chance.randbytes(size).hex())
            act()
            end = monotonic() + PATIENCE
            await asyncio.sleep(0)  # whoever was woken is asleep by name until then
            while busy := self._busy():
                failing = [task.get_name() for task in busy if task.get_name().startswith(FAILING)]
                assert not failing, f"something went wrong, and is to be tried again: {failing}"
                assert monotonic() < end, f"this has no end: {[task.get_name() for task in busy]}"
                await asyncio.wait(busy, return_when=asyncio.FIRST_COMPLETED, timeout=NAP)

    def _busy(self) -> list[asyncio.Task[Any]]:
        there = asyncio.all_tasks() - self.outside - self.time.asleep - {asyncio.current_task()}
        return [task for task in there if task.get_name() != ASLEEP]


async def _at_once(seconds: float) -> None:
    """What may wait follows at once."""


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
) -> AsyncIterator[Plain]:
    """The bot, in a server with a few people; every match is dealt from the seed. Pictures say what they would show.

    Time stands still until it is told to pass; unless `paced`, what may wait a while does not. `elsewhere` are other
    servers with the bot in them, by their channel. All is kept in memory, unless there is a database. `after` another
    bot it is the same server still.
    """
    asyncio.get_running_loop().set_default_executor(OnTheSpot())
    time = after.time if after else ManualTime()

    def clock() -> int:
        return NOW + int(time.seconds)

    store = MemoryStore()
    matches = Exchanged(
        MatchStore(database) if database else store,
        GAMES,
        clock,
        seed=lambda: Chance(made.seed),
        new_id=lambda: f"{next(made.numbers):08d}".replace("0", "a"),
    )
    shown = SurfaceStore(database) if database else MemoryShown()
    bot = Motley(matches, shown, FRONTS, thinkers or AtOnce(), clock)
    wire = after.wire if after else Wire({person: number for number, person in enumerate(people, 1)})
    wire.servers |= elsewhere
    outside = frozenset(asyncio.all_tasks())
    made = Plain(bot, store, matches, wire, outside=outside, seed=seed, time=time)
    made.numbers = after.numbers if after else made.numbers
    with wired(), pytest.MonkeyPatch.context() as patched:
        patched.setattr(Studio, "render", paint)
        patched.setattr(advice, "budget", lambda mind: BRIEF)
        patched.setattr(pace, "now", time.now)
        patched.setattr(pace, "sleep", time.sleep if paced else _at_once)
        patched.setattr(traffic, "sleep", _at_once)
        patched.setattr(alarm, "sleep", time.sleep)
        patched.setattr(computers, "sleep", time.sleep)
        patched.setattr(deadlines, "sleep", time.sleep)
        patched.setattr(settled, "sleep", time.sleep)
        patched.setattr(outage, "PATIENCE", PATIENCE)  # this wire never hangs, however busy the machine is
        patched.setattr(housekeeping, "sleep", time.sleep)
        patched.setattr(answers, "sleep", time.sleep)
        patched.setattr(drawing, "THREADS", OnTheSpot())
        await bot._async_setup_hook()
        plug(bot, wire)
        await bot.setup_hook()
        await bot.absence.begin()
        try:
            yield made
        finally:
            await bot.tasks.close()
            left = asyncio.all_tasks() - outside - {asyncio.current_task()}
            for task in left:  # whatever was under way when a test failed
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)
