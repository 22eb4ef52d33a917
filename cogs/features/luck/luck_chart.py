"""A luck chart and its layout: on paper, how often things came, next to bars for what chance allows."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor

from cogs.pictures import table_pieces
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import S, SurfaceFactory
from cogs.pictures.raster.letters import fit_text
from cogs.pictures.raster.pen import Drawing, Pen

_EDGE, _TITLE, _LABELS, _GAP = 24, 56, 128, 18
_PLOT = 190  # the height of a panel's plot
_REACH, _MOST = 52, 1.5  # half the height of a bar, and how many times as far a mark can be from its middle
_PANEL = _TITLE + _PLOT + _LABELS
_BAR, _DOT = 36, 34


@dataclass(frozen=True, slots=True)
class LuckColumn:
    """How often something came, and the range in which chance puts it 19 times of 20.

    `deviation` is the place of the count: 0 in the middle of that range, −1 and 1 at its ends.
    """

    label: str
    count: int
    low: float
    high: float
    deviation: float

    @property
    def is_unusual(self) -> bool:
        """Whether it is outside of the range."""
        return not self.low <= self.count <= self.high

    @property
    def range(self) -> str:
        """The range in whole numbers: `8–15`."""
        return f"{ceil(self.low)}–{floor(self.high)}"


@dataclass(frozen=True, slots=True)
class LuckPanel:
    """A thing that chance gives, such as the dice, with a column for each seat or face."""

    title: str
    columns: tuple[LuckColumn, ...]


@dataclass(frozen=True, slots=True)
class LuckChart:
    """How luck was spread in many matches."""

    panels: tuple[LuckPanel, ...]


def lay_luck_chart(spec: LuckChart, make_surface: SurfaceFactory[S]) -> S:
    """Lay one panel below the other: its title, a bar and a mark for each column, and both numbers in words."""
    surface = make_surface(table_pieces.paper_sheet, 2 * _EDGE + len(spec.panels) * (_PANEL + _GAP) - _GAP)
    for number, panel in enumerate(spec.panels):
        _lay_panel(surface, panel, _EDGE + number * (_PANEL + _GAP))
    return surface


def _lay_panel(surface: S, panel: LuckPanel, top: float) -> None:
    title, size = fit_text(panel.title, theme.WIDTH - 2 * _EDGE - 40, theme.NAME_TYPE_SIZE)
    surface.text(_EDGE + 12, top + _TITLE / 2, title, size, theme.INK, theme.PAPER, "l")
    surface.paste(table_pieces.PAPER_MARGIN, top + _TITLE, table_pieces.paper_band, _PLOT)
    centre = top + _TITLE + _PLOT / 2
    width = (theme.WIDTH - 2 * _EDGE) / len(panel.columns)
    for number, column in enumerate(panel.columns):
        middle = _EDGE + width * (number + 0.5)
        place = max(-_MOST, min(_MOST, column.deviation))
        surface.paste(middle - _BAR / 2, centre - _REACH, error_bar)
        surface.paste(middle - _DOT / 2, centre - _REACH * place - _DOT / 2, luck_mark, column.is_unusual)
        _lay_labels(surface, column, middle, top + _TITLE + _PLOT, width)


def _lay_labels(surface: S, column: LuckColumn, middle: float, top: float, width: float) -> None:
    ink = theme.CRIMSON if column.is_unusual else theme.INK
    counted = f"{column.count}{' !' if column.is_unusual else ''}"
    for line, (text, colour) in enumerate(((column.label, theme.BROWN), (counted, ink), (column.range, theme.BROWN))):
        fitted, size = fit_text(text, width - 8, theme.NAME_TYPE_SIZE if line == 1 else theme.MIN_TYPE_SIZE)
        surface.text(middle, top + 24 + 40 * line, fitted, size, colour, theme.PAPER)


def error_bar() -> Drawing:
    """Return the bar from the least to the most that chance allows, with its ends and its middle."""
    height = 2 * _REACH
    pen = Pen(_BAR, height, ground=theme.BROWN)
    pen.box(_BAR / 2 - 3, 0, _BAR / 2 + 3, height, 0, theme.BROWN, in_mask=True)
    for top in (0, _REACH - 3, height - 6):
        pen.box(0, top, _BAR, top + 6, 0, theme.BROWN, in_mask=True)
    return pen.finish()


def luck_mark(is_unusual: bool) -> Drawing:
    """Return the mark for how often something came: a disc, or a diamond if that is unusual."""
    colour = theme.CRIMSON if is_unusual else theme.GREEN
    pen = Pen(_DOT, _DOT, ground=colour)
    half = _DOT / 2
    if is_unusual:
        pen.polygon(((half, 0), (_DOT, half), (half, _DOT), (0, half)), colour, in_mask=True)
    else:
        pen.oval(half, half, half - 3, half - 3, colour, in_mask=True)
    return pen.finish()
