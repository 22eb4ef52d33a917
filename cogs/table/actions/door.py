"""The door: every click and command about a match becomes a visit here, or is refused."""

from __future__ import annotations

from dataclasses import replace

import discord

from cogs.table.actions.rights import NOT_MANAGER, Access
from cogs.table.actions.visit import Visit
from cogs.table.channels.posters import find_poster
from cogs.table.state.block_list import BlockList
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.hosting.matches import Matches
from engines.store.match_store import MatchInfo


class Door:
    """Makes visits, and refuses people who may not see a match, are blocked, or may not do what they ask now."""

    def __init__(self, client: discord.Client, matches: Matches, block_list: BlockList) -> None:
        self._client = client
        self._matches = matches
        self._block_list = block_list

    async def visit(self, asker: discord.Interaction, match: str) -> Visit:
        """Return the visit of somebody who clicked or gave a command. Raises RequestRefused."""
        return self.receive(asker, await self._matches.cache.get_snapshot(match))

    def receive(self, asker: discord.Interaction, snapshot: MatchSnapshot) -> Visit:
        """Return the visit to a match that was looked up just now. Raises RequestRefused."""
        return replace(self.receive_reader(asker, snapshot.info), look=snapshot)

    async def visit_finished(self, asker: discord.Interaction, match: str) -> Visit:
        """Return the visit to a match of which only the header is read. Raises RequestRefused."""
        return self.receive_reader(asker, await self._matches.lookup.load_header(match))

    def receive_reader(self, asker: discord.Interaction, info: MatchInfo) -> Visit:
        """Return the visit to a match of which only the header is known. Raises RequestRefused."""
        if asker.guild_id != info.place.guild:  # of the server where somebody is, this was asked before
            self._block_list.require_allowed(asker.user.id, info.place.guild)
        require_reader(asker, info)
        return Visit(asker.user.id, info, asker.guild_id == info.place.guild and asker.permissions.manage_guild)

    async def renew(self, visit: Visit) -> Visit:
        """Return the same person's visit to the match as it is now. They may have another seat than before, or none."""
        snapshot = await self._matches.cache.get_snapshot(visit.match)
        return replace(visit, info=snapshot.info, look=snapshot)

    async def renew_from_store(self, visit: Visit) -> Visit:
        """Return the same person's visit to the match as it is now, also after changes of other processes."""
        await self._matches.cache.drop_if_outdated(visit.match)
        return await self.renew(visit)

    async def admit(self, visit: Visit, access: Access, click: int) -> None:
        """Raise RequestRefused if the visitor may not use that, or not now.

        A click that has already changed the match was admitted then: Discord has delivered it twice.
        """
        try:
            access.require(visit)
        except RequestRefused:
            if not await self._matches.cache.was_changed_by(visit.match, click):
                raise

    async def admit_poster(self, asker: discord.Interaction, visit: Visit) -> Visit:
        """Return the visit of somebody who may post where the match was played.

        On the match's server, Discord has checked that. Raises RequestRefused.
        """
        if asker.guild_id == visit.info.place.guild:
            return visit
        return replace(visit, poster=await find_poster(self._client, visit.info.place, visit.user))


def require_reader(asker: discord.Interaction, info: MatchInfo) -> None:
    """Check that the user may see a match: everyone on its server, and its past and present players elsewhere."""
    if asker.guild_id != info.place.guild and all(seat.user != asker.user.id for seat in info.seats):
        raise RequestRefused("There is no such match here.")


def managed_server(asker: discord.Interaction, outside_text: str) -> int:
    """Return the server's id, by the permissions that Discord sends with every command and click.

    Raises RequestRefused if the user may not manage it, or with `outside_text` elsewhere.
    """
    if asker.guild_id is None:
        raise RequestRefused(outside_text)
    if not asker.permissions.manage_guild:
        raise RequestRefused(NOT_MANAGER)
    return asker.guild_id
