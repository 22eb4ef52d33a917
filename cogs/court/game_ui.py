"""Registers what Jester's Court shows on Discord."""

from __future__ import annotations

from cogs.court.cog import CourtCog
from cogs.court.drawing.emoji import EMOJI
from cogs.court.drawing.layout import LAYOUTS
from cogs.court.intro import EXAMPLE_POSITION
from cogs.court.screen import CourtScreen
from cogs.table.game_ui import GameUI

GAME_UI = GameUI(CourtCog, CourtScreen(), LAYOUTS, EXAMPLE_POSITION, emoji=EMOJI)
