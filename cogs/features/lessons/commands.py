"""`/motley learn`."""

from __future__ import annotations

import discord
from discord import app_commands

from cogs.features.lessons.controls import LessonActions
from cogs.table.commands.feature_ui import FeatureCog
from cogs.table.commands.game_commands import Choices, filter_choices, find_game, safe_autocomplete, with_reply
from cogs.table.transport.interaction_response import InteractionReply


class LessonCommands(FeatureCog):
    """The part of `/motley` about lessons."""

    @app_commands.command(description="Learn a game in five minutes by playing it; only you can see it")
    @app_commands.describe(game="Which game")
    @with_reply
    async def learn(self, reply: InteractionReply, game: str) -> None:
        """`learn`: show the lesson of a game."""
        lessons = self.actions.service(LessonActions)
        await lessons.open_lesson(reply, find_game(game, lessons.games))

    @learn.autocomplete("game")
    @safe_autocomplete
    async def _complete_game(self, interaction: discord.Interaction, current: str) -> Choices:
        return filter_choices([(game.title, game.key) for game in self.actions.service(LessonActions).games], current)
