"""The gateway: identify, dispatch, heartbeat, resume. It knows no sockets, only lines to send along."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

from playground.simulation.faults import Faults
from playground.simulation.sessions import Line, Session, Shard, Starts
from playground.world import ids, payloads
from playground.world.clock import Clock
from playground.world.world import Channel, Guild, Json, Message, World

LATE_SECONDS: Final = 1.0
HEARTBEAT_MS: Final = 41_250

AUTHENTICATION_FAILED: Final = 4004
NOT_AUTHENTICATED: Final = 4003
INVALID_SHARD: Final = 4010
SHARDING_REQUIRED: Final = 4011
DROPPED: Final = 4000
GUILDS_PER_SHARD: Final = 2500
_SESSION_ENDING_CODES: Final = (1000, 1001)


class Op(IntEnum):
    """The gateway's opcodes."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    PRESENCE = 3
    RESUME = 6
    RECONNECT = 7
    REQUEST_MEMBERS = 8
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


@dataclass(slots=True)
class _Connection:
    """What is known of a line: its session once it has one, whose it is, and the address at which it came in."""

    address: str
    process: str
    session: Session | None = None


# Which intent bit an event needs; what is not listed comes always.
_GUILDS: Final = 1 << 0
_GUILD_MESSAGES: Final = 1 << 9
_DM_MESSAGES: Final = 1 << 12
_MESSAGE_CONTENT: Final = 1 << 15


