"""A picture in one shared palette: sprites are drawn once, then pasted as they are."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache, lru_cache
from threading import Lock
from typing import Any, Protocol, TypeVar

from cogs.pictures.raster.layers import Layer, layer, layers, put
from cogs.pictures.raster.letters import cover
from cogs.pictures.raster.palette import channels, faded, shades
from cogs.pictures.raster.pen import Drawer, mapped
from cogs.pictures.raster.png import png
from cogs.pictures.raster.sprites import Sprite, built, halved, plain
from cogs.pictures.raster.theme import PIXELS, Colour


class Surface(Protocol):
    """What a layout draws on."""

    def paste(self, x: float, y: float, draw: Drawer, *arguments: Hashable, dimmed: bool = False) -> None:
        """What the drawer draws from the arguments, its upper left corner at a point."""

    def text(self, x: float, y: float, text: str, size: int, ink: Colour, ground: Colour, anchor: str = "m") -> None:
        """Words on a plain ground; `anchor` is l, m or r; y is the middle of the capitals."""


S = TypeVar("S", bound="Surface")
S_co = TypeVar("S_co", bound=Surface, covariant=True)


class Start(Protocol[S_co]):
    """Makes a surface from the drawer of a ground and a height."""

    def __call__(self, ground: Drawer, height: int, /) -> S_co: ...


Layouts = Mapping[type, Callable[[Any, Start[Any]], Any]]
"""By the type of a spec, what lays it out on a surface that it starts, and returns that."""


_SEEN = bytes(32) + bytes([255]) * 224  # of words, what covers the ground
_cut: dict[Hashable, Sequence[Layer]] = {}
_building = Lock()  # first calls may come from several threads: each sprite is built once


class Canvas:
    """The shared-palette surface, started from a ground of some height."""

    above = 0  # pixel rows of the picture above the first of these
    before = 0  # pixel columns that are none of the picture's, before its own

    def __init__(self, ground: Drawer, height: int) -> None:
        self.image = sprite(ground, height).image.copy()

    def paste(self, x: float, y: float, draw: Drawer, *arguments: Hashable, dimmed: bool = False) -> None:
        """What the drawer draws from the arguments, its upper left corner at a point."""
        left, top = round(x * PIXELS) + self.before, round(y * PIXELS) - self.above
        put(self.image, _layers(draw, arguments, dimmed), left, top)

    def text(self, x: float, y: float, text: str, size: int, ink: Colour, ground: Colour, anchor: str = "m") -> None:
        """Words on a plain ground."""
        if (y + size) * PIXELS < self.above:  # no letter reaches so far down
            return
        label = _words(text, size, ink, ground)
        left = x * PIXELS - {"l": 0, "m": label.width / 2, "r": label.width}[anchor]
        top = round(y * PIXELS - label.height / 2) - self.above
        put(self.image, (label,), round(left) + self.before, top)

    def png(self) -> bytes:
        """The picture as a file."""
        return png(self.image, channels())


def _layers(draw: Drawer, arguments: tuple[Hashable, ...], dimmed: bool) -> Sequence[Layer]:
    """What a drawer draws, cut for pasting; what was cut before is found without waiting for anybody."""
    key = draw, arguments, dimmed
    found = _cut.get(key)
    if found is None:
        with _building:
            found = _cut[key] = layers((_dimmed if dimmed else _sprite)(draw, *arguments))
    return found


def sprite(draw: Drawer, *arguments: Hashable) -> Sprite:
    """What a drawer draws, in the shared palette; got once."""
    with _building:
        return _sprite(draw, *arguments)


@cache
def plain_ground(draw: Drawer, height: int) -> int | None:
    """The index of a ground that is of one colour throughout: it need not be made to be drawn on."""
    return plain(draw, height)


def dimmed_sprite(draw: Drawer, *arguments: Hashable) -> Sprite:
    """The same, faded into the felt."""
    with _building:
        return _dimmed(draw, *arguments)


@cache
def _sprite(draw: Drawer, *arguments: Hashable) -> Sprite:
    return built(draw, *arguments)


@cache
def _dimmed(draw: Drawer, *arguments: Hashable) -> Sprite:
    bright = _sprite(draw, *arguments)
    return Sprite(mapped(bright.image.size, bright.image.tobytes().translate(faded())), bright.mask)


@lru_cache(4096)
def _words(text: str, size: int, ink: Colour, ground: Colour) -> Layer:
    """Words in the shared palette, with shades for their ground."""
    covered = cover(text, size)
    pixels = covered.tobytes()
    seen = mapped(covered.size, pixels.translate(_SEEN))
    return layer(mapped(covered.size, pixels.translate(shades(ground, ink))), halved(seen))
