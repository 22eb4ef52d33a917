"""A picture in one shared palette: sprites are drawn once, then pasted as they are."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache, lru_cache
from threading import Lock
from typing import Any, Protocol, TypeVar

from cogs.pictures.raster.layers import Layer, make_layer, paste_layers, split_layers
from cogs.pictures.raster.letters import text_coverage
from cogs.pictures.raster.palette import faded_indices, palette_bytes, shade_indices
from cogs.pictures.raster.pen import DrawFunction, image_from_bytes
from cogs.pictures.raster.png import encode_png
from cogs.pictures.raster.sprites import Sprite, build_sprite, solid_index, threshold_mask
from cogs.pictures.raster.theme import PIXELS_PER_UNIT, Colour


class DrawingSurface(Protocol):
    """What a layout draws on."""

    def paste(self, x: float, y: float, draw: DrawFunction, *arguments: Hashable, dimmed: bool = False) -> None:
        """What the drawer draws from the arguments, its upper left corner at a point."""

    def text(self, x: float, y: float, text: str, size: int, ink: Colour, ground: Colour, anchor: str = "m") -> None:
        """Words on a plain ground; `anchor` is l, m or r; y is the middle of the capitals."""


S = TypeVar("S", bound="DrawingSurface")
S_co = TypeVar("S_co", bound=DrawingSurface, covariant=True)


class SurfaceFactory(Protocol[S_co]):
    """Makes a surface from the drawer of a ground and a height."""

    def __call__(self, ground: DrawFunction, height: int, /) -> S_co: ...


Layouts = Mapping[type, Callable[[Any, SurfaceFactory[Any]], Any]]
"""By the type of a spec, what lays it out on a surface that it starts, and returns that."""


_COVERED_BYTES = bytes(32) + bytes([255]) * 224  # of words, what covers the ground
_layer_cache: dict[Hashable, Sequence[Layer]] = {}
_sprite_lock = Lock()  # first calls may come from several threads: each sprite is built once


class Canvas:
    """The shared-palette surface, started from a ground of some height."""

    rows_above = 0  # pixel rows of the picture above the first of these
    columns_before = 0  # pixel columns that are none of the picture's, before its own

    def __init__(self, ground: DrawFunction, height: int) -> None:
        self.image = shared_sprite(ground, height).image.copy()

    def paste(self, x: float, y: float, draw: DrawFunction, *arguments: Hashable, dimmed: bool = False) -> None:
        """What the drawer draws from the arguments, its upper left corner at a point."""
        left, top = round(x * PIXELS_PER_UNIT) + self.columns_before, round(y * PIXELS_PER_UNIT) - self.rows_above
        paste_layers(self.image, _cached_layers(draw, arguments, dimmed), left, top)

    def text(self, x: float, y: float, text: str, size: int, ink: Colour, ground: Colour, anchor: str = "m") -> None:
        """Words on a plain ground."""
        if (y + size) * PIXELS_PER_UNIT < self.rows_above:  # no letter reaches so far down
            return
        label = _text_layer(text, size, ink, ground)
        left = x * PIXELS_PER_UNIT - {"l": 0, "m": label.width / 2, "r": label.width}[anchor]
        top = round(y * PIXELS_PER_UNIT - label.height / 2) - self.rows_above
        paste_layers(self.image, (label,), round(left) + self.columns_before, top)

    def to_png(self) -> bytes:
        """The picture as a file."""
        return encode_png(self.image, palette_bytes())


def _cached_layers(draw: DrawFunction, arguments: tuple[Hashable, ...], dimmed: bool) -> Sequence[Layer]:
    """What a drawer draws, cut for pasting; what was cut before is found without waiting for anybody."""
    key = draw, arguments, dimmed
    found = _layer_cache.get(key)
    if found is None:
        with _sprite_lock:
            found = _layer_cache[key] = split_layers(
                (_cached_dimmed_sprite if dimmed else _cached_sprite)(draw, *arguments)
            )
    return found


def shared_sprite(draw: DrawFunction, *arguments: Hashable) -> Sprite:
    """What a drawer draws, in the shared palette; got once."""
    with _sprite_lock:
        return _cached_sprite(draw, *arguments)


@cache
def solid_ground_index(draw: DrawFunction, height: int) -> int | None:
    """The index of a ground that is of one colour throughout: it need not be made to be drawn on."""
    return solid_index(draw, height)


def dimmed_sprite(draw: DrawFunction, *arguments: Hashable) -> Sprite:
    """The same, faded into the felt."""
    with _sprite_lock:
        return _cached_dimmed_sprite(draw, *arguments)


@cache
def _cached_sprite(draw: DrawFunction, *arguments: Hashable) -> Sprite:
    return build_sprite(draw, *arguments)


@cache
def _cached_dimmed_sprite(draw: DrawFunction, *arguments: Hashable) -> Sprite:
    bright = _cached_sprite(draw, *arguments)
    return Sprite(image_from_bytes(bright.image.size, bright.image.tobytes().translate(faded_indices())), bright.mask)


@lru_cache(4096)
def _text_layer(text: str, size: int, ink: Colour, ground: Colour) -> Layer:
    """Words in the shared palette, with shades for their ground."""
    covered = text_coverage(text, size)
    pixels = covered.tobytes()
    seen = image_from_bytes(covered.size, pixels.translate(_COVERED_BYTES))
    return make_layer(
        image_from_bytes(covered.size, pixels.translate(shade_indices(ground, ink))), threshold_mask(seen)
    )
