"""The layout of a score sheet, in strips that are reused while it grows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cogs.pictures import table_pieces
from cogs.pictures.names import lay_name
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import DrawingSurface, S, SurfaceFactory
from cogs.pictures.raster.letters import fit_text, text_width
from cogs.pictures.raster.strips import lay_strip
from cogs.pictures.result_banner import banner_height, lay_banner
from cogs.pictures.spec import ScoreSheet, SheetRow

_TOKEN, _NAME, _PLACE, _EDGE = 44, 36, 40, 24
_LINE, _TOTALS, _GAP = 42, 84, 12
_STRIP_HEIGHT = 300  # at most; as a sheet grows, the strips above are already packed
_MIN_ONE_LINE = 290  # the width from which a cell's texts fit side by side
_MIN_WITHOUT_NOTE = 200  # likewise of a cell without a note
_MAX_RESULT_HEIGHT = 980  # of a sheet below a banner, so that a phone shows the whole result


def lay_sheet(spec: ScoreSheet, make_surface: SurfaceFactory[S]) -> S:
    """Lay one column per seat with its token and name, one line per round with its points, and the totals below.

    In the sheet of a result, a line is for several rounds if there is no room for each of them.
    """
    spec = spec if spec.banner is None else _shorten(spec)
    step, start, places, top = _row_height(spec), _top_edge(spec), _shown_places(spec), _rows_top(spec)
    low = top + step * len(spec.rows)
    surface = make_surface(table_pieces.paper_sheet, _height(spec), spec.cloth)
    label = _label_width(spec)
    width = (theme.WIDTH - label - _EDGE) / len(spec.totals)
    lefts = tuple(label + width * seat for seat in range(len(spec.totals)))
    lay_banner(surface, spec.banner)
    lay_strip(surface, banner_height(spec.banner), top, _lay_head, start, spec.note, spec.names, places, lefts, width)
    together = _STRIP_HEIGHT // step
    for first in range(0, len(spec.rows), together):
        rows = spec.rows[first : first + together]
        y = top + step * first
        lay_strip(surface, y, y + step * len(rows), _lay_rows, rows, first, y, step, lefts, width)
    lay_strip(
        surface, low, low + _TOTALS + _EDGE, _lay_totals, spec.totals, spec.places, low + _TOTALS / 2, lefts, width
    )
    return surface


def _shorten(spec: ScoreSheet) -> ScoreSheet:
    """Return the sheet of a result with as few rounds in a line as it takes to be no higher than a result may be."""
    sheets = (_join_rounds(spec, together) for together in range(1, len(spec.rows) + 1))
    return next((each for each in sheets if _height(each) <= _MAX_RESULT_HEIGHT), spec)


def _join_rounds(spec: ScoreSheet, together: int) -> ScoreSheet:
    """Return the sheet with that many rounds in each line: what they brought, and the total after them."""
    if together == 1 or not all(row.sums for row in spec.rows):
        return spec
    rows, before = [], [0] * len(spec.totals)
    for number in range(0, len(spec.rows), together):
        joined = spec.rows[number : number + together]
        first, last = joined[0], joined[-1]
        after = [int(total.replace("−", "-")) for total in last.sums]
        points = tuple(("", _signed(new - old)) for old, new in zip(before, after, strict=True))
        rows.append(SheetRow(first.name if first is last else f"{first.name}–{last.name}", points, last.sums))
        before = after
    return replace(spec, rows=tuple(rows), note=f"points of {together} rounds, total so far")


def _signed(points: int) -> str:
    return f"+{points}" if points > 0 else str(points).replace("-", "−")


def _top_edge(spec: ScoreSheet) -> int:
    return banner_height(spec.banner) + _EDGE


def _shown_places(spec: ScoreSheet) -> tuple[int, ...]:
    return spec.places if len(spec.places) > 2 else ()  # of two, the total in gold says it


def _rows_top(spec: ScoreSheet) -> int:
    """Return where the first line of a round begins."""
    head = _LINE * bool(spec.note) + _TOKEN + _NAME + _PLACE * bool(_shown_places(spec)) + 24
    return _top_edge(spec) + head


def _height(spec: ScoreSheet) -> int:
    return _rows_top(spec) + _row_height(spec) * len(spec.rows) + _TOTALS + _EDGE


def _lay_rows(
    surface: DrawingSurface,
    rows: Sequence[SheetRow],
    first: int,
    top: int,
    step: int,
    lefts: Sequence[float],
    width: float,
) -> None:
    """Lay consecutive lines; `first` is the number of the first one."""
    for i, row in enumerate(rows, first):
        y = top + step * (i - first)
        if i % 2 == 0:
            # Pixels are whole, so a full band could reach into the next strip.
            surface.paste(table_pieces.PAPER_MARGIN, y, table_pieces.paper_band, step - 1)
        surface.text(lefts[0] - _GAP, y + step / 2, row.name, theme.MIN_TYPE_SIZE, theme.BROWN, _row_colour(i), "r")
        for seat, x in enumerate(lefts):
            _lay_cell(surface, row, seat, x + 3, y, width - 6, step, _row_colour(i))


def _lay_totals(
    surface: DrawingSurface,
    totals: Sequence[str],
    places: Sequence[int],
    middle: float,
    lefts: Sequence[float],
    width: float,
) -> None:
    for seat, (x, total) in enumerate(zip(lefts, totals, strict=True)):
        if places and places[seat] == 1:
            label = round(min(width - 8, text_width(total, 52) + 40))
            surface.paste(x + (width - label) / 2, middle - 34, table_pieces.winner_label, label, 68)
            surface.text(x + width / 2, middle, total, 52, theme.INK, theme.GOLD)
            continue
        surface.text(x + width / 2, middle, total, 52, theme.INK, theme.PAPER)


def _row_colour(line: int) -> theme.Colour:
    return theme.PAPER_BAND if line % 2 == 0 else theme.PAPER


def _label_width(spec: ScoreSheet) -> int:
    """Return the width of the column with the names of the rounds."""
    return round(max([40.0, *(text_width(row.name, theme.MIN_TYPE_SIZE) for row in spec.rows)])) + _EDGE + _GAP


def _row_height(spec: ScoreSheet) -> int:
    """Return the height of a round: two lines if columns are narrow and cells have three texts."""
    width = (theme.WIDTH - _label_width(spec) - _EDGE) / len(spec.totals)
    has_notes = any(note for row in spec.rows for note, _ in row.cells)
    one_line = _MIN_ONE_LINE if has_notes else _MIN_WITHOUT_NOTE
    return _LINE + 6 if width >= one_line or not any(row.sums for row in spec.rows) else 2 * _LINE


def _lay_head(
    surface: DrawingSurface,
    y: float,
    note: str,
    names: Sequence[str],
    places: Sequence[int],
    lefts: Sequence[float],
    width: float,
) -> None:
    if note:
        fitted, size = fit_text(note, theme.WIDTH - 2 * _EDGE, theme.MIN_TYPE_SIZE)
        surface.text(_EDGE, y + _LINE / 2, fitted, size, theme.BROWN, theme.PAPER, "l")
        y += _LINE
    for seat, x in enumerate(lefts):
        middle = x + width / 2
        surface.paste(middle - _TOKEN / 2, y + 4, table_pieces.seat_token, seat, _TOKEN, False)
        called = names[seat] if names else theme.SEAT_LETTERS[seat]
        lay_name(surface, middle, y + _TOKEN + 8 + _NAME / 2, called, width - 8, theme.INK, theme.PAPER)
        if places:
            place = table_pieces.PLACE_LABELS[places[seat] - 1]
            surface.text(middle, y + _TOKEN + _NAME + 12 + _PLACE / 2, place, 36, theme.BROWN, theme.PAPER)


def _lay_cell(
    surface: DrawingSurface, row: SheetRow, seat: int, x: float, y: float, width: float, step: int, ground: theme.Colour
) -> None:
    """Lay a seat's cell of a round: its note, the points, and the sum after it."""
    note, points = row.cells[seat]
    ink = theme.GREEN if points.startswith("+") else theme.CRIMSON if points.startswith("−") else theme.BROWN
    one_line = step < 2 * _LINE
    y += (step if one_line else _LINE + 8) / 2
    if row.sums:
        surface.text(x + width, y, row.sums[seat], 36, theme.INK, ground, "r")
        width -= 100 if one_line else 0
        y += 0 if one_line else _LINE - 6
    surface.text(x + width, y, points, theme.MIN_TYPE_SIZE, ink, ground, "r")
    surface.text(x + width - (68 if width < 150 else 90), y, note, theme.MIN_TYPE_SIZE, theme.BROWN, ground, "r")
