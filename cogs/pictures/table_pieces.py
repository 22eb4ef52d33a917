"""The things on a table besides cards: tokens, plates, badges, and the felt."""

from __future__ import annotations

from functools import partial

from cogs.pictures import emblems
from cogs.pictures.raster import theme
from cogs.pictures.raster.pen import Drawing, Pen, draw_stretchable, place_outline, solid_rectangle, star_outline

_SEAT_SHAPES = {
    "square": [(-0.44, -0.44), (0.44, -0.44), (0.44, 0.44), (-0.44, 0.44)],
    "triangle": [(0, -0.5), (0.54, 0.44), (-0.54, 0.44)],
    "diamond": star_outline(4),
    "hexagon": star_outline(6, start_angle=0),
}
_CROSS_ARM = 0.25
_CROSS = [
    *(
        (-_CROSS_ARM, -0.5),
        (_CROSS_ARM, -0.5),
        (_CROSS_ARM, -_CROSS_ARM),
        (0.5, -_CROSS_ARM),
        (0.5, _CROSS_ARM),
        (_CROSS_ARM, _CROSS_ARM),
    ),
    *(
        (_CROSS_ARM, 0.5),
        (-_CROSS_ARM, 0.5),
        (-_CROSS_ARM, _CROSS_ARM),
        (-0.5, _CROSS_ARM),
        (-0.5, -_CROSS_ARM),
        (-_CROSS_ARM, -_CROSS_ARM),
    ),
]

PAPER_MARGIN = 12  # layout units around a sheet of paper
PLACE_LABELS = ("1st", "2nd", "3rd", "4th", "5th", "6th")  # in order of the places


def seat_token(seat: int, size: int, has_letter: bool = True) -> Drawing:
    """Return a seat's crest: its shape and colour, with its letter, or with its emblem if the name is shown."""
    pen, (shape, _, ink) = _draw_seat_shape(seat, size), theme.SEAT_SIGNS[seat]
    middle = 0.62 if shape == "triangle" else 0.5
    if has_letter:
        pen.text(0.5, middle + 0.02, theme.SEAT_LETTERS[seat], 0.4, ink)
    else:
        emblems.draw_crest_emblem(pen, seat, 0.5, middle, 0.44, ink)
    return pen.finish()


def computer_token(seat: int, size: int) -> Drawing:
    """Return the token of a seat that a computer plays: its shape and colour, with a face."""
    pen, (shape, _, ink) = _draw_seat_shape(seat, size), theme.SEAT_SIGNS[seat]
    across, down = (0.13, 0.56) if shape == "triangle" else (0.17, 0.42)
    for middle in (0.5 - across, 0.5 + across):
        pen.box(middle - 0.08, down - 0.08, middle + 0.08, down + 0.08, 0.02, ink)
    pen.box(0.5 - across - 0.04, down + 0.18, 0.5 + across + 0.04, down + 0.28, 0.02, ink)
    return pen.finish()


def hollow_token(seat: int, size: int) -> Drawing:
    """Return the crest of a free seat: the outline of its shape on the cloth."""
    pen, (shape, _, _) = _draw_seat_shape(seat, size), theme.SEAT_SIGNS[seat]
    if shape == "circle":
        pen.oval(0.5, 0.5, 0.3, 0.3, theme.FELT)
    else:
        outline = _CROSS if shape == "cross" else _SEAT_SHAPES[shape]
        share, middle = {"triangle": (0.46, 0.55), "cross": (0.62, 0.5), "diamond": (0.56, 0.5)}.get(shape, (0.6, 0.5))
        pen.polygon(place_outline(outline, 0.5, middle, share), theme.FELT)
    return pen.finish()


def _draw_seat_shape(seat: int, size: int) -> Pen:
    """Draw a seat's shape in its colour."""
    shape, colour, _ = theme.SEAT_SIGNS[seat]
    pen = Pen(1, 1, size)
    grown = {"triangle": 0.9, "diamond": 0.98}.get(shape, 0.94)
    if shape == "circle":
        pen.oval(0.5, 0.5, 0.46, 0.46, theme.SHADE, in_mask=True)
        pen.oval(0.5, 0.5, 0.42, 0.42, colour)
    else:
        outline = _CROSS if shape == "cross" else _SEAT_SHAPES[shape]
        pen.polygon(place_outline(outline, 0.5, 0.5, grown), theme.SHADE, in_mask=True)
        pen.polygon(place_outline(outline, 0.5, 0.51 if shape == "triangle" else 0.5, grown - 0.1), colour)
    return pen


def round_badge(letter: str, size: int, is_gold: bool) -> Drawing:
    """Return a round badge: `D` for the dealer, `T` for trump."""
    pen = Pen(1, 1, size)
    pen.oval(0.5, 0.5, 0.5, 0.5, theme.SHADE, in_mask=True)
    pen.oval(0.5, 0.5, 0.44, 0.44, theme.GOLD if is_gold else theme.IVORY)
    pen.text(0.5, 0.5, letter, 0.46, theme.INK)
    return pen.finish()


