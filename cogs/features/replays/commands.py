"""`/motley replay`."""

from __future__ import annotations

import discord
from discord import app_commands

from cogs.features.replays.controls import ReplayActions
from cogs.table.access.rights import Access, Phase, Who, extras_of
from cogs.table.commands.feature_ui import FeatureCog
from cogs.table.commands.game_commands import Choices, own_match_choices, safe_autocomplete, with_reply
from cogs.table.transport.interaction_response import InteractionReply
from engines.hosting.matches.records import NOT_PLAYED_OUT

WATCHER = Access(Who.READER, Phase.OVER, not_now=NOT_PLAYED_OUT)


class ReplayCommands(FeatureCog):
    """The part of `/motley` about replays."""

    @app_commands.command(
        description="Watch a finished match again, move by move; only you can see it", extras=extras_of(WATCHER)
    )
    @app_commands.describe(match="Which finished match; leave it out for your last one")
    @with_reply
    async def replay(self, reply: InteractionReply, match: str | None = None) -> None:
        """`replay`: show a finished match from its start."""
        visit = await self.finder.find_finished(reply.interaction, match)
        await self.actions.service(ReplayActions).open_replay(reply, visit)

    @replay.autocomplete("match")
    @safe_autocomplete
    async def _complete_finished_match(self, interaction: discord.Interaction, current: str) -> Choices:
        return await own_match_choices(self.actions, await self.finder.finished_matches(interaction), current)
