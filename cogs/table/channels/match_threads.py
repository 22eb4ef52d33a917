"""A match's thread: made once, and whether talk in it hides the table."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from itertools import count

import discord

from cogs.screens.truncation import cut, units
from cogs.table.channels.server_context import Surroundings
from cogs.table.transport.network_errors import NETWORK, named, passing
from engines.hosting.match import Look
from engines.hosting.matches import Matches
from engines.store.surface_storage import Surface

log = logging.getLogger(__name__)
BURIED = 5  # messages below the table that hide it
LOOKED = 60  # seconds in which nobody looks twice whether they do
THREAD_EXISTS = 160004
LONGEST_NAME = 100  # units of UTF-16


def called(look: Look, taken: Collection[str] = ()) -> str:
    """A thread's name, to be told from others in a narrow list: `Court: Ada, Bela`, then `Court 2: Ada, Bela`."""
    names = ", ".join(seat.name for seat in look.info.seats if not seat.gone)
    game = look.game.key.capitalize()
    numbered = (game if number == 1 else f"{game} {number}" for number in count(1))
    every = (cut(f"{first}: {names}", LONGEST_NAME, units) for first in numbered)
    others = {_alike(name) for name in taken}
    return next(name for name in every if _alike(name) not in others)


def _alike(name: str) -> tuple[str, ...]:
    """What a narrow list tells names apart by: not the order of the people."""
    game, _, people = name.partition(": ")
    return game, *sorted(people.split(", "))


class Threads:
    """Makes threads, and looks into them."""

    def __init__(
        self, client: discord.Client, matches: Matches, around: Surroundings, clock: Callable[[], int]
    ) -> None:
        self._client = client
        self._around = around
        self._matches = matches
        self._clock = clock
        self._looked: dict[str, int] = {}  # when it was looked into a match's thread last

    async def make(self, look: Look, lobby: Surface | None) -> Look:
        """Make the match's thread from its lobby's message; there is at most one, whatever happens in between."""
        if lobby is None or not lobby.message or not (await self._matches.server(look.info.place.guild)).threads:
            return look
        if not (await self._around.of(look.info)).threads:  # asked last: the bot may be put out meanwhile
            return look
        try:
            name = called(look, self._open(lobby.channel, look.info.place.guild))
            await self._client.http.start_thread_with_message(  # a message of discord.py's needs to know its server
                lobby.channel, lobby.message, name=name, auto_archive_duration=1440
            )
        except discord.HTTPException as error:
            if passing(error):
                raise
            if error.code != THREAD_EXISTS:
                log.info("Match %s gets no thread: %s", look.info.id, error.code)
                return look
        await self._matches.settle(look.info.id, lobby.message)  # a thread has the id of the message it began with
        return await self._matches.look(look.info.id)

    def _open(self, channel: int, guild: int) -> set[str]:
        """What the threads of a channel are called that are open."""
        found = self._client.get_guild(guild)
        return {thread.name for thread in (found.threads if found else ()) if thread.parent_id == channel}

    def unseen(self, surface: Surface) -> bool:
        """Whether a table was posted, or looked for, so long ago that talk may hide it."""
        known = max(surface.posted, self._looked.get(surface.match, 0))
        return self._clock() - known >= LOOKED and bool(surface.message) and not surface.lost

    async def buried(self, look: Look, surface: Surface) -> bool:
        """Whether other talk hides a table that has changed."""
        if not self.unseen(surface):
            return False
        self._looked[look.info.id] = self._clock()
        channel = self._client.get_partial_messageable(surface.channel)
        own = self._client.user.id if self._client.user else 0
        try:
            after = discord.Object(surface.message)
            below = [m async for m in channel.history(limit=3 * BURIED, after=after) if m.author.id != own]
        except NETWORK as error:
            log.info("Match %s: its channel could not be looked into: %s", look.info.id, named(error))
            return False
        return len(below) >= BURIED

    def forget(self, match: str) -> None:
        """Keep nothing of a closed match."""
        self._looked.pop(match, None)
