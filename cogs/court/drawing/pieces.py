"""Sprites of the Court's board: Mages, Menhirs, squares, edges, arrows, marks, dice."""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image

from cogs.pictures import emblems
from cogs.pictures.raster import theme
from cogs.pictures.raster.pen import CAPITAL_HEIGHT, Drawing, Pen, Point, place_outline, star_outline

EDGE_THICKNESS = 30  # of the strip along an edge
_EDGE_SIGNS = 5  # suits along an edge
TILE_HEIGHT = 44  # of a card's label
_PIP_OFFSET = 0.25
_DIE_PIPS: dict[int, tuple[Point, ...]] = {
    1: ((0, 0),),
    2: ((-_PIP_OFFSET, -_PIP_OFFSET), (_PIP_OFFSET, _PIP_OFFSET)),
    3: ((-_PIP_OFFSET, -_PIP_OFFSET), (0, 0), (_PIP_OFFSET, _PIP_OFFSET)),
    4: (
        (-_PIP_OFFSET, -_PIP_OFFSET),
        (_PIP_OFFSET, -_PIP_OFFSET),
        (-_PIP_OFFSET, _PIP_OFFSET),
        (_PIP_OFFSET, _PIP_OFFSET),
    ),
    5: (
        (-_PIP_OFFSET, -_PIP_OFFSET),
        (_PIP_OFFSET, -_PIP_OFFSET),
        (0, 0),
        (-_PIP_OFFSET, _PIP_OFFSET),
        (_PIP_OFFSET, _PIP_OFFSET),
    ),
    6: (
        (-_PIP_OFFSET, -_PIP_OFFSET),
        (_PIP_OFFSET, -_PIP_OFFSET),
        (-_PIP_OFFSET, 0),
        (_PIP_OFFSET, 0),
        (-_PIP_OFFSET, _PIP_OFFSET),
        (_PIP_OFFSET, _PIP_OFFSET),
    ),
}
_SEAT_SHAPES: dict[str, list[Point]] = {
    "square": [(-0.44, -0.44), (0.44, -0.44), (0.44, 0.44), (-0.44, 0.44)],
    "triangle": [(0, -0.56), (0.58, 0.44), (-0.58, 0.44)],
    "diamond": star_outline(4, outer=0.56, inner=0.56),
}
MENHIR_OUTLINE: list[Point] = [
    (-0.36, 0.5),
    (-0.3, -0.2),
    (-0.2, -0.42),
    (0.02, -0.5),
    (0.2, -0.4),
    (0.3, -0.14),
    (0.38, 0.5),
]
_ROTATIONS: dict[str, Callable[[float, float], Point]] = {  # for a drawing that points to the right
    "D": lambda x, y: (x, y),
    "C": lambda x, y: (-x, -y),
    "S": lambda x, y: (-y, x),
    "H": lambda x, y: (y, -x),
}


def mage(seat: int, size: int) -> Drawing:
    """A Mage with its seat's shape and colour."""
    pen = Pen(1, 1, size)
    _draw_mage(pen, seat)
    return pen.finish()


def mage_outline(seat: int, size: int) -> Drawing:
    """A Mage's possible destination: its hollow shape."""
    pen = Pen(1, 1, size)
    _draw_mage(pen, seat)
    shape = theme.SEAT_SIGNS[seat][0]
    if shape == "circle":
        pen.oval(0.5, 0.5, 0.27, 0.27, theme.SHADE)
    else:
        low = 0.56 if shape == "triangle" else 0.5
        pen.polygon(place_outline(_SEAT_SHAPES[shape], 0.5, low, 0.46 if shape == "triangle" else 0.5), theme.SHADE)
    return pen.finish()


