"""Pictures in strips: what several of them show alike, one below the other, is laid and packed once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from itertools import pairwise
from threading import Lock

from PIL import Image

from cogs.pictures.raster.canvas import Canvas, Surface, plain_ground, sprite
from cogs.pictures.raster.memoized import Known
from cogs.pictures.raster.palette import channels
from cogs.pictures.raster.pen import Drawer
from cogs.pictures.raster.png import UNFILTERED, Strip, joined, strip
from cogs.pictures.raster.theme import PIXELS, WIDTH, Colour

MOST = 512  # strips that are kept, those that were asked for last; a few kilobytes each
END = 32  # layout units above its lower end in which a ground depends on how high it is

Laying = Callable[..., object]
"""Lays a part of a picture on a surface, from arguments that can be hashed and nothing else."""


def lay_strip(surface: Surface, top: float, bottom: float, lay: Laying, *arguments: Hashable) -> None:
    """Lay a part that is all there is between these two heights, over the whole width."""
    _lay(surface, (top, bottom), lay, arguments)


def lay_shared(surface: Surface, top: float, bottom: float, lay: Laying, *arguments: Hashable) -> None:
    """Likewise a part with which one picture ends, while another one goes on, as a hand does below its table.

    Down to where the ground may end it is laid and packed once for both.
    """
    _lay(surface, (top, bottom - END, bottom), lay, arguments)


def _lay(surface: Surface, heights: Sequence[float], lay: Laying, arguments: tuple[Hashable, ...]) -> None:
    if isinstance(surface, Striped):
        surface.strips(heights, lay, *arguments)
    else:
        lay(surface, *arguments)


def forget() -> None:
    """Keep no strips: what is drawn next is laid and packed anew."""
    with _keeping:
        _strips.clear()


class Striped:
    """A surface that becomes a file strip by strip. What is laid on it beside these must not reach into them."""

    def __init__(self, ground: Drawer, height: int) -> None:
        self._ground = ground
        self._height = height
        self._strips: list[tuple[int, int, Strip]] = []
        self._beside: Piece | None = None

    def paste(self, x: float, y: float, draw: Drawer, *arguments: Hashable, dimmed: bool = False) -> None:
        """What the drawer draws from the arguments, its upper left corner at a point."""
        self._rest().paste(x, y, draw, *arguments, dimmed=dimmed)

    def text(self, x: float, y: float, text: str, size: int, ink: Colour, ground: Colour, anchor: str = "m") -> None:
        """Words on a plain ground."""
        self._rest().text(x, y, text, size, ink, ground, anchor)

    def strips(self, heights: Sequence[float], lay: Laying, *arguments: Hashable) -> None:
        """A part of the picture, cut at heights into strips, as they were laid and packed before where that was lately.

        The others are laid in one go.
        """
        told, rows = Known(arguments), [min(round(height * PIXELS), self._size()[1]) for height in heights]
        keys = [
            (self._ground, self._height if bottom > self._height - END else 0, upper, lower, lay, told)
            for bottom, (upper, lower) in zip(heights[1:], pairwise(rows), strict=True)
        ]
        found = [_kept(key) for key in keys]
        new = [number for number, strip in enumerate(found) if strip is None]
        if new:
            top = rows[new[0]]
            piece = Piece(self._ground, self._height, top, rows[new[-1] + 1])
            lay(piece, *arguments)
            for number in new:
                found[number] = _keep(keys[number], piece.strip(rows[number] - top, rows[number + 1] - top))
        self._strips += [(*ends, strip) for ends, strip in zip(pairwise(rows), found, strict=True) if strip]

    def png(self) -> bytes:
        """The picture as a file."""
        size, y = self._size(), 0
        strips: list[Strip] = []
        for upper, lower, each in [*sorted(self._strips, key=lambda one: one[:2]), (size[1], size[1], None)]:
            if upper > y:
                strips.append(self._rest().strip(y, upper))
            strips += [each] if each else []
            y = lower
        return joined(size, channels(), strips)

    def _rest(self) -> Piece:
        """What is in no strip."""
        if self._beside is None:
            self._beside = Piece(self._ground, self._height, 0, self._size()[1])
        return self._beside

    def _size(self) -> tuple[int, int]:
        return round(WIDTH * PIXELS), round(self._height * PIXELS)


class Piece(Canvas):
    """Some rows of a canvas, in the picture's own coordinates, as they are packed."""

    before = UNFILTERED

    def __init__(self, ground: Drawer, height: int, upper: int, lower: int) -> None:
        width, colour = round(WIDTH * PIXELS), plain_ground(ground, height)
        if colour is None:
            self.image = sprite(ground, height).image.crop((-self.before, upper, width, lower))
        else:
            self.image = Image.new("L", (width + self.before, lower - upper), colour)
        self.above = upper

    def strip(self, upper: int = 0, lower: int | None = None) -> Strip:
        """What was laid, or some rows of it, packed."""
        image, rows = self.image, (upper, self.image.height if lower is None else lower)
        image.paste(0, (0, 0, self.before, image.height))  # what reaches over the picture's edge is not in it
        return strip(image if rows == (0, image.height) else image.crop((0, rows[0], image.width, rows[1])))


_strips: OrderedDict[tuple[Hashable, ...], Strip] = OrderedDict()
_keeping = Lock()


def _kept(key: tuple[Hashable, ...]) -> Strip | None:
    with _keeping:
        found = _strips.get(key)
        if found is not None:
            _strips.move_to_end(key)
    return found


def _keep(key: tuple[Hashable, ...], laid: Strip) -> Strip:
    with _keeping:
        _strips[key] = laid
        if len(_strips) > MOST:
            _strips.popitem(last=False)
    return laid
