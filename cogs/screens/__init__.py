"""What a person gets to see, one module a game: pure functions to a Screen."""

from __future__ import annotations

from collections.abc import Mapping

from cogs.screens.court import CourtScreen
from cogs.screens.jest import JestScreen
from cogs.screens.jesters import JestersScreen
from cogs.screens.jokers import JokersScreen
from cogs.screens.screen import GameScreen
from cogs.screens.wizard import WizardScreen

SCREENS: Mapping[str, GameScreen] = {
    "wizard": WizardScreen(),
    "jest": JestScreen(),
    "jokers": JokersScreen(),
    "court": CourtScreen(),
    "jesters": JestersScreen(),
}
"""Every game's screen, by the game's key."""