def _draw_mage(pen: Pen, seat: int) -> None:
    shape, colour, _ = theme.SEAT_SIGNS[seat]
    if shape == "circle":
        pen.oval(0.5, 0.5, 0.49, 0.49, theme.SHADE, in_mask=True)
        pen.oval(0.5, 0.5, 0.43, 0.43, colour)
        return
    low = 0.54 if shape == "triangle" else 0.5
    pen.polygon(place_outline(_SEAT_SHAPES[shape], 0.5, low, 0.94), theme.SHADE, in_mask=True)
    pen.polygon(place_outline(_SEAT_SHAPES[shape], 0.5, low + (0.015 if shape == "triangle" else 0), 0.82), colour)


def menhir(seat: int, size: int) -> Drawing:
    """A standing stone with its owner's shape on it."""
    pen = Pen(1, 1, size)
    pen.polygon(place_outline(MENHIR_OUTLINE, 0.5, 0.5, 0.98), theme.SHADE, in_mask=True)
    pen.polygon(place_outline(MENHIR_OUTLINE, 0.5, 0.5, 0.86), theme.MIST)
    shape, colour, _ = theme.SEAT_SIGNS[seat]
    if shape == "circle":
        pen.oval(0.5, 0.56, 0.22, 0.22, theme.SHADE)
        pen.oval(0.5, 0.56, 0.17, 0.17, colour)
    else:
        pen.polygon(place_outline(_SEAT_SHAPES[shape], 0.5, 0.57, 0.46), theme.SHADE)
        pen.polygon(place_outline(_SEAT_SHAPES[shape], 0.5, 0.57, 0.34), colour)
    return pen.finish()


def board_squares(columns: int, rows: int, cell: int, dark: int) -> Drawing:
    """A row of light and dark squares; `dark` is the colour of the first one."""
    light, deep = (
        _stripe_row(columns, cell, theme.FELT, theme.FELT_DARK),
        _stripe_row(columns, cell, theme.FELT_DARK, theme.FELT),
    )
    down = _stripe_row(rows, cell, (0, 0, 0), (255, 255, 255)).convert("L").transpose(Image.Transpose.TRANSPOSE)
    size = (light.width, down.height)
    even, odd = (deep, light) if dark else (light, deep)
    image = even.resize(size, Image.Resampling.NEAREST)
    image.paste(odd.resize(size, Image.Resampling.NEAREST), mask=down.resize(size, Image.Resampling.NEAREST))
    return Drawing(image, None, is_woven=True)


def _stripe_row(count: int, cell: int, one: theme.Colour, other: theme.Colour) -> Image.Image:
    """A line of alternating colours, one pixel high, from which squares are built."""
    pen = Pen(count * cell, 1 / theme.PIXELS_PER_UNIT, ground=one)
    for i in range(1, count, 2):
        pen.box(i * cell, 0, (i + 1) * cell, 2, 0, other)
    return pen.finish(covers_all=True).image


def marked_square(kind: str, cell: int) -> Drawing:
    """A `start` square with its star, or a `free` one that can be chosen."""
    pen = Pen(1, 1, cell)
    pen.box(0, 0, 1, 1, 0, theme.GOLD_DARK if kind == "start" else theme.GOLD, in_mask=True)
    pen.box(0.08, 0.08, 0.92, 0.92, 0.05, theme.PLATE)
    pen.polygon(place_outline(emblems.STAR, 0.5, 0.52, 0.74), theme.GOLD_DARK if kind == "start" else theme.GOLD)
    return pen.finish(covers_all=True)


def edge_strip(suit: str, length: int) -> Drawing:
    """An edge of the board, with its suit along its whole length, because it can be crossed anywhere."""
    width, height = (length, EDGE_THICKNESS) if suit in "HS" else (EDGE_THICKNESS, length)
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 0, theme.SHADE, in_mask=True)
    pen.box(1, 1, width - 1, height - 1, 0, theme.IVORY)
    for i in range(_EDGE_SIGNS):
        along = length * (i + 0.5) / _EDGE_SIGNS
        x, y = (along, EDGE_THICKNESS / 2) if suit in "HS" else (EDGE_THICKNESS / 2, along)
        emblems.draw_pip(pen, suit, x, y, 24)
    return pen.finish(covers_all=True)


