"""How Jesters' pictures are laid out: stage, which is the table and with a hand below it everybody's own picture.

Below it: attempt, parts (Performances, requirements), hand (Jest cards, Gifts), and the single cards, dice and icons.
"""

from __future__ import annotations

from cogs.jesters.drawing.stage import lay_stage
from cogs.jesters.spec import Stage
from cogs.pictures.raster.canvas import Layouts

LAYOUTS: Layouts = {Stage: lay_stage}
