"""Who may do what beyond a match: asked of Discord with every command and click, never of what they hold."""

from __future__ import annotations

import discord

from engines.hosting.match import RequestRefused


def managed_server(interaction: discord.Interaction, outside_text: str) -> int:
    """The server, where the asker may manage it. Raises Refused; `elsewhere` is what is said outside of servers."""
    if interaction.guild_id is None:
        raise RequestRefused(outside_text)
    if not interaction.permissions.manage_guild:
        raise RequestRefused("That is for those who may manage this server (the permission **Manage Server**).")
    return interaction.guild_id
