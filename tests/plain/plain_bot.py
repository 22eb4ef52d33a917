"""A server with people in it and the whole bot, over a plain wire: quick, and the same every time."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from time import monotonic
from types import CoroutineType, MappingProxyType
from typing import Any

import pytest

from cogs.client import BotStores, MotleyBot
from cogs.features.notes.note_pages import form_id
from cogs.features.reports import report_pages
from cogs.pictures.studio import Studio
from cogs.table.pages import custom_ids
from cogs.table.scheduling import downtime
from cogs.table.scheduling.discord_time import DiscordTime
from cogs.table.scheduling.scheduler import ASLEEP_NAME
from cogs.table.state import page_drawing
from cogs.table.surfaces import reconciler
from cogs.table.transport import connectivity
from cogs.table.transport.discord_internals import silence_voice_warnings
from engines.features.registry import FEATURES
from engines.hosting.match import MatchSnapshot
from engines.hosting.matches import Matches
from engines.hosting.matches.lobbies import MatchSources
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.store.match_store import DueTime
from engines.store.server_ownership import ServerOwnership, SoleOwnership
from engines.store.surface_storage import SurfaceKind
from players import Budget, advice
from storage import Database, MatchStore, SurfaceStore
from tests.contract.secrets import PlannedMove
from tests.described_pictures import describe_picture
from tests.engines.memory_store import MemoryStore
from tests.engines.memory_surfaces import MemoryShown
from tests.game_uis import GAME_UIS
from tests.games import GAMES
from tests.in_memory_discord import webhooks_by_line
from tests.manual_time import ManualTime
from tests.messages import Message
from tests.plain.fake_discord import FakeDiscord, PendingInteraction, SentRequest, plug_client
from tests.plain.payloads import ALL_PERMISSIONS, CHANNEL
from tests.playing import make_move
from tests.worker_pool.immediate_pool import ImmediatePool
from worker_pool.pool import WorkerPool

BRIEF_BUDGET = Budget(2, max_candidates=2)  # a hint need not be good here, but soon there
PEOPLE = ("Ada", "Bela", "Chidi", "Dora", "Emil", "Fumi", "Greta")
WATCHER = "Greta"
NOW = 1_767_225_600
COMMAND_KIND, COMPONENT_KIND, TYPING_KIND, FORM_KIND = 2, 3, 4, 5  # kinds of interactions
SUBCOMMAND, STRING, INTEGER, BUTTON, SELECT = 1, 3, 4, 2, 3
FAILING_TASKS = ("again", "outage")  # tasks that wait until what failed is tried again
PATIENCE_SECONDS = 30.0  # real seconds after which something surely waits for what never comes
NEVER_SECONDS = 1e9  # seconds
NAP_SECONDS = 0.001  # seconds after which it is seen that a task has gone to sleep


SECRET = "5e" * 16  # every installation's, so that all of them choose and pause alike


class ImmediateExecutor(ThreadPoolExecutor):
    """What is to be done in a thread is done at once: nothing hangs on which thread is faster."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001  # as an executor does
            future.set_exception(error)
        return future


class ExchangeableMatches(Matches):
    def replace_state(self, snapshot: MatchSnapshot) -> None:
        """From now on the match stands so; with a revision of its own, so that everything is looked at again."""
        cached = self.cache.find_cached(snapshot.info.id)
        assert cached is not None
        cached.info = replace(snapshot.info, revision=max(snapshot.info.revision, cached.info.revision) + 1)
        cached.state = snapshot.game.copy(snapshot.state)
        cached.events, cached.movers, cached.computer_moves = (
            list(snapshot.events),
            list(snapshot.movers),
            set(snapshot.computer_moves),
        )
        cached.deadlines, cached.timeout_moves = dict(snapshot.deadlines), set(snapshot.timeout_moves)
        cached.forced_moves = set(snapshot.forced_moves)
        text = snapshot.game.checkpoint_adapter.dump_json(snapshot.state).decode()
        store = self.editor.store
        assert isinstance(store, MemoryStore)
        saved = store.saved[snapshot.info.id]
        store.infos[snapshot.info.id] = cached.info
        saved = replace(saved, info=cached.info, base=text, checkpoint=text, base_moves=cached.info.moves, moves=())
        store.saved[snapshot.info.id] = saved
        self.editor.on_changed(snapshot.info.id)


