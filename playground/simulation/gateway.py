"""The gateway: identify, dispatch, heartbeat, resume. It uses transports, not sockets."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

from playground.simulation.faults import Faults
from playground.simulation.sessions import Session, SessionStartLimit, Shard, Transport
from playground.world import ids, payloads
from playground.world.clock import Clock
from playground.world.world import Channel, Guild, Json, Message, World

LATE_SECONDS: Final = 1.0
HEARTBEAT_MS: Final = 41_250

AUTHENTICATION_FAILED: Final = 4004
NOT_AUTHENTICATED: Final = 4003
INVALID_SHARD: Final = 4010
SHARDING_REQUIRED: Final = 4011
CONNECTION_DROPPED: Final = 4000
GUILDS_PER_SHARD: Final = 2500
_SESSION_ENDING_CODES: Final = (1000, 1001)


class Opcode(IntEnum):
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
class _ConnectionState:
    """A connection's session, once it has one, its process, and the address it connected to."""

    address: str
    process: str
    session: Session | None = None


# The intent bit that an event needs; other events are always sent.
_GUILDS_INTENT: Final = 1 << 0
_GUILD_MESSAGES_INTENT: Final = 1 << 9
_DM_MESSAGES_INTENT: Final = 1 << 12
_MESSAGE_CONTENT_INTENT: Final = 1 << 15


