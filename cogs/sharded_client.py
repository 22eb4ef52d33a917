"""The bot with its servers divided among several sessions at Discord: shards. Each goes and comes by itself.

A session is begun for each part that is held, and goes on when that part is another process's, until one that keeps it
has a session of its own: clicks are answered by whoever is told of them. One that both are told of is done once, by its
number, and what is answered second is refused by Discord.
"""

from __future__ import annotations

import asyncio
import logging
from asyncio import sleep
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import discord
from discord.ext import commands

from cogs.client import Motley
from cogs.table.transport.background_tasks import growing
from cogs.table.transport.interaction_response import Answer
from cogs.table.transport.network_errors import named
from engines.store.match_store import StoreFailure
from engines.store.partition import Part
from engines.store.process_group import APART, Crew, Sign, Solo, Together

if TYPE_CHECKING:
    from discord.types.gateway import SessionStartLimit

log = logging.getLogger(__name__)
DIRECT = 0  # the shard that is told of direct messages, wherever a match is played
BEAT, HURRIED = 1.0, 0.25  # seconds between two looks at how things stand; the second one while others take over
FIRST_PAUSE, LONGEST_PAUSE = 1, 5  # seconds until a turn is asked for again
STARTING = 10.0  # seconds that others may need to see that something is to be taken over
ANSWERING = 5.0  # seconds that the last answers may take at the end
REMEMBERED = 200  # interactions of which it is known whether they were answered


