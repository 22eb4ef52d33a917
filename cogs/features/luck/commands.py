"""`/motley luck`."""

from __future__ import annotations

import discord
from discord import app_commands

from cogs.features.luck.luck_actions import LuckActions
from cogs.table.actions.table_actions import TableActions
from cogs.table.commands.feature_ui import FeatureCog
from cogs.table.commands.game_commands import Choices, filter_choices, find_game, safe_autocomplete, with_reply
from cogs.table.transport.interaction_response import InteractionReply


class LuckCommands(FeatureCog):
    """The part of `/motley` about luck."""

    def __init__(self, actions: TableActions) -> None:
        super().__init__(actions)
        self.charts = actions.service(LuckActions)

    @app_commands.command(description="See how often things came on this server, next to what chance allows")
    @app_commands.describe(game="Which game; leave it out for the one that was played last")
    @with_reply
    async def luck(self, reply: InteractionReply, game: str | None = None) -> None:
        """`luck`: show the luck chart of a game."""
        games = tuple(self.actions.matches.games.values())
        await self.charts.show_luck(reply, None if game is None else find_game(game, games))

    @luck.autocomplete("game")
    @safe_autocomplete
    async def _complete_game(self, interaction: discord.Interaction, current: str) -> Choices:
        return filter_choices([(each.title, each.key) for each in self.actions.matches.games.values()], current)
