"""Pictures in horizontal strips, so that parts that several pictures share are laid and packed once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from itertools import pairwise
from threading import Lock

from PIL import Image

from cogs.pictures.raster.canvas import Canvas, DrawingSurface, ground_size, shared_sprite
from cogs.pictures.raster.hashed_key import HashedKey
from cogs.pictures.raster.palette import palette_bytes
from cogs.pictures.raster.pen import DrawFunction
from cogs.pictures.raster.png import FILTER_BYTES, PackedStrip, highest_index, join_strips, pack_strip
from cogs.pictures.raster.theme import PIXELS_PER_UNIT, Colour

MAX_STRIPS = 512  # strips of a few kilobytes; the most recently used ones are kept
MAX_GROUNDS = 32  # of half a megabyte
GROUND_END = 40  # layout units at the lower end of a ground that depend on its height

LayFunction = Callable[..., object]
"""Lays a part of a picture on a surface. It depends on its hashable arguments alone."""


def lay_strip(
    surface: DrawingSurface, top: float, bottom: float, lay: LayFunction, *arguments: Hashable, level: int | None = None
) -> None:
    """Lay a part that fills the whole width between two heights. `level` is that of its compression."""
    _lay_in_strips(surface, (top, bottom), lay, arguments, level)


def lay_shared(surface: DrawingSurface, top: float, bottom: float, lay: LayFunction, *arguments: Hashable) -> None:
    """Lay a part that ends one picture, but continues in another, as a hand continues below its table.

    Everything above the end of the ground is laid and packed once for both.
    """
    _lay_in_strips(surface, (top, bottom - GROUND_END, bottom), lay, arguments)


def _lay_in_strips(
    surface: DrawingSurface,
    heights: Sequence[float],
    lay: LayFunction,
    arguments: tuple[Hashable, ...],
    level: int | None = None,
) -> None:
    if isinstance(surface, StripedSurface):
        surface.add_strips(heights, lay, *arguments, level=level)
    else:
        lay(surface, *arguments)


def clear_strips() -> None:
    """Clear the cache of strips."""
    with _cache_lock:
        _strip_cache.clear()


class StripedSurface:
    """A surface that is encoded strip by strip. Anything else laid on it must not overlap its strips."""

    def __init__(self, ground: DrawFunction, height: int, cloth: str = "green") -> None:
        self._ground = ground
        self._height = height
        self._cloth = cloth
        self._strips: list[tuple[int, int, PackedStrip]] = []
        self._rest_piece: StripCanvas | None = None

    def paste(self, x: float, y: float, draw: DrawFunction, *arguments: Hashable, dimmed: bool = False) -> None:
        """Paste the drawing that `draw` makes from the arguments, with its upper left corner at a point."""
        self._rest_canvas().paste(x, y, draw, *arguments, dimmed=dimmed)

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
        self._rest_canvas().text(x, y, text, size, ink, ground, anchor, stretch)

    def add_strips(
        self, heights: Sequence[float], lay: LayFunction, *arguments: Hashable, level: int | None = None
    ) -> None:
        """Add a part of the picture, cut into strips at these heights. Cached strips are reused.

        The others are laid together.
        """
        known_arguments, rows = (
            HashedKey(arguments),
            [min(round(height * PIXELS_PER_UNIT), self._pixel_size()[1]) for height in heights],
        )
        keys = [
            (
                self._ground,
                self._height if bottom > self._height - GROUND_END else 0,
                upper,
                lower,
                lay,
                known_arguments,
            )
            for bottom, (upper, lower) in zip(heights[1:], pairwise(rows), strict=True)
        ]
        found = [_cached_strip(key) for key in keys]
        new = [number for number, strip in enumerate(found) if strip is None]
        if new:
            piece = StripCanvas(self._ground, self._height, rows[new[0]], rows[new[-1] + 1])
            lay(piece, *arguments)
            packed = piece.pack_rows([(rows[number], rows[number + 1]) for number in new], level)
            for number, strip in zip(new, packed, strict=True):
                found[number] = _cache_strip(keys[number], strip)
        self._strips += [(*ends, strip) for ends, strip in zip(pairwise(rows), found, strict=True) if strip]

    def to_png(self) -> bytes:
        """Return the picture as a PNG file."""
        size, y = self._pixel_size(), 0
        strips: list[PackedStrip] = []
        for upper, lower, each in [*sorted(self._strips, key=lambda one: one[:2]), (size[1], size[1], None)]:
            if upper > y:
                rest = self._rest_piece or StripCanvas(self._ground, self._height, y, upper)
                strips += rest.pack_rows([(y, upper)])
            strips += [each] if each else []
            y = lower
        return join_strips(size, palette_bytes(self._cloth), strips)

    def _rest_canvas(self) -> StripCanvas:
        """The canvas for everything outside the strips."""
        if self._rest_piece is None:
            self._rest_piece = StripCanvas(self._ground, self._height, 0, self._pixel_size()[1])
        return self._rest_piece

    def _pixel_size(self) -> tuple[int, int]:
        return ground_size(self._ground, self._height)


class StripCanvas(Canvas):
    """A canvas for some rows of a picture, in the picture's own coordinates.

    Its pixels lie in a buffer that is compressed as it is, because copying them took a tenth of a picture's time.
    """

    columns_before = FILTER_BYTES

    def __init__(self, ground: DrawFunction, height: int, upper: int, lower: int) -> None:
        (rows, self.last_index), (width, _) = _ground_rows(ground, height), ground_size(ground, height)
        self._row_bytes = width + FILTER_BYTES
        self._pixels = bytearray(memoryview(rows)[upper * self._row_bytes : lower * self._row_bytes])
        size = self._row_bytes, lower - upper
        # As Image.frombuffer does, in a twentieth of the time.
        self._core = Image.core.map_buffer(self._pixels, size, "raw", 0, ("L", 0, 1))  # type: ignore[attr-defined]
        self.rows_above = upper

    def pack_rows(self, ends: Sequence[tuple[int, int]], level: int | None = None) -> list[PackedStrip]:
        """Compress some rows, given as rows of the picture: from the upper ones up to the lower ones."""
        width, above, pixels = self._row_bytes, self.rows_above, memoryview(self._pixels)
        for column in range(FILTER_BYTES):  # clear drawings that reach over the picture's left edge
            pixels[column::width] = bytes(len(pixels) // width)
        parts = [pixels[(upper - above) * width : (lower - above) * width] for upper, lower in ends]
        return [pack_strip(part, self.last_index, level) for part in parts]


@lru_cache(MAX_GROUNDS)
def _ground_rows(ground: DrawFunction, height: int) -> tuple[bytes, int]:
    """Return the pixels of a ground, each row after the byte of its filter, and its highest palette index."""
    image = shared_sprite(ground, height).image
    return image.crop((-FILTER_BYTES, 0, *image.size)).tobytes(), highest_index(image)


_strip_cache: OrderedDict[tuple[Hashable, ...], PackedStrip] = OrderedDict()
_cache_lock = Lock()


def _cached_strip(key: tuple[Hashable, ...]) -> PackedStrip | None:
    with _cache_lock:
        found = _strip_cache.get(key)
        if found is not None:
            _strip_cache.move_to_end(key)
    return found


def _cache_strip(key: tuple[Hashable, ...], packed_strip: PackedStrip) -> PackedStrip:
    with _cache_lock:
        _strip_cache[key] = packed_strip
        if len(_strip_cache) > MAX_STRIPS:
            _strip_cache.popitem(last=False)
    return packed_strip
