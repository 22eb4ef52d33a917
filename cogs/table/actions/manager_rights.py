"""Who may do what beyond a match: asked of Discord with every command and click, never of what they hold."""

from __future__ import annotations

import discord

from engines.hosting.match import Refused


def managed(interaction: discord.Interaction, elsewhere: str) -> int:
    """The server, where the asker may manage it. Raises Refused; `elsewhere` is what is said outside of servers."""
    if interaction.guild_id is None:
        raise Refused(elsewhere)
    if not interaction.permissions.manage_guild:
        raise Refused("That is for those who may manage this server (the permission **Manage Server**).")
    return interaction.guild_id
