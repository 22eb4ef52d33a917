"""A match's thread: made once, and whether talk in it hides the table."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from itertools import count

import discord

from cogs.screens.truncation import truncate, utf16_length
from cogs.table.channels.server_context import ServerContexts
from cogs.table.transport.network_errors import NETWORK_ERRORS, describe_error, is_transient
from engines.hosting.match import MatchSnapshot
from engines.hosting.matches import Matches
from engines.store.surface_storage import Surface

log = logging.getLogger(__name__)
BURIED_AFTER = 5  # messages below the table that hide it
LOOK_SECONDS = 60  # seconds in which nobody looks twice whether they do
THREAD_EXISTS = 160004
LONGEST_NAME = 100  # units of UTF-16


def thread_name(snapshot: MatchSnapshot, taken_names: Collection[str] = ()) -> str:
    """A thread's name, to be told from others in a narrow list: `Court: Ada, Bela`, then `Court 2: Ada, Bela`."""
    names = ", ".join(seat.name for seat in snapshot.info.seats if not seat.gone)
    game = snapshot.game.key.capitalize()
    numbered = (game if number == 1 else f"{game} {number}" for number in count(1))
    every = (truncate(f"{first}: {names}", LONGEST_NAME, utf16_length) for first in numbered)
    others = {_name_key(name) for name in taken_names}
    return next(name for name in every if _name_key(name) not in others)


def _name_key(name: str) -> tuple[str, ...]:
    """What a narrow list tells names apart by: not the order of the people."""
    game, _, people = name.partition(": ")
    return game, *sorted(people.split(", "))


class MatchThreads:
    """Makes threads, and looks into them."""

    def __init__(
        self, client: discord.Client, matches: Matches, server_contexts: ServerContexts, clock: Callable[[], int]
    ) -> None:
        self._client = client
        self._server_contexts = server_contexts
        self._matches = matches
        self._clock = clock
        self._looked_at: dict[str, int] = {}  # when it was looked into a match's thread last

    async def make_thread(self, snapshot: MatchSnapshot, lobby: Surface | None) -> MatchSnapshot:
        """Make the match's thread from its lobby's message; there is at most one, whatever happens in between."""
        if (
            lobby is None
            or not lobby.message
            or not (await self._matches.server_settings(snapshot.info.place.guild)).threads
        ):
            return snapshot
        if not (
            await self._server_contexts.context_of(snapshot.info)
        ).threads:  # asked last: the bot may be put out meanwhile
            return snapshot
        try:
            name = thread_name(snapshot, self._open_names(lobby.channel, snapshot.info.place.guild))
            await self._client.http.start_thread_with_message(  # a message of discord.py's needs to know its server
                lobby.channel, lobby.message, name=name, auto_archive_duration=1440
            )
        except discord.HTTPException as error:
            if is_transient(error):
                raise
            if error.code != THREAD_EXISTS:
                log.info("Match %s gets no thread: %s", snapshot.info.id, error.code)
                return snapshot
        await self._matches.set_thread(
            snapshot.info.id, lobby.message
        )  # a thread has the id of the message it began with
        return await self._matches.get_snapshot(snapshot.info.id)

    def _open_names(self, channel: int, guild: int) -> set[str]:
        """What the threads of a channel are called that are open."""
        found = self._client.get_guild(guild)
        return {thread.name for thread in (found.threads if found else ()) if thread.parent_id == channel}

    def may_be_buried(self, surface: Surface) -> bool:
        """Whether a table was posted, or looked for, so long ago that talk may hide it."""
        known = max(surface.posted, self._looked_at.get(surface.match, 0))
        return self._clock() - known >= LOOK_SECONDS and bool(surface.message) and not surface.lost

    async def is_buried(self, snapshot: MatchSnapshot, surface: Surface) -> bool:
        """Whether other talk hides a table that has changed."""
        if not self.may_be_buried(surface):
            return False
        self._looked_at[snapshot.info.id] = self._clock()
        channel = self._client.get_partial_messageable(surface.channel)
        own = self._client.user.id if self._client.user else 0
        try:
            after = discord.Object(surface.message)
            below = [m async for m in channel.history(limit=3 * BURIED_AFTER, after=after) if m.author.id != own]
        except NETWORK_ERRORS as error:
            log.info("Match %s: its channel could not be looked into: %s", snapshot.info.id, describe_error(error))
            return False
        return len(below) >= BURIED_AFTER

    def forget(self, match: str) -> None:
        """Keep nothing of a closed match."""
        self._looked_at.pop(match, None)
