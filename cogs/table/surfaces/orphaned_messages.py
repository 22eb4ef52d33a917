"""Finds messages that were posted right before a crash and never stored, by searching the channel."""

from __future__ import annotations

import discord

from cogs.table.pages import custom_ids
from cogs.table.surfaces.move_steps import controls
from cogs.table.transport.network_errors import ignore_refusal
from engines.hosting.match import MatchSnapshot
from engines.store.surface_storage import Surface

MESSAGES_READ = 100  # the most that one request returns


async def find_lobby(client: discord.Client, snapshot: MatchSnapshot) -> Surface | None:
    """The lobby of a match among the newest messages of its channel, or None. Raises transient errors."""
    match, channel = snapshot.info.id, snapshot.info.place.channel
    join = custom_ids.table_action_id(match, "join")
    for message in await _own_messages(client, match, channel):
        if join in controls(message.components):
            return Surface(match, "lobby", -1, channel, message.id)
    return None


async def find_hands(client: discord.Client, match: str, channel: int) -> set[int]:
    """The messages in a person's inbox that have controls of a match. Raises transient errors."""
    return {
        message.id
        for message in await _own_messages(client, match, channel)
        if any(
            (control := custom_ids.parse_control(each.partition("\n")[0])) and control.match == match
            for each in controls(message.components)
        )
    }


async def _own_messages(client: discord.Client, match: str, channel: int) -> list[discord.Message]:
    """The bot's own messages among the newest of a channel; none if Discord refuses."""
    own = client.user.id if client.user else 0
    with ignore_refusal(f"Match {match}: could not search for its messages"):
        history = client.get_partial_messageable(channel).history(limit=MESSAGES_READ)
        return [message async for message in history if message.author.id == own]
    return []
