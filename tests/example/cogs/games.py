"""The example's registry of fronts, as `cogs/games.py` is that of the games that can be played."""

from __future__ import annotations

from cogs.table.game_ui import Fronts
from tests.example.cogs.glimpse.front import FRONT as GLIMPSE

FRONTS: Fronts = {front.game.key: front for front in (GLIMPSE,)}