def edge_tick(size: int) -> Drawing:
    """A tick on an edge whose banner is claimed already."""
    pen = Pen(1, 1, size)
    pen.oval(0.5, 0.5, 0.5, 0.5, theme.SHADE, in_mask=True)
    pen.oval(0.5, 0.5, 0.43, 0.43, theme.LIME)
    pen.line([(0.28, 0.52), (0.45, 0.68), (0.72, 0.34)], 0.12, theme.INK)
    return pen.finish()


def edge_crossing(suit: str, size: int, brings: bool) -> Drawing:
    """A possible crossing of an edge: the banner that it brings, or an arrowhead."""
    pen = Pen(1, 1, size)
    if brings:
        _draw_banner(pen, suit, 0.14, 0, 0.76)
        return pen.finish()
    turn = _ROTATIONS[suit]
    for share, ink in ((1.0, theme.SHADE), (0.72, theme.GOLD)):
        corners = [turn(x * share, y * share) for x, y in ((-0.4, -0.46), (0.46, 0), (-0.4, 0.46))]
        pen.polygon([(x + 0.5, y + 0.5) for x, y in corners], ink, in_mask=True)
    return pen.finish()


def arrow(suit: str, length: int, width: int) -> Drawing:
    """An arrow towards a suit's edge, with a round tail."""
    head = min(2.2 * width, 0.8 * length)
    size = (length, 3 * width) if suit in "CD" else (3 * width, length)
    pen = Pen(*size, ground=theme.FELT)
    turn = _ROTATIONS[suit]

    def at(x: float, y: float) -> Point:
        tx, ty = turn(x - length / 2, y)
        return tx + size[0] / 2, ty + size[1] / 2

    for grow, ink in ((0.0, theme.SHADE), (width * 0.16, theme.GOLD)):
        half = width / 2 - grow
        shaft = [at(grow, -half), at(length - head, -half), at(length - head, half), at(grow, half)]
        tip = [at(length - head + grow, -1.35 * width + 2 * grow), at(length - 1.6 * grow, 0)]
        pen.polygon(shaft, ink, in_mask=True)
        pen.polygon([*tip, at(length - head + grow, 1.35 * width - 2 * grow)], ink, in_mask=True)
    return pen.finish()


def mage_halo(size: int) -> Drawing:
    """A gold ring below the player's own Mage."""
    pen = Pen(1, 1, size)
    pen.oval(0.5, 0.5, 0.5, 0.5, theme.SHADE, in_mask=True)
    pen.oval(0.5, 0.5, 0.48, 0.48, theme.GOLD)
    pen.oval(0.5, 0.5, 0.42, 0.42, theme.SHADE)
    return pen.finish()


def path_dot(size: int) -> Drawing:
    """A dot on a square that a Mage would pass."""
    pen = Pen(1, 1, size)
    pen.oval(0.5, 0.5, 0.5, 0.5, theme.GOLD, in_mask=True)
    return pen.finish()


def die(face: int, size: int) -> Drawing:
    """A rolled die."""
    pen = Pen(1, 1, size)
    pen.box(0, 0, 1, 1, 0.2, theme.SHADE, in_mask=True)
    pen.box(0.04, 0.04, 0.96, 0.96, 0.17, theme.IVORY)
    for x, y in place_outline(_DIE_PIPS[face], 0.5, 0.5, 1):
        pen.oval(x, y, 0.1, 0.1, theme.INK)
    return pen.finish()


def banner(suit: str, size: int) -> Drawing:
    """A claimed banner: a hanging flag in a square of this size."""
    pen = Pen(1, 1, size)
    _draw_banner(pen, suit, 0.13, 0, 0.76)
    return pen.finish()


