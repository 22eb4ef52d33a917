"""The playground's parts, put together: one house holds one world and all that goes on in it."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Final

from playground import ids, payloads
from playground.clock import Clock, SystemClock
from playground.commands import Commands
from playground.faults import Faults
from playground.gateway import Gateway
from playground.inn import open_inn
from playground.interactions import Interactions
from playground.messages import Scribe
from playground.rate_limits import RateLimits
from playground.request_log import TO_BOT, RequestLog
from playground.world import Json, Member

_TOKEN_BYTES: Final = 32


class House:
    """Everything behind the server, without any network."""

    def __init__(self, base: str, *, clock: Clock | None = None, token: str | None = None, paced: bool = True) -> None:
        """`base` is the server's own address, "http://127.0.0.1:8750"; `paced` whether rate limits are kept.

        `token` is the bot's; None: one drawn now, so that nobody who has seen an earlier one can speak as the bot.
        """
        self.base = base
        self.token = token or secrets.token_urlsafe(_TOKEN_BYTES)
        self.clock: Clock = clock or SystemClock()
        self.world = open_inn(self.clock)
        self.scribe = Scribe(self.world, base)
        self.commands = Commands(self.world)
        self.faults = Faults()
        address = self.base.replace("http", "ws", 1) + "/gateway"
        self.gateway = Gateway(self.world, self.token, lambda: address, self.faults, self.clock)
        self.interactions = Interactions(self.world, self.gateway, self.clock)
        self.pace = RateLimits(self.clock, enforced=paced)
        self.log = RequestLog(self.clock)
        self.restart_bot: Callable[[], None] | None = None
        self.starting = False
        self.bot_ready = asyncio.Event()
        self.gateway.on_dispatch = self._note_dispatch

    @property
    def bot_status(self) -> str:
        """online, offline or starting."""
        if self.gateway.online:
            return "online"
        return "starting" if self.starting else "offline"

    def bot_object(self) -> Json:
        """The bot as the page gets it."""
        return {"id": str(ids.BOT), "name": self.world.users[ids.BOT].name, "status": self.bot_status}

    def note_readiness(self) -> None:
        """Set or clear `bot_ready`: the bot is online and has registered its commands."""
        if self.gateway.online and self.commands.registered:
            self.bot_ready.set()
        else:
            self.bot_ready.clear()

    def put_bot_out(self) -> None:
        """The bot leaves the guild or is put out of it."""
        self.world.bot_in_guild = False
        self.world.members.pop(ids.BOT, None)
        self.gateway.dispatch("GUILD_DELETE", {"id": str(ids.GUILD)})

    def let_bot_in(self) -> None:
        """The bot is invited again."""
        if self.world.bot_in_guild:
            return
        self.world.bot_in_guild = True
        self.world.members[ids.BOT] = Member(ids.BOT, self.clock.now(), [ids.BOT_ROLE])
        guild = payloads.gateway_guild(self.world)
        del guild["unavailable"]  # With it the event would say that a known guild is back.
        self.gateway.dispatch("GUILD_CREATE", guild)

    def _note_dispatch(self, event: str, data: Json) -> None:
        self.log.add(TO_BOT, event, "gateway", body=data)
