"""A server with people, in simcord's virtual Discord. Of simcord only this, simcord_routes.py and settling.py know."""

from __future__ import annotations

import asyncio
import fnmatch
import random
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast

import aiohttp
import discord
import pytest
import simcord
from simcord import _runtime, actors
from simcord.backend import serializers
from simcord.backend.errors import BackendError
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType
from simcord.env import Env
from simcord.http import router
from simcord.results import InteractionResult, ResponseMessage

from cogs.client import BotStores, MotleyBot
from cogs.system_clock import SystemClock
from cogs.table.channels.bot_settings import BotSettings
from cogs.table.scheduling import downtime, late_reactions, retention, scheduler
from cogs.table.transport import interaction_response
from engines.features.registry import FEATURES
from engines.hosting.matches import Matches
from engines.hosting.matches.lobbies import MatchSources
from engines.kit.chance import Chance
from motley.version import version
from storage import Database, MatchStore, SurfaceStore
from tests import limits_check
from tests.end_to_end import players
from tests.end_to_end.settling import event_driven_settling
from tests.end_to_end.simcord_routes import grant_invited_permissions
from tests.game_uis import GAME_UIS
from tests.games import GAMES
from tests.manual_time import HastyClock
from tests.messages import BUTTON as BUTTON
from tests.messages import SELECT as SELECT
from tests.messages import Message as Message
from tests.messages import button_labels as button_labels
from tests.messages import client_text
from tests.messages import control_ids as control_ids
from tests.messages import message_text as message_text
from tests.messages import move_buttons as move_buttons
from tests.messages import walk_components as walk_components
from worker_pool.pool import WorkerPool

NAMES = ("Ada", "Bela", "Chidi", "Dora", "Emil", "Fumi", "Greta")
EPHEMERAL_FLAG = 64
SELDOM_SECONDS = 30 * 24 * 60 * 60  # seconds between two looks at what needs none: days pass quickly here
HOUR = 60 * 60  # seconds
NEVER_SECONDS = 1e9  # seconds
MOMENT_SECONDS = 0.3  # seconds: the longest sleep with which a click waits for others, which passes by itself
PATIENCE_SECONDS = 60.0  # real seconds for one operation: a busy machine is no failure


class WorldClock(SystemClock):
    """simcord's clock. Once a test has begun, the bot's pauses pass on the virtual clock alone, except for moments."""

    server: SimulatedServer | None = None

    async def sleep(self, seconds: float) -> None:
        env = self.server.env if self.server else None
        if env and seconds > MOMENT_SECONDS and asyncio.current_task() in env._work.tasks:
            await env.external_wait(asyncio.sleep(seconds), reason="a pause")
        else:  # a moment, or a test has moved the bot without asking simcord
            await asyncio.sleep(seconds)


class HandClock(SystemClock):
    """The clock of hands that may wait: they take their time only if the test is about that."""

    def __init__(self, clock: WorldClock) -> None:
        self._clock = clock

    async def sleep(self, seconds: float) -> None:
        server = self._clock.server
        await (asyncio.sleep(0) if server and not server.is_paced else self._clock.sleep(seconds))


def build_bot(database: Database, seed: str | None = None, clock: WorldClock | None = None) -> MotleyBot:
    """The bot as bot.py wires it; with a seed, every match is dealt from it, and no deal is sealed."""
    clock = clock or WorldClock()
    chance = (lambda: Chance(seed)) if seed else None
    matches = Matches(
        MatchStore(database), GAMES, clock.now, sources=MatchSources(new_chance=chance), features=FEATURES
    )
    bot = MotleyBot(BotStores(matches, SurfaceStore(database)), GAME_UIS, WorkerPool(), clock, BotSettings(version()))
    bot.rate_limiter.clock = HastyClock()  # there is room here
    bot.reconciler.hand_pacing.clock = HandClock(clock)
    return bot