@dataclass
class PlainBot:
    bot: MotleyBot
    store: MemoryStore
    matches: ExchangeableMatches
    wire: FakeDiscord
    chance: random.Random = field(default_factory=lambda: random.Random(1))
    drawn_lots: list[str] = field(default_factory=list)  # all that was drawn by lot
    outside_tasks: frozenset[Any] = frozenset()
    seed: str = ""  # from which the next match is dealt
    may_fail: bool = False  # whether the bot may have something to try again
    time: ManualTime = field(default_factory=ManualTime)  # by which hands that may wait do so, unless they need not
    numbers: Iterator[int] = field(default_factory=lambda: iter(range(10_000_000, 100_000_000)))  # of its matches
    rights: dict[str, str] = field(default_factory=dict)  # of those who may not do everything
    rooms: dict[str, int] = field(default_factory=dict)  # where those give commands who are in another server

    # Where things stand

    async def load_snapshot(self, match: str) -> MatchSnapshot:
        return await self.matches.cache.get_snapshot(match)

    async def surface_message(self, match: str, kind: SurfaceKind, seat: int = -1) -> Message:
        found = await self.bot.surfaces.find_surface(match, kind, seat)
        assert found is not None
        return self.wire.message(found.channel, found.message)

    def current_message(self, message: Message) -> Message:
        return self.wire.message(int(message["channel_id"]), int(message["id"]))

    # What people do

    async def click_control(
        self, name: str, message: Message, custom_id: str, values: Sequence[str] | None = None
    ) -> PendingInteraction:
        """Press a button or pick lines of a list, whether it is there or not."""
        data: dict[str, Any] = {"custom_id": custom_id, "component_type": BUTTON if values is None else SELECT}
        more = {} if values is None else {"values": list(values)}
        return await self._dispatch(name, int(message["channel_id"]), COMPONENT_KIND, data | more, message)

    async def run_command(self, name: str, command: str, /, **options: Any) -> PendingInteraction:
        data = command_data(command, options, "")
        return await self._dispatch(name, self.rooms.get(name, CHANNEL), COMMAND_KIND, data)

    async def submit_note(self, name: str, match: str, text: str, message: Message | None = None) -> PendingInteraction:
        """Submit the form of a note, which was opened from that message, or by a command."""
        data = form_data(form_id(match), text)
        channel = int(message["channel_id"]) if message else self.rooms.get(name, CHANNEL)
        return await self._dispatch(name, channel, FORM_KIND, data, message)

    async def submit_report(
        self, name: str, match: str, text: str, message: Message | None = None
    ) -> PendingInteraction:
        """Submit the form in which somebody says that something is wrong."""
        data = form_data(report_pages.form_id(match), text)
        channel = int(message["channel_id"]) if message else self.rooms.get(name, CHANNEL)
        return await self._dispatch(name, channel, FORM_KIND, data, message)

    async def autocomplete(
        self, name: str, command: str, option: str, current: str, /, **options: Any
    ) -> list[dict[str, Any]]:
        data = command_data(command, options | {option: current}, option)
        return (await self._dispatch(name, self.rooms.get(name, CHANNEL), TYPING_KIND, data)).choices

    async def open_lobby(self, name: str, game: AnyGame, **options: Any) -> tuple[str, Message]:
        """A new table of theirs, at which no move is automatic unless that is chosen: its id, and its lobby."""
        known = {info.id for info in await self.matches.lookup.find()}
        await self.run_command(name, f"{game.key} new", **{"autoplay": "false", **options})
        (match,) = {info.id for info in await self.matches.lookup.find()} - known
        return match, await self.surface_message(match, "lobby")

    async def seat_match(
        self, game: AnyGame, names: Sequence[str], options: Mapping[str, Any], computers: Sequence[str] = ()
    ) -> str:
        """A match of these people, and computers of these levels, that has begun; its id."""
        match, lobby = await self.open_lobby(names[0], game, **options)
        for name in names[1:]:
            await self.click_control(name, lobby, f"t:{match}:join")
        for level in computers:  # the first click seats as many as it takes to start
            if len((await self.load_snapshot(match)).info.seats) < len(names) + len(computers):
                await self.click_control(names[0], lobby, f"t:{match}:computer-{level}")
        await self.click_control(names[0], lobby, f"t:{match}:start")
        return match

    async def press(self, name: str, match: str, action: str, seat: int | None = None) -> PendingInteraction:
        """Press a button of the table, or of a seat's hand."""
        kind: SurfaceKind = "table" if seat is None else "hand"
        message = await self.surface_message(match, kind, -1 if seat is None else seat)
        return await self.click_control(name, message, f"t:{match}:{action}")

    async def sent_by(self, doing: Awaitable[object]) -> list[SentRequest]:
        """What is sent as that is done."""
        start = len(self.wire.sent_requests)
        await doing
        return self.wire.sent_requests[start:]

    async def click_move(self, snapshot: MatchSnapshot, seat: int, rng: random.Random | None = None) -> None:
        """Make the first move of a seat, or one by lot, by a click on its hand."""
        moves, match = snapshot.moves(seat), snapshot.info.id
        notation = snapshot.game.format_move(rng.choice(moves) if rng else moves[0])
        hand = await self.surface_message(match, "hand", seat)
        await self.click_control(PEOPLE[seat], hand, f"m:{match}:{snapshot.decisions()[seat].number}:{notation}")

    async def play_step(self, match: str, step: PlannedMove, name: str = "", *, sure: bool = False) -> None:
        """Make a move by the hand in somebody's direct messages."""

        async def click(message: Message, custom_id: str, values: Sequence[str] | None) -> Message:
            await self.click_control(name or PEOPLE[step.seat], message, custom_id, values)
            return self.current_message(message)

        hand = await self.surface_message(match, "hand", step.seat)
        await make_move(click, hand, await self.load_snapshot(match), step, sure=sure)

    async def replace_state(
        self, snapshot: MatchSnapshot, like: PlainBot | None = None, offers: Collection[int] | None = None
    ) -> None:
        """Have the match stand so; and have come there as with another bot. Nobody reads what a decision is numbered.

        `offers` are the seats whose hands offer their decision already, if that is not as with this bot.
        """
        match, decisions, surfaces = snapshot.info.id, snapshot.decisions(), self.bot.surfaces
        if like is not None:
            self.store.changes, self.store.awaited = list(like.store.changes), dict(like.store.awaited)
            self.store.done_dues = list(like.store.done_dues)
            self.bot.scheduler._handed_out = set(like.bot.scheduler._handed_out)
        offering = self.bot.reconciler.surface_sync._offered_decisions
        offers = await self.offering_seats(match) if offers is None else offers
        for key, (_, message) in [*offering.items()]:
            if key[2] in offers and key[2] in decisions:
                offering[key] = decisions[key[2]].number, message
            else:
                del offering[key]
        for mention in await surfaces.mentions(match):
            if mention.seat in decisions:
                await surfaces.drop_mention(mention.match, mention.seat, mention.decision)
                await surfaces.put_mention(replace(mention, decision=decisions[mention.seat].number))
        snapshot = replace(snapshot, deadlines=self._renumber_due(snapshot))

        def act() -> None:
            self.matches.replace_state(snapshot)
            self.bot.scheduler.reschedule()

        await self._do_and_wait(act)

    def _renumber_due(self, snapshot: MatchSnapshot) -> dict[int, DueTime]:
        """Have what the match awaits be about its decisions as they are numbered now; the clocks, likewise."""
        numbers, numbered = {seat: each.number for seat, each in snapshot.decisions().items()}, {}
        for (of, kind, seat), (awaited, due) in [*self.store.awaited.items()]:
            if of == snapshot.info.id and seat in numbers:
                numbered[due] = replace(due, decision=numbers[seat])
                awaited = replace(awaited, decision=numbers[seat])
                self.store.awaited[of, kind, seat] = awaited, numbered[due]
        self.store.done_dues = [numbered.get(due, due) for due in self.store.done_dues]
        self.bot.scheduler._handed_out = {numbered.get(due, due) for due in self.bot.scheduler._handed_out}
        return {
            seat: replace(due, decision=numbers.get(seat, due.decision)) for seat, due in snapshot.deadlines.items()
        }

    async def offering_seats(self, match: str) -> set[int]:
        offered = self.bot.reconciler.surface_sync._offered_decisions
        decisions = (await self.load_snapshot(match)).decisions()
        return {i for i, open_ in decisions.items() if offered.get((match, "hand", i), (-1,))[0] == open_.number}

    async def show_match(self, match: str) -> None:
        await self._do_and_wait(lambda: self.bot.reconciler.wake(match))

    async def wake_computers(self, match: str) -> None:
        await self._do_and_wait(lambda: self.bot.computers.wake(match))

    async def play_undrawn(self, snapshot: MatchSnapshot, seat: int, move: Any) -> None:
        """Make a move of which nothing is drawn, of a person or a computer."""
        callbacks = [*self.matches.editor.on_changed]
        self.matches.editor.on_changed.clear()
        match, sits, notation = snapshot.info.id, snapshot.info.seats[seat], snapshot.game.format_move(move)
        if sits.level:
            await self.matches.moves.play_computer_move(match, seat, snapshot.decisions()[seat].number, notation)
        else:
            await self.matches.moves.play_move(match, sits.user, None, notation)
        self.matches.editor.on_changed[:] = callbacks

    async def reschedule(self) -> None:
        """Have the bot look for what is due now."""
        await self._do_and_wait(self.bot.scheduler.reschedule)

    async def look_for_requests(self) -> None:
        """Have the bot look for the owner's requests now."""
        await self._do_and_wait(lambda: self.bot.tasks.start("owner requests now", self.bot.owner_requests.check))

    async def wait_quiet(self) -> None:
        await self._do_and_wait(lambda: None)

    async def pass_time(self, seconds: float) -> None:
        end = self.time.seconds + seconds
        while (due := self.time.next_due()) <= end:
            await self._do_and_wait(partial(self.time.advance_to, due))
        await self._do_and_wait(partial(self.time.advance_to, end))

    async def pass_pause(self, match: str) -> None:
        """Until computers move for whom the match waits, if their pause begins now."""
        await self.pass_time(await self.bot.computers.next_pause(await self.load_snapshot(match)))

    async def dispatch_at_once(self, *interactions: Mapping[str, Any]) -> None:
        def act() -> None:
            for payload in interactions:
                self.bot._connection.parsers["INTERACTION_CREATE"](payload)  # as the gateway does

        await self._do_and_wait(act)

    # Inside

    async def _dispatch(
        self, name: str, channel: int, kind: int, data: dict[str, Any], source: Any = None
    ) -> PendingInteraction:
        rights = self.rights.get(name, ALL_PERMISSIONS)
        interaction, payload = self.wire.start_interaction(self.wire.people[name], channel, kind, data, source, rights)
        await self.dispatch_at_once(payload)
        return interaction

    async def _do_and_wait(self, act: Callable[[], object]) -> None:
        """Do something, and wait until the bot is done with it. What it draws by lot is this bot's own."""
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(secrets, "token_hex", self._draw_lot)
            act()
            end = monotonic() + PATIENCE_SECONDS
            await asyncio.sleep(0)  # a task that was woken is asleep by name until then
            while busy := self._busy_tasks():
                self._require_success()
                assert monotonic() < end, f"this has no end: {[task.get_name() for task in busy]}"
                await asyncio.wait(busy, return_when=asyncio.FIRST_COMPLETED, timeout=NAP_SECONDS)
            self._require_success()

    def _require_success(self) -> None:
        failing = [name for name in self.bot.tasks._running if name.startswith(FAILING_TASKS)]
        assert self.may_fail or not failing, f"something went wrong, and is to be tried again: {failing}"

    def _draw_lot(self, size: int) -> str:
        self.drawn_lots.append(self.chance.randbytes(size).hex())
        return self.drawn_lots[-1]

    def _busy_tasks(self) -> list[asyncio.Task[Any]]:
        asleep = self.time.sleeping_tasks
        running = asyncio.all_tasks() - self.outside_tasks - asleep - {asyncio.current_task()}
        return [task for task in running if task.get_name() != ASLEEP_NAME and not _awaits_sleeper(task, asleep)]


