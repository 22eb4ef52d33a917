"""Registers what Jest shows on Discord."""

from __future__ import annotations

from cogs.jest.cog import JestCog
from cogs.jest.drawing.layout import LAYOUTS
from cogs.jest.intro import EXAMPLE_POSITION
from cogs.jest.screen import JestScreen
from cogs.table.game_ui import GameUI

GAME_UI = GameUI(JestCog, JestScreen(), LAYOUTS, EXAMPLE_POSITION)
