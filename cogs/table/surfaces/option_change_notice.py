"""One short message where a lobby is when its options have changed, for those who have joined; it pings nobody."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable
from dataclasses import asdict, dataclass
from typing import TypeVar

import discord
from pydantic import TypeAdapter

from cogs.screens.screen import GameScreen
from cogs.table.pages import lobby_pages
from cogs.table.state.match_notes import understood
from cogs.table.state.surface_store import Displays
from cogs.table.transport import discord_views
from cogs.table.transport.network_errors import named, passing
from engines.hosting.lobbies import stamp
from engines.hosting.match import Look
from engines.store.match_store import Status

log = logging.getLogger(__name__)
T = TypeVar("T")
RECENT = 60  # seconds for which such a message is edited; later changes are told by a new one


@dataclass(frozen=True, slots=True)
class Told:
    """The stamp of the options that were told last, and the message that told them; 0: nobody was there."""

    options: str = ""
    message: int = 0
    at: int = 0


KEPT = TypeAdapter(Told)


async def refresh(client: discord.Client, shown: Displays, look: Look, screen: GameScreen, now: int) -> None:
    """Tell a change of the options, unless that was done. Raises HTTPException for what is worth trying again."""
    info = look.info
    if info.status is not Status.LOBBY or not info.chosen:
        return
    key = f"told {info.id}"
    told = understood(KEPT, key, await shown.note(key)) or Told()
    if told.options == stamp(info):
        return
    told = Told(stamp(info), told.message, told.at)
    if sum(seat.here for seat in info.seats) > 1:  # computers need not be told
        told = await _tell(client, look, screen, told, now)
    await shown.put_note(key, json.dumps(asdict(told)))


async def _tell(client: discord.Client, look: Look, screen: GameScreen, told: Told, now: int) -> Told:
    """Say what the options are now, in the last such message or in a new one instead."""
    channel = client.get_partial_messageable(look.info.place.channel)
    old = channel.get_partial_message(told.message) if told.message else None
    whose = f"{lobby_pages.host(look)}'s table (**{look.game.title}**)"
    text = f"The options have changed at {whose}: {lobby_pages.in_words(look, screen)}"
    if old and now - told.at < RECENT and await _taken(old.edit(content=text, allowed_mentions=discord_views.NOBODY)):
        return told
    message = await _taken(channel.send(text, nonce=f"{look.info.id}.o.{look.info.revision}"))
    if message is None:
        return told  # the lobby and the hands show it
    if old:
        await _taken(old.delete())
    return Told(told.options, message.id, now)


async def _taken(request: Awaitable[T]) -> T | None:
    """What Discord answers; None where it refuses. Raises what is worth trying again."""
    try:
        return await request
    except discord.HTTPException as error:
        if passing(error):
            raise
        log.info("A change of options could not be told: %s", named(error))
        return None
