"""Checks whether a player is still in the server; the bot gets no events about members who leave."""

from __future__ import annotations

import discord

from cogs.table.transport.network_errors import is_transient
from engines.hosting.match import MatchSnapshot

GONE_CODES = {10007, 10013}  # unknown member, unknown user


async def has_left(client: discord.Client, snapshot: MatchSnapshot, seat: int) -> bool:
    """Whether a seat's owner has left the server or closed their account. Raises transient errors."""
    guild = client.get_guild(snapshot.info.place.guild)
    if guild is None:  # the bot is not in the server
        return False
    try:
        await guild.fetch_member(snapshot.info.seats[seat].user)
    except discord.HTTPException as error:
        if is_transient(error):
            raise
        return error.code in GONE_CODES
    return False
