"""Wizard as Discord gets to see it."""

from __future__ import annotations

from cogs.table.game_ui import Front
from cogs.wizard.cog import WizardCog
from cogs.wizard.drawing import LAYOUTS
from cogs.wizard.primer import PRIMER
from cogs.wizard.screen import WizardScreen

FRONT = Front(WizardCog, WizardScreen(), LAYOUTS, PRIMER)
