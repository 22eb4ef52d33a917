"""Where discord.py would call Discord: the playground's simulation answers in memory, and whatever is sent is kept.

Discord's rules are the simulation's. This module adds what tests ask for: who can see what was sent, refusals on
demand, and ids that tell nothing of what others do.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

import discord
from discord.http import Route

from cogs.client import MotleyBot
from cogs.table.scheduling.discord_time import DiscordTime
from cogs.table.state.server_lease import check_lease
from playground.limits import Request
from playground.simulation.interactions import CallbackKind, Interaction, InteractionKind
from playground.simulation.simulation import Simulation
from playground.world import payloads as objects
from playground.world.clock import Timer
from playground.world.errors import DiscordError
from playground.world.ids import DM_OFFSET, SnowflakeGenerator
from playground.world.messages import Upload
from playground.world.world import EPHEMERAL, Channel, Message, ThreadState
from tests.in_memory_discord import InMemoryApi, copy_json, http_error, limits_request, plug_in, read_request
from tests.plain import payloads
from tests.plain.payloads import APPLICATION, BOT, CHANNEL, GUILD, PUBLIC_THREAD, Json

EPHEMERAL_FLAG = EPHEMERAL
MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE, CHOICES, FORM = (int(kind) for kind in CallbackKind)
LATE_SNOWFLAKE = 1_270_000_000_000 << 22  # the ids of interactions that have not expired before the year 2055
SCOPE_SPAN = 1 << 14  # how many ids of one kind there may be in one place


class SentRequest(NamedTuple):
    reader: int | None  # who alone sees it; None: everybody in the server
    method: str
    path: str
    body_text: str  # all of it, as JSON
    files: tuple[bytes, ...] = ()
    interaction_text: str = ""  # in answer to what
    at: float = 0.0  # when

    @property
    def text(self) -> str:
        return "\n".join((self.body_text, *(each.decode(errors="replace") for each in self.files)))


@dataclass
class PendingInteraction:
    """An interaction on its way: who asks, on which message, and what was answered first."""

    user: int
    channel: int
    source: Json | None
    request_text: str
    opened: Interaction
    answer: Json | None = None  # a new message, as it was first
    choices: list[Json] = field(default_factory=list)
    form: Json | None = None
    first_answer_kinds: list[int] = field(default_factory=list)  # there may be one alone


class ScopedSnowflakes(SnowflakeGenerator):
    """Ids that tell nothing of what else was sent, nor of what somebody else asked: each scope has its own."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[object, ...]] = Counter()

    def interaction_counts(self) -> Counter[tuple[object, ...]]:
        """How many interactions there were, by their scope."""
        return Counter({scope: count for scope, count in self.counts.items() if scope[:1] == ("interaction",)})

    def next_id(self, *scope: object) -> int:
        self.counts[scope] += 1
        assert self.counts[scope] < SCOPE_SPAN, "two things have the same id"
        place = int.from_bytes(blake2b(repr(scope).encode(), digest_size=5).digest())
        return LATE_SNOWFLAKE + place * SCOPE_SPAN + self.counts[scope]


@dataclass
class WireClock:
    """The time of the test; no deadline of an interaction passes."""

    now: Callable[[], float]

    def call_later(self, delay: float, action: Callable[[], None]) -> Timer:
        return NoTimer()


class NoTimer:
    def cancel(self) -> None:
        """Do nothing."""


