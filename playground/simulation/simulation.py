"""The whole simulation: one world, its gateway, interactions, rate limits and faults."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Final

from playground.simulation.faults import Faults
from playground.simulation.gateway import Gateway
from playground.simulation.interactions import Interactions
from playground.simulation.rate_limits import RateLimits
from playground.simulation.request_log import TO_BOT, RequestLog
from playground.simulation.sessions import Session, SessionStartLimit
from playground.world import ids, payloads
from playground.world.application_emoji import ApplicationEmoji
from playground.world.clock import Clock, SystemClock
from playground.world.messages import MessageBuilder
from playground.world.registered_commands import CommandRegistry
from playground.world.starting_guilds import create_starting_world
from playground.world.world import Guild, Json, Member, World

_TOKEN_BYTES: Final = 32


class Simulation:
    """Everything behind the server, without any network."""

    def __init__(
        self,
        base: str,
        *,
        clock: Clock | None = None,
        token: str | None = None,
        rate_limited: bool = True,
        guilds: int = 1,
        shards: int = 1,
        concurrency: int = 1,
        bot_name: str = "Bot",
        world: World | None = None,
    ) -> None:
        """Create a simulation; `base` is the server's own address, "http://127.0.0.1:8750".

        `rate_limited` enforces rate limits. `token` is the bot's; None: a random one, so that nobody who saw an earlier
        one can act as the bot. `shards` and `concurrency` are Discord's recommended number of shards, and how many of
        them may start at a time. `world` takes the place of the starting one with its `guilds`.
        """
        self.base = base
        self.token = token or secrets.token_urlsafe(_TOKEN_BYTES)
        self.clock: Clock = clock or SystemClock()
        self.tell_time: Callable[[], float] = self.clock.now  # the time that responses tell; a test may make it lie
        self.world = world or create_starting_world(self.clock, guilds, bot_name)
        self.message_builder = MessageBuilder(self.world, base)
        self.commands = CommandRegistry(self.world)
        self.emoji = ApplicationEmoji(self.world)
        self.faults = Faults()
        address = self.base.replace("http", "ws", 1) + "/gateway"
        self.start_limit = SessionStartLimit(self.clock, shards, concurrency, enforced=rate_limited)
        self.gateway = Gateway(self.world, self.token, address, self.faults, self.clock, self.start_limit)
        self.interactions = Interactions(self.world, self.gateway, self.clock)
        self.rate_limits = RateLimits(self.clock, enforced=rate_limited)
        self.request_log = RequestLog(self.clock)
        self.process_by_port: dict[int, str] = {}  # the ports of separate processes of the bot, and their names
        self.restart_bot: Callable[[], None] | None = None
        self.is_starting = False
        self.bot_ready = asyncio.Event()
        self.gateway.on_dispatch = self._log_dispatch

    @property
    def bot_status(self) -> str:
        """online, offline, starting, or partly: only some of its shards are connected."""
        if self.gateway.is_online:
            return "online"
        if self.is_starting:
            return "starting"
        return "partly" if self.gateway.connection_count else "offline"

    def bot_object(self) -> Json:
        """Return the bot as the page shows it."""
        return {"id": str(ids.BOT), "name": self.world.users[ids.BOT].name, **self.status_object()}

    def status_object(self) -> Json:
        """Return whether the bot is online; if partly, with the guilds it misses, "0" for direct messages."""
        if self.bot_status != "partly":
            return {"status": self.bot_status}
        return {"status": "partly", "unheard": [str(guild) for guild in self.gateway.uncovered_guilds()]}

    def update_bot_ready(self) -> None:
        """Set or clear `bot_ready`: the bot is online and has registered its commands."""
        if self.gateway.is_online and self.commands.is_registered:
            self.bot_ready.set()
        else:
            self.bot_ready.clear()

    def reset_token(self, *, gateway: bool = True) -> None:
        """Replace the bot's token, as the developer portal does. Without `gateway`, its sessions last a while."""
        self.token = secrets.token_urlsafe(_TOKEN_BYTES)
        if gateway:
            self.gateway.change_token(self.token)

    def remove_bot(self, guild: Guild) -> None:
        """Remove the bot from a guild."""
        guild.has_bot = False
        guild.members.pop(ids.BOT, None)
        self.gateway.dispatch("GUILD_DELETE", {"id": str(guild.id)}, guild=guild.id)

    def add_bot(self, guild: Guild) -> None:
        """Invite the bot again."""
        if guild.has_bot:
            return
        guild.has_bot = True
        guild.members[ids.BOT] = Member(ids.BOT, self.clock.now(), [guild.bot_role_id])
        body = payloads.gateway_guild(self.world, guild)
        del body["unavailable"]  # with this field the event would mean that a known guild is available again
        self.gateway.dispatch("GUILD_CREATE", body, guild=guild.id)

    def _log_dispatch(self, event: str, data: Json, session: Session) -> None:
        self.request_log.add_entry(TO_BOT, event, "gateway", body=data, **session.log_fields())
