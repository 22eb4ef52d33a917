"""A lobby that was shown in answer to a command and could not be noted any more: such an answer has no nonce."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import Any

import discord

from cogs.table import ids
from cogs.table.network import named, passing
from engines.match import Look
from engines.shown import Surface

log = logging.getLogger(__name__)
LOOKED_AT = 100  # messages: as many as one request brings


async def found(client: discord.Client, look: Look) -> Surface | None:
    """The lobby of a match among the newest messages of its channel, if it is there. Raises what passes by itself."""
    match, channel = look.info.id, look.info.place.channel
    join, own = ids.table(match, "join"), client.user.id if client.user else 0
    try:
        async for message in client.get_partial_messageable(channel).history(limit=LOOKED_AT):
            if message.author.id == own and join in _controls(message.components):
                return Surface(match, "lobby", -1, channel, message.id)
    except discord.HTTPException as error:
        if passing(error):
            raise
        log.info("Match %s: its lobby could not be looked for: %s", match, named(error))
    return None


def _controls(components: Iterable[Any]) -> Iterator[str]:
    """The custom_ids of all controls, however deep they lie."""
    for component in components:
        if custom_id := getattr(component, "custom_id", None):
            yield custom_id
        yield from _controls(getattr(component, "children", ()))