def panel(width: int, height: int, is_turn: bool) -> Drawing:
    """Return the background of a seat's plate, with a gold frame if it is the seat's turn."""
    return draw_stretchable(partial(_draw_panel, is_turn), width, height)


def _draw_panel(is_turn: bool, width: int, height: int) -> Drawing:
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 20, theme.GOLD if is_turn else theme.SHADE, in_mask=True)
    edge = 6 if is_turn else 2
    pen.box(edge, edge, width - edge, height - edge, 20 - edge, theme.PLATE)
    return pen.finish()


def trophy_badge(size: int) -> Drawing:
    """Return the badge of a trophy."""
    pen = Pen(1, 1, size)
    pen.oval(0.5, 0.5, 0.5, 0.5, theme.SHADE, in_mask=True)
    pen.oval(0.5, 0.5, 0.44, 0.44, theme.GOLD)
    emblems.draw_cup(pen, 0.5, 0.5, 0.62)
    return pen.finish()


def card_glow(unit: float, tilt: int = 0) -> Drawing:
    """Return a gold edge to put under a card that is turned clockwise by `tilt` degrees."""
    width, height = theme.CARD_SIZE
    pen = Pen(width + 12, height + 12, unit)
    pen.box(0, 0, width + 12, height + 12, 14, theme.SHADE, in_mask=True)
    pen.box(1, 1, width + 11, height + 11, 13, theme.GOLD)
    return pen.finish(tilt=tilt)


def group_bar(width: int) -> Drawing:
    """Return a gold bar to put under cards that belong together."""
    pen = Pen(width, 10)
    pen.box(2, 2, width - 2, 8, 3, theme.GOLD, in_mask=True)
    return pen.finish()


def empty_card_place(unit: float) -> Drawing:
    """Return an empty place for a card."""
    width, height = theme.CARD_SIZE
    pen = Pen(width, height, unit)
    pen.box(0, 0, width, height, 9, theme.FELT_DARK, in_mask=True)
    return pen.finish()


_DARKER_FELT = theme.mix_colours(theme.FELT, theme.FELT_DARK, 0.5)
_FRAME = (  # from the outside in, with their widths in pixels: whole ones and square corners make small files
    (theme.WOOD_LIGHT, 1),
    (theme.WOOD, 5),
    (theme.WOOD_DARK, 1),
    (theme.SHADE, 2),
    (theme.FELT_DARK, 5),
    (_DARKER_FELT, 6),
)


def felt_tray(height: int) -> Drawing:
    """Return the table: a wooden frame around cloth that darkens towards it.

    It fills the corners, so that it looks the same on light and dark backgrounds.
    """
    return draw_stretchable(_draw_tray, theme.WIDTH, height)


def _draw_tray(width: int, height: int) -> Drawing:
    pen = Pen(width, height)
    edge = 0.0
    for colour, pixels in (*_FRAME, (theme.FELT, 0)):
        pen.box(edge, edge, width - edge, height - edge, 0, colour)
        edge += pixels / theme.PIXELS_PER_UNIT
    return pen.finish(covers_all=True)


RIM_HEIGHT = 10  # layout units of wood


def tray_rim() -> Drawing:
    """Return the lower edge of the frame, to put over what is stuck behind it."""
    tray = _draw_tray(theme.WIDTH, 100).image
    return Drawing(tray.crop((0, tray.height - round(RIM_HEIGHT * theme.PIXELS_PER_UNIT), *tray.size)), None)


def paper_sheet(height: int) -> Drawing:
    """Return a sheet of paper on the cloth."""
    return draw_stretchable(_draw_paper, theme.WIDTH, height)


def _draw_paper(width: int, height: int) -> Drawing:
    pen = Pen(width, height, ground=theme.FELT_DARK)
    pixel = 1 / theme.PIXELS_PER_UNIT
    pen.box(4 * pixel, 4 * pixel, width - 2 * pixel, height - 2 * pixel, 0, theme.SHADE)
    pen.box(4 * pixel, 4 * pixel, width - 5 * pixel, height - 5 * pixel, 0, theme.PAPER_EDGE)
    pen.box(5 * pixel, 5 * pixel, width - 7 * pixel, height - 7 * pixel, 0, theme.PAPER)
    return pen.finish(covers_all=True)


def paper_band(height: int) -> Drawing:
    """Return the band behind every other line of a score sheet."""
    return solid_rectangle(theme.WIDTH - 2 * PAPER_MARGIN, height, theme.PAPER_BAND)


def winner_label(width: int, height: int) -> Drawing:
    """Return the gold ground of the winner's total."""
    return draw_stretchable(_draw_winner_label, width, height)


def _draw_winner_label(width: int, height: int) -> Drawing:
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 14, theme.GOLD_DARK, in_mask=True)
    pen.box(2, 2, width - 2, height - 3, 12, theme.GOLD)
    return pen.finish()