@dataclass
class FakeDiscord:
    """The simulation, what was sent, and the interactions, by token."""

    people: Mapping[str, int]
    sent_requests: list[SentRequest] = field(default_factory=list)
    interactions: dict[str, PendingInteraction] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)  # every one, by its method and path
    servers: dict[int, int] = field(default_factory=dict)  # by their channel
    on_request: Callable[[Request], None] = lambda request: None  # told of every request
    clock: Callable[[], float] = lambda: 0.0
    tell_time: Callable[[], float] = lambda: 0.0  # the time that responses tell
    closed_inboxes: set[int] = field(default_factory=set)  # those whose direct messages are closed
    opening_refusal: Callable[[int], int] = lambda user: 0  # the error with which no direct messages are opened
    first_refusal: Callable[[int], int] = lambda user: 0  # the error that refuses somebody's first message
    fetched: int = 0  # how often the bot has asked for a message
    requests_by_bot: list[tuple[str, str]] = field(default_factory=list)  # every one, with the bot that made it
    gate: Callable[[str, str], Awaitable[None]] | None = None  # what each waits for, once it is under way
    snowflakes: ScopedSnowflakes = field(default_factory=ScopedSnowflakes)

    def __post_init__(self) -> None:
        clock = WireClock(lambda: self.tell_time())
        world = payloads.create_world(clock, self.people)
        world.snowflakes = self.snowflakes
        self.simulation = Simulation("http://discord.test", clock=clock, rate_limited=False, world=world)
        self.simulation.interactions.new_token = lambda number: f"token{number - LATE_SNOWFLAKE}"
        self.simulation.emoji.by_id = payloads.application_emoji(world)
        self.world = world
        self.api = InMemoryApi(self.simulation)
        self.add_server(CHANNEL, GUILD)

    @property
    def broken_limits(self) -> list[str]:
        """What was refused because it breaks Discord's limits."""
        return self.api.broken_limits

    async def request(
        self, route: Route, *, form: Sequence[Json] | None = None, multipart: Sequence[Json] | None = None, **rest: Any
    ) -> Any:
        request_read = read_request(self.simulation, route, form=form, multipart=multipart, **rest)
        path, body = request_read.path, request_read.payload
        self.requests.append(f"{route.method} {path}")
        self.on_request(limits_request(request_read))
        for person in self.world.people():
            person.dms_closed = person.id in self.closed_inboxes
        self._refuse_on_demand(route.method, path, body)
        sent = self._describe_sent(route.method, path, body, request_read.uploads)
        status, answer = await self.api.answer(request_read)
        self._note_first_answer(route.method, path, body, status, answer)
        read = self.api.read(status, answer)
        if sent is not None:
            self.sent_requests.append(sent)
        return read

    def start_interaction(
        self,
        user: int,
        channel: int,
        kind: int,
        data: Json,
        source: Json | None = None,
        rights: str = payloads.ALL_PERMISSIONS,
        own: str = payloads.ALL_PERMISSIONS,
    ) -> tuple[PendingInteraction, Json]:
        """An interaction, and how Discord tells the bot of it: with what the asker may do there, and the bot itself."""
        clicked = None if source is None else self._clicked_message(source, user)
        start = self.simulation.interactions.open_interaction
        opened, event = start(InteractionKind(kind), user, self.world.channel(channel), data, source=clicked)
        pending = PendingInteraction(user, channel, source, json.dumps(data), opened)
        self.interactions[opened.token] = pending
        event |= {"app_permissions": own} | ({} if source is None else {"message": source})
        event["channel"]["permissions"] = rights
        if "member" in event:
            event["member"]["permissions"] = rights
        return pending, copy_json(event)

    # Where things stand

    @property
    def channels(self) -> dict[int, dict[int, Json]]:
        """What stands in every channel, oldest first, as the page shows it; a copy."""
        return {channel: self.messages(channel) for channel in self.world.channels}

    def messages(self, channel: int) -> dict[int, Json]:
        return {number: self._shown(each) for number, each in self.world.messages.get(channel, {}).items()}

    def message(self, channel: int, number: int) -> Json:
        """A message as it is now. Raises KeyError if it is gone."""
        return self._shown(self.world.messages[channel][number])

    @property
    def threads(self) -> dict[int, Json]:
        threads = (each for each in self.world.channels.values() if each.thread is not None)
        return {each.id: objects.channel_object(self.world, each) for each in threads}

    @property
    def commands(self) -> list[Json]:
        return self.simulation.commands.commands_in_scope(None)

    def inbox_of(self, user: int) -> int:
        return user + DM_OFFSET

    def is_inbox(self, channel: int) -> bool:
        return channel - DM_OFFSET in self.world.users

    # What happens without the bot

    def add_server(self, channel: int, number: int) -> None:
        """Have a server with that channel, where everybody is."""
        if channel not in self.servers:
            self.servers[channel] = number
            payloads.add_guild(self.world, number, channel)

    def add_thread(self, number: int, name: str, channel: int = CHANNEL) -> None:
        now = self.world.clock.now()
        thread_state = ThreadState(BOT, now, now, members={BOT: now})
        where: Any = {"parent_id": channel, "guild_id": self.servers[channel]}
        self.world.add_channel(Channel(number, PUBLIC_THREAD, name, thread=thread_state, **where))

    def place_message(self, message: Json, reader: int | None = None) -> None:
        """Have a message of the bot stand where and as it says."""
        channel = self.world.channel(int(message["channel_id"]))
        blank = self.simulation.message_builder._blank_message(channel, BOT, int(message["id"]))
        self.world.add_message(Message(int(message["id"]), channel.id, BOT, blank | message, reader))

    def remove_message(self, message: Json) -> None:
        self.world.remove_message(self.world.message(int(message["channel_id"]), int(message["id"])))

    # Inside

    def _refuse_on_demand(self, method: str, path: str, body: Any) -> None:
        """Refuse a step of a first contact with the error that the test wants."""
        match [method, *path.strip("/").split("/")]:
            case ["POST", "users", "@me", "channels"]:
                code = self.opening_refusal(int(body["recipient_id"]))
            case ["POST", "channels", channel, "messages"] if (user := self.reader_of(int(channel))) is not None:
                is_refusable = user not in self.closed_inboxes and not self.world.is_contacted(user)
                code = self.first_refusal(user) if is_refusable else 0
            case _:
                return
        if code:
            raise http_error(403, {"code": code, "message": f"Refused with {code}"})

    def reader_of(self, channel: int) -> int | None:
        return channel - DM_OFFSET if self.is_inbox(channel) else None

    def _describe_sent(self, method: str, path: str, body: Any, uploads: Sequence[Upload]) -> SentRequest | None:
        """What this request shows, and to whom; None if to nobody."""
        pending: PendingInteraction | None = None
        match [method, *path.strip("/").split("/")]:
            case ["GET", "channels", _, "messages", _]:
                self.fetched += 1
                return None
            case ["POST", "channels", _, "messages", _, "threads"]:
                reader = None
            case ["POST" | "PATCH" | "DELETE", "channels", channel, "messages", *_]:
                reader = self.reader_of(int(channel))
            case ["POST", "interactions", _, token, "callback"]:
                pending, kind, body = self.interactions[token], body["type"], body.get("data") or {}
                if kind == DEFERRED_UPDATE:
                    return None
                method = "PATCH" if kind == UPDATE else method
                alone = pending.opened.source if kind == UPDATE else None
                is_private = kind in (CHOICES, FORM) or _is_ephemeral(alone.data if alone else body)
                reader = pending.user if is_private else self.reader_of(pending.channel)
            case ["POST" | "PATCH" | "DELETE", "webhooks", _, token, *more]:
                pending = self.interactions[token]
                changed = pending.opened.original if more and pending.opened.original else None
                is_private = _is_ephemeral(changed.data if changed else body)
                reader = pending.user if is_private else self.reader_of(pending.channel)
            case _:
                return None
        text = json.dumps(body, sort_keys=True, ensure_ascii=False)
        files = tuple(each.data for each in uploads)
        return SentRequest(reader, method, path, text, files, pending.request_text if pending else "", self.clock())

    def _note_first_answer(self, method: str, path: str, body: Any, status: int, answer: Any) -> None:
        """Keep how an interaction was answered first, also if it was answered before."""
        match [method, *path.strip("/").split("/")]:
            case ["POST", "interactions", _, token, "callback"]:
                pending, kind = self.interactions[token], body["type"]
            case _:
                return
        if status < 400 or answer["code"] == DiscordError.ALREADY_ACKNOWLEDGED.code:
            pending.first_answer_kinds.append(kind)
        if status < 400:
            pending.choices, pending.form = pending.opened.choices, pending.opened.modal
            if kind in (MESSAGE, DEFERRED_MESSAGE) and pending.opened.original is not None:
                pending.answer = self._shown(pending.opened.original)

    def _clicked_message(self, source: Json, user: int) -> Message:
        """The message that somebody clicked, or one that is gone."""
        channel, number = int(source["channel_id"]), int(source["id"])
        stands = self.world.messages.get(channel, {}).get(number)
        return stands or Message(number, channel, BOT, source, user if _is_ephemeral(source) else None)

    def _shown(self, message: Message) -> Json:
        kept_files = (self.world.find_file(message.channel_id, int(each["id"])) for each in message.files)
        files = tuple(each.data for each in kept_files if each is not None)
        return message.full_data | {"files": files} | ({} if message.visible_to is None else {"by": message.visible_to})


