"""How the Court's picture is laid out (layout), its board, and the pieces that are drawn on it."""

from __future__ import annotations

from cogs.court.drawing.layout import lay_court
from cogs.court.spec import CourtPicture
from cogs.pictures.raster.canvas import Layouts

LAYOUTS: Layouts = {CourtPicture: lay_court}
