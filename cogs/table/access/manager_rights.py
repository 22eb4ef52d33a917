"""Checks the permission to manage a server, on every command and click, with the permissions that Discord sends."""

from __future__ import annotations

import discord

from engines.hosting.match import RequestRefused

NOT_MANAGER = "Only people who can manage this server may do that (permission **Manage Server**)."


def managed_server(interaction: discord.Interaction, outside_text: str) -> int:
    """Return the server's id. Raises RequestRefused if the user may not manage it, or with `outside_text` elsewhere."""
    if interaction.guild_id is None:
        raise RequestRefused(outside_text)
    if not interaction.permissions.manage_guild:
        raise RequestRefused(NOT_MANAGER)
    return interaction.guild_id
