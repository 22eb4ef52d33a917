"""A server with people, on the playground's simulation in memory; and the bot in it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import discord
import pytest

from cogs.client import BotStores, MotleyBot
from cogs.system_clock import SystemClock
from cogs.table.channels.bot_settings import BotSettings
from cogs.table.scheduling import downtime, late_reactions, owner_requests, retention, scheduler
from cogs.table.transport import interaction_response
from engines.features.registry import FEATURES
from engines.hosting.matches import Matches
from engines.hosting.matches.lobbies import MatchSources
from engines.kit.chance import Chance
from motley.version import version
from playground.world import ids
from playground.world import world as things
from playground.world.application_emoji import StoredEmoji
from playground.world.world import EPHEMERAL, Overwrite
from storage import Database, MatchStore, SurfaceStore
from tests import request_checks
from tests.end_to_end import players
from tests.end_to_end.people_and_places import (
    ChannelHandle,
    DirectActor,
    GuildHandle,
    InteractionResult,
    MemberActor,
    ResponseMessage,
)
from tests.end_to_end.simulated_discord import RequestFault, SimulatedDiscord, start_discord
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
SELDOM_SECONDS = 30 * 24 * 60 * 60  # seconds between two looks at what needs none: days pass quickly here
HOUR = 60 * 60  # seconds
OWNER_SECONDS = HOUR  # seconds between two looks at what the owner requests
NEVER_SECONDS = 1e9  # seconds


class HandClock(SystemClock):
    """The clock of hands that may wait: they take their time only if the test is about that."""

    def __init__(self) -> None:
        self.is_paced = False

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds if self.is_paced else 0)


class OwingPool(WorkerPool):
    """Time stands still while a worker works on something."""

    def __init__(self, discord: SimulatedDiscord) -> None:
        super().__init__()
        self._discord = discord

    async def _ask_worker(self, job: bytes) -> Any:
        with self._discord.time.owing():
            return await super()._ask_worker(job)


def build_bot(
    discord: SimulatedDiscord, database: Database, hand_clock: HandClock, seed: str | None = None
) -> MotleyBot:
    """The bot as bot.py wires it; with a seed, every match is dealt from it, and no deal is sealed."""
    clock = SystemClock()
    chance = (lambda: Chance(seed)) if seed else None
    matches = Matches(
        MatchStore(database), GAMES, clock.now, sources=MatchSources(new_chance=chance), features=FEATURES
    )
    stores = BotStores(matches, SurfaceStore(database))
    bot = MotleyBot(stores, GAME_UIS, OwingPool(discord), clock, BotSettings(version()))
    bot.rate_limiter.clock = HastyClock()  # there is room here
    bot.reconciler.hand_pacing.clock = hand_clock
    return bot


class SeenMessage(NamedTuple):
    """A message as it was at some moment, and the one who could see it; None: everybody in the server."""

    viewer: int | None
    message: Message


class PendingClick(NamedTuple):
    name: str
    message: Message
    custom_id: str


@dataclass
class SimulatedServer:
    """The environment, the bot in it, and its people by name."""

    env: SimulatedDiscord
    bot: MotleyBot
    database: Database
    path: Path
    files: AsyncExitStack
    guild: GuildHandle
    table: ChannelHandle
    hand_clock: HandClock
    people: dict[str, MemberActor] = field(default_factory=dict)
    seed: str | None = None
    seen_messages: list[SeenMessage] = field(default_factory=list, repr=False)
    patches: pytest.MonkeyPatch = field(default_factory=pytest.MonkeyPatch)

    def __getitem__(self, name: str) -> MemberActor:
        return self.people[name]

    @property
    def connection_cuts(self) -> list[RequestFault]:
        return self.env.connection_cuts

    # Where things stand

    def messages(self, channel: Any) -> list[Message]:
        """What stands in a channel now, oldest first, as Discord would send it; ephemeral messages included."""
        number = channel if isinstance(channel, int) else channel.id
        return [message.full_data for message in self.env.find_messages(number)]

    def public_messages(self, channel: Any) -> list[Message]:
        return [message for message in self.messages(channel) if not message["flags"] & EPHEMERAL]

    def inbox_messages(self, name: str) -> list[Message]:
        return self.messages(self[name].user.dm_channel)

    def newest_private(self, name: str = "Ada") -> Message:
        return max(self.private_messages(name), key=lambda message: int(message["id"]))

    def newest_in_inbox(self, name: str) -> Message:
        return self.inbox_messages(name)[-1]

    @property
    def thread(self) -> ChannelHandle:
        """The newest match's thread, or the channel where there is none."""
        threads = self.table.threads
        return threads[-1] if threads else self.table

    async def loss_reason(self, match: str) -> str:
        surface = await self.bot.surfaces.find_surface(match, "table")
        assert surface is not None
        return surface.lost

    def sent_requests(self, since: int = 0) -> list[tuple[str, str]]:
        """The requests that the bot has made, from the one with that number on: method and path."""
        return [(request.method, request.path) for request in self.env.http_requests[since:]]

    def file_bytes(self, message: Message) -> list[bytes]:
        channel = int(message["channel_id"])
        found = [self.env.world.find_file(channel, int(each["id"])) for each in message["attachments"]]
        return [each.data for each in found if each is not None]

    def take_broken_limits(self) -> list[str]:
        """The requests that Discord refused because they break a limit; they fail this test no more."""
        found = [*self.env.api.broken_limits]
        self.env.api.broken_limits.clear()
        return found

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
    find_first_tap, press_in_menu, menu_text = players.find_first_tap, players.press_in_menu, players.menu_text

    async def press_button(self, name: str, message: Message, label: str) -> InteractionResult:
        """Click the button with that label, or failing that with that custom_id."""
        how = "label" if label in [c.get("label") for c in walk_components(message["components"])] else "custom_id"
        return await self._actor(name, message).click(message, **{how: label})

    async def press_answer(self, name: str, answer: InteractionResult, control: str) -> InteractionResult:
        response = response_of(answer)
        message = {"channel_id": response.channel_id, "id": response.id, "components": response.components}
        return await self.press_button(name, message, control)

    async def choose_options(self, name: str, message: Message, custom_id: str, *values: str) -> InteractionResult:
        return await self._actor(name, message).select(message, values, custom_id=custom_id)

    async def forge_click(
        self, name: str, message: Message, custom_id: str, values: Sequence[str] | None = None
    ) -> InteractionResult:
        """Send a click that no client would offer: any custom_id, any values, on any message."""
        how: dict[str, Any] = {"channel_id": message["channel_id"], "message_id": message["id"], "custom_id": custom_id}
        how |= {} if values is None else {"values": list(values)}
        return await self.env.act(self[name].id, "click" if values is None else "select", unchecked=True, **how)

    async def forge_command(self, name: str, channel: Any, command: str, **options: Any) -> InteractionResult:
        """Send a command with string options that no client would let through."""
        root, *path = command.split()
        inner: list[dict[str, Any]] = [
            {"name": key, "type": 4 if isinstance(value, int) else 3, "value": value} for key, value in options.items()
        ]
        for part in reversed(path):
            inner = [{"name": part, "type": 1, "options": inner}]
        how = {"channel_id": str(channel.id), "name": root, "options": inner}
        return await self.env.act(self[name].id, "command", unchecked=True, **how)

    async def forge_form(self, name: str, custom_id: str, components: Any = ()) -> InteractionResult:
        """Submit a form that was never opened."""
        return await self.env.forge_form(self[name].id, self.table.id, custom_id, components)

    async def click_at_once(self, *clicks: PendingClick) -> list[InteractionResult]:
        results = [
            self._actor(each.name, each.message).begin_click(each.message, custom_id=each.custom_id) for each in clicks
        ]
        await self.env.settle()
        return results

    def close_dms(self, name: str) -> None:
        """From now on nothing can be sent to this person."""
        channel = self[name].user.dm_channel
        self.env.inject_error("POST", rf"/channels/{channel.id}/messages", status=403, code=50007, times=None)

    def open_dms(self) -> None:
        self.env.refusals.clear()
        self.connection_cuts.clear()

    def cut_connections(self, method: str = "*", path: str = "*", **how: Any) -> None:
        """Have the connections of such requests break; see Cut."""
        self.connection_cuts.append(RequestFault(method, path, **how))

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
        if not killed:
            await self.bot.close()
        await self._replace_bot(meanwhile, away)

    async def dispatch_event(self, event: str, *args: object) -> None:
        self.bot.dispatch(event, *args)
        await self.env.settle()

    async def crash_during(self, click: Awaitable[Any], reached: asyncio.Event) -> None:
        """Make a click, cut the bot off at the moment that `reached` tells of, and start a new one."""
        clicking, waiting = asyncio.ensure_future(click), asyncio.ensure_future(reached.wait())
        await asyncio.wait({clicking, waiting}, return_when=asyncio.FIRST_COMPLETED)
        assert reached.is_set(), "it has never come to that moment"
        clicking.cancel()
        await asyncio.gather(clicking, return_exceptions=True)
        await self._replace_bot()

    async def _replace_bot(self, meanwhile: Callable[[], object] = lambda: None, away: float = 0) -> None:
        await self.env.disconnect()
        if away:
            await self.env.advance_time(away)
        await self.files.aclose()
        meanwhile()
        self.database = await self.files.enter_async_context(Database.open(self.path, clock=SystemClock().now))
        self.bot = build_bot(self.env, self.database, self.hand_clock, self.seed)
        await self.env.connect(self.bot)

    # What others do

    def add_emoji(self, name: str) -> None:
        """Have the application own an emoji of that name."""
        number = self.env.world.snowflakes.next_id()
        owned = StoredEmoji(number, name, b"", "image/png", self.env.world.users[ids.BOT])
        self.env.simulation.emoji.by_id[number] = owned

    def remove_emoji(self) -> None:
        """Have the application own no emoji any more."""
        self.env.simulation.emoji.by_id.clear()

    def grant_permissions(self, channel: Any, **permissions: bool | None) -> None:
        """Allow the bot something in a channel, or forbid it; None takes that back."""
        allow, deny = discord.PermissionOverwrite(**permissions).pair()
        self._overwrite(channel, Overwrite(ids.BOT, 1, allow.value, deny.value))

    def hide_channel(self, channel: Any, name: str) -> None:
        """Have one person see a channel no more."""
        hidden = discord.Permissions(view_channel=True).value
        self._overwrite(channel, Overwrite(self[name].id, 1, 0, hidden))

    def silence(self, channel: Any, name: str) -> None:
        """Let one person write in a channel and its threads no more."""
        denied = discord.Permissions(send_messages=True, send_messages_in_threads=True).value
        self._overwrite(channel, Overwrite(self[name].id, 1, 0, denied))

    def _overwrite(self, channel: Any, overwrite: Overwrite) -> None:
        changed = self.env.world.channel(channel.id)
        changed.overwrites = (*(o for o in changed.overwrites if o.target_id != overwrite.target_id), overwrite)
        self.env.world.notify_channel_changed(changed)

    def make_manager(self, name: str) -> None:
        """Give somebody a role that may manage the server."""
        role = things.Role(
            self.env.world.snowflakes.next_id(), "Innkeeper", discord.Permissions(manage_guild=True).value, 2
        )
        self.guild.guild.roles[role.id] = role
        self.guild.guild.member(self[name].id).role_ids.append(role.id)

    def take_roles(self, name: str) -> None:
        self.guild.guild.member(self[name].id).role_ids.clear()

    def rename_member(self, name: str, nick: str) -> None:
        """Give somebody another name on the server."""
        self.guild.guild.member(self[name].id).nick = nick

    def leave_guild(self, name: str) -> None:
        """Have somebody leave the server."""
        self.env.perform(self[name].id, "leave_guild", guild_id=str(self.guild.id))

    def show_command(self, command: str, name: str) -> None:
        """Let somebody see a command in spite of its default permissions, as a server's settings can."""
        how = {"guild_id": str(self.guild.id), "name": command, "to": str(self[name].id)}
        self.env.perform(self.guild.guild.owner_id, "permit_command", **how)

    def archive_thread(self, thread: Any, archived: bool = True) -> None:
        self.env.perform(self.guild.guild.owner_id, "archive", channel_id=str(thread.id), archived=archived)

    def lock_thread(self, thread: Any, locked: bool = True) -> None:
        self.env.perform(self.guild.guild.owner_id, "lock", channel_id=str(thread.id), locked=locked)

    def delete_channel(self, channel: Any) -> None:
        self.env.world.remove_channel(self.env.world.channel(channel.id))

    def delete_message(self, message: Message) -> None:
        self.env.world.remove_message(self.env.world.message(int(message["channel_id"]), int(message["id"])))

    def add_guild(self, name: str, *members: str) -> tuple[ChannelHandle, dict[str, MemberActor]]:
        """Another server with a channel, and some of the people in it; the first owns it."""
        guild = self.env.create_guild(name, self[members[0]].id)
        return guild.create_text_channel("elsewhere"), {name: guild.add_member(self[name].user) for name in members}

    def tamper_database(self, statement: str, *values: str) -> None:
        with closing(sqlite3.connect(self.path)) as raw, raw:
            assert raw.execute(statement, values).rowcount

    # Inside

    def _actor(self, name: str, message: Message) -> MemberActor | DirectActor:
        """Who clicks on that message: a member of its server, or a person in their direct messages."""
        guild = self.env.world.channel(int(message["channel_id"])).guild_id
        return MemberActor(self.env, self[name].id, guild) if guild else self[name].user

    def _record_message(self, kind: str, subject: things.Message | things.Channel | None) -> None:
        """Keep what is told of a public message, with those who can see it."""
        if isinstance(subject, things.Message) and subject.visible_to is None and kind != "message_delete":
            reader = self.env.world.channel(subject.channel_id).recipient_id
            self.seen_messages.append(SeenMessage(reader, subject.full_data))

    def private_messages(self, name: str) -> list[Message]:
        return [
            seen_message.message for seen_message in self.ephemeral_messages() if seen_message.viewer == self[name].id
        ]

    def ephemeral_messages(self) -> list[SeenMessage]:
        """The messages now there that one person alone can see, in servers."""
        messages_there = [message for messages in self.env.world.messages.values() for message in messages.values()]
        return [SeenMessage(each.visible_to, each.full_data) for each in messages_there if each.visible_to is not None]


