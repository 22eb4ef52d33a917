"""Pictures: what a screen wants drawn, as PNG."""

from __future__ import annotations

from collections.abc import Callable

from cogs.court.drawing.layouts import lay_court_hand, lay_court_table
from cogs.court.spec import CourtHand, CourtTable
from cogs.jest.drawing import lay_jest_hand, lay_jest_sheet, lay_jest_table
from cogs.jesters.drawing.hand import lay_jesters_hand, lay_jesters_sheet
from cogs.jesters.drawing.stage import lay_stage
from cogs.jokers.drawing import lay_groups, lay_pile_table
from cogs.pictures.canvas import Canvas, Surface
from cogs.pictures.sheet import lay_sheet
from cogs.pictures.spec import (
    GroupedHand,
    HandPicture,
    JestersHand,
    JestersSheet,
    JestHand,
    JestSheet,
    JestTable,
    PileTable,
    ScoreSheet,
    Spec,
    Stage,
    TrickTable,
)
from cogs.wizard.drawing.hand import lay_hand
from cogs.wizard.drawing.table import lay_table

__all__ = ["lay", "render"]


def render(spec: Spec) -> bytes:
    """The picture as a PNG. May be called from any thread or process."""
    canvas = lay(spec, Canvas)
    assert isinstance(canvas, Canvas)
    return canvas.png()


def lay(spec: Spec, start: Callable[[str, int], Surface]) -> Surface:
    """Draw on a surface that `start` makes from a ground's name and a height."""
    match spec:
        case HandPicture():
            return lay_hand(spec, start)
        case TrickTable():
            return lay_table(spec, start)
        case ScoreSheet():
            return lay_sheet(spec, start)
        case GroupedHand():
            return lay_groups(spec, start)
        case PileTable():
            return lay_pile_table(spec, start)
        case JestTable():
            return lay_jest_table(spec, start)
        case JestHand():
            return lay_jest_hand(spec, start)
        case JestSheet():
            return lay_jest_sheet(spec, start)
        case Stage():
            return lay_stage(spec, start)
        case JestersHand():
            return lay_jesters_hand(spec, start)
        case JestersSheet():
            return lay_jesters_sheet(spec, start)
        case CourtTable():
            return lay_court_table(spec, start)
        case CourtHand():
            return lay_court_hand(spec, start)
