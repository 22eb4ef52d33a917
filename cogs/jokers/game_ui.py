"""Registers what Jokers shows on Discord."""

from __future__ import annotations

from cogs.jokers.cog import JokersCog
from cogs.jokers.drawing.layout import LAYOUTS
from cogs.jokers.intro import EXAMPLE_POSITION
from cogs.jokers.screen import JokersScreen
from cogs.table.game_ui import GameUI

GAME_UI = GameUI(JokersCog, JokersScreen(), LAYOUTS, EXAMPLE_POSITION)
