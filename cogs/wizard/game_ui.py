"""Registers what Wizard shows on Discord."""

from __future__ import annotations

from cogs.table.game_ui import GameUI
from cogs.wizard.cog import WizardCog
from cogs.wizard.drawing.emoji import EMOJI
from cogs.wizard.drawing.layout import LAYOUTS
from cogs.wizard.intro import EXAMPLE_POSITION
from cogs.wizard.screen import WizardScreen

GAME_UI = GameUI(WizardCog, WizardScreen(), LAYOUTS, EXAMPLE_POSITION, emoji=EMOJI)
