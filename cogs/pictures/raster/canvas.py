"""The canvas: an image in the shared palette, onto which cached sprites are pasted."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache, lru_cache
from threading import Lock
from typing import Any, Protocol, TypeVar

from cogs.pictures.raster.layers import ImageCore, Layer, make_layer, paste_layers, split_layers
from cogs.pictures.raster.letters import text_coverage
from cogs.pictures.raster.palette import faded_indices, palette_bytes, shade_indices
from cogs.pictures.raster.pen import DrawFunction, image_from_bytes
from cogs.pictures.raster.png import encode_png
from cogs.pictures.raster.sprites import Sprite, build_sprite, solid_index, threshold_mask
from cogs.pictures.raster.theme import FELT, PIXELS_PER_UNIT, WIDTH, Colour


class DrawingSurface(Protocol):
    """The surface that a layout draws on."""

    def paste(self, x: float, y: float, draw: DrawFunction, *arguments: Hashable, dimmed: bool = False) -> None:
        """Paste the drawing that `draw` makes from the arguments, with its upper left corner at a point."""

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
        """Write on a plain ground. `anchor` is l, m or r; `y` is the middle of the capitals.

        `stretch` is the share of their width that the letters keep.
        """


S = TypeVar("S", bound="DrawingSurface")
S_co = TypeVar("S_co", bound=DrawingSurface, covariant=True)


class SurfaceFactory(Protocol[S_co]):
    """Creates a surface from a drawing function for the ground, a height and a cloth of the theme."""

    def __call__(self, ground: DrawFunction, height: int, cloth: str = "green", /) -> S_co: ...


Layouts = Mapping[type, Callable[[Any, SurfaceFactory[Any]], Any]]
"""The layout function for each type of spec. It creates a surface, lays out the spec on it, and returns it."""


_COVERED_BYTES = bytes(32) + bytes([255]) * 224  # maps the coverage of letters to a mask
_layer_cache: dict[Hashable, Sequence[Layer]] = {}
_sprite_lock = Lock()  # first calls may come from several threads: each sprite is built once


class Canvas:
    """A surface in the shared palette, created from a ground of some height on a cloth."""

    rows_above = 0  # pixel rows of the picture above this canvas
    columns_before = 0  # extra pixel columns to the left of the picture
    last_index = 0  # no colour after this one of the palette was pasted

    def __init__(self, ground: DrawFunction, height: int, cloth: str = "green") -> None:
        self.image = shared_sprite(ground, height).image.copy()
        self._core: ImageCore = self.image.im
        self._cloth = cloth

    def paste(self, x: float, y: float, draw: DrawFunction, *arguments: Hashable, dimmed: bool = False) -> None:
        """Paste the drawing that `draw` makes from the arguments, with its upper left corner at a point."""
        left, top = round(x * PIXELS_PER_UNIT) + self.columns_before, round(y * PIXELS_PER_UNIT) - self.rows_above
        self._paste_layers(_cached_layers(draw, arguments, dimmed), left, top)

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
        if not text or (y + size) * PIXELS_PER_UNIT < self.rows_above:  # nothing, or it lies above this canvas
            return
        label, height = _text_layer(text, size, ink, ground, stretch)
        left = x * PIXELS_PER_UNIT
        if anchor != "l":
            left -= label.width if anchor == "r" else label.width / 2
        top = round(y * PIXELS_PER_UNIT - height / 2) - self.rows_above
        self._paste_layers((label,), round(left) + self.columns_before, top)

    def _paste_layers(self, layers: Sequence[Layer], left: int, top: int) -> None:
        last_index = paste_layers(self._core, layers, left, top)
        if last_index > self.last_index:
            self.last_index = last_index

    def to_png(self) -> bytes:
        """Return the picture as a PNG file."""
        return encode_png(self.image, palette_bytes(self._cloth))


def _cached_layers(draw: DrawFunction, arguments: tuple[Hashable, ...], dimmed: bool) -> Sequence[Layer]:
    """Return a drawing cut into layers. Cached layers are returned without taking the lock."""
    key = draw, arguments, dimmed
    found = _layer_cache.get(key)
    if found is None:
        with _sprite_lock:
            found = _layer_cache[key] = split_layers(
                (_cached_dimmed_sprite if dimmed else _cached_sprite)(draw, *arguments)
            )
    return found


def shared_sprite(draw: DrawFunction, *arguments: Hashable) -> Sprite:
    """Return a drawing in the shared palette, from the cache if possible."""
    with _sprite_lock:
        return _cached_sprite(draw, *arguments)


@cache
def solid_ground_index(draw: DrawFunction, height: int) -> int | None:
    """Return the palette index of a plain ground, which needs no sprite; None for other grounds."""
    return solid_index(draw, height)


@cache
def ground_size(draw: DrawFunction, height: int) -> tuple[int, int]:
    """Return the size of a ground in pixels. A plain ground has the usual width."""
    if solid_ground_index(draw, height) is not None:
        return round(WIDTH * PIXELS_PER_UNIT), round(height * PIXELS_PER_UNIT)
    return shared_sprite(draw, height).image.size


@cache
def _cached_sprite(draw: DrawFunction, *arguments: Hashable) -> Sprite:
    return build_sprite(draw, *arguments)


@cache
def _cached_dimmed_sprite(draw: DrawFunction, *arguments: Hashable) -> Sprite:
    bright = _cached_sprite(draw, *arguments)
    return Sprite(image_from_bytes(bright.image.size, bright.image.tobytes().translate(faded_indices())), bright.mask)


@lru_cache(4096)
def _text_layer(text: str, size: int, ink: Colour, ground: Colour, stretch: float) -> tuple[Layer, int]:
    """Return words in the shared palette with shades between ink and ground, and the height of their line in pixels.

    The layer has only the rows with ink. It needs a mask only on cloth, which is darker at its edges; without one,
    pasting takes a third of the time.
    """
    covered = text_coverage(text, size, stretch)
    _, top, _, bottom = covered.getbbox() or (0, 0, 0, 0)
    inked = covered.crop((0, top, covered.width, bottom))
    pixels = inked.tobytes()
    mask = threshold_mask(image_from_bytes(inked.size, pixels.translate(_COVERED_BYTES))) if ground == FELT else None
    image = image_from_bytes(inked.size, pixels.translate(shade_indices(ground, ink)))
    return make_layer(image, mask, top), covered.height
