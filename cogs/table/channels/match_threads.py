"""Makes a match's thread, and checks whether chat messages in it bury the table."""

from __future__ import annotations

import logging
from collections.abc import Collection
from itertools import count

import discord

from cogs.screens.truncation import truncate, utf16_length
from cogs.table.channels.server_context import ServerContexts
from cogs.table.channels.table_services import TableServices
from cogs.table.transport.discord_internals import start_thread
from cogs.table.transport.network_errors import NETWORK_ERRORS, describe_error, is_transient
from engines.hosting.match import MatchSnapshot
from engines.store.surface_storage import Surface

log = logging.getLogger(__name__)
BURIED_AFTER = 5  # messages below the table that bury it
LOOK_SECONDS = 60  # the shortest time between two checks, in seconds
THREAD_EXISTS = 160004
LONGEST_NAME = 100  # UTF-16 units


def thread_name(snapshot: MatchSnapshot, taken_names: Collection[str] = ()) -> str:
    """A unique thread name that is readable in a narrow list: `Court: Ada, Bela`, then `Court 2: Ada, Bela`."""
    names = ", ".join(seat.name for seat in snapshot.info.seats if not seat.gone)
    game = snapshot.game.key.capitalize()
    numbered = (game if number == 1 else f"{game} {number}" for number in count(1))
    every = (truncate(f"{first}: {names}", LONGEST_NAME, utf16_length) for first in numbered)
    others = {_name_key(name) for name in taken_names}
    return next(name for name in every if _name_key(name) not in others)


def _name_key(name: str) -> tuple[str, ...]:
    """The key that makes two names count as equal: the order of the people does not matter."""
    game, _, people = name.partition(": ")
    return game, *sorted(people.split(", "))


class MatchThreads:
    """Makes threads and reads their latest messages."""

    def __init__(self, services: TableServices, server_contexts: ServerContexts) -> None:
        self._services = services
        self._server_contexts = server_contexts
        self._looked_at: dict[str, int] = {}  # when each match's thread was last checked

    async def make_thread(self, snapshot: MatchSnapshot, lobby: Surface | None) -> MatchSnapshot:
        """Make the match's thread from its lobby's message; at most one is made, even over crashes."""
        if (
            lobby is None
            or not lobby.message
            or not (await self._services.matches.lobbies.server_settings(snapshot.info.place.guild)).threads
        ):
            return snapshot
        # checked last, because the bot may be removed during the reads above
        if not (await self._server_contexts.context_of(snapshot.info)).threads:
            return snapshot
        try:
            name = thread_name(snapshot, self._open_names(lobby.channel, snapshot.info.place.guild))
            await start_thread(self._services.client, lobby.channel, lobby.message, name)
        except discord.HTTPException as error:
            if is_transient(error):
                raise
            if error.code != THREAD_EXISTS:
                log.info("Match %s: no thread could be made: %s", snapshot.info.id, error.code)
                return snapshot
        await self._services.matches.lobbies.set_thread(
            snapshot.info.id, lobby.message
        )  # a thread has the id of its first message
        return await self._services.matches.cache.get_snapshot(snapshot.info.id)

    def _open_names(self, channel: int, guild: int) -> set[str]:
        found = self._services.client.get_guild(guild)
        return {thread.name for thread in (found.threads if found else ()) if thread.parent_id == channel}

    def may_be_buried(self, surface: Surface) -> bool:
        """Whether the table was posted or checked so long ago that chat messages may bury it."""
        known = max(surface.posted, self._looked_at.get(surface.match, 0))
        return self._services.clock.now() - known >= LOOK_SECONDS and bool(surface.message) and not surface.lost

    async def is_buried(self, snapshot: MatchSnapshot, surface: Surface) -> bool:
        """Whether chat messages bury the table."""
        if not self.may_be_buried(surface):
            return False
        self._looked_at[snapshot.info.id] = self._services.clock.now()
        channel = self._services.client.get_partial_messageable(surface.channel)
        own = self._services.client.user.id if self._services.client.user else 0
        try:
            after = discord.Object(surface.message)
            below = [m async for m in channel.history(limit=3 * BURIED_AFTER, after=after) if m.author.id != own]
        except NETWORK_ERRORS as error:
            log.info("Match %s: could not read its channel: %s", snapshot.info.id, describe_error(error))
            return False
        return len(below) >= BURIED_AFTER

    def forget(self, match: str) -> None:
        """Drop everything about a closed match."""
        self._looked_at.pop(match, None)
