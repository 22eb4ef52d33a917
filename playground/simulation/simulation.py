"""The playground's parts, put together: one house holds one world and all that goes on in it."""

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
from playground.simulation.sessions import Session, Starts
from playground.world import ids, payloads
from playground.world.clock import Clock, SystemClock
from playground.world.messages import Scribe
from playground.world.registered_commands import Commands
from playground.world.starting_guilds import open_inn
from playground.world.world import Guild, Json, Member

_TOKEN_BYTES: Final = 32


class House:
    """Everything behind the server, without any network."""

    def __init__(
        self,
        base: str,
        *,
        clock: Clock | None = None,
        token: str | None = None,
        paced: bool = True,
        guilds: int = 1,
        shards: int = 1,
        concurrency: int = 1,
    ) -> None:
        """`base` is the server's own address, "http://127.0.0.1:8750"; `paced` whether rate limits are kept.

        `token` is the bot's; None: one drawn now, so that nobody who has seen an earlier one can speak as the bot.
        `shards` and `concurrency` are what Discord recommends: into how many shards, and how many may begin at a time.
        """
        self.base = base
        self.token = token or secrets.token_urlsafe(_TOKEN_BYTES)
        self.clock: Clock = clock or SystemClock()
        self.world = open_inn(self.clock, guilds)
        self.scribe = Scribe(self.world, base)
        self.commands = Commands(self.world)
        self.faults = Faults()
        address = self.base.replace("http", "ws", 1) + "/gateway"
        self.starts = Starts(self.clock, shards, concurrency, enforced=paced)
        self.gateway = Gateway(self.world, self.token, address, self.faults, self.clock, self.starts)
        self.interactions = Interactions(self.world, self.gateway, self.clock)
        self.pace = RateLimits(self.clock, enforced=paced)
        self.log = RequestLog(self.clock)
        self.doors: dict[int, str] = {}  # the ports at which one process of the bot's comes in, and what it is called
        self.restart_bot: Callable[[], None] | None = None
        self.starting = False
        self.bot_ready = asyncio.Event()
        self.gateway.on_dispatch = self._note_dispatch

    @property
    def bot_status(self) -> str:
        """online, offline, starting; or partly: only some of its shards are there."""
        if self.gateway.online:
            return "online"
        if self.starting:
            return "starting"
        return "partly" if self.gateway.connections else "offline"

    def bot_object(self) -> Json:
        """The bot as the page gets it."""
        return {"id": str(ids.BOT), "name": self.world.users[ids.BOT].name, **self.bot_there()}

    def bot_there(self) -> Json:
        """Whether the bot is online; in part: of which guilds, or "0" for direct messages, it hears nothing."""
        if self.bot_status != "partly":
            return {"status": self.bot_status}
        return {"status": "partly", "unheard": [str(guild) for guild in self.gateway.unheard()]}

    def note_readiness(self) -> None:
        """Set or clear `bot_ready`: the bot is online and has registered its commands."""
        if self.gateway.online and self.commands.registered:
            self.bot_ready.set()
        else:
            self.bot_ready.clear()

    def put_bot_out(self, guild: Guild) -> None:
        """The bot leaves a guild or is put out of it."""
        guild.bot_there = False
        guild.members.pop(ids.BOT, None)
        self.gateway.dispatch("GUILD_DELETE", {"id": str(guild.id)}, guild=guild.id)

    def let_bot_in(self, guild: Guild) -> None:
        """The bot is invited again."""
        if guild.bot_there:
            return
        guild.bot_there = True
        guild.members[ids.BOT] = Member(ids.BOT, self.clock.now(), [guild.bot_role_id])
        shown = payloads.gateway_guild(self.world, guild)
        del shown["unavailable"]  # With it the event would say that a known guild is back.
        self.gateway.dispatch("GUILD_CREATE", shown, guild=guild.id)

    def _note_dispatch(self, event: str, data: Json, session: Session) -> None:
        self.log.add(TO_BOT, event, "gateway", body=data, **session.log_entry())
