"""Where discord.py would call Discord: whatever the bot sends is taken and kept, with the one who can see it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, NamedTuple

import discord
import pytest
from discord.http import Route
from discord.webhook.async_ import AsyncWebhookAdapter

from cogs.client import MotleyBot
from cogs.table.scheduling.discord_time import DiscordTime
from cogs.table.state.server_lease import check_lease
from playground.limits import Request, SentFile
from tests.messages import walk_components
from tests.plain import payloads
from tests.plain.payloads import APPLICATION, BOT, CHANNEL, GUILD, Json

EPHEMERAL_FLAG = 64
ROW = 1  # a kind of component
MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE, CHOICES, FORM = 4, 5, 6, 7, 8, 9  # kinds of answers
LATE_SNOWFLAKE = 1_270_000_000_000 << 22  # the ids of interactions that have not expired before the year 2055
MAX_INTERACTIONS = 10**9  # more interactions than somebody ever has
INBOX_BASE, ID_SPAN = 10**12, 10**4  # from where on channels are direct messages, and how many messages one may have
PEOPLE_SPAN = 100  # people, for whose messages there are numbers of their own in each channel


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
    kind: int = 0
    answer: Json | None = None
    choices: list[Json] = field(default_factory=list)
    form: Json | None = None
    first_answer_kinds: list[int] = field(default_factory=list)  # there may be one alone


@dataclass
class FakeDiscord:
    """What stands in every channel, what was sent, and the interactions, by token."""

    people: Mapping[str, int]
    channels: dict[int, dict[int, Json]] = field(default_factory=dict)
    threads: dict[int, Json] = field(default_factory=dict)
    sent_requests: list[SentRequest] = field(default_factory=list)
    interactions: dict[str, PendingInteraction] = field(default_factory=dict)
    commands: list[Json] = field(default_factory=list)
    posted: Counter[int] = field(default_factory=Counter)  # how many messages, by channel and by who alone sees them
    interaction_counts: Counter[int] = field(default_factory=Counter)  # how many interactions, by user
    requests: list[str] = field(default_factory=list)  # every one, by its method and path
    servers: dict[int, int] = field(default_factory=lambda: {CHANNEL: GUILD})  # by their channel
    on_request: Callable[[Request], None] = lambda request: None  # told of every request
    clock: Callable[[], float] = lambda: 0.0
    tell_time: Callable[[], float] = lambda: 0.0  # the time that responses tell
    closed_inboxes: set[int] = field(default_factory=set)  # those whose direct messages are closed
    opening_refusal: Callable[[int], int] = lambda user: 0  # the error with which no direct messages are opened
    first_refusal: Callable[[int], int] = lambda user: 0  # the error that refuses somebody's first message
    fetched: int = 0  # how often the bot has asked for a message
    requests_by_bot: list[tuple[str, str]] = field(default_factory=list)  # every one, with the bot that made it
    gate: Callable[[str, str], Awaitable[None]] | None = None  # what each waits for, once it is under way
    nonces: dict[str, tuple[int, int]] = field(default_factory=dict)  # where what was posted under each stands

    async def request(
        self, route: Route, *, form: Sequence[Json] | None = None, multipart: Sequence[Json] | None = None, **rest: Any
    ) -> Any:
        body, files = _parse_form(form or multipart or (), rest.get("json") or rest.get("payload"))
        path = route.url.removeprefix(Route.BASE)
        parts = path.strip("/").split("/")
        self.requests.append(f"{route.method} {path}")
        sent = [part for part in form or multipart or () if part["name"] != "payload_json"]
        named = [SentFile(part["name"], part["filename"], len(file)) for part, file in zip(sent, files, strict=True)]
        self.on_request(Request(route.method, path, {}, body, tuple(named)))
        match [route.method, *parts]:
            case ["PUT" | "GET", "applications", _, "commands"]:
                about = {"id": "1", "application_id": str(APPLICATION), "version": "1"}
                self.commands = self.commands if body is None else [command | about for command in body]
                return self.commands
            case ["GET", "applications", _, "emojis"]:
                return {"items": payloads.application_emoji()}
            case ["GET", "guilds", _, "members", member]:
                names = {number: name for name, number in self.people.items()}
                return payloads.member_object(int(member), names[int(member)])
            case ["GET", "users", somebody]:
                return payloads.user_object(int(somebody), "Somebody")
            case ["POST", "users", "@me", "channels"]:
                user = int(body["recipient_id"])
                self._refuse(self.opening_refusal(user))
                name = next(name for name, each in self.people.items() if each == user)
                return payloads.inbox_object(self.inbox_of(user), payloads.user_object(user, name))
            case ["GET", "channels", _, "messages"]:
                return []
            case ["GET", "channels", channel, "messages", message]:
                self.fetched += 1
                return self._find_message(int(channel), int(message))
            case ["POST", "channels", channel, "messages", message, "threads"]:
                self._record_sent(None, route.method, path, body, ())
                return self.add_thread(int(message), body["name"], int(channel))
            case ["POST", "channels", channel, "messages"] if code := self._sending_refusal(int(channel)):
                self._refuse(code)
            case [_, "channels", channel, "messages", *message]:
                self._record_sent(self._reader_of(int(channel)), route.method, path, body, files)
                return self._handle_message(route.method, int(channel), *map(int, message), body=body, files=files)
            case ["POST", "interactions", number, token, "callback"]:
                return self._answer_first(int(number), self.interactions[token], path, body, files)
            case [_, "webhooks", _, token, *more]:
                return self._answer_later(route.method, self.interactions[token], bool(more), path, body, files)
        raise AssertionError(f"nobody answers {route.method} {path}")

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
        self.interaction_counts[user] += 1
        number = user * MAX_INTERACTIONS + self.interaction_counts[user]  # it tells nothing of what others have asked
        asked = self.interactions[f"token{number}"] = PendingInteraction(user, channel, source, json.dumps(data), kind)
        name = next(name for name, each in self.people.items() if each == user)
        person = payloads.user_object(user, name)
        here: Json = {"user": person, "channel": payloads.inbox_object(channel, person)}
        if channel < INBOX_BASE:
            shown = self.threads.get(channel) or payloads.channel_object(channel, self.servers[channel])
            member = payloads.member_object(user, name, rights)
            here = {"guild_id": shown["guild_id"], "member": member, "channel": shown}
        here |= {"type": kind, "data": data, "app_permissions": own, "attachment_size_limit": 10_000_000, "version": 1}
        told = {"id": str(LATE_SNOWFLAKE + number), "application_id": str(APPLICATION), "channel_id": str(channel)}
        return asked, told | {"token": f"token{number}"} | here | ({"message": _as_bot_sees(source)} if source else {})

    def add_thread(self, number: int, name: str, channel: int = CHANNEL) -> Json:
        self.threads[number] = payloads.thread_object(number, name, channel, self.servers[channel])
        return self.threads[number]

    def inbox_of(self, user: int) -> int:
        return INBOX_BASE + user

    # Inside

    def _sending_refusal(self, channel: int) -> int:
        """The error with which no message is sent there; 0: it is."""
        reader = self._reader_of(channel)
        if reader is None:
            return 0
        return 50007 if reader in self.closed_inboxes else 0 if self.posted[channel] else self.first_refusal(reader)

    def _refuse(self, code: int) -> None:
        """Refuse a request with that error, if there is one."""
        if code:
            answer: Any = SimpleNamespace(status=403, reason="Forbidden")
            raise discord.Forbidden(answer, {"code": code, "message": f"Refused with {code}"})

    def _reader_of(self, channel: int) -> int | None:
        return channel - INBOX_BASE if channel >= INBOX_BASE else None

    def _record_sent(
        self, by: int | None, method: str, path: str, body: Any, files: tuple[bytes, ...], asked: str = ""
    ) -> None:
        said = json.dumps(body, sort_keys=True, ensure_ascii=False)
        self.sent_requests.append(SentRequest(by, method, path, said, files, asked, self.clock()))

    def _record_answer(
        self, asked: PendingInteraction, message: Json, method: str, path: str, body: Any, files: tuple[bytes, ...]
    ) -> int:
        """Keep what was sent in answer to somebody, who alone sees it where the message is ephemeral; whether it is."""
        alone = int(message.get("flags", 0) & EPHEMERAL_FLAG)
        reader = asked.user if alone else self._reader_of(asked.channel)
        self._record_sent(reader, method, path, body, files, asked.request_text)
        return alone

    def _find_message(self, channel: int, message: int) -> Json:
        if message not in self.channels.get(channel, ()):
            raise _message_gone_error()
        return _as_bot_sees(self.channels[channel][message])

    def _handle_message(
        self, method: str, channel: int, message: int = 0, *, body: Any, files: tuple[bytes, ...]
    ) -> Any:
        if method != "POST" and message not in self.channels.get(channel, ()):
            raise _message_gone_error()
        if method == "DELETE":
            del self.channels[channel][message]
            return None
        if method == "PATCH":
            return self._edit_message(self.channels[channel][message], body, files)
        return self._post_once(channel, body, files)

    def _post_once(self, channel: int, body: Json, files: tuple[bytes, ...]) -> Json:
        """A new message, or the one that was posted under the same nonce before."""
        nonce = str(body.get("nonce") or "") if body.get("enforce_nonce") else ""
        if nonce in self.nonces:
            return self._find_message(*self.nonces[nonce])
        made = self._post_message(channel, body, files)
        if nonce:
            self.nonces[nonce] = channel, int(made["id"])
        return made

    def _post_message(self, channel: int, body: Json, files: tuple[bytes, ...], **more: Any) -> Json:
        """A new message; its id tells nothing of what else was sent, nor of what is seen `by` somebody alone."""
        here = self.channels.setdefault(channel, {})
        counted = channel * PEOPLE_SPAN + more.get("by", 0)
        self.posted[counted] += 1
        number = counted * ID_SPAN + self.posted[counted]
        assert self.posted[counted] < ID_SPAN, "messages have the same id"
        assert number < 1 << 63, "no database keeps such an id"
        message: Json = {"id": str(number), "channel_id": str(channel), "type": 0, "content": "", "components": []}
        here[number] = message
        return self._edit_message(message | more, body, files, here)

    def _edit_message(
        self, message: Json, body: Json, files: tuple[bytes, ...], here: dict[int, Json] | None = None
    ) -> Json:
        kept = {key: value for key, value in body.items() if key in ("content", "components", "flags", "attachments")}
        flags = kept.get("flags", 0) | message.get("flags", 0) & EPHEMERAL_FLAG
        shown = {"content": kept.get("content") or "", "flags": flags, "files": files or message.get("files", ())}
        message = message | kept | shown
        (here if here is not None else self.channels[int(message["channel_id"])])[int(message["id"])] = message
        return _as_bot_sees(message)

    def _answer_first(
        self, number: int, asked: PendingInteraction, path: str, body: Json, files: tuple[bytes, ...]
    ) -> Json:
        kind, data = body["type"], body.get("data") or {}
        newest = self._current_message(asked.source) if kind == UPDATE else None
        asked.first_answer_kinds.append(kind)
        if kind == CHOICES:
            asked.choices = data["choices"]
            self._record_sent(asked.user, "POST", path, data, (), asked.request_text)
        elif kind == FORM:
            asked.form = data
            self._record_sent(asked.user, "POST", path, data, (), asked.request_text)
        elif newest is not None:
            assert asked.source is not None
            self._record_answer(asked, asked.source, "PATCH", path, data, files)
            self._edit_message(newest, data, files)
        elif kind in (MESSAGE, DEFERRED_MESSAGE):
            alone = self._record_answer(asked, data, "POST", path, data, files)
            asked.answer = self._post_message(asked.channel, data, files, **({"by": asked.user} if alone else {}))
        answer = asked.answer or asked.source or {"id": "0"}
        return {"interaction": {"id": str(number), "type": kind, "response_message_id": answer["id"]}}

    def _answer_later(
        self, method: str, asked: PendingInteraction, first: bool, path: str, body: Any, files: tuple[bytes, ...]
    ) -> Any:
        if not first:
            alone = self._record_answer(asked, body, method, path, body, files)
            return self._post_message(asked.channel, body, files, **({"by": asked.user} if alone else {}))
        message = self._current_message(asked.answer or asked.source)
        if method == "GET":
            return _as_bot_sees(message)
        self._record_answer(asked, message, method, path, body, files)
        if method == "DELETE":
            return self._handle_message("DELETE", int(message["channel_id"]), int(message["id"]), body=None, files=())
        return self._edit_message(message, body, files)

    def _current_message(self, message: Json | None) -> Json:
        assert message is not None
        found = self.channels.get(int(message["channel_id"]), {}).get(int(message["id"]))
        if found is None:
            raise _message_gone_error()
        return found


def _message_gone_error() -> discord.NotFound:
    answer: Any = SimpleNamespace(status=404, reason="Not Found")
    return discord.NotFound(answer, {"code": 10008, "message": "Unknown Message"})


def _as_bot_sees(message: Json) -> Json:
    """A message as the bot is told of it: of what it shows, the controls alone; the rest the bot knows itself."""
    rest = {
        **dict.fromkeys(("mentions", "mention_roles", "attachments", "embeds"), ()),
        **dict.fromkeys(("tts", "pinned", "mention_everyone"), False),
        "components": [each for each in walk_components(message["components"]) if each["type"] == ROW],
    }
    own = {key: message[key] for key in ("id", "channel_id", "type", "content")} | {"flags": message.get("flags", 0)}
    sent = {"author": payloads.user_object(BOT, "Motley"), "timestamp": payloads.JOINED_AT, "edited_timestamp": None}
    return own | rest | sent


def _parse_form(form: Sequence[Json], body: Any) -> tuple[Any, tuple[bytes, ...]]:
    files = tuple(part["value"].read() for part in form if part["name"] != "payload_json")
    for part in form:
        if part["name"] == "payload_json":
            body = json.loads(part["value"])
    return body, files


@contextmanager
def wired_responses() -> Iterator[None]:
    """Answers to interactions go by the wire of the bot that they belong to, not by the network."""

    async def request(adapter: Any, route: Route, session: Any, **how: Any) -> Any:
        return await session.request(route, **how)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(AsyncWebhookAdapter, "request", request)
        yield


@dataclass
class WireClient:
    """One bot's end of the wire. As on its real connections, nothing goes out that it has no leave for any more."""

    wire: FakeDiscord
    name: str
    discord_time: DiscordTime

    async def request(self, route: Route, **how: Any) -> Any:
        check_lease()
        said = f"{route.method} {route.url.removeprefix(Route.BASE)}"
        self.wire.requests_by_bot.append((self.name, said))
        if self.wire.gate is not None:
            await self.wire.gate(self.name, said)
        sent = self.discord_time.moment()
        answer = await self.wire.request(route, **how)
        self.discord_time.note_date(self.wire.tell_time(), sent)
        return answer


def plug_client(client: discord.Client, wire: FakeDiscord, name: str = "") -> None:
    """Have a client call that wire in place of Discord, as if it had logged in and heard of the server."""
    assert isinstance(client, MotleyBot)
    state, http, line = client._connection, client.http, WireClient(wire, name, client.discord_time)
    client.discord_time.note_date(wire.tell_time(), client.discord_time.moment())  # from logging in
    setattr(http, "request", line.request)  # noqa: B010  # mypy lets nobody assign it
    setattr(http, "_HTTPClient__session", line)  # noqa: B010  # what answers to interactions are sent with
    state.application_id = APPLICATION
    state.user = discord.ClientUser(state=state, data=payloads.user_object(BOT, "Motley"))  # type: ignore[arg-type]
    for channel, number in wire.servers.items():
        told = payloads.guild_object(number, "The Inn" if number == GUILD else f"Server {number}", channel)
        guild = discord.Guild(data=told, state=state)  # type: ignore[arg-type]
        state._add_guild(guild)
        assert guild.get_channel(channel) is not None
