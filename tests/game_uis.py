"""The fronts of all games, and what the bot makes of them, for tests that have no bot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import cogs.games
from cogs.pictures.studio import Studio
from cogs.screens.screen import Screens
from cogs.table.game_ui import GameUIs
from cogs.table.pages.rules_pages import RulesPages
from tests.example.cogs import games as example_games

T = TypeVar("T")


class UnregisteredUI(Exception):
    """A game whose rules are registered and whose UI is not."""

    def __init__(self, key: str) -> None:
        super().__init__(f"Register the UI of {key} in cogs/games.py.")


class ByGame(dict[str, T]):
    """What each game's UI brings, by key. A game without one raises UnregisteredUI."""

    def __missing__(self, key: str) -> T:
        raise UnregisteredUI(key)


GAME_UIS: GameUIs = ByGame({**cogs.games.GAME_UIS, **example_games.GAME_UIS})
SCREENS: Screens = ByGame({key: game_ui.screen for key, game_ui in GAME_UIS.items()})
STUDIO = Studio(game_ui.layouts for game_ui in GAME_UIS.values())
RULES: Mapping[str, RulesPages] = ByGame({key: game_ui.rules for key, game_ui in GAME_UIS.items()})