def make_hang() -> tuple[asyncio.Event, Callable[..., Any]]:
    """A step that never ends, and the event that tells that it was reached."""
    reached = asyncio.Event()

    async def hang(*_: object, **__: object) -> None:
        reached.set()
        await asyncio.Event().wait()

    return reached, hang


@contextmanager
def seldom_looks() -> Iterator[None]:
    """Have the bot look seldom for what nobody has told it of, because days pass at once here."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(scheduler, "HEARTBEAT_SECONDS", SELDOM_SECONDS)
        patched.setattr(downtime, "BEAT_SECONDS", SELDOM_SECONDS)
        patched.setattr(downtime, "LATE_SECONDS", NEVER_SECONDS)
        patched.setattr(retention, "CLEANUP_SECONDS", SELDOM_SECONDS)
        patched.setattr(retention, "FAREWELL_SECONDS", HOUR)
        patched.setattr(late_reactions, "PAUSE", SELDOM_SECONDS)
        patched.setattr(owner_requests, "CHECK_SECONDS", OWNER_SECONDS)
        patched.setattr(interaction_response, "sleep", lambda seconds: asyncio.sleep(0))
        yield


@asynccontextmanager
async def start_world(
    path: Path, names: Sequence[str] = NAMES, seed: str | None = None
) -> AsyncIterator[SimulatedServer]:
    """A server with a channel and these people, the first its owner; at the end nothing may have gone wrong unseen."""
    async with AsyncExitStack() as files, start_discord() as env:
        database = await files.enter_async_context(Database.open(path, clock=SystemClock().now))
        hand_clock = HandClock()
        owner, *others = [env.create_user(name) for name in names]
        guild = env.create_guild("The Inn", owner.id)
        table = guild.create_text_channel("games")
        bot = build_bot(env, database, hand_clock, seed)
        server = SimulatedServer(env, bot, database, path, files, guild, table, hand_clock, seed=seed)
        for name, user in zip(names, (owner, *others), strict=True):
            server.people[name] = guild.add_member(user)
        env.world.add_listener(server._record_message)
        try:
            with seldom_looks():
                await env.connect(bot)
                yield server
                await env.settle()
        finally:
            server.patches.undo()
            await env.disconnect()
    env.raise_errors()
    assert not env.api.broken_limits, env.api.broken_limits
    request_checks.assert_nobody_is_called(env.http_requests)
    request_checks.assert_fits_telephone(env.http_requests)
    request_checks.assert_it_has_glyphs(env.http_requests)


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
