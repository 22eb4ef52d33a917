"""Whether somebody is still in the server: looked up when a match waits for them, since nobody tells the bot."""

from __future__ import annotations

import discord

from cogs.table.transport.network_errors import is_transient
from engines.hosting.match import MatchSnapshot

GONE_CODES = {10007, 10013}  # no such member, no such user


async def has_left(client: discord.Client, snapshot: MatchSnapshot, seat: int) -> bool:
    """Whether whoever holds a seat has left the server, or closed their account. Raises what is worth trying again."""
    guild = client.get_guild(snapshot.info.place.guild)
    if guild is None:  # it is the bot that is not there
        return False
    try:
        await guild.fetch_member(snapshot.info.seats[seat].user)
    except discord.HTTPException as error:
        if is_transient(error):
            raise
        return error.code in GONE_CODES
    return False
