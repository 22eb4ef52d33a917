"""The fronts of all games, and what the bot makes of them, for tests that have no bot."""

from __future__ import annotations

from collections.abc import Mapping

import cogs.games
from cogs.pictures.studio import Studio
from cogs.screens.screen import Screens
from cogs.table.game_ui import Fronts
from cogs.table.pages.rules_pages import Rules
from tests.example.cogs import games as example

FRONTS: Fronts = {**cogs.games.FRONTS, **example.FRONTS}
SCREENS: Screens = {key: front.screen for key, front in FRONTS.items()}
STUDIO = Studio(front.layouts for front in FRONTS.values())
RULES: Mapping[str, Rules] = {key: front.rules for key, front in FRONTS.items()}
