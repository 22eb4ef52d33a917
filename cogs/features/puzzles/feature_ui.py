"""The command about puzzles, and the controls that they answer."""

from __future__ import annotations

from collections.abc import Sequence

from discord import app_commands

from cogs.features.puzzles.controls import PuzzleActions
from cogs.features.puzzles.game_puzzles import MARK
from cogs.table.actions.table_actions import TableActions
from cogs.table.commands.feature_ui import Exercises, FeatureCog, FeatureUI
from cogs.table.commands.game_commands import find_game, with_reply
from cogs.table.transport.interaction_response import InteractionReply
from engines.hosting.match import RequestRefused
from engines.kit.contract import AnyGame


class PuzzleCommands(FeatureCog):
    """The part of `/motley` about puzzles."""

    @property
    def games(self) -> Sequence[AnyGame]:
        """The games that have puzzles."""
        return self.actions.service(PuzzleActions).games

    @app_commands.command(description="Decide one moment of a real match, then see what each move is worth")
    @app_commands.describe(game="Which game", number="Which puzzle; leave it out for any of them")
    @app_commands.autocomplete(game=FeatureCog.complete_game)
    @with_reply
    async def puzzle(self, reply: InteractionReply, game: str, number: int | None = None) -> None:
        """`puzzle`: show a puzzle of a game."""
        puzzles = self.actions.service(PuzzleActions)
        found = find_game(game, self.games)
        count = puzzles.count(found.key)
        if number is not None and not 1 <= number <= count:
            raise RequestRefused(f"{found.title} has {count} puzzles. Give a number from 1 to {count}.")
        await puzzles.open_puzzle(reply, found, number or _any_number(reply.click_id, count))


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
