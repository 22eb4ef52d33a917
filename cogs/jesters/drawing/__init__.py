"""How Jesters' pictures are laid out: stage (the table), hand (and the final scoring), with an attempt on both.

Below these: parts (Performances, Gifts, rows of dice), and the single cards, dice and icons.
"""

from __future__ import annotations

from cogs.jesters.drawing.hand import lay_jesters_hand, lay_jesters_sheet
from cogs.jesters.drawing.stage import lay_stage
from cogs.jesters.spec import JestersHand, JestersSheet, Stage
from cogs.pictures.canvas import Layouts

LAYOUTS: Layouts = {Stage: lay_stage, JestersHand: lay_jesters_hand, JestersSheet: lay_jesters_sheet}
