"""What a person gets to see, one module a game: pure functions to a Screen."""

from __future__ import annotations

from collections.abc import Mapping

from cogs.court.screen import CourtScreen
from cogs.jest.screen import JestScreen
from cogs.jesters.screen import JestersScreen
from cogs.jokers.screen import JokersScreen
from cogs.screens.screen import GameScreen
from cogs.wizard.screen import WizardScreen

SCREENS: Mapping[str, GameScreen] = {
    "wizard": WizardScreen(),
    "jest": JestScreen(),
    "jokers": JokersScreen(),
    "court": CourtScreen(),
    "jesters": JestersScreen(),
}
"""Every game's screen, by the game's key."""
