"""Registers what Jesters shows on Discord."""

from __future__ import annotations

from cogs.jesters.cog import JestersCog
from cogs.jesters.drawing.emoji import EMOJI
from cogs.jesters.drawing.layout import LAYOUTS
from cogs.jesters.intro import EXAMPLE_POSITION
from cogs.jesters.screen import JestersScreen
from cogs.table.game_ui import GameUI

GAME_UI = GameUI(JestersCog, JestersScreen(), LAYOUTS, EXAMPLE_POSITION, emoji=EMOJI)
