"""How Wizard's pictures are laid out: the table, and a hand."""

from __future__ import annotations

from cogs.pictures.canvas import Layouts
from cogs.wizard.drawing.hand import lay_hand
from cogs.wizard.drawing.table import lay_table
from cogs.wizard.spec import HandPicture, TrickTable

LAYOUTS: Layouts = {HandPicture: lay_hand, TrickTable: lay_table}
