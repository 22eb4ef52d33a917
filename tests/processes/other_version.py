"""The bot as another version of it, with a command that no other version has."""

from __future__ import annotations

import sys

import discord
import pytest
from discord import app_commands

import bot
from cogs.client import MotleyBot


async def nothing_command(interaction: discord.Interaction) -> None:
    """What no other version has."""


_sync = MotleyBot._sync_commands


async def sync_with_extra(motley: MotleyBot) -> None:
    name = f"new-in-{sys.argv[1].replace('.', '-')}"
    motley.tree.add_command(app_commands.Command(name=name, description="New", callback=nothing_command), override=True)
    await _sync(motley)


if __name__ == "__main__":
    pytest.MonkeyPatch().setattr(MotleyBot, "_sync_commands", sync_with_extra)
    pytest.MonkeyPatch().setattr(bot, "version", lambda: sys.argv[1])
    sys.exit(bot.main())
