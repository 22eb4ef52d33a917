"""What stands and lies on the Court's board: Mages, Menhirs, squares, edges, arrows, marks, dice."""

from __future__ import annotations

from collections.abc import Callable

from cogs.pictures import emblems, faces, theme
from cogs.pictures.pen import Art, Pen, Point, placed, ring

BAND = 26  # how thick the edge of a suit is
PIPS = 6  # of a Mage's health
_FAR = 0.25
_FACES: dict[int, tuple[Point, ...]] = {
    1: ((0, 0),),
    2: ((-_FAR, -_FAR), (_FAR, _FAR)),
    3: ((-_FAR, -_FAR), (0, 0), (_FAR, _FAR)),
    4: ((-_FAR, -_FAR), (_FAR, -_FAR), (-_FAR, _FAR), (_FAR, _FAR)),
    5: ((-_FAR, -_FAR), (_FAR, -_FAR), (0, 0), (-_FAR, _FAR), (_FAR, _FAR)),
    6: ((-_FAR, -_FAR), (_FAR, -_FAR), (-_FAR, 0), (_FAR, 0), (-_FAR, _FAR), (_FAR, _FAR)),
}
_SHAPES: dict[str, list[Point]] = {
    "square": [(-0.44, -0.44), (0.44, -0.44), (0.44, 0.44), (-0.44, 0.44)],
    "triangle": [(0, -0.56), (0.58, 0.44), (-0.58, 0.44)],
    "diamond": ring(4, outer=0.56, inner=0.56),
}
_LETTERS = {"circle": (0.5, 0.5), "square": (0.5, 0.52), "triangle": (0.63, 0.4), "diamond": (0.5, 0.42)}
_STONE: list[Point] = [(-0.36, 0.5), (-0.3, -0.2), (-0.2, -0.42), (0.02, -0.5), (0.2, -0.4), (0.3, -0.14), (0.38, 0.5)]
_TURNS: dict[str, Callable[[float, float], Point]] = {  # from what points to the right
    "D": lambda x, y: (x, y),
    "C": lambda x, y: (-x, -y),
    "S": lambda x, y: (-y, x),
    "H": lambda x, y: (y, -x),
}


def mage(seat: int, size: int) -> Art:
    """A Mage: its seat's shape and colour, the letter as large as it goes."""
    pen = Pen(1, 1, size)
    _token(pen, seat)
    _, _, ink = theme.SEATS[seat]
    y, height = _LETTERS[theme.SEATS[seat][0]]
    pen.text(0.5, y, theme.LETTERS[seat], height, ink)
    return pen.art()


def dot(seat: int, size: int) -> Art:
    """A Mage seen from afar: shape and colour."""
    pen = Pen(1, 1, size)
    _token(pen, seat)
    return pen.art()


def _token(pen: Pen, seat: int) -> None:
    shape, colour, _ = theme.SEATS[seat]
    if shape == "circle":
        pen.oval(0.5, 0.5, 0.49, 0.49, theme.SHADE, cut=True)
        pen.oval(0.5, 0.5, 0.45, 0.45, colour)
        return
    low = 0.54 if shape == "triangle" else 0.5
    pen.polygon(placed(_SHAPES[shape], 0.5, low, 0.94), theme.SHADE, cut=True)
    pen.polygon(placed(_SHAPES[shape], 0.5, low + (0.015 if shape == "triangle" else 0), 0.84), colour)


def menhir(seat: int, size: int) -> Art:
    """A standing stone with its owner's letter, on a foot of its owner's colour."""
    pen = Pen(1, 1, size)
    pen.polygon(placed(_STONE, 0.5, 0.5, 0.98), theme.SHADE, cut=True)
    pen.polygon(placed(_STONE, 0.5, 0.5, 0.88), theme.MIST)
    pen.box(0.17, 0.84, 0.83, 0.95, 0.03, theme.SEATS[seat][1])
    pen.text(0.5, 0.52, theme.LETTERS[seat], 0.5, theme.INK)
    return pen.art()