def _is_ephemeral(message: Json) -> bool:
    return bool(int(message.get("flags") or 0) & EPHEMERAL_FLAG)


@dataclass
class WireClient:
    """One bot's end of the wire. As on its real connections, nothing goes out that it has no leave for any more."""

    wire: FakeDiscord
    name: str
    discord_time: DiscordTime

    async def request(self, route: Route, **how: Any) -> Any:
        check_lease()
        request_line = f"{route.method} {route.url.removeprefix(Route.BASE)}"
        self.wire.requests_by_bot.append((self.name, request_line))
        if self.wire.gate is not None:
            await self.wire.gate(self.name, request_line)
        sent = self.discord_time.moment()
        answer = await self.wire.request(route, **how)
        self.discord_time.note_date(self.wire.tell_time(), sent)
        return answer


def plug_client(client: discord.Client, wire: FakeDiscord, name: str = "") -> None:
    """Have a client call that wire in place of Discord, as if it had logged in and heard of the server."""
    assert isinstance(client, MotleyBot)
    state, line = client._connection, WireClient(wire, name, client.discord_time)
    client.discord_time.note_date(wire.tell_time(), client.discord_time.moment())  # from logging in
    plug_in(client, line)
    state.application_id = APPLICATION
    state.user = discord.ClientUser(state=state, data=objects.bot_user_object(wire.world))  # type: ignore[arg-type]
    for channel, number in wire.servers.items():
        event = copy_json(objects.gateway_guild(wire.world, wire.world.guild(number)))
        guild = discord.Guild(data=event, state=state)
        state._add_guild(guild)
        assert guild.get_channel(channel) is not None
