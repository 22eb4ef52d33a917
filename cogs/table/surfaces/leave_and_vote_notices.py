"""What everybody is told of a leaving or a vote, with what can be done about it; once nothing can, the buttons go."""

from __future__ import annotations

import json
import logging
import secrets

import discord
from pydantic import TypeAdapter

from cogs.table.channels import channel_access
from cogs.table.pages import menu_pages
from cogs.table.state.match_notes import understood
from cogs.table.state.server_lease import Held
from cogs.table.state.surface_store import Displays
from cogs.table.transport import discord_views
from cogs.table.transport.network_errors import NETWORK, named, passing
from engines.hosting.match import Look
from engines.store.match_store import Info

log = logging.getLogger(__name__)
Posted = list[tuple[int, int]]  # channel and message of every notice that has buttons
KEPT = TypeAdapter(Posted)


class Notices:
    """Says it where the match is played. Which messages have buttons is kept, and read once a match."""

    def __init__(self, client: discord.Client, shown: Displays, who: Held) -> None:
        self._client = client
        self._shown = shown
        self._who = who
        self._known: dict[str, Posted] = {}

    async def tell(self, info: Info, text: str, click: int = 0) -> None:
        """Say something, with what can be done about it; it is no loss where that is impossible.

        Under the number of a click as its nonce Discord posts it once, whoever says it.
        """
        where, presses = info.place.thread or info.place.channel, menu_pages.about(info)
        channel = self._client.get_partial_messageable(where)
        nonce = str(click) if click else secrets.token_hex(12)
        try:
            if not presses:
                await channel.send(text, allowed_mentions=discord_views.NOBODY, nonce=nonce)
                return
            message = await channel.send(
                text, allowed_mentions=discord_views.NOBODY, view=discord_views.buttons(presses), nonce=nonce
            )
        except NETWORK as error:
            log.info("A notice could not be given: %s", named(error))
            return
        if not self._who.alone:  # others may have said something since
            self.forget(info.id)
        await self._keep(info.id, [*await self._of(info.id), (where, message.id)])

    async def refresh(self, look: Look) -> None:
        """Take the buttons of a match's notices away once nothing can be done. Raises what is worth trying again."""
        if look.state is None or menu_pages.about(look.info):
            return
        posted = await self._of(look.info.id)
        for channel, message in posted:
            try:
                await channel_access.partial(self._client, channel, message).edit(
                    view=None, allowed_mentions=discord_views.NOBODY
                )
            except discord.HTTPException as error:
                if passing(error):
                    raise
                log.info("A notice of match %s keeps its buttons: %s", look.info.id, named(error))
        if posted:
            await self._keep(look.info.id, [])

    def forget(self, match: str) -> None:
        """Keep nothing of a closed match in memory."""
        self._known.pop(match, None)

    async def _of(self, match: str) -> Posted:
        if match not in self._known:
            key = _key(match)
            self._known[match] = understood(KEPT, key, await self._shown.note(key)) or []
        return self._known[match]

    async def _keep(self, match: str, posted: Posted) -> None:
        await self._shown.put_note(_key(match), json.dumps(posted))
        self._known[match] = posted


def _key(match: str) -> str:
    return f"notices {match}"