class SeenMessage(NamedTuple):
    """A message as it was at some moment, and the one who could see it; None: everybody in the server."""

    viewer: int | None
    message: Message


@dataclass
class ConnectionCut:
    """Requests whose connection breaks, before Discord has done what they ask or after it."""

    method: str = "*"
    path: str = "*"
    after: bool = False
    times: int | None = 1  # None: until all is mended
    error: Callable[[], Exception] = aiohttp.ServerDisconnectedError
    later: bool = False  # Discord does it all the same, when the test says so
    percent: float = 100
    chance: random.Random = field(default_factory=lambda: random.Random(0))

    def take_hit(self, method: str, path: str) -> bool:
        """Whether this request is hit; uses up one."""
        if self.times == 0 or not fnmatch.fnmatch(method, self.method) or not fnmatch.fnmatch(path, self.path):
            return False
        if self.chance.random() * 100 >= self.percent:
            return False
        if self.times is not None:
            self.times -= 1
        return True


class PendingClick(NamedTuple):
    name: str
    message: Message
    custom_id: str


@dataclass
class SimulatedServer:
    """The environment, the bot in it, and its people by name."""

    env: Env
    bot: MotleyBot
    database: Database
    path: Path
    files: AsyncExitStack
    guild: simcord.GuildHandle
    table: simcord.ChannelHandle
    clock: WorldClock
    people: dict[str, simcord.MemberActor] = field(default_factory=dict)
    seed: str | None = None
    seen_messages: list[SeenMessage] = field(default_factory=list, repr=False)
    connection_cuts: list[ConnectionCut] = field(default_factory=list)
    late_requests: list[Callable[[], Any]] = field(default_factory=list)  # what Discord has yet to do
    patches: pytest.MonkeyPatch = field(default_factory=pytest.MonkeyPatch)
    seconds_fast: float = 0  # by which Discord's clock is ahead of the bot's
    is_paced: bool = False  # whether the hands that may wait take their time; else they follow at once

    def __getitem__(self, name: str) -> simcord.MemberActor:
        return self.people[name]

    # Where things stand

    def messages(self, channel: Any) -> list[Message]:
        """What stands in a channel now, oldest first, as Discord would send it; ephemeral messages included."""
        backend = self.env.backend
        found = list(backend.messages.get(channel.id, {}).values())
        return [self._full_message(m) for m in sorted(found, key=lambda m: m.id)]

    def public_messages(self, channel: Any) -> list[Message]:
        return [message for message in self.messages(channel) if not message.get("flags", 0) & EPHEMERAL_FLAG]

    def inbox_messages(self, name: str) -> list[Message]:
        return self.messages(self[name].user.dm_channel)

    def newest_private(self, name: str = "Ada") -> Message:
        return max(self.private_messages(name), key=lambda message: int(message["id"]))

    def newest_in_inbox(self, name: str) -> Message:
        return self.inbox_messages(name)[-1]

    @property
    def thread(self) -> simcord.ChannelHandle:
        """The newest match's thread, or the channel where there is none."""
        threads = self.table.threads
        return threads[-1] if threads else self.table

    async def loss_reason(self, match: str) -> str:
        kept = await self.bot.surfaces.find_surface(match, "table")
        assert kept is not None
        return kept.lost

    def sent_requests(self, since: int = 0) -> list[tuple[str, str]]:
        """The requests that the bot has made, from the one with that number on: method and path."""
        return [(request.method, request.path) for request in self.env.http_requests[since:]]

    def file_bytes(self, message: Message) -> list[bytes]:
        found = [self.env.backend.cdn.get(each["url"]) for each in message["attachments"]]
        return [each for each in found if each is not None]

    # What people do

    open_lobby, join_lobby, start_match = players.open_lobby, players.join_lobby, players.start_match
    seat_and_start, start_due, leave_match = players.seat_and_start, players.start_due, players.leave_match
    make_move, play_on, play_out = players.make_move, players.play_on, players.play_out
    play_out_unseen, show_hand, stale_seats = players.play_out_unseen, players.show_hand, players.stale_seats
    find_surface, find_lobby, find_table = players.find_surface, players.find_lobby, players.find_table
    find_hand, due_hand, name_of = players.find_hand, players.due_hand, players.name_of
    load_snapshot, status, move_count = players.load_snapshot, players.status, players.move_count
    due_name, due_name_now, fill_lobby = players.due_name, players.due_name_now, players.fill_lobby
    lobby_text, table_text, hand_text = players.lobby_text, players.table_text, players.hand_text
    find_first_tap = players.find_first_tap

    async def press_button(self, name: str, message: Message, label: str) -> InteractionResult:
        """Click the button with that label, or failing that with that custom_id."""
        how = "label" if label in [c.get("label") for c in walk_components(message["components"])] else "custom_id"
        actor, stands = self._actor(name, message), self._message_handle(message)
        result: InteractionResult = await actor.click(stands, **{how: label})
        return result

    async def press_answer(self, name: str, answer: InteractionResult, control: str) -> InteractionResult:
        shown = response_of(answer)
        message = {"channel_id": shown.channel_id, "id": shown.id, "components": shown.components}
        return await self.press_button(name, message, control)

    async def choose_options(self, name: str, message: Message, custom_id: str, *values: str) -> InteractionResult:
        actor = self._actor(name, message)
        result: InteractionResult = await actor.select(self._message_handle(message), list(values), custom_id=custom_id)
        return result

    async def forge_click(
        self, name: str, message: Message, custom_id: str, values: Sequence[str] | None = None
    ) -> InteractionResult:
        """Send a click that no client would offer: any custom_id, any values, on any message."""
        data: dict[str, Any] = {"custom_id": custom_id, "component_type": BUTTON if values is None else SELECT}
        if values is not None:
            data["values"] = list(values)
        async with self._operation("forge"):
            return await actors._component_interaction(self._actor(name, message), self._stored_message(message), data)

    async def forge_command(self, name: str, channel: Any, command: str, **options: Any) -> InteractionResult:
        """Send a command with string options that no client would let through."""
        root, *path = command.split()
        found = self.env.backend.find_command(root, self.guild.id)
        assert found is not None
        inner: list[dict[str, Any]] = [
            {"name": key, "type": 4 if isinstance(value, int) else 3, "value": value} for key, value in options.items()
        ]
        for part in reversed(path):
            inner = [{"name": part, "type": 1, "options": inner}]
        data = {"id": found["id"], "name": root, "type": 1, "options": inner}
        async with self._operation("forge"):
            actor = self[name] if channel.guild else self[name].user
            return await actors._dispatch_actor_interaction(actor, 2, channel, data)

    async def forge_form(self, name: str, custom_id: str, components: Any = ()) -> InteractionResult:
        """Submit a form that was never opened."""
        async with self._operation("forge"):
            data = {"custom_id": custom_id, "components": list(components)}
            return await actors._dispatch_actor_interaction(self[name], 5, self.table, data)

    async def click_at_once(self, *clicks: PendingClick) -> list[InteractionResult]:
        async with self._operation("at once"):
            made = [(self._actor(each.name, each.message), self._message_handle(each.message), each) for each in clicks]
            return await asyncio.gather(
                *(actors._component_click(who, on, label=None, custom_id=each.custom_id) for who, on, each in made)
            )

    def close_dms(self, name: str) -> None:
        """From now on nothing can be sent to this person."""
        channel = self[name].user.dm_channel
        self.env.inject_error("POST", rf"/channels/{channel.id}/messages", status=403, code=50007, times=None)

    def open_dms(self) -> None:
        self.env.backend.faults.clear()
        self.connection_cuts.clear()

    def cut_connections(self, method: str = "*", path: str = "*", **how: Any) -> None:
        """Have the connections of such requests break; see Cut."""
        self.connection_cuts.append(ConnectionCut(method, path, **how))

    def carry_out_late(self) -> None:
        """Have Discord do now what was cut short and is to be done later; of answers it takes one alone."""
        for do in self.late_requests:
            with suppress(BackendError):
                do()
        self.late_requests.clear()

    @contextmanager
    def cutting_connections(self) -> Iterator[None]:
        dispatch: Callable[..., Any] = router.dispatch

        def cut_off(method: str, path: str, after: bool, do: Callable[[], Any] | None = None) -> None:
            for cut in self.connection_cuts:
                if cut.after == after and cut.take_hit(method, path):
                    if cut.later and do:
                        self.late_requests.append(do)
                    raise cut.error()

        def dispatched(backend: Any, method: str, path: str, **details: Any) -> Any:
            do = partial(dispatch, backend, method, path, **details)
            cut_off(method, path, after=False, do=do)
            answer = do()
            cut_off(method, path, after=True)
            return answer

        with self.patched(router, "dispatch", dispatched):
            yield

    @contextmanager
    def virtual_pauses(self) -> Iterator[None]:
        """Have the bot's pauses pass on the virtual clock alone, short ones, too."""

        self.clock.server = self
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(scheduler, "HEARTBEAT_SECONDS", SELDOM_SECONDS)
            patched.setattr(downtime, "BEAT_SECONDS", SELDOM_SECONDS)
            patched.setattr(downtime, "LATE_SECONDS", NEVER_SECONDS)
            patched.setattr(retention, "CLEANUP_SECONDS", SELDOM_SECONDS)
            patched.setattr(retention, "FAREWELL_SECONDS", HOUR)
            patched.setattr(late_reactions, "PAUSE", SELDOM_SECONDS)
            patched.setattr(interaction_response, "sleep", lambda seconds: asyncio.sleep(0))
            yield

    def patch(self, target: object, name: str, value: object) -> None:
        """Put something else in the place of an attribute, until the test has ended."""
        self.patches.setattr(target, name, value)

    @contextmanager
    def patched(self, target: object, name: str, value: object) -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patches:
            patches.setattr(target, name, value)
            yield

    # What befalls the bot

    async def restart(
        self, meanwhile: Callable[[], object] = lambda: None, *, away: float = 0, killed: bool = False
    ) -> None:
        """Stop the bot, in good order unless it is killed, and start one so many seconds later."""
        await self.env.settle()
        async with self._operation("restart", settle=True):
            if not killed:
                with self.env._bot_scope():
                    await self.bot.close()
            await self._replace_bot(meanwhile, away)

    async def dispatch_event(self, event: str, *args: object) -> None:
        async with self._operation("tell", settle=True):
            with self.env._bot_scope():
                self.bot.dispatch(event, *args)

    async def crash_during(self, click: Awaitable[Any], reached: asyncio.Event) -> None:
        """Make a click, cut the bot off at the moment that `reached` tells of, and start a new one."""
        clicking = asyncio.ensure_future(click)
        await asyncio.wait_for(reached.wait(), 5)
        clicking.cancel()
        await asyncio.gather(clicking, return_exceptions=True)
        async with self._operation("crash", settle=True):
            await self._replace_bot()

    async def _replace_bot(self, meanwhile: Callable[[], object] = lambda: None, away: float = 0) -> None:
        await self.env._detach_bot()
        if away:
            patience = asyncio.get_running_loop().time() + PATIENCE_SECONDS
            await self.env._advance_to(self.env._virtual_time + away, patience)
        await self.files.aclose()
        meanwhile()
        self.database = await self.files.enter_async_context(Database.open(self.path, clock=SystemClock().now))
        self.bot = self.env.bot = build_bot(self.database, self.seed, self.clock)
        await _runtime._attach_bot(self.env, self.bot)

    def grant_permissions(self, channel: Any, **permissions: bool | None) -> None:
        """Allow the bot something in a channel, or forbid it; None takes that back."""
        backend = self.env.backend
        allow, deny = discord.PermissionOverwrite(**permissions).pair()
        of_bot = Overwrite(backend.bot_user.id, OverwriteType.MEMBER, allow.value, deny.value)
        backend.set_overwrite(channel.id, of_bot)

    def show_command(self, command: str, name: str) -> None:
        """Let somebody see a command in spite of its default permissions, as a server's settings can."""
        found = self.env.backend.find_command(command, self.guild.id)
        assert found is not None
        self.guild.set_command_permissions(int(found["id"]), {self[name]: True})

    def archive_thread(self, thread: Any) -> None:
        self.env.backend.edit_channel(thread.id, {}, thread_metadata={"archived": True})

    def lock_thread(self, thread: Any, locked: bool = True) -> None:
        self.env.backend.edit_channel(thread.id, {}, thread_metadata={"locked": locked})

    def delete_channel(self, channel: Any) -> None:
        self.env.backend.delete_channel(channel.id)

    def delete_message(self, message: Message) -> None:
        self.env.backend.delete_message(int(message["channel_id"]), int(message["id"]))

    def add_guild(self, name: str, *members: str) -> tuple[simcord.ChannelHandle, dict[str, simcord.MemberActor]]:
        """Another server with a channel, and some of the people in it; the first owns it."""
        guild = self.env.create_guild(name, owner=self[members[0]].user)
        grant_invited_permissions(self.env.backend, guild.id)
        found = {members[0]: simcord.MemberActor(self.env, guild, self[members[0]].user)}
        found |= {name: guild.add_member(self[name].user) for name in members[1:]}
        return guild.create_text_channel("elsewhere"), found

    def tamper_database(self, statement: str, *values: str) -> None:
        with closing(sqlite3.connect(self.path)) as raw, raw:
            assert raw.execute(statement, values).rowcount

    # Inside

    @asynccontextmanager
    async def _operation(self, name: str, *, settle: bool = False) -> AsyncIterator[None]:
        self.env._begin_operation(name)
        try:
            yield
        finally:
            self.env._end_operation()
        if settle:
            await self.env.settle()

    def _actor(self, name: str, message: Message) -> Any:
        """Who clicks on that message: a member of its server, or a person in their direct messages."""
        channel = self.env.backend.get_channel(int(message["channel_id"]))
        if channel.guild_id is None:
            return self[name].user
        handle = next(each for each in self.env._guilds if each.id == channel.guild_id)
        return simcord.MemberActor(self.env, handle, self[name].user)

    def _stored_message(self, message: Message) -> Any:
        return self.env.backend.get_message(int(message["channel_id"]), int(message["id"]))

    def _full_message(self, stored: Any) -> Message:
        """A message as people see it, with all its files; the bot is not told of those that components show."""
        return dict(serializers.message_payload(self.env.backend, stored)) | {"attachments": list(stored.attachments)}

    def _message_handle(self, message: Message) -> ResponseMessage:
        return ResponseMessage(self.env, self._stored_message(message))

    def _record_message(self, event: str, payload: Any) -> None:
        """Keep what is told of a message by the gateway, with those who can see it."""
        if event not in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
            return
        channel = self.env.backend.get_channel(int(payload["channel_id"]))
        people = [user for user in channel.recipient_ids if user != self.env.backend.bot_user.id]
        by = people[0] if channel.guild_id is None else None
        self.seen_messages.append(SeenMessage(by, self._full_message(self._stored_message(payload))))

    def private_messages(self, name: str) -> list[Message]:
        return [seen.message for seen in self.ephemeral_messages() if seen.viewer == self[name].id]

    def ephemeral_messages(self) -> list[SeenMessage]:
        """The messages now there that one person alone can see, in servers."""
        found = []
        for messages in self.env.backend.messages.values():
            for message in messages.values():
                if message.is_ephemeral:
                    payload = self._full_message(message)
                    asked: Any = payload["interaction_metadata"]
                    found.append(SeenMessage(int(asked["user"]["id"]), payload))
        return found