class Gateway:
    """Holds the bot's sessions and sends them what happens in the world, as far as their intents go."""

    def __init__(
        self, world: World, token: str, address: str, faults: Faults, clock: Clock, starts: Starts | None = None
    ) -> None:
        """`address` is where lines come in that say no other."""
        self._world = world
        self._token = token
        self._address = address
        self._faults = faults
        self._clock = clock
        self._starts = starts or Starts(clock)
        self._sessions: dict[str, Session] = {}
        self._lines: dict[Line, _Connection] = {}
        self.guilds_per_shard = GUILDS_PER_SHARD
        self.on_dispatch: Callable[[str, Json, Session], None] = lambda event, data, session: None
        self.on_status: Callable[[], None] = lambda: None
        world.watch(self._world_changed)

    @property
    def online(self) -> bool:
        """Whether the bot is connected and identified, with all shards that there is something to tell."""
        return not self.unheard()

    @property
    def connections(self) -> int:
        """How many connections have a session."""
        return sum(session.line is not None for session in self._sessions.values())

    def unheard(self) -> list[int]:
        """The guilds of which no session is told that is connected; 0 for direct messages."""
        shards = {session.shard for session in self._sessions.values() if session.line is not None}
        wanted = [0, *(guild.id for guild in self._world.guilds.values() if guild.bot_there)]
        return [guild for guild in wanted if not any(shard.hears(guild) for shard in shards)]

    def connected(self, line: Line, process: str = "", address: str = "") -> None:
        """The bot has opened a connection: which of its processes, and at which address, where there are several."""
        self._lines[line] = _Connection(address or self._address, process)
        self._send(line, Op.HELLO, {"heartbeat_interval": HEARTBEAT_MS, "_trace": []})

    def received(self, line: Line, text: str) -> None:
        """The bot has sent a frame."""
        frame = json.loads(text)
        match frame.get("op"):
            case Op.HEARTBEAT:
                self._send(line, Op.HEARTBEAT_ACK, None)
            case Op.IDENTIFY:
                self._identify(line, frame["d"])
            case Op.RESUME:
                self._resume(line, frame["d"])
            case _:
                if line not in self._lines or self._lines[line].session is None:
                    line.hang_up(NOT_AUTHENTICATED)

    def disconnected(self, line: Line, code: int | None) -> None:
        """The bot's connection is gone; its session may be resumed unless the bot itself has ended it."""
        connection = self._lines.pop(line, None)
        session = connection.session if connection else None
        if session is None or session.line is not line:
            return
        session.line, session.late = None, []
        if code in _SESSION_ENDING_CODES:
            self._sessions.pop(session.id, None)
        self.on_status()

    def drop(self, shard: int | None = None) -> int:
        """Break every connection, or that of a shard, as networks do; how many there were."""
        lines = list(self._of(shard))
        for line in lines:
            line.hang_up(DROPPED)
        return len(lines)

    def invalidate(self, shard: int | None = None, *, resumable: bool = False) -> None:
        """Say of every session, or of a shard's, that it is over: the bot must identify anew, or may resume it."""
        for line in list(self._of(shard)):
            session = self._lines[line].session
            if session is not None and not resumable:
                self._sessions.pop(session.id, None)
            self._send(line, Op.INVALID_SESSION, resumable)
        if shard is None and not resumable:
            self._sessions.clear()
        self.on_status()

    def dispatch(self, event: str, data: Json, needs: int = 0, guild: int = 0) -> None:
        """Send an event of a guild, or of none, to every session that is told of it and whose intents allow it.

        It is kept for a resume.
        """
        for session in self._listening(needs, guild):
            self._dispatch_to(session, event, data, in_disorder=True)

    def _listening(self, needs: int, guild: int) -> list[Session]:
        sessions = self._sessions.values()
        return [each for each in sessions if needs & each.intents == needs and each.shard.hears(guild)]

    def _of(self, shard: int | None) -> Iterator[Line]:
        """The lines of a shard; None: all."""
        for line, connection in self._lines.items():
            if shard is None or (connection.session and connection.session.shard.number == shard):
                yield line

    def _identify(self, line: Line, data: Json) -> None:
        if not self._token_is_right(data):
            line.hang_up(AUTHENTICATION_FAILED)
            return
        shard = Shard.read(data.get("shard"))
        if shard is None:
            line.hang_up(INVALID_SHARD)
            return
        guilds = [guild for guild in self._world.guilds.values() if guild.bot_there and shard.hears(guild.id)]
        if len(guilds) > self.guilds_per_shard:
            line.hang_up(SHARDING_REQUIRED)
        elif self._starts.take(shard):
            self._begin(line, data, shard, guilds)
        else:
            self._send(line, Op.INVALID_SESSION, False)

    def _begin(self, line: Line, data: Json, shard: Shard, guilds: list[Guild]) -> None:
        for old in [each for each in self._sessions.values() if each.shard == shard and each.line is None]:
            del self._sessions[old.id]  # the bot does not come back to it; one that is connected goes on beside this
        connection = self._lines[line]
        session = Session(secrets.token_hex(16), int(data.get("intents", 0)), shard, connection.process, line=line)
        self._sessions[session.id] = connection.session = session
        self._dispatch_to(session, "READY", self._ready(session, data, guilds))
        for guild in guilds:
            self._dispatch_to(session, "GUILD_CREATE", payloads.gateway_guild(self._world, guild))
        self.on_status()

    def _resume(self, line: Line, data: Json) -> None:
        if not self._token_is_right(data):
            line.hang_up(AUTHENTICATION_FAILED)
            return
        session = self._sessions.get(str(data.get("session_id")))
        seen = data.get("seq")
        if session is None or not isinstance(seen, int) or not session.can_replay(seen):
            self._send(line, Op.INVALID_SESSION, False)
            return
        session.line = line
        self._lines[line].session = session
        session.process = self._lines[line].process
        for number, frame in session.sent:
            if number > seen:
                line.send(frame)
        self._dispatch_to(session, "RESUMED", {"_trace": []})
        self.on_status()

    def _token_is_right(self, data: Json) -> bool:
        return str(data.get("token", "")).removeprefix("Bot ") == self._token

    def _ready(self, session: Session, identified: Json, guilds: list[Guild]) -> Json:
        told = {"shard": identified["shard"]} if "shard" in identified else {}
        assert session.line is not None
        return told | {
            "v": 10,
            "user": payloads.me(self._world),
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "resume_gateway_url": self._lines[session.line].address,
            "session_type": "normal",
            "private_channels": [],
            "application": {"id": str(ids.APPLICATION), "flags": 0},
        }

    def _dispatch_to(self, session: Session, event: str, data: Json, *, in_disorder: bool = False) -> None:
        """Send an event; `in_disorder` where that may be on demand: what a session begins with never is."""
        session.sequence += 1
        frame = json.dumps({"op": Op.DISPATCH, "s": session.sequence, "t": event, "d": data})
        session.sent.append((session.sequence, frame))
        self.on_dispatch(event, data, session)
        if session.line is None:
            return  # a resume brings it, in its place
        if in_disorder and self._faults.comes_late(event):
            session.late.append(frame)
            self._clock.call_later(LATE_SECONDS, lambda: self._hurry(session))
            return
        session.send(frame)
        if in_disorder and self._faults.comes_twice(event):
            session.send(frame)

    @staticmethod
    def _hurry(session: Session) -> None:
        """What is late has waited long enough for something to come before it."""
        if session.late:
            session.send(session.late.pop(0))

    @staticmethod
    def _send(line: Line, op: Op, data: Any) -> None:
        line.send(json.dumps({"op": op, "d": data, "s": None, "t": None}))

    def _world_changed(self, kind: str, subject: Message | Channel | None) -> None:
        if isinstance(subject, Channel):
            self._channel_changed(kind, subject)
        elif isinstance(subject, Message) and subject.visible_to is None:
            self._message_changed(kind, subject)

    def _channel_changed(self, kind: str, channel: Channel) -> None:
        guild = self._world.guild_of(channel)
        if guild is None or not guild.bot_there:
            return
        noun = "CHANNEL" if channel.thread is None else "THREAD"
        event = f"{noun}_{kind.removeprefix('channel_').upper()}"
        self.dispatch(event, payloads.channel(self._world, channel), _GUILDS, guild.id)

    def _message_changed(self, kind: str, message: Message) -> None:
        guild = self._world.channels[message.channel_id].guild_id
        needs = _GUILD_MESSAGES if guild else _DM_MESSAGES
        if kind == "message_delete":
            gone = {"id": str(message.id), "channel_id": str(message.channel_id)}
            self.dispatch("MESSAGE_DELETE", gone | {"guild_id": str(guild)} if guild else gone, needs, guild)
            return
        for session in self._listening(needs, guild):
            readable = self._readable(message, session.intents)
            self._dispatch_to(session, kind.upper(), readable, in_disorder=True)

    def _readable(self, message: Message, intents: int) -> Json:
        own = message.author_id == ids.BOT or self._world.channels[message.channel_id].is_dm
        if own or intents & _MESSAGE_CONTENT:
            return message.data
        return message.data | {"content": "", "embeds": [], "attachments": [], "components": []}
