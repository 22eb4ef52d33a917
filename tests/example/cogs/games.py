"""The example's registry of game UIs, like `cogs/games.py` for the real games."""

from __future__ import annotations

from cogs.table.game_ui import GameUIs
from tests.example.cogs.glimpse.game_ui import GAME_UI as GLIMPSE

GAME_UIS: GameUIs = {game_ui.game.key: game_ui for game_ui in (GLIMPSE,)}
