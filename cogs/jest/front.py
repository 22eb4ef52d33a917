"""Jest as Discord gets to see it."""

from __future__ import annotations

from cogs.jest.cog import JestCog
from cogs.jest.drawing import LAYOUTS
from cogs.jest.primer import PRIMER
from cogs.jest.screen import JestScreen
from cogs.table.game_ui import Front

FRONT = Front(JestCog, JestScreen(), LAYOUTS, PRIMER)