def make_hang() -> tuple[asyncio.Event, Callable[..., Any]]:
    """A step that never ends, and the event that tells that it was reached."""
    reached = asyncio.Event()

    async def hang(*_: object, **__: object) -> None:
        reached.set()
        await asyncio.Event().wait()

    return reached, hang


@contextmanager
def telling_time(env: Env, clock: WorldClock) -> Iterator[None]:
    """Have each response tell the bot simcord's time, as the header `Date` does; it tells nothing by itself."""
    dispatch: Callable[..., Any] = router.dispatch

    def dispatched(*how: Any, **more: Any) -> Any:
        assert isinstance(env.bot, MotleyBot)
        discord_time = env.bot.discord_time
        sent = discord_time.moment()
        try:
            return dispatch(*how, **more)
        finally:
            discord_time.note_date(clock.now() + (clock.server.seconds_fast if clock.server else 0), sent)

    with pytest.MonkeyPatch.context() as patches:
        patches.setattr(router, "dispatch", dispatched)
        yield


@asynccontextmanager
async def start_world(
    path: Path, names: Sequence[str] = NAMES, seed: str | None = None
) -> AsyncIterator[SimulatedServer]:
    """A server with a channel and these people, the first its owner; at the end nothing may have gone wrong unseen."""
    async with event_driven_settling(), AsyncExitStack() as lasting, AsyncExitStack() as files:
        database = await files.enter_async_context(Database.open(path, clock=SystemClock().now))
        clock = WorldClock()
        bot = build_bot(database, seed, clock)
        env = Env(bot, settle_timeout=PATIENCE_SECONDS)  # not simcord.run(): a fixture ends in another context
        lasting.enter_context(telling_time(env, clock))
        with pytest.MonkeyPatch.context() as patched:  # nobody's clock is moved yet
            patched.setattr(retention, "FAREWELL_SECONDS", HOUR)
            patched.setattr(downtime, "BEAT_SECONDS", SELDOM_SECONDS)
            await env.start()
        owner = env.create_user(names[0])
        guild = env.create_guild("The Inn", owner=owner)
        grant_invited_permissions(env.backend, guild.id)
        table = guild.create_text_channel("games")
        made = SimulatedServer(env, bot, database, path, files, guild, table, clock, seed=seed)
        try:
            env.backend.subscribers.append(made._record_message)
            made.people[names[0]] = simcord.MemberActor(env, guild, owner)
            for name in names[1:]:
                made.people[name] = guild.add_member(env.create_user(name))
            with made.cutting_connections(), made.virtual_pauses():
                yield made
                await env.settle()
        finally:
            await env.shutdown()
            made.patches.undo()
        env.raise_errors()
        limits_check.assert_within_limits(cast(Any, env))
        limits_check.assert_nobody_is_called(cast(Any, env))
        limits_check.assert_fits_telephone(cast(Any, env))
        limits_check.assert_it_has_glyphs(cast(Any, env))


# Answers


def response_of(answer: InteractionResult) -> ResponseMessage:
    assert answer.response is not None
    return answer.response


def reply_text(result: InteractionResult) -> str:
    """All that somebody was told in answer to a click or command, the message that was changed included."""
    found = [each for each in (result.response, *result.followups) if each is not None]
    return "\n".join(message_text({"content": each.content, "components": each.components}) for each in found)


def full_reply_text(result: InteractionResult) -> str:
    """The same with whatever else of it reaches a client: alt texts, labels, custom_ids."""
    found = [each for each in (result.response, *result.followups) if each is not None]
    return "\n".join(client_text({"content": each.content, "components": each.components}) for each in found)
