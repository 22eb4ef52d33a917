"""The lessons and the puzzles of all games, for tests that have no bot."""

from __future__ import annotations

from cogs.features.lessons.game_lesson import GameLesson
from cogs.features.puzzles.game_puzzles import GamePuzzles
from tests.game_uis import GAME_UIS

LESSONS = {key: GameLesson(ui.game, ui.screen, ui.docs_folder) for key, ui in GAME_UIS.items()}
PUZZLES = {key: GamePuzzles(ui.game, ui.screen, ui.docs_folder) for key, ui in GAME_UIS.items()}
