"""The example's registry of fronts, as `cogs/games.py` is that of the games that can be played."""

from __future__ import annotations

from cogs.table.game_ui import GameUIs
from tests.example.cogs.glimpse.game_ui import GAME_UI as GLIMPSE

GAME_UIS: GameUIs = {front.game.key: front for front in (GLIMPSE,)}
