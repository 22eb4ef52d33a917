"""The gateway's sessions: identify, dispatch, heartbeat, resume. It knows no sockets, only lines to send along."""

from __future__ import annotations

import json
import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Final, Protocol

from playground import ids, payloads
from playground.clock import Clock
from playground.faults import Faults
from playground.world import Channel, Json, Message, World

_KEPT_DISPATCHES: Final = 2000
LATE_SECONDS: Final = 1.0
HEARTBEAT_MS: Final = 41_250

AUTHENTICATION_FAILED: Final = 4004
NOT_AUTHENTICATED: Final = 4003
DROPPED: Final = 4000
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


class Line(Protocol):
    """One WebSocket connection of the bot."""

    def send(self, frame: str) -> None:
        """Queue a frame; never blocks."""

    def hang_up(self, code: int) -> None:
        """Close the connection with a close code."""


@dataclass(slots=True)
class Session:
    """One bot session, which outlives its connections."""

    id: str
    intents: int
    sequence: int = 0
    sent: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=_KEPT_DISPATCHES))
    line: Line | None = None
    late: list[str] = field(default_factory=list)  # frames that come after the next one

    def send(self, frame: str) -> None:
        """Send a frame along the line, if there is one, and then those that are late; else a resume brings them."""
        late, self.late = self.late, []
        if self.line is not None:
            for each in (frame, *late):
                self.line.send(each)


# Which intent bit an event needs; what is not listed comes always.
_GUILDS: Final = 1 << 0
_GUILD_MESSAGES: Final = 1 << 9
_DM_MESSAGES: Final = 1 << 12
_MESSAGE_CONTENT: Final = 1 << 15


class Gateway:
    """Holds the bot's sessions and sends them what happens in the world, as far as their intents go."""

    def __init__(self, world: World, token: str, address: Callable[[], str], faults: Faults, clock: Clock) -> None:
        self._world = world
        self._token = token
        self._address = address
        self._faults = faults
        self._clock = clock
        self._sessions: dict[str, Session] = {}
        self._lines: dict[Line, Session | None] = {}
        self.on_dispatch: Callable[[str, Json], None] = lambda event, data: None
        self.on_status: Callable[[], None] = lambda: None
        world.watch(self._world_changed)

    @property
    def online(self) -> bool:
        """Whether the bot is connected and identified."""
        return any(session.line is not None for session in self._sessions.values())

    def connected(self, line: Line) -> None:
        """The bot has opened a connection."""
        self._lines[line] = None
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
                if self._lines.get(line) is None:
                    line.hang_up(NOT_AUTHENTICATED)

    def disconnected(self, line: Line, code: int | None) -> None:
        """The bot's connection is gone; its session may be resumed unless the bot itself has ended it."""
        session = self._lines.pop(line, None)
        if session is None or session.line is not line:
            return
        session.line, session.late = None, []
        if code in _SESSION_ENDING_CODES:
            self._sessions.pop(session.id, None)
        self.on_status()

    def drop(self) -> int:
        """Break every connection, as networks do; how many there were."""
        lines = list(self._lines)
        for line in lines:
            line.hang_up(DROPPED)
        return len(lines)

    def invalidate(self) -> None:
        """Forget every session and say so: the bot must identify anew."""
        self._sessions.clear()
        for line in list(self._lines):
            self._send(line, Op.INVALID_SESSION, False)

    def dispatch(self, event: str, data: Json, needs: int = 0) -> None:
        """Send an event to every session whose intents allow it; kept for a resume."""
        for session in list(self._sessions.values()):
            if needs & session.intents == needs:
                self._dispatch_to(session, event, data, in_disorder=True)

    def _identify(self, line: Line, data: Json) -> None:
        if not self._token_is_right(data):
            line.hang_up(AUTHENTICATION_FAILED)
            return
        self._sessions.clear()
        session = Session(secrets.token_hex(16), int(data.get("intents", 0)), line=line)
        self._sessions[session.id] = session
        self._lines[line] = session
        self._dispatch_to(session, "READY", self._ready(session, data))
        if self._world.bot_in_guild:
            self._dispatch_to(session, "GUILD_CREATE", payloads.gateway_guild(self._world))
        self.on_status()

    def _resume(self, line: Line, data: Json) -> None:
        if not self._token_is_right(data):
            line.hang_up(AUTHENTICATION_FAILED)
            return
        session = self._sessions.get(str(data.get("session_id")))
        seen = data.get("seq")
        if session is None or not isinstance(seen, int) or not self._can_replay(session, seen):
            self._send(line, Op.INVALID_SESSION, False)
            return
        session.line = line
        self._lines[line] = session
        for number, frame in session.sent:
            if number > seen:
                line.send(frame)
        self._dispatch_to(session, "RESUMED", {"_trace": []})
        self.on_status()

    @staticmethod
    def _can_replay(session: Session, seen: int) -> bool:
        oldest = session.sent[0][0] if session.sent else session.sequence + 1
        return oldest - 1 <= seen <= session.sequence

    def _token_is_right(self, data: Json) -> bool:
        return str(data.get("token", "")).removeprefix("Bot ") == self._token

    def _ready(self, session: Session, identified: Json) -> Json:
        guilds = [{"id": str(ids.GUILD), "unavailable": True}] if self._world.bot_in_guild else []
        return {
            "v": 10,
            "user": payloads.me(self._world),
            "guilds": guilds,
            "session_id": session.id,
            "resume_gateway_url": self._address(),
            "session_type": "normal",
            "shard": identified.get("shard", [0, 1]),
            "private_channels": [],
            "application": {"id": str(ids.APPLICATION), "flags": 0},
        }

    def _dispatch_to(self, session: Session, event: str, data: Json, *, in_disorder: bool = False) -> None:
        """Send an event; `in_disorder` where that may be on demand: what a session begins with never is."""
        session.sequence += 1
        frame = json.dumps({"op": Op.DISPATCH, "s": session.sequence, "t": event, "d": data})
        session.sent.append((session.sequence, frame))
        self.on_dispatch(event, data)
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
        if channel.is_dm or not self._world.bot_in_guild:
            return
        noun = "CHANNEL" if channel.thread is None else "THREAD"
        event = f"{noun}_{kind.removeprefix('channel_').upper()}"
        self.dispatch(event, payloads.channel(self._world, channel), _GUILDS)

    def _message_changed(self, kind: str, message: Message) -> None:
        in_dm = self._world.channels[message.channel_id].is_dm
        needs = _DM_MESSAGES if in_dm else _GUILD_MESSAGES
        if kind == "message_delete":
            gone = {"id": str(message.id), "channel_id": str(message.channel_id)}
            self.dispatch("MESSAGE_DELETE", gone if in_dm else gone | {"guild_id": str(ids.GUILD)}, needs)
            return
        for session in list(self._sessions.values()):
            if needs & session.intents == needs:
                readable = self._readable(message, session.intents)
                self._dispatch_to(session, kind.upper(), readable, in_disorder=True)

    def _readable(self, message: Message, intents: int) -> Json:
        own = message.author_id == ids.BOT or self._world.channels[message.channel_id].is_dm
        if own or intents & _MESSAGE_CONTENT:
            return message.data
        return message.data | {"content": "", "embeds": [], "attachments": [], "components": []}
