"""The fronts of all games, and what the bot makes of them, for tests that have no bot."""

from __future__ import annotations

from collections.abc import Mapping

import cogs.games
from cogs.pictures.studio import Studio
from cogs.screens.screen import Screens
from cogs.table.game_ui import GameUIs
from cogs.table.pages.rules_pages import RulesPages
from tests.example.cogs import games as example

GAME_UIS: GameUIs = {**cogs.games.GAME_UIS, **example.GAME_UIS}
SCREENS: Screens = {key: front.screen for key, front in GAME_UIS.items()}
STUDIO = Studio(front.layouts for front in GAME_UIS.values())
RULES: Mapping[str, RulesPages] = {key: front.rules for key, front in GAME_UIS.items()}