class Sharded(Motley, commands.AutoShardedBot):
    """Motley over several shards: those that are named, or as many as Discord recommends, or those it holds of them."""

    def __init__(self, *args: Any, part: Part | None = None, together: Together | None = None, **more: Any) -> None:
        """`together`: there may be other processes."""
        super().__init__(*args, **more)
        self._named = part
        self._several = together is not None
        self._together = together or Solo()
        self._crew = Crew()
        self._at_once = 1
        self._before: dict[int, dict[int, discord.Guild]] = {}
        self._closed: dict[int, float] = {}  # the shards that are gone, and since when
        self._begun: set[int] = set()  # those whose sessions are there, or will be; discord.py sees to that
        self._heard: set[int] = set()  # those whose sessions are there
        self._asked: OrderedDict[int, bool] = OrderedDict()  # interactions, and whether they were answered
        self._leaving = False
        self._news = asyncio.Event()
        self._telling = asyncio.Lock()

    async def setup_hook(self) -> None:
        """Ask how many shards there are to be, before any begins."""
        recommended, limit = await self._recommended()
        part = await self.holding.divide(self._named, recommended)
        self.shard_count, self.shard_ids = part.of, sorted(part.numbers)
        self._connection.shard_count = part.of
        self._connection.shard_ids = (
            [] if self._several else self.shard_ids
        )  # after which of them it says that it is ready
        self._at_once = max(1, limit["max_concurrency"] if limit else 1)
        self.absence.divide(part)
        if self._several:
            for number in part.numbers:
                self._gone(number)
        log.info(
            "Shards: %d of %d%s", len(part.numbers), part.of, f"; Discord recommends {recommended}" if limit else ""
        )
        if limit and limit["remaining"] < len(part.numbers):
            log.warning(
                "Discord allows %d new sessions only before %d s from now",
                limit["remaining"],
                limit["reset_after"] // 1000,
            )
        await super().setup_hook()

    async def _recommended(self) -> tuple[int, SessionStartLimit | None]:
        """How many shards Discord recommends, and its limit of sessions. If it refuses to say, those that are named."""
        try:
            recommended, _, limit = await self.http.get_bot_gateway()
        except (discord.GatewayNotFound, discord.RateLimited) as error:
            why = error.__cause__ or error
            if self._named is None:
                raise why from None
            log.warning(
                "Discord does not say how many shards it recommends (%s): those that are named begin", named(why)
            )
            return self._named.of, None
        return recommended, limit

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until a shard may begin; one that begins anew was told to wait a little."""
        number = shard_id or 0
        self._note_closed()
        closed = self._closed.get(number)
        await self._turn(number % self._at_once, 0.0 if closed is None else max(0.0, closed + APART - _now()))
        self._note_closed()

    async def launch_shards(self) -> None:
        """Sessions begin when their parts are held."""

    async def connect(self, *, reconnect: bool = True) -> None:
        """Connect, and stay. Whoever cancels it has to wait until others have taken over, where there are any.

        In a task of its own, since a shard that begins anew keeps it from being cancelled.
        """
        shards = asyncio.create_task(super().connect(reconnect=reconnect), name="shards")
        following = asyncio.create_task(self._follow(), name="sessions")
        try:
            await asyncio.wait({shards, following}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            await self._hand_over()
            raise
        finally:
            shards.cancel()
            following.cancel()
        for each in (following, shards):
            if each.done():
                each.result()

    async def close(self) -> None:
        """End; the others need not wait until they notice."""
        await super().close()
        with suppress(StoreFailure):
            await self._together.leave()

    def is_ready(self) -> bool:
        """Whether there is a session for all that is to have one, here or, where it may be elsewhere, there."""
        if not self._several:
            return super().is_ready()
        return self._wanted() <= self._heard and {*(self.shard_ids or [0])} <= self._heard | self._crew.heard

    def held(self, gained: Part, lost: Part) -> None:
        """What this process looks after has changed."""
        super().held(gained, lost)
        self._news.set()

    async def on_ready(self) -> None:
        """All shards are there for the first time, or have all begun anew since."""
        self.resume_matches()

    async def on_shard_ready(self, shard_id: int) -> None:
        """A shard's session has begun."""
        self.dispatch("session", self._part({shard_id}))

    async def on_disconnect(self) -> None:
        """Some shard is gone: which one is told besides."""

    async def on_connect(self) -> None:
        """Some shard is there: which one is told besides."""

    async def on_resumed(self) -> None:
        """Some shard goes on: which one is told besides."""

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """No click of its servers gets through from now on, or none in direct messages."""
        guilds = {guild.id: guild for guild in self.guilds if guild.shard_id == shard_id}
        if shard_id in self._begun:
            self._before[shard_id] = guilds
        else:
            self._forget(guilds)
        self._gone(shard_id)

    async def on_shard_connect(self, shard_id: int) -> None:
        """They do again, in a new session; a server that this does not know has put the bot out meanwhile."""
        for guild in self._before.pop(shard_id, {}).values():
            if self.get_guild(guild.id) is guild:
                self._connection.parse_guild_delete({"id": guild.id})
        self._back(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """They do again."""
        self._before.pop(shard_id, None)
        self._back(shard_id)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Somebody asks for something."""
        if interaction.type is not discord.InteractionType.autocomplete:
            self._asked.setdefault(interaction.id, False)
            if len(self._asked) > REMEMBERED:
                self._asked.popitem(last=False)

    async def on_motley_answer(self, answer: Answer) -> None:
        """They have their answer."""
        self._asked[answer.click] = True

    # Sessions

    async def _follow(self) -> None:
        """Have sessions for what is held; see how things stand among all processes."""
        if self._several:
            self.resume_matches()
        while True:
            self._news.clear()
            if self._wanted() - self._begun:
                self.tasks.start("begin sessions", self._begin)
            with suppress(StoreFailure):  # then how it stood before counts, and a share for a moment only
                for number in sorted(await self._beat() & self._crew.kept - self._wanted()):
                    await self._end(number)
            if self._several and DIRECT not in self._begun:
                (self.absence.back if DIRECT in self._crew.heard else self.absence.gone)("direct messages")
            with suppress(TimeoutError):
                async with asyncio.timeout(HURRIED if self._leaving else BEAT):
                    await self._news.wait()

    def _wanted(self) -> frozenset[int]:
        """The shards that are this process's."""
        return frozenset() if self._leaving else self.part.numbers

    async def _begin(self) -> None:
        """Begin the sessions that are missing, one after the other."""
        while missing := self._wanted() - self._begun:
            number = min(missing)
            self._begun.add(number)
            if (shard := self.get_shard(number)) is None:
                await self.launch_shard(discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY, number)
            else:
                await shard.connect()

    async def _end(self, number: int) -> None:
        """End a session."""
        if (shard := self.get_shard(number)) is not None:
            log.info("Shard %d: this process is told of it no more", number)
            self._begun.discard(number)
            self._heard.discard(number)
            await shard.disconnect()

    async def _turn(self, bucket: int, after: float) -> None:
        for pause in growing(FIRST_PAUSE, LONGEST_PAUSE):
            try:
                await self._together.turn(bucket, after)
                return
            except StoreFailure:
                await sleep(pause)

    async def _beat(self) -> frozenset[int]:
        """Tell the others of us, and learn of them; which sessions they know now to be given up. Raises StoreFailure.

        One by one: of two that give up the same, each ends it only if another one keeps it, and neither takes the other
        for that.
        """
        async with self._telling:
            wanted, heard = self._wanted(), frozenset(self._heard)
            given_up = frozenset(self._begun - wanted)
            self._crew = await self._together.beat(Sign(self.version, self.traffic.need(), heard, heard & wanted))
            self.traffic.allow(self._crew.share, self._crew.alive)
            return given_up

    async def _hand_over(self) -> None:
        """Give back what is held, and answer clicks until the others are told of them."""
        if not self._several:
            return
        self._leaving = True
        with suppress(StoreFailure):
            await self.holding.give_back()
        self._news.set()
        if self._crew.alive > 1:
            log.info("%d shards are handed over", len(self._begun))
            longest = STARTING + 2 * APART * len(self._begun) / self._at_once
            if not await _until(lambda: not self._begun or self._crew.alive == 1, longest):
                log.warning("Nobody has taken over %d shards within %d s", len(self._begun), longest)
        for number in sorted(self._begun):
            await self._end(number)
        await _until(lambda: all(self._asked.values()), ANSWERING)

    async def _sync(self) -> None:
        """Register the commands, by one process at a time, and by none that is older than another."""
        await self._beat()
        async with self._together.alone("commands"):
            await self._beat()
            if newer := self._crew.newer(self.version):
                log.info("The commands are left to version %s, which runs beside this one", newer)
            else:
                await super()._sync()

    # What people can reach

    def _servers(self) -> tuple[frozenset[int], Part]:
        """Of what is looked after and heard of just now alone."""
        part = self._part(self._heard & self._wanted())
        return frozenset(guild.id for guild in self.guilds if part.has(guild.id)), part

    def _part(self, numbers: set[int] | frozenset[int]) -> Part:
        return Part(frozenset(numbers), self.shard_count or 1)

    def _forget(self, guilds: dict[int, discord.Guild]) -> None:
        """Of these servers nothing is told any more: what is known of them would not stay true."""
        for guild in guilds.values():
            if self.get_guild(guild.id) is guild:
                self._connection._remove_guild(guild)

    def _note_closed(self) -> None:
        """Of shards that are gone together each is told when its turn has come, which may be minutes later."""
        for number, shard in self.shards.items():
            if number in self._heard and shard.is_closed():
                self._gone(number)

    def _gone(self, shard_id: int) -> None:
        self._heard.discard(shard_id)
        if shard_id in self._begun:
            self._closed.setdefault(shard_id, _now())
        self.absence.gone("gateway", shard_id)
        if shard_id == DIRECT:
            self.absence.gone("direct messages")

    def _back(self, shard_id: int) -> None:
        self._begun.add(shard_id)
        self._heard.add(shard_id)
        self._closed.pop(shard_id, None)
        self._news.set()
        self.absence.back("gateway", shard_id)
        if shard_id == DIRECT:
            self.absence.back("direct messages")


def _now() -> float:
    return asyncio.get_running_loop().time()


async def _until(seen: Callable[[], bool], longest: float) -> bool:
    """Wait for others or people, but not for too long; whether that came to be."""
    until = _now() + longest
    while not seen() and _now() < until:  # noqa: ASYNC110  # who is waited for is looked at now and then
        await sleep(HURRIED)
    return seen()