def _awaits_sleeper(task: asyncio.Task[Any], asleep: Collection[asyncio.Task[Any] | None]) -> bool:
    """Whether it waits for what another task does that is asleep, as a caller that asks for a change does."""
    inner = task.get_coro()
    while isinstance(inner, CoroutineType) and isinstance(inner.cr_await, CoroutineType):
        inner = inner.cr_await
    frame = inner.cr_frame if isinstance(inner, CoroutineType) else None
    known = frame.f_locals.values() if frame else ()
    return any(isinstance(each, asyncio.Task) and each in asleep for each in known)


class NoPauses(ManualTime):
    """What may wait follows at once."""

    async def sleep(self, seconds: float) -> None:
        """Return at once."""


def form_data(custom_id: str, text: str) -> dict[str, Any]:
    field = {"type": 4, "id": 2, "custom_id": custom_ids.FORM_FIELD, "value": text}
    parts = [{"type": 18, "id": 1, "component": field}]
    return {"custom_id": custom_id, "components": parts}


def command_data(command: str, options: Mapping[str, Any], focused: str) -> dict[str, Any]:
    root, part = command.split()
    kinds = {key: INTEGER if isinstance(value, int) else STRING for key, value in options.items()}
    given: list[dict[str, Any]] = [{"name": key, "type": kinds[key], "value": options[key]} for key in options]
    given = [each | ({"focused": True} if each["name"] == focused else {}) for each in given]
    inner = {"name": part, "type": SUBCOMMAND, "options": given}
    return {"id": "1", "name": root, "type": 1, "options": [inner]}


