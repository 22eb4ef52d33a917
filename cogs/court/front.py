"""The Court as Discord gets to see it."""

from __future__ import annotations

from cogs.court.cog import CourtCog
from cogs.court.drawing import LAYOUTS
from cogs.court.primer import PRIMER
from cogs.court.screen import CourtScreen
from cogs.table.game_ui import Front

FRONT = Front(CourtCog, CourtScreen(), LAYOUTS, PRIMER)
