"""Several bots on one store and one Discord, in one process; who looks after which servers is moved by hand."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from cogs.table.scheduling.change_feed import SWEEP
from engines.store.match_store import Change, Due, Info, NotHeld
from engines.store.partition import Part
from engines.store.server_ownership import Changed, Told
from engines.store.surface_storage import Kind, Mention, Surface
from tests.engines.memory_shown import MemoryShown
from tests.engines.memory_store import MemoryStore
from tests.plain.inn import Plain, plain
from tests.plain.standing import wrong

HOLD = 8.0  # seconds for which a message that is answered with is left alone
ANSWERS = ("/interactions/", "/webhooks/", "/users/")  # what whoever answers asks of Discord; the last opens an inbox
Key = tuple[str, Kind, int]


@dataclass
class Ring:
    """The processes, what each holds under which number, and what each has not been told."""

    store: MemoryStore = field(default_factory=MemoryStore)
    shown: MemoryShown = field(default_factory=MemoryShown)
    of: int = 2
    telling: bool = True  # else nothing is told, and a sweep has to find it
    bots: list[Divided] = field(default_factory=list)
    epochs: dict[int, int] = field(default_factory=dict)
    holders: dict[int, Divided] = field(default_factory=dict)
    holds: dict[Key, float] = field(default_factory=dict)
    refused: int = 0  # writes under an old number
    inns: list[Plain] = field(default_factory=list)
    between: Callable[[str], Awaitable[None]] | None = None  # what the bot of that name waits for at each step

    async def step(self, who: Divided) -> None:
        """One of them has asked the store, or is about to write."""
        if self.between is not None:
            await self.between(str(self.bots.index(who)))

    def guild(self, match: str) -> int:
        """The server of a match."""
        return self.store.infos[match].place.guild

    def give(self, number: int, to: Divided | None) -> None:
        """A part changes hands."""
        before = self.holders.pop(number, None)
        self.epochs[number] = self.epochs.get(number, 0) + 1
        part, nothing = Part(frozenset({number}), self.of), Part(frozenset(), self.of)
        if to is not None:
            self.holders[number] = to
        if before is not None:
            before.changed(nothing, part)
        if to is not None:
            to.changed(part, nothing)

    def wrote(self, by: Divided, match: str, revision: int) -> None:
        """One of them has changed a match, or written of its messages (-1)."""
        if match not in self.store.infos:
            return
        for bot in self.bots:
            if bot is not by:
                bot.unheard[match] = revision
                if self.telling:
                    bot.told(match, revision)

    async def check(self, match: str, epoch: int | None, surface: Surface | None = None) -> None:
        """Refuse a write under an old number. Raises NotHeld."""
        number = Part.all(self.of).number(self.guild(match))
        if epoch is not None and (epoch != self.epochs.get(number, 0) or number not in self.holders):
            self.refused += 1
            if surface is not None:
                await self.shown.doubt(match, surface.kind, surface.seat)
            raise NotHeld


class Divided:
    """What one of them holds."""

    def __init__(self, ring: Ring) -> None:
        self._ring = ring
        self.alone = False
        self.changed: Changed = lambda gained, lost: None
        self.told: Told = lambda match, revision: None
        self.unheard: dict[str, int] = {}
        ring.bots.append(self)

    @property
    def alive(self) -> int:
        return len(self._ring.bots)

    @property
    def part(self) -> Part:
        return Part(frozenset(n for n, bot in self._ring.holders.items() if bot is self), self._ring.of)

    def epoch(self, guild: int) -> int:
        number = self.part.number(guild)
        return self._ring.epochs[number] if self.part.has(guild) else 0

    async def divide(self, part: Part | None, recommended: int) -> Part:
        return Part.all(self._ring.of)

    async def give_back(self) -> None:
        for number in self.part.numbers:
            self._ring.give(number, None)

    async def news(self) -> Mapping[str, int]:
        infos = self._ring.store.infos
        ours = {
            match: -1 if revision < 0 else infos[match].revision
            for match, revision in self.unheard.items()
            if match in infos and self.part.has(self._ring.guild(match))
        }
        self.unheard.clear()
        return ours

    async def answered(self, match: str) -> Mapping[tuple[Kind, int], float]:
        now = self._ring.inns[0].time.seconds
        return {(kind, seat): until - now for (of, kind, seat), until in self._ring.holds.items() if of == match}


class OneStore:
    """The store as one of them has it: the others are told of what it writes."""

    def __init__(self, ring: Ring, who: Divided) -> None:
        self._ring = ring
        self._who = who

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ring.store, name)

    async def insert(self, info: Info, *args: Any, **more: Any) -> int | None:
        due = await self._ring.store.insert(info, *args, **more)
        self._ring.shown.marked.add(info.id)
        self._ring.wrote(self._who, info.id, info.revision)
        return due

    async def commit(self, change: Change) -> int | None:
        due = await self._ring.store.commit(change)
        self._ring.shown.marked.add(change.info.id)
        if change.holds is not None and not self._who.part.has(change.info.place.guild):
            kind: Any = change.holds[0]
            self._ring.holds[change.info.id, kind, change.holds[1]] = self._ring.inns[0].time.seconds + HOLD
        self._ring.wrote(self._who, change.info.id, change.info.revision)
        return due

    async def done(self, due: Due, epoch: int | None = None) -> None:
        await self._ring.check(due.match, epoch)
        await self._ring.store.done(due)


class OneShown:
    """What was shown as one of them has it."""

    def __init__(self, ring: Ring, who: Divided) -> None:
        self._ring = ring
        self._who = who

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ring.shown, name)

    async def of(self, match: str) -> list[Surface]:
        found = await self._ring.shown.of(match)
        await self._ring.step(self._who)
        return found

    async def put(self, surface: Surface, epoch: int | None = None) -> None:
        await self._ring.step(self._who)
        await self._ring.check(surface.match, epoch, surface)
        await self._ring.shown.put(surface)
        if epoch is None:
            self._free(surface.match, surface.kind, surface.seat)

    async def drop(self, match: str, kind: Kind, seat: int = -1, epoch: int | None = None) -> None:
        await self._ring.step(self._who)
        await self._ring.check(match, epoch)
        await self._ring.shown.drop(match, kind, seat)

    async def put_mention(self, mention: Mention, epoch: int | None = None) -> None:
        await self._ring.check(mention.match, epoch)
        await self._ring.shown.put_mention(mention)

    async def drop_mention(self, match: str, seat: int, decision: int, epoch: int | None = None) -> None:
        await self._ring.check(match, epoch)
        await self._ring.shown.drop_mention(match, seat, decision)

    async def doubt(self, match: str, kind: Kind, seat: int = -1) -> None:
        await self._ring.shown.doubt(match, kind, seat)
        self._free(match, kind, seat)

    async def answer(self, surface: Surface) -> None:
        await self._ring.shown.answer(surface)
        self._free(surface.match, surface.kind, surface.seat)

    async def mark(self, matches: Any) -> None:
        await self._ring.shown.mark(matches)
        for match in matches:
            self._ring.wrote(self._who, match, -1)

    async def prefer(self, user: int, change: Any) -> None:
        await self._ring.shown.prefer(user, change)
        for info in await self._ring.store.find(user=user):
            self._ring.shown.marked.add(info.id)
            self._ring.wrote(self._who, info.id, -1)

    def _free(self, match: str, kind: Kind, seat: int) -> None:
        self._ring.holds.pop((match, kind, seat), None)
        self._ring.wrote(self._who, match, -1)


@asynccontextmanager
async def ring(seed: str, bots: int = 2, of: int = 2, **more: Any) -> AsyncIterator[Ring]:
    """So many bots, the first of which holds all parts."""
    async with AsyncExitStack() as stack:
        made = Ring(of=of)
        made.shown.guild = made.guild
        for _ in range(bots):
            holding = Divided(made)
            store, shown = OneStore(made, holding), OneShown(made, holding)
            first = made.inns[0] if made.inns else None
            made.inns.append(
                await stack.enter_async_context(
                    plain(seed, after=first, holding=holding, stores=(store, shown), name=str(len(made.inns)), **more)
                )
            )
        for number in range(of):
            made.give(number, made.bots[0])
        for inn in made.inns:
            await inn.bot.on_ready()
            await inn.quiet()
        yield made


def since(made: Ring, start: int, name: str) -> list[str]:
    """What that bot has asked of Discord since then, but for its answers to clicks."""
    asked = made.inns[0].wire.by[start:]
    return [said for by, said in asked if by == name and not any(part in said for part in ANSWERS)]


async def settle(made: Ring) -> None:
    """Let a sweep pass, and what comes of it."""
    for inn in made.inns:
        await inn.later(SWEEP + 0.5)


async def right(made: Ring, match: str) -> None:
    """Everything stands there as each of the bots would draw it. Raises AssertionError."""
    for inn in made.inns:
        assert not (found := await wrong(inn, match)), found
