"""How the Court's pictures are laid out (layouts), its board, and the pieces that are drawn on both."""

from __future__ import annotations

from cogs.court.drawing.layouts import lay_court_hand, lay_court_table
from cogs.court.spec import CourtHand, CourtTable
from cogs.pictures.canvas import Layouts

LAYOUTS: Layouts = {CourtTable: lay_court_table, CourtHand: lay_court_hand}
