"""The controls that puzzles answer."""

from __future__ import annotations

from cogs.features.puzzles.commands import PuzzleCommands
from cogs.features.puzzles.controls import PuzzleActions
from cogs.features.puzzles.game_puzzles import MARK
from cogs.table.actions.table_actions import TableActions
from cogs.table.commands.feature_ui import Exercises, FeatureUI


class PuzzlesUI(FeatureUI):
    """Puzzles: a command alone, and its hands."""

    name = "puzzles"
    motley_commands = PuzzleCommands
    help_text = "**Try a puzzle:** `/motley puzzle`."

    def exercises(self, actions: TableActions) -> Exercises:
        """Return the hands of puzzles."""
        return Exercises(MARK, actions.service(PuzzleActions).handle_click)
