"""Which match a command is about: the one named, the one of this channel, or the only one there is."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from cogs.screens.words import listed
from cogs.table.actions.table_actions import Desk
from engines.hosting.match import Look, Refused
from engines.kit.contract import AnyGame
from engines.store.match_store import Info, Status, StoreFailure

MOST_NAMED = 10


@dataclass(frozen=True, slots=True)
class Finder:
    """Finds matches of one game, or of all."""

    desk: Desk
    game: AnyGame | None = None

    async def find(self, asker: discord.Interaction, named: str | None) -> str:
        """The match that a command is about: the one named, the one of this channel, or the only one there is.

        Whoever asks is there: where the computer keeps their seat, it is theirs again.
        """
        found = await self._found(asker, named)
        await self.desk.back_if_away(asker.user.id, found)
        return found

    async def _found(self, asker: discord.Interaction, named: str | None) -> str:
        own = await self.own(asker.user.id)
        if named:
            found = await self._named(asker, named)
        else:
            here = [info for info in own if _here(asker, info)]
            found = self._only(here or own) if own else await self._watched(asker)
        return found.id

    async def latest(self, asker: discord.Interaction, named: str | None) -> str:
        """The match that somebody wants to look at: as `find` has it, else the newest that they have played."""
        try:
            return await self.find(asker, named)
        except Refused:
            played = [] if named else await self._played(asker)
            if not played:
                raise
            return played[0].id

    async def lobby(self, asker: discord.Interaction, named: str | None) -> str:
        """The lobby whose options a command is about: the one named, or one that the asker is host of."""
        own = [info for info in await self.own(asker.user.id) if info.status is Status.LOBBY]
        own = [info for info in own if info.host == asker.user.id]
        if named or not own:
            return await self._found(asker, named)
        here = [info for info in own if asker.channel_id == info.place.channel]
        return self._only(here or own).id

    async def look(self, asker: discord.Interaction, *, lobby: bool = False) -> Look | None:
        """The match that an unfinished command is about, if it is clear; for autocomplete."""
        named = getattr(asker.namespace, "match", None)
        try:
            match = await (self.lobby if lobby else self._found)(asker, named)
            return await self.desk.matches.look(match)
        except (Refused, StoreFailure):
            return None

    async def own(self, user: int) -> list[Info]:
        """The live matches at which somebody sits."""
        return [info for info in await self.desk.matches.find(user=user) if self._mine(info)]

    def _mine(self, info: Info) -> bool:
        return self.game is None or info.game == self.game.key

    async def _named(self, asker: discord.Interaction, named: str) -> Info:
        """A match by its id; of another server only to those who sit there."""
        info = (await self.desk.matches.fresh(named.strip().lower()[:8])).info
        if not self._mine(info):
            raise Refused(
                f"Match `{info.id}` is one of {self.desk.matches.title(info.game)}: use `/{info.game}` for it."
            )
        if info.place.guild != asker.guild_id and info.seat_of(asker.user.id) is None:
            raise Refused("There is no such match here.")
        return info

    def _only(self, found: list[Info]) -> Info:
        running = [info for info in found if info.status is not Status.LOBBY] or found
        if len(running) > 1:
            names = listed([f"`{info.id}`" for info in running[:MOST_NAMED]])
            raise Refused(f"You sit at several tables: {names}. Say which with the option `match`.")
        return running[0]

    async def _watched(self, asker: discord.Interaction) -> Info:
        """For somebody who sits nowhere: the match of this channel, if there is just one."""
        found = await self.desk.matches.find(guild=asker.guild_id) if asker.guild_id else []
        here = [info for info in found if self._mine(info) and _here(asker, info)]
        if len(here) == 1:
            return here[0]
        of = f" of {self.game.title}" if self.game else ""
        key = self.game.key if self.game else next(iter(self.desk.matches.games))
        raise Refused(f"You are in no match{of} now. Start one with `/{key} new` in a channel.")

    async def _played(self, asker: discord.Interaction) -> list[Info]:
        """What somebody who sits nowhere has played to its end, newest first, what was here before others."""
        if await self.own(asker.user.id):
            return []
        over = await self.desk.matches.find(statuses=frozenset({Status.OVER}), user=asker.user.id)
        return sorted([info for info in over if self._mine(info)], key=lambda info: not _here(asker, info))


def _here(asker: discord.Interaction, info: Info) -> bool:
    """Whether a match is played where the asker is."""
    return asker.channel_id in (info.place.channel, info.place.thread)