def card(key: str, unit: float) -> Art:
    """A card; a Menhir card shows a standing stone."""
    if key != "menhir":
        return faces.card(key, unit)
    pen = Pen(*theme.CARD, unit)
    pen.box(0, 0, 100, 140, 9, theme.SHADE, cut=True)
    pen.box(0.8, 0.8, 99.2, 139.2, 8.4, theme.CREAM)
    pen.box(2, 2, 98, 138, 7.4, theme.IVORY)
    pen.oval(50, 99, 38, 8, theme.FELT)
    pen.polygon(placed(_STONE, 50, 58, 88), theme.SHADE)
    pen.polygon(placed(_STONE, 50, 58, 82), theme.MIST)
    pen.line([(39, 34), (44, 50), (37, 62)], 2.4, theme.PLATE)
    pen.line([(60, 72), (55, 84)], 2.4, theme.PLATE)
    pen.text(50, 123, "MENHIR", 15, theme.INK)
    return pen.art()


def square(kind: str, cell: int) -> Art:
    """A square: `dark`, `start` with its star, a `free` one of these to choose, or one of a `marked` column."""
    pen = Pen(1, 1, cell)
    if kind in ("start", "free"):
        pen.box(0, 0, 1, 1, 0, theme.GOLD_DARK if kind == "start" else theme.GOLD, cut=True)
        pen.box(0.06, 0.06, 0.94, 0.94, 0.05, theme.PLATE)
    if kind == "start":
        pen.polygon(placed(emblems.STAR, 0.5, 0.52, 0.74), theme.GOLD_DARK)
    elif kind != "free":
        pen.box(0, 0, 1, 1, 0, theme.FELT_DARK if kind == "dark" else theme.TEAL, cut=True)
    return pen.art(whole=True)


def edge(suit: str, cell: int, sign: bool) -> Art:
    """A square's length of a suit's edge, with the suit's sign or without."""
    across = suit in "HS"
    width, height = (cell, BAND) if across else (BAND, cell)
    pen = Pen(width, height, ground=theme.IVORY)
    if sign:
        emblems.pip(pen, suit, width / 2, height / 2, 23)
    return pen.art(whole=True)


def arrow(suit: str, length: int, width: int) -> Art:
    """An arrow towards a suit's edge; its tail is round."""
    head = min(2.2 * width, 0.8 * length)
    size = (length, 3 * width) if suit in "CD" else (3 * width, length)
    pen = Pen(*size, ground=theme.FELT)
    turn = _TURNS[suit]

    def at(x: float, y: float) -> Point:
        tx, ty = turn(x - length / 2, y)
        return tx + size[0] / 2, ty + size[1] / 2

    for grow, ink in ((0.0, theme.SHADE), (width * 0.16, theme.GOLD)):
        half = width / 2 - grow
        shaft = [at(grow, -half), at(length - head, -half), at(length - head, half), at(grow, half)]
        tip = [at(length - head + grow, -1.35 * width + 2 * grow), at(length - 1.6 * grow, 0)]
        pen.polygon(shaft, ink, cut=True)
        pen.polygon([*tip, at(length - head + grow, 1.35 * width - 2 * grow)], ink, cut=True)
    return pen.art()


def end(text: str, size: int, gold: bool) -> Art:
    """A mark for where a card takes a Mage: its rank; on gold where that brings a banner."""
    pen = Pen(1, 1, size)
    pen.oval(0.5, 0.5, 0.5, 0.5, theme.SHADE, cut=True)
    pen.oval(0.5, 0.5, 0.45, 0.45, theme.GOLD if gold else theme.IVORY)
    if text == "10":
        pen.text(0.33, 0.5, "1", 0.46, theme.INK)
        pen.text(0.6, 0.5, "0", 0.46, theme.INK)
    else:
        pen.text(0.5, 0.5, text, 0.52, theme.INK)
    return pen.art()