class Gateway:
    """Holds the bot's sessions and sends them events according to their intents."""

    def __init__(
        self,
        world: World,
        token: str,
        address: str,
        faults: Faults,
        clock: Clock,
        start_limit: SessionStartLimit | None = None,
    ) -> None:
        """Create a gateway; `address` is the default for connections that name none."""
        self._world = world
        self._token = token
        self._address = address
        self._faults = faults
        self._clock = clock
        self._start_limit = start_limit or SessionStartLimit(clock)
        self._sessions: dict[str, Session] = {}
        self._connections: dict[Transport, _ConnectionState] = {}
        self.guilds_per_shard = GUILDS_PER_SHARD
        self.on_dispatch: Callable[[str, Json, Session], None] = lambda event, data, session: None
        self.on_status: Callable[[], None] = lambda: None
        world.add_listener(self._on_world_change)

    @property
    def is_online(self) -> bool:
        """Return whether the bot is connected and identified, with every shard that has something to receive."""
        return not self.uncovered_guilds()

    @property
    def connection_count(self) -> int:
        """Return the number of connections with a session."""
        return sum(session.transport is not None for session in self._sessions.values())

    def uncovered_guilds(self) -> list[int]:
        """Return the guilds that no connected session covers; 0 stands for direct messages."""
        shards = {session.shard for session in self._sessions.values() if session.transport is not None}
        wanted = [0, *(guild.id for guild in self._world.guilds.values() if guild.has_bot)]
        return [guild for guild in wanted if not any(shard.covers_guild(guild) for shard in shards)]

    def open_connection(self, transport: Transport, process: str = "", address: str = "") -> None:
        """Register a connection; process and address are given if there are several."""
        self._connections[transport] = _ConnectionState(address or self._address, process)
        self._send_op(transport, Opcode.HELLO, {"heartbeat_interval": HEARTBEAT_MS, "_trace": []})

    def handle_frame(self, transport: Transport, text: str) -> None:
        """Handle a frame from the bot."""
        frame = json.loads(text)
        match frame.get("op"):
            case Opcode.HEARTBEAT:
                self._send_op(transport, Opcode.HEARTBEAT_ACK, None)
            case Opcode.IDENTIFY:
                self._identify(transport, frame["d"])
            case Opcode.RESUME:
                self._resume(transport, frame["d"])
            case _:
                if transport not in self._connections or self._connections[transport].session is None:
                    transport.hang_up(NOT_AUTHENTICATED)

    def close_connection(self, transport: Transport, code: int | None) -> None:
        """Handle a closed connection; its session can be resumed unless the bot itself ended it."""
        connection = self._connections.pop(transport, None)
        session = connection.session if connection else None
        if session is None or session.transport is not transport:
            return
        session.transport, session.delayed_frames = None, []
        if code in _SESSION_ENDING_CODES:
            self._sessions.pop(session.id, None)
        self.on_status()

    def drop_connections(self, shard: int | None = None) -> int:
        """Break every connection, or that of a shard, as networks do; return how many there were."""
        lines = list(self._transports_of_shard(shard))
        for line in lines:
            line.hang_up(CONNECTION_DROPPED)
        return len(lines)

    def invalidate_sessions(self, shard: int | None = None, *, resumable: bool = False) -> None:
        """Invalidate every session, or a shard's: the bot must identify again, or may resume it."""
        for line in list(self._transports_of_shard(shard)):
            session = self._connections[line].session
            if session is not None and not resumable:
                self._sessions.pop(session.id, None)
            self._send_op(line, Opcode.INVALID_SESSION, resumable)
        if shard is None and not resumable:
            self._sessions.clear()
        self.on_status()

    def change_token(self, token: str) -> None:
        """Accept another token from now on, and end every session: its token is void."""
        self._token = token
        for line in list(self._connections):
            line.hang_up(AUTHENTICATION_FAILED)
        self._sessions.clear()
        self.on_status()

    def dispatch(self, event: str, data: Json, intents: int = 0, guild: int = 0) -> None:
        """Send an event of a guild, or of none, to every session that covers it and has the intents.

        The event is stored for a resume.
        """
        for session in self._listening_sessions(intents, guild):
            self._dispatch_to(session, event, data, in_disorder=True)

    def _listening_sessions(self, intents: int, guild: int) -> list[Session]:
        sessions = self._sessions.values()
        return [each for each in sessions if intents & each.intents == intents and each.shard.covers_guild(guild)]

    def _transports_of_shard(self, shard: int | None) -> Iterator[Transport]:
        """Yield the transports of a shard; None: all."""
        for line, connection in self._connections.items():
            if shard is None or (connection.session and connection.session.shard.number == shard):
                yield line

    def _identify(self, transport: Transport, data: Json) -> None:
        if not self._is_token_valid(data):
            transport.hang_up(AUTHENTICATION_FAILED)
            return
        shard = Shard.parse(data.get("shard"))
        if shard is None:
            transport.hang_up(INVALID_SHARD)
            return
        guilds = [guild for guild in self._world.guilds.values() if guild.has_bot and shard.covers_guild(guild.id)]
        if len(guilds) > self.guilds_per_shard:
            transport.hang_up(SHARDING_REQUIRED)
        elif self._start_limit.try_start(shard):
            self._start_session(transport, data, shard, guilds)
        else:
            self._send_op(transport, Opcode.INVALID_SESSION, False)

    def _start_session(self, transport: Transport, data: Json, shard: Shard, guilds: list[Guild]) -> None:
        for old in [each for each in self._sessions.values() if each.shard == shard and each.transport is None]:
            del self._sessions[old.id]  # the bot will not resume it; a connected session continues beside this one
        connection = self._connections[transport]
        session = Session(
            secrets.token_hex(16), int(data.get("intents", 0)), shard, connection.process, transport=transport
        )
        self._sessions[session.id] = connection.session = session
        self._dispatch_to(session, "READY", self._ready_payload(session, data, guilds))
        for guild in guilds:
            self._dispatch_to(session, "GUILD_CREATE", payloads.gateway_guild(self._world, guild))
        self.on_status()

    def _resume(self, transport: Transport, data: Json) -> None:
        if not self._is_token_valid(data):
            transport.hang_up(AUTHENTICATION_FAILED)
            return
        session = self._sessions.get(str(data.get("session_id")))
        sequence = data.get("seq")
        if session is None or not isinstance(sequence, int) or not session.can_replay(sequence):
            self._send_op(transport, Opcode.INVALID_SESSION, False)
            return
        session.transport = transport
        self._connections[transport].session = session
        session.process = self._connections[transport].process
        for number, frame in session.sent_frames:
            if number > sequence:
                transport.send(frame)
        self._dispatch_to(session, "RESUMED", {"_trace": []})
        self.on_status()

    def _is_token_valid(self, data: Json) -> bool:
        return str(data.get("token", "")).removeprefix("Bot ") == self._token

    def _ready_payload(self, session: Session, identify_data: Json, guilds: list[Guild]) -> Json:
        shard = {"shard": identify_data["shard"]} if "shard" in identify_data else {}
        assert session.transport is not None
        return shard | {
            "v": 10,
            "user": payloads.bot_user_object(self._world),
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "resume_gateway_url": self._connections[session.transport].address,
            "session_type": "normal",
            "private_channels": [],
            "application": {"id": str(ids.APPLICATION), "flags": 0},
        }

    def _dispatch_to(self, session: Session, event: str, data: Json, *, in_disorder: bool = False) -> None:
        """Send an event; if `in_disorder`, faults may apply. A session's first events are always in order."""
        session.sequence += 1
        frame = json.dumps({"op": Opcode.DISPATCH, "s": session.sequence, "t": event, "d": data})
        session.sent_frames.append((session.sequence, frame))
        self.on_dispatch(event, data, session)
        if session.transport is None:
            return  # a resume sends it in its place
        if in_disorder and self._faults.delays_event(event):
            session.delayed_frames.append(frame)
            self._clock.call_later(LATE_SECONDS, lambda: self._send_delayed(session))
            return
        session.send(frame)
        if in_disorder and self._faults.doubles_event(event):
            session.send(frame)

    @staticmethod
    def _send_delayed(session: Session) -> None:
        """Send the delayed events now, because no other event came before them."""
        if session.delayed_frames:
            session.send(session.delayed_frames.pop(0))

    @staticmethod
    def _send_op(transport: Transport, op: Opcode, data: Any) -> None:
        transport.send(json.dumps({"op": op, "d": data, "s": None, "t": None}))

    def _on_world_change(self, kind: str, subject: Message | Channel | None) -> None:
        if isinstance(subject, Channel):
            self._dispatch_channel_change(kind, subject)
        elif isinstance(subject, Message) and subject.visible_to is None:
            self._dispatch_message_change(kind, subject)

    def _dispatch_channel_change(self, kind: str, channel: Channel) -> None:
        guild = self._world.guild_of(channel)
        if guild is None or not guild.has_bot:
            return
        noun = "CHANNEL" if channel.thread is None else "THREAD"
        event = f"{noun}_{kind.removeprefix('channel_').upper()}"
        self.dispatch(event, payloads.channel_object(self._world, channel), _GUILDS_INTENT, guild.id)

    def _dispatch_message_change(self, kind: str, message: Message) -> None:
        guild = self._world.channels[message.channel_id].guild_id
        needs = _GUILD_MESSAGES_INTENT if guild else _DM_MESSAGES_INTENT
        if kind == "message_delete":
            body = {"id": str(message.id), "channel_id": str(message.channel_id)}
            self.dispatch("MESSAGE_DELETE", body | {"guild_id": str(guild)} if guild else body, needs, guild)
            return
        for session in self._listening_sessions(needs, guild):
            readable = self._readable_payload(message, session.intents)
            if guild:
                readable = readable | {"guild_id": str(guild)}  # only the gateway tells it
            self._dispatch_to(session, kind.upper(), readable, in_disorder=True)

    def _readable_payload(self, message: Message, intents: int) -> Json:
        own = message.author_id == ids.BOT or self._world.channels[message.channel_id].is_dm
        if own or intents & _MESSAGE_CONTENT_INTENT:
            return message.data
        return message.data | {"content": "", "embeds": [], "attachments": [], "components": []}
