"""How Wizard's picture is laid out: the table, the trick, and a hand."""

from __future__ import annotations

from cogs.pictures.raster.canvas import Layouts
from cogs.wizard.drawing.layout import lay_wizard
from cogs.wizard.spec import WizardPicture

LAYOUTS: Layouts = {WizardPicture: lay_wizard}