def halo(size: int) -> Art:
    """A gold ring below one's own Mage."""
    pen = Pen(1, 1, size)
    pen.oval(0.5, 0.5, 0.5, 0.5, theme.SHADE, cut=True)
    pen.oval(0.5, 0.5, 0.48, 0.48, theme.GOLD)
    pen.oval(0.5, 0.5, 0.42, 0.42, theme.SHADE)
    return pen.art()


def step(size: int) -> Art:
    """A dot on a square that a Mage would pass."""
    pen = Pen(1, 1, size)
    pen.oval(0.5, 0.5, 0.5, 0.5, theme.GOLD, cut=True)
    return pen.art()


def die(face: int, size: int, quiet: bool) -> Art:
    """A rolled die; a tie that was rolled again is `quiet`."""
    pen = Pen(1, 1, size)
    pen.box(0, 0, 1, 1, 0.2, theme.SHADE, cut=True)
    pen.box(0.04, 0.04, 0.96, 0.96, 0.17, theme.MIST if quiet else theme.IVORY)
    for x, y in placed(_FACES[face], 0.5, 0.5, 1):
        pen.oval(x, y, 0.1, 0.1, theme.PLATE if quiet else theme.INK)
    return pen.art()


def health(health: int) -> Art:
    """Six pips, as many of them lit as there is health."""
    pen = Pen(26 * PIPS - 6, 22, ground=theme.PLATE)
    for i in range(PIPS):
        pen.box(26 * i, 0, 26 * i + 20, 22, 6, theme.MIST)
        if i >= health:
            pen.box(26 * i + 2, 2, 26 * i + 18, 20, 4, theme.PLATE)
        else:
            pen.box(26 * i + 2, 2, 26 * i + 18, 20, 4, theme.LIME)
    return pen.art(whole=True)


def banner(suit: str, width: int, claimed: bool) -> Art:
    """A suit's banner: a hanging flag where it is claimed, else its empty outline."""
    pen = Pen(1, 1.3, width)
    flag = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.3), (0.5, 1.02), (0.0, 1.3)]
    inner = [(0.06, 0.06), (0.94, 0.06), (0.94, 1.19), (0.5, 0.945), (0.06, 1.19)]
    pen.polygon(flag, theme.GOLD if claimed else theme.MIST, cut=True)
    pen.polygon(inner, theme.IVORY if claimed else theme.PLATE)
    if claimed:
        emblems.pip(pen, suit, 0.5, 0.5, 0.72)
    else:
        pen.text(0.5, 0.48, suit, 0.42, theme.MIST)
    return pen.art()


def mini(cell: int) -> Art:
    """The whole board from afar, with its starting squares and its suits' edges."""
    edge = 14
    side = 22 * cell + 2 * edge
    pen = Pen(side, side, ground=theme.SHADE)
    pen.box(0, 0, side, side, 4, theme.SHADE, cut=True)
    pen.box(edge, edge, side - edge, side - edge, 0, theme.FELT_DARK)
    middle = edge + 10 * cell
    pen.box(middle, middle, middle + 2 * cell, middle + 2 * cell, 0, theme.GOLD_DARK)
    half = side / 2
    for suit, x, y in (("H", half, 7), ("D", side - 7, half), ("S", half, side - 7), ("C", 7, half)):
        width, height = (34, 14) if suit in "HS" else (14, 34)
        pen.box(x - width / 2, y - height / 2, x + width / 2, y + height / 2, 2, theme.IVORY)
        emblems.pip(pen, suit, x, y, 14)
    return pen.art()


def bar(width: int, height: int) -> Art:
    """A straight gold line."""
    pen = Pen(width, height)
    pen.box(0, 0, width, height, 0, theme.GOLD, cut=True)
    return pen.art(whole=True)
