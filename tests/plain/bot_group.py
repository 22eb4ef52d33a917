"""Several bots on one store and one Discord, in one process; who looks after which servers is moved by hand."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from cogs.table.pages import match_pages
from cogs.table.scheduling.change_feed import SWEEP_SECONDS
from engines.hosting.match import MatchSnapshot
from engines.store.listeners import Listeners
from engines.store.match_store import Change, DueTime, MatchInfo, NotLeaseHolder
from engines.store.partition import Partition
from engines.store.surface_storage import Mention, Surface, SurfaceKind
from tests.engines.memory_store import MemoryStore
from tests.engines.memory_surfaces import MemoryShown
from tests.messages import kind_of
from tests.plain.plain_bot import PlainBot, start_plain_bot
from tests.processes.tables import MOVING_KINDS, message_skeleton, page_skeleton

HOLD_SECONDS = 8.0  # seconds for which a message that is answered with is left alone
ANSWER_PATHS = "/interactions/", "/webhooks/", "/users/"  # requests of a process that answers; the last opens an inbox
Key = tuple[str, SurfaceKind, int]


@dataclass
class BotGroup:
    """The processes, what each holds under which number, and what each has not been told."""

    store: MemoryStore = field(default_factory=MemoryStore)
    shown: MemoryShown = field(default_factory=MemoryShown)
    partition_count: int = 2
    is_telling: bool = True  # else nothing is told, and a sweep has to find it
    bots: list[GroupLease] = field(default_factory=list)
    epochs: dict[int, int] = field(default_factory=dict)
    holders: dict[int, GroupLease] = field(default_factory=dict)
    holds: dict[Key, float] = field(default_factory=dict)
    refused_writes: int = 0  # writes under an old number
    plain_bots: list[PlainBot] = field(default_factory=list)
    on_step: Callable[[str], Awaitable[None]] | None = None  # what the bot of that name waits for at each step

    async def take_step(self, lease: GroupLease) -> None:
        """One of them has asked the store, or is about to write."""
        if self.on_step is not None:
            await self.on_step(str(self.bots.index(lease)))

    def give_partition(self, number: int, to: GroupLease | None) -> None:
        before = self.holders.pop(number, None)
        self.epochs[number] = self.epochs.get(number, 0) + 1
        part, nothing = (Partition(frozenset(numbers), self.partition_count) for numbers in ({number}, ()))
        if to is not None:
            self.holders[number] = to
        if before is not None:
            before.on_ownership_changed(nothing, part)
        if to is not None:
            to.on_ownership_changed(part, nothing)

    def record_write(self, by: GroupLease, match: str, revision: int) -> None:
        """One of them has changed a match, or written of its messages (-1)."""
        if match not in self.store.infos:
            return
        for bot in self.bots:
            if bot is not by:
                bot.unheard[match] = revision
                if self.is_telling:
                    bot.on_match_changed(match, revision)

    async def check_epoch(self, match: str, epoch: int | None, surface: Surface | None = None) -> None:
        """Refuse a write under an old number. Raises NotLeaseHolder."""
        number = Partition.all_of(self.partition_count).number_of(self.store.infos[match].place.guild)
        if epoch is not None and (epoch != self.epochs.get(number, 0) or number not in self.holders):
            self.refused_writes += 1
            if surface is not None:
                await self.shown.doubt(match, surface.kind, surface.seat)
            raise NotLeaseHolder


class GroupLease:
    def __init__(self, group: BotGroup) -> None:
        self._group = group
        self.is_only_process = False
        self.on_ownership_changed = Listeners[[Partition, Partition]]()
        self.on_match_changed = Listeners[[str, int]]()
        self.unheard: dict[str, int] = {}
        group.bots.append(self)

    @property
    def process_count(self) -> int:
        return len(self._group.bots)

    @property
    def partition(self) -> Partition:
        numbers = frozenset(n for n, bot in self._group.holders.items() if bot is self)
        return Partition(numbers, self._group.partition_count)

    def epoch(self, guild: int) -> int:
        number = self.partition.number_of(guild)
        return self._group.epochs[number] if self.partition.has_server(guild) else 0

    async def claim_partitions(self, partition: Partition | None, recommended: int) -> Partition:
        return Partition.all_of(self._group.partition_count)

    async def release_all(self) -> None:
        for number in self.partition.numbers:
            self._group.give_partition(number, None)

    async def changed_matches(self) -> Mapping[str, int]:
        infos, changes = self._group.store.infos, self.unheard
        own_matches = [
            match for match in changes if match in infos and self.partition.has_server(infos[match].place.guild)
        ]
        revisions = {match: -1 if changes[match] < 0 else infos[match].revision for match in own_matches}
        self.unheard.clear()
        return revisions

    async def other_replies(self, match: str) -> Mapping[tuple[SurfaceKind, int], float]:
        now = self._group.plain_bots[0].time.seconds
        return {(kind, seat): until - now for (of, kind, seat), until in self._group.holds.items() if of == match}


class GroupStore:
    """The store as one of them has it: the others are told of what it writes."""

    def __init__(self, group: BotGroup, lease: GroupLease) -> None:
        self._group = group
        self._who = lease

    def __getattr__(self, name: str) -> Any:
        return getattr(self._group.store, name)

    async def insert(self, info: MatchInfo, *args: Any, **more: Any) -> int | None:
        due = await self._group.store.insert(info, *args, **more)
        self._group.shown.marked_matches.add(info.id)
        self._group.record_write(self._who, info.id, info.revision)
        return due

    async def commit(self, change: Change) -> int | None:
        due = await self._group.store.commit(change)
        self._group.shown.marked_matches.add(change.info.id)
        if change.reply_surface is not None and not self._who.partition.has_server(change.info.place.guild):
            kind: Any = change.reply_surface[0]
            until = self._group.plain_bots[0].time.seconds + HOLD_SECONDS
            self._group.holds[change.info.id, kind, change.reply_surface[1]] = until
        self._group.record_write(self._who, change.info.id, change.info.revision)
        return due

    async def change_rest(self, user: int, until: int, now: int) -> list[str]:
        return self._announce(await self._group.store.change_rest(user, until, now))

    async def end_expired_rests(self, now: int) -> list[str]:
        return self._announce(await self._group.store.end_expired_rests(now))

    def _announce(self, matches: list[str]) -> list[str]:
        for match in matches:
            self._group.shown.marked_matches.add(match)
            self._group.record_write(self._who, match, self._group.store.infos[match].revision)
        return matches

    async def mark_done(self, due: DueTime, epoch: int | None = None) -> None:
        await self._group.check_epoch(due.match, epoch)
        await self._group.store.mark_done(due)


class GroupSurfaceStorage:
    def __init__(self, group: BotGroup, lease: GroupLease) -> None:
        self._group = group
        self._who = lease

    def __getattr__(self, name: str) -> Any:
        return getattr(self._group.shown, name)

    async def surfaces_of(self, match: str) -> list[Surface]:
        found = await self._group.shown.surfaces_of(match)
        await self._group.take_step(self._who)
        return found

    async def put(self, surface: Surface, epoch: int | None = None) -> None:
        await self._group.take_step(self._who)
        await self._group.check_epoch(surface.match, epoch, surface)
        await self._group.shown.put(surface)
        if epoch is None:
            self._release_hold(surface.match, surface.kind, surface.seat)

    async def drop(self, match: str, kind: SurfaceKind, seat: int = -1, epoch: int | None = None) -> None:
        await self._group.take_step(self._who)
        await self._group.check_epoch(match, epoch)
        await self._group.shown.drop(match, kind, seat)

    async def put_mention(self, mention: Mention, epoch: int | None = None) -> None:
        await self._group.check_epoch(mention.match, epoch)
        await self._group.shown.put_mention(mention)

    async def drop_mention(self, match: str, seat: int, decision: int, epoch: int | None = None) -> None:
        await self._group.check_epoch(match, epoch)
        await self._group.shown.drop_mention(match, seat, decision)

    async def doubt(self, match: str, kind: SurfaceKind, seat: int = -1) -> None:
        await self._group.shown.doubt(match, kind, seat)
        self._release_hold(match, kind, seat)

    async def put_reply(self, surface: Surface) -> None:
        await self._group.shown.put_reply(surface)
        self._release_hold(surface.match, surface.kind, surface.seat)

    async def mark_stale(self, matches: Any) -> None:
        await self._group.shown.mark_stale(matches)
        for match in matches:
            self._group.record_write(self._who, match, -1)

    async def change_preferences(self, user: int, change: Any) -> None:
        await self._group.shown.change_preferences(user, change)
        for info in await self._group.store.find(user=user):
            self._group.shown.marked_matches.add(info.id)
            self._group.record_write(self._who, info.id, -1)

    async def write_rows(self, writes: Any, match: str = "", revision: int | None = None) -> None:
        await self._group.shown.write_rows(writes, match, revision)
        self._group.record_write(self._who, match, -1)

    def _release_hold(self, match: str, kind: SurfaceKind, seat: int) -> None:
        self._group.holds.pop((match, kind, seat), None)
        self._group.record_write(self._who, match, -1)


@asynccontextmanager
async def start_bot_group(seed: str, bots: int = 2, of: int = 2, **more: Any) -> AsyncIterator[BotGroup]:
    """So many bots, the first of which holds all parts."""
    async with AsyncExitStack() as stack:
        group = BotGroup(partition_count=of)
        group.shown.guild = lambda match: group.store.infos[match].place.guild
        for _ in range(bots):
            holding = GroupLease(group)
            store, surfaces = GroupStore(group, holding), GroupSurfaceStorage(group, holding)
            first = group.plain_bots[0] if group.plain_bots else None
            more |= {
                "after": first,
                "holding": holding,
                "stores": (store, surfaces),
                "name": str(len(group.plain_bots)),
            }
            group.plain_bots.append(await stack.enter_async_context(start_plain_bot(seed, **more)))
        for number in range(of):
            group.give_partition(number, group.bots[0])
        for plain_bot in group.plain_bots:
            await plain_bot.bot.on_ready()
            await plain_bot.wait_quiet()
        yield group


def requests_since(group: BotGroup, start: int, name: str) -> list[str]:
    """What that bot has asked of Discord since then, but for its answers to clicks."""
    requests = group.plain_bots[0].wire.requests_by_bot[start:]
    return [request for by, request in requests if by == name and not any(part in request for part in ANSWER_PATHS)]


async def settle_bot_group(group: BotGroup) -> None:
    for plain_bot in group.plain_bots:
        await plain_bot.pass_time(SWEEP_SECONDS + 0.5)


async def check_all_right(group: BotGroup, match: str) -> None:
    for plain_bot in group.plain_bots:
        assert not (found := await find_wrong(plain_bot, match)), found


async def find_wrong(plain_bot: PlainBot, match: str) -> list[str]:
    """What is not, as that bot would draw it."""
    snapshot = await plain_bot.matches.cache.get_fresh_snapshot(match)
    surfaces = await plain_bot.bot.surfaces.surfaces_of(match)
    shown_kinds = {(surface.kind, surface.seat) for surface in surfaces}
    needed = {("lobby", -1)} | ({("table", -1)} if snapshot.state is not None else set())
    found = [] if needed <= shown_kinds else [f"shown is {sorted(shown_kinds)}"]
    found += [each for surface in surfaces if (each := await _surface_difference(plain_bot, snapshot, surface))]
    return [*found, *_find_strays(plain_bot, match, {surface.message for surface in surfaces})]


def _find_strays(plain_bot: PlainBot, match: str, known: set[int]) -> Iterator[str]:
    """Messages for everybody, or in somebody's inbox, that lead to a move or into the lobby and are not kept."""
    for number, message in ((n, m) for messages in plain_bot.wire.channels.values() for n, m in messages.items()):
        controls = [str(part[2]) for part in message_skeleton(message["components"]) if part[2]]
        leads = [each for each in controls if each == f"t:{match}:join" or each[1:].startswith(f":{match}:")]
        if number not in known and any(kind_of(each) in MOVING_KINDS or each.endswith(":join") for each in leads):
            yield f"nobody knows of message {number}: {leads}"


async def _surface_difference(plain_bot: PlainBot, snapshot: MatchSnapshot, surface: Surface) -> str:
    showing = plain_bot.bot.reconciler.surface_sync
    setting = await showing.page_context_of(snapshot)
    name = f"{snapshot.info.game} {snapshot.info.id}, {snapshot.info.status}: {surface.kind} {surface.seat}"
    message = plain_bot.wire.channels.get(surface.channel, {}).get(surface.message)
    if surface.kind == "hand":
        page = match_pages.hand_page(
            snapshot, surface.seat, setting, await showing.readers.reader_of(snapshot, surface.seat)
        )
    else:
        page = (
            match_pages.table_page(snapshot, setting)
            if surface.kind == "table"
            else match_pages.lobby_page(snapshot, setting)
        )
    if message is None:
        return f"{name} does not stand there"
    return "" if message_skeleton(message["components"]) == page_skeleton(page) else f"{name} shows something else"
