"""The banner above a result: the winners' crests in a laurel, a title, how they won, and a moment of the match."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cache, lru_cache
from math import ceil, cos, floor, pi, sin
from typing import NamedTuple

from cogs.pictures import table_pieces
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import DrawingSurface
from cogs.pictures.raster.letters import fit_text
from cogs.pictures.raster.pen import (
    CAPITAL_HEIGHT,
    DrawFunction,
    Drawing,
    Pen,
    bezier_curve,
    font,
    mirror_outline,
    place_outline,
)
from cogs.pictures.raster.png import QUICK_LEVEL
from cogs.pictures.raster.strips import lay_strip
from cogs.pictures.raster.theme import Colour
from cogs.pictures.raster.typeface import ELLIPSIS, TEXT_FONT, TITLE_FONT, has_all_signs
from cogs.pictures.spec import ResultBanner

BANNER_HEIGHT = 170
_LEFT, _CREST, _OVERLAP = 36, 68, 44
_TITLE_SIZES = (52, 45, 38)  # few, so that all letters are in the sprite cache
_TITLE_HEIGHT = 1.2  # of a letter's drawing, as a share of the type size
_FLAGS = (theme.RED, theme.IVORY, theme.TEAL)  # few, and shallow: they repeat, which makes small files
_FLAG_WIDTH, _FLAG_END = 40, 26
_LEAVES = 4  # on each side of a laurel
_LEAF = mirror_outline(bezier_curve((0, 0.5), ((0.32, 0.2), (0.3, -0.2), (0, -0.5))))


class BelowBanner:
    """A surface whose upper edge is the lower edge of a banner."""

    def __init__(self, picture: DrawingSurface, top: float) -> None:
        self._picture = picture
        self._top = top

    def paste(self, x: float, y: float, draw: DrawFunction, *arguments: Hashable, dimmed: bool = False) -> None:
        """Paste a drawing, with its upper left corner at a point."""
        self._picture.paste(x, self._top + y, draw, *arguments, dimmed=dimmed)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: int,
        ink: Colour,
        ground: Colour,
        anchor: str = "m",
        stretch: float = 1,
    ) -> None:
        """Write on a plain ground."""
        self._picture.text(x, self._top + y, text, size, ink, ground, anchor, stretch)


def banner_height(banner: ResultBanner | None) -> int:
    """Return the height of a banner, or 0 without one."""
    return 0 if banner is None else BANNER_HEIGHT


def lay_banner(surface: DrawingSurface, banner: ResultBanner | None) -> None:
    """Lay a banner at the top of a picture, if there is one."""
    if banner is not None:
        lay_strip(surface, 0, BANNER_HEIGHT, _lay_parts, banner, level=QUICK_LEVEL)


def _lay_parts(surface: DrawingSurface, banner: ResultBanner) -> None:
    surface.paste(0, 0, banner_ground)
    crests = banner.winners[:3]
    width = _CREST + _OVERLAP * (len(crests) - 1)
    surface.paste(_LEFT, 40, laurel, 116 + width - _CREST, 116)
    for i, seat in enumerate(crests):
        surface.paste(_LEFT + 24 + _OVERLAP * i, 62, table_pieces.seat_token, seat, _CREST, False)
    x = _LEFT + width + 48 + 28
    room = theme.WIDTH - x - 30
    _lay_title(surface, x, 58, *fit_title(banner.title, room))
    for i, (line, ink) in enumerate(((banner.how, theme.IVORY), (banner.moment, theme.MIST))):
        if line:
            fitted, small = fit_text(line, room, theme.MIN_TYPE_SIZE)
            surface.text(x, 105 + 38 * i, fitted, small, ink, theme.FELT, "l")


def banner_ground() -> Drawing:
    """Return the cloth of a banner, with a line of flags. Its lines lie on whole pixels, which makes small files."""
    pen, pixel = Pen(theme.WIDTH, BANNER_HEIGHT, ground=theme.FELT), 1 / theme.PIXELS_PER_UNIT
    for i in range(theme.WIDTH // _FLAG_WIDTH):
        left = i * _FLAG_WIDTH
        outline = ((left + 3, 5 * pixel), (left + _FLAG_WIDTH - 3, 5 * pixel), (left + _FLAG_WIDTH / 2, _FLAG_END))
        pen.polygon(outline, _FLAGS[i % len(_FLAGS)])
    pen.box(0, 2 * pixel, theme.WIDTH, 6 * pixel, 0, theme.WOOD_DARK)
    pen.box(0, BANNER_HEIGHT - 6 * pixel, theme.WIDTH, BANNER_HEIGHT, 0, theme.GOLD_DARK)
    pen.box(0, BANNER_HEIGHT - 6 * pixel, theme.WIDTH, BANNER_HEIGHT - 3 * pixel, 0, theme.GOLD)
    return pen.finish(covers_all=True)


def laurel(width: int, height: int) -> Drawing:
    """Return two branches that meet at the bottom."""
    pen = Pen(width, height, ground=theme.FELT)
    for side in (-1, 1):
        for i in range(_LEAVES):
            angle = pi / 2 - side * (0.3 + i * 0.6)
            x = width / 2 + (width / 2 - 14) * cos(angle)
            y = height / 2 + (height / 2 - 14) * sin(angle)
            turn = angle - side * 0.9
            leaf = [(px * cos(turn) - py * sin(turn), px * sin(turn) + py * cos(turn)) for px, py in _LEAF]
            pen.polygon(place_outline(leaf, x, y, 32), theme.GOLD)
    return pen.finish(covers_all=True)


def title_letter(sign: str, size: int, typeface: str) -> Drawing:
    """Return a letter of a title on the cloth, as wide as its ink or its advance. `size` is in layout units."""
    letter = _measure_letter(sign, size, typeface)
    pen = Pen(letter.right - letter.left, size * _TITLE_HEIGHT, ground=theme.FELT)
    middle = (letter.ink_left + letter.ink_right) / 2 - letter.left  # the pen centres what it writes
    height = size * CAPITAL_HEIGHT
    pen.text(middle, size * _TITLE_HEIGHT / 2, sign, height, theme.GOLD, typeface, in_mask=True)
    return pen.finish(covers_all=not letter.is_overhanging)


def _lay_title(surface: DrawingSurface, x: float, y: float, title: str, size: int) -> None:
    """Lay a title letter by letter, because every match has another one. `y` is the middle of its capitals."""
    typeface = _title_typeface(title)
    for right, sign in _place_letters(title, size, typeface):
        surface.paste(x + right, y - size * _TITLE_HEIGHT / 2, title_letter, sign, size, typeface)


@lru_cache(64)
def _place_letters(title: str, size: int, typeface: str) -> Sequence[tuple[float, str]]:
    """Return how far to the right each letter lies, at last those that reach over their neighbours."""
    placed, x = list[tuple[bool, float, str]](), 0.0
    for sign in title:
        letter = _measure_letter(sign, size, typeface)
        placed.append((letter.is_overhanging, x + letter.left, sign))
        x += letter.advance
    return [(right, sign) for _, right, sign in sorted(placed)]


@lru_cache(64)
def fit_title(text: str, room: float) -> tuple[str, int]:
    """Return a title and the size at which it fits: smaller if necessary, or cut with an ellipsis."""
    for size in _TITLE_SIZES:
        if _title_width(text, size) <= room:
            return text, size
    short, size = text, _TITLE_SIZES[-1]
    while short and _title_width(f"{short}{ELLIPSIS}", size) > room:
        short = short[:-1].rstrip()
    return f"{short}{ELLIPSIS}", size


def _title_width(text: str, size: int) -> float:
    return sum(_measure_letter(sign, size, _title_typeface(text)).advance for sign in text)


class _TitleLetter(NamedTuple):
    """Where a letter of a title is, in layout units from its origin, in whole pixels except its ink."""

    advance: float
    left: float
    right: float
    ink_left: float
    ink_right: float

    @property
    def is_overhanging(self) -> bool:
        """Whether its ink reaches over its neighbours."""
        return self.left < 0 or self.right > self.advance


@cache
def _measure_letter(sign: str, size: int, typeface: str) -> _TitleLetter:
    face, pixel = font(1000, typeface), 1 / theme.PIXELS_PER_UNIT
    unit, (ink_left, _, ink_right, _) = size / 1000, face.getbbox(sign)
    advance = round(face.getlength(sign) * unit / pixel) * pixel
    left = floor(min(0, ink_left * unit) / pixel + 0.5) * pixel  # less than half a pixel is not seen
    right = max(advance, ceil(ink_right * unit / pixel - 0.5) * pixel)
    return _TitleLetter(advance, left, right, ink_left * unit, ink_right * unit)


def _title_typeface(text: str) -> str:
    """The typeface of titles, or the other one for names with rarer letters."""
    return TITLE_FONT if has_all_signs(text, TITLE_FONT) else TEXT_FONT
