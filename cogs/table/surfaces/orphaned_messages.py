"""What was shown and could not be noted any more, where no nonce tells: looked for where it would stand."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import Any

import discord

from cogs.table.pages import custom_ids
from cogs.table.transport.network_errors import named, passing
from engines.hosting.match import Look
from engines.store.surface_storage import Surface

log = logging.getLogger(__name__)
LOOKED_AT = 100  # messages: as many as one request brings


async def found(client: discord.Client, look: Look) -> Surface | None:
    """The lobby of a match among the newest messages of its channel, if it is there. Raises what passes by itself."""
    match, channel = look.info.id, look.info.place.channel
    join = custom_ids.table(match, "join")
    for message in await _newest(client, match, channel):
        if join in _controls(message.components):
            return Surface(match, "lobby", -1, channel, message.id)
    return None


async def hands(client: discord.Client, match: str, channel: int) -> set[int]:
    """The messages in somebody's inbox on which they could click about a match. Raises what passes by itself."""
    return {
        message.id
        for message in await _newest(client, match, channel)
        if any((control := custom_ids.read(each)) and control.match == match for each in _controls(message.components))
    }


async def _newest(client: discord.Client, match: str, channel: int) -> list[discord.Message]:
    """The bot's own among the newest messages of a channel, as far as Discord lets it see them."""
    own = client.user.id if client.user else 0
    try:
        there = [message async for message in client.get_partial_messageable(channel).history(limit=LOOKED_AT)]
    except discord.HTTPException as error:
        if passing(error):
            raise
        log.info("Match %s: what was shown of it could not be looked for: %s", match, named(error))
        return []
    return [message for message in there if message.author.id == own]


def _controls(components: Iterable[Any]) -> Iterator[str]:
    """The custom_ids of all controls, however deep they lie."""
    for component in components:
        if custom_id := getattr(component, "custom_id", None):
            yield custom_id
        yield from _controls(getattr(component, "children", ()))
