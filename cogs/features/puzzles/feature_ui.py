"""The command about puzzles, and the controls that they answer."""

from __future__ import annotations

import discord
from discord import app_commands

from cogs.features.puzzles.controls import PuzzleActions
from cogs.features.puzzles.game_puzzles import MARK
from cogs.table.actions.table_actions import TableActions
from cogs.table.commands.feature_ui import Exercises, FeatureCog, FeatureUI
from cogs.table.commands.game_commands import Choices, filter_choices, find_game, safe_autocomplete, with_reply
from cogs.table.transport.interaction_response import InteractionReply
from engines.hosting.match import RequestRefused


class PuzzleCommands(FeatureCog):
    """The part of `/motley` about puzzles."""

    @app_commands.command(description="Decide one moment of a real match, then see what each move is worth")
    @app_commands.describe(game="Which game", number="Which puzzle; leave it out for any of them")
    @with_reply
    async def puzzle(self, reply: InteractionReply, game: str, number: int | None = None) -> None:
        """`puzzle`: show a puzzle of a game."""
        puzzles = self.actions.service(PuzzleActions)
        found = find_game(game, puzzles.games)
        count = puzzles.count(found.key)
        if number is not None and not 1 <= number <= count:
            raise RequestRefused(f"{found.title} has {count} puzzles. Give a number from 1 to {count}.")
        await puzzles.open_puzzle(reply, found, number or _any_number(reply.click_id, count))

    @puzzle.autocomplete("game")
    @safe_autocomplete
    async def _complete_puzzle_game(self, interaction: discord.Interaction, current: str) -> Choices:
        return filter_choices([(each.title, each.key) for each in self.actions.service(PuzzleActions).games], current)


def _any_number(click: int, count: int) -> int:
    """Return a number from 1 to `count`, by the milliseconds with which Discord's ids begin."""
    return (click >> 22) % count + 1


class PuzzlesUI(FeatureUI):
    """Puzzles: a command alone, and its hands."""

    name = "puzzles"
    motley_commands = PuzzleCommands
    help_text = "**Try a puzzle:** `/motley puzzle`."

    def exercises(self, actions: TableActions) -> Exercises:
        """Return the hands of puzzles."""
        return Exercises(MARK, actions.service(PuzzleActions).handle_click)
