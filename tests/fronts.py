"""The fronts of the games, and what the bot makes of them, for tests that have no bot."""

from __future__ import annotations

from cogs.games import FRONTS
from cogs.pictures.studio import Studio
from cogs.screens.screen import Screens

SCREENS: Screens = {key: front.screen for key, front in FRONTS.items()}
STUDIO = Studio(front.layouts for front in FRONTS.values())