def _draw_banner(pen: Pen, suit: str, x: float, y: float, width: float) -> None:
    outline = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.3), (0.5, 1.08), (0.0, 1.3)]
    inner = [(0.07, 0.07), (0.93, 0.07), (0.93, 1.18), (0.5, 0.99), (0.07, 1.18)]
    for points, ink in ((outline, theme.GOLD), (inner, theme.IVORY)):
        pen.polygon([(x + width * px, y + width * py) for px, py in points], ink, in_mask=True)
    emblems.draw_pip(pen, suit, x + width / 2, y + width * 0.53, width * 0.76)


def banner_place(suit: str, size: int) -> Drawing:
    """The place of a banner that a seat lacks: a hollow flag."""
    pen = Pen(1, 1, size, theme.PLATE)
    outline = [(0.13, 0.0), (0.89, 0.0), (0.89, 0.99), (0.51, 0.82), (0.13, 0.99)]
    inner = [(0.19, 0.06), (0.83, 0.06), (0.83, 0.89), (0.51, 0.74), (0.19, 0.89)]
    pen.polygon(outline, theme.MIST, in_mask=True)
    pen.polygon(inner, theme.PLATE)
    emblems.draw_pip(pen, suit, 0.51, 0.4, 0.46, paint=theme.MIST)
    return pen.finish()


def health_sign(is_low: bool, size: int) -> Drawing:
    """The cross beside a seat's health."""
    pen = Pen(1, 1, size, theme.PLATE)
    colour = theme.ROSE if is_low else theme.LIME
    pen.box(0.34, 0, 0.66, 1, 0.05, colour, in_mask=True)
    pen.box(0, 0.34, 1, 0.66, 0.05, colour, in_mask=True)
    return pen.finish()


def card_tile(key: str, seat: int, unit: float) -> Drawing:
    """A card as a small label; on the board its edge has the colour of the seat whose Mage it moves (-1: none)."""
    width, height = tile_size(key)
    pen = Pen(width, height, unit)
    pen.box(0, 0, width, height, 10, theme.SHADE, in_mask=True)
    pen.box(2, 2, width - 2, height - 2, 8, theme.SEAT_SIGNS[seat][1] if seat >= 0 else theme.CREAM)
    pen.box(5, 5, width - 5, height - 5, 5, theme.IVORY)
    if key == "menhir":
        pen.polygon(place_outline(MENHIR_OUTLINE, width / 2, height / 2, 35), theme.SHADE)
        pen.polygon(place_outline(MENHIR_OUTLINE, width / 2, height / 2, 30), theme.MIST)
        return pen.finish()
    rank, suit = key[:-1], key[-1]
    pen.text((width - 26) / 2, height / 2, rank, 33 * CAPITAL_HEIGHT, theme.SUIT_COLOURS[suit])
    emblems.draw_pip(pen, suit, width - 20, height / 2, 25)
    return pen.finish()


def tile_size(key: str) -> tuple[int, int]:
    """The size of a card's label."""
    return 78 if key.startswith("10") else 62, TILE_HEIGHT


def tile_glow(key: str, unit: float) -> Drawing:
    """A gold edge below the label of the chosen card."""
    width, height = tile_size(key)
    pen = Pen(width + 12, height + 12, unit)
    pen.box(0, 0, width + 12, height + 12, 14, theme.SHADE, in_mask=True)
    pen.box(1, 1, width + 11, height + 11, 13, theme.GOLD)
    return pen.finish()


def name_ground(width: int, height: int) -> Drawing:
    """The ground of a square's name."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 8, theme.PLATE, in_mask=True)
    return pen.finish()


def gold_frame(width: int, height: int) -> Drawing:
    """A thin gold frame, open in the middle."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 0, theme.GOLD)
    for x0, y0, x1, y1 in (
        (0, 0, width, 4),
        (0, height - 4, width, height),
        (0, 0, 4, height),
        (width - 4, 0, width, height),
    ):
        pen.box(x0, y0, x1, y1, 0, theme.GOLD, in_mask=True)
    return pen.finish()
