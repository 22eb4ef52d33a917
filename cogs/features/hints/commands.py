"""`/motley hint`."""

from __future__ import annotations

import discord
from discord import app_commands

from cogs.features.hints.controls import HINT_ASKER, HintActions
from cogs.table.access.rights import extras_of
from cogs.table.commands.feature_ui import FeatureCog
from cogs.table.commands.game_commands import (
    MATCH_DESCRIPTION,
    Choices,
    own_match_choices,
    safe_autocomplete,
    with_reply,
)
from cogs.table.transport.interaction_response import InteractionReply


class HintCommands(FeatureCog):
    """The part of `/motley` about hints."""

    @app_commands.command(
        description="Get a suggested move and the reason, based only on what you can see", extras=extras_of(HINT_ASKER)
    )
    @app_commands.describe(match=MATCH_DESCRIPTION)
    @with_reply
    async def hint(self, reply: InteractionReply, match: str | None = None) -> None:
        """`hint`: show a hint privately."""
        visit = await self.finder.find_match(reply.interaction, match)
        await self.actions.service(HintActions).show_hint(reply, visit)

    @hint.autocomplete("match")
    @safe_autocomplete
    async def _complete_match(self, interaction: discord.Interaction, current: str) -> Choices:
        return await own_match_choices(self.actions, await self.finder.own_matches(interaction.user.id), current)