@asynccontextmanager
async def start_plain_bot(
    seed: str,
    *,
    paced: bool = False,
    worker_pool: WorkerPool | None = None,
    people: Sequence[str] = PEOPLE,
    other_servers: Mapping[int, int] = MappingProxyType({}),
    database: Database | None = None,
    after: PlainBot | None = None,
    pictures: bool = False,
    holding: ServerOwnership | None = None,
    stores: tuple[Any, Any] | None = None,
    name: str = "",
    secret: str = "",
    clock: ManualTime | None = None,
) -> AsyncIterator[PlainBot]:
    """The bot, in a server with a few people; every match is dealt from the seed, and all is kept in memory.

    With a `secret`, every deal is sealed under it instead.

    Unless `pictures` are drawn, they say what they would show. Unless `paced`, what may wait a while does not.
    `other_servers` has more servers, by channel. With a `holding` it is one of several bots on the same `stores`. Its
    time is that of `after`, or of a `clock`.
    """
    asyncio.get_running_loop().set_default_executor(ImmediateExecutor())
    time = after.time if after else clock or ManualTime(NOW)

    def new_id() -> str:
        return f"{next(bot_.numbers):08d}".replace("0", "a")

    def chance() -> Chance:
        return Chance(bot_.seed)

    store = stores[0] if stores else MemoryStore()
    match_store = MatchStore(database) if database else store
    sources = MatchSources(lambda: secret, new_id, None if secret else chance)
    matches = ExchangeableMatches(match_store, GAMES, time.now, features=FEATURES, sources=sources)
    surfaces = stores[1] if stores else SurfaceStore(database) if database else MemoryShown()
    silence_voice_warnings()
    bot = MotleyBot(
        BotStores(matches, surfaces, holding or SoleOwnership()), GAME_UIS, worker_pool or ImmediatePool(), time
    )
    bot.computers._secret = SECRET
    bot.rate_limiter.clock = NoPauses()
    if not paced:
        bot.reconciler.hand_pacing.clock = NoPauses()
    numbered = {person: number for number, person in enumerate(people, 1)}
    wire = after.wire if after else FakeDiscord(numbered, clock=time.monotonic, tell_time=time.now)
    for channel, server in other_servers.items():
        wire.add_server(channel, server)
    outside = frozenset(asyncio.all_tasks())
    bot_ = PlainBot(bot, store, matches, wire, outside_tasks=outside, seed=seed, time=time)
    if after:  # no two nonces of one run are the same
        bot_.chance = after.chance
    bot_.numbers = after.numbers if after else bot_.numbers
    with webhooks_by_line(), pytest.MonkeyPatch.context() as patched:
        if not pictures:
            patched.setattr(Studio, "render", describe_picture)
        patched.setattr(advice, "hint_budget", lambda mind: BRIEF_BUDGET)
        patched.setattr(page_drawing, "THREADS", (ImmediateExecutor(),))
        patched.setattr(downtime, "BEAT_SECONDS", NEVER_SECONDS)  # hours pass at once
        patched.setattr(downtime, "LATE_SECONDS", NEVER_SECONDS)
        patched.setattr(DiscordTime, "note_id", lambda *arguments: None)  # ids tell nothing here
        patched.setattr(connectivity, "HANG_SECONDS", NEVER_SECONDS)  # real seconds, which a busy machine may take
        patched.setattr(reconciler, "HEAD_START", NEVER_SECONDS)  # an answer takes no time, and then the rest is shown
        await bot._async_setup_hook()
        plug_client(bot, wire, name)
        await bot.setup_hook()
        if holding is None:
            await bot.downtime.start_watching()
        try:
            yield bot_
            assert not wire.broken_limits, wire.broken_limits
        finally:
            await bot.tasks.close()
            left = asyncio.all_tasks() - outside - {asyncio.current_task()}
            for task in left:  # whatever was under way when a test failed
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)
