"""A picture in one shared palette: sprites are drawn once, then pasted as they are."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from threading import Lock
from typing import Any, Protocol, TypeVar

from PIL import Image

from cogs.pictures import theme
from cogs.pictures.pen import Art, written
from cogs.pictures.png import png
from cogs.pictures.theme import PIXELS, Colour

Drawer = Callable[..., Art]
"""Draws one thing; the same arguments, all hashable, give the same drawing."""


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


@dataclass(frozen=True, slots=True)
class Sprite:
    """A drawing in the shared palette, and its hard-edged outline (None: a full rectangle)."""

    image: Image.Image
    mask: Image.Image | None


_building = Lock()  # first calls may come from several threads: each sprite is built once


class Canvas:
    """The shared-palette surface, started from a ground of some height."""

    def __init__(self, ground: Drawer, height: int) -> None:
        self.image = sprite(ground, height).image.copy()

    def paste(self, x: float, y: float, draw: Drawer, *arguments: Hashable, dimmed: bool = False) -> None:
        """What the drawer draws from the arguments, its upper left corner at a point."""
        thing = dimmed_sprite(draw, *arguments) if dimmed else sprite(draw, *arguments)
        self.image.paste(thing.image, (round(x * PIXELS), round(y * PIXELS)), thing.mask)

    def text(self, x: float, y: float, text: str, size: int, ink: Colour, ground: Colour, anchor: str = "m") -> None:
        """Words on a plain ground."""
        label = words(text, size, ink, ground)
        width, height = label.image.size
        left = x * PIXELS - {"l": 0, "m": width / 2, "r": width}[anchor]
        self.image.paste(label.image, (round(left), round(y * PIXELS - height / 2)), label.mask)

    def png(self) -> bytes:
        """The picture as a file."""
        return png(self.image)


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """A colour between two."""
    r, g, b = (round(a + (c - a) * share) for a, c in zip(one, other, strict=True))
    return r, g, b


@cache
def palette() -> tuple[Colour, ...]:
    """All colours: those that meet, the shades between them, and what cards fade to when dimmed."""
    colours: dict[Colour, None] = {}
    for one, other in theme.MEETINGS:
        colours.update((mix(one, other, i / theme.STEPS), None) for i in range(theme.STEPS + 1))
    for one, other in theme.WORDS:
        colours.update((mix(one, other, i / theme.FINE_STEPS), None) for i in range(theme.FINE_STEPS + 1))
    for one, other in theme.MEETINGS[:19]:
        colours.update((mix(mix(one, other, i / 3), theme.FELT_DARK, theme.FADE), None) for i in range(4))
    assert len(colours) <= 256, len(colours)
    return tuple(colours)


@cache
def _palette_image() -> Image.Image:
    image = Image.new("P", (1, 1))
    image.putpalette([channel for colour in palette() for channel in colour])
    return image


@cache
def nearest(colour: Colour) -> int:
    """The palette's index of a colour, or of the one most like it."""
    return min(
        range(len(palette())), key=lambda i: sum((a - b) ** 2 for a, b in zip(palette()[i], colour, strict=True))
    )


def sprite(draw: Drawer, *arguments: Hashable) -> Sprite:
    """What a drawer draws, in the shared palette; drawn once."""
    with _building:
        return _sprite(draw, *arguments)


def dimmed_sprite(draw: Drawer, *arguments: Hashable) -> Sprite:
    """The same, faded into the felt."""
    with _building:
        return _dimmed(draw, *arguments)


def words(text: str, size: int, ink: Colour, ground: Colour) -> Sprite:
    """Words in the shared palette, with shades for their ground."""
    with _building:
        return _words(text, size, ink, ground)


@cache
def _sprite(draw: Drawer, *arguments: Hashable) -> Sprite:
    art = draw(*arguments)
    image = art.image.quantize(palette=_palette_image(), dither=Image.Dither.NONE)
    return Sprite(image, None if art.mask is None else art.mask.point([0] * 128 + [255] * 128, "1"))


@cache
def _dimmed(draw: Drawer, *arguments: Hashable) -> Sprite:
    bright = _sprite(draw, *arguments)
    return Sprite(bright.image.point(_faded()), bright.mask)


@cache
def _faded() -> list[int]:
    """For every colour of the palette, the one it fades to."""
    table = [nearest(mix(colour, theme.FELT_DARK, theme.FADE)) for colour in palette()]
    return table + [0] * (256 - len(table))


@lru_cache(4096)
def _words(text: str, size: int, ink: Colour, ground: Colour) -> Sprite:
    cover = written(text, size)
    image = cover.point(_shades(ground, ink))
    image.putpalette(_palette_image().getpalette() or [])
    return Sprite(image, cover.point([0] * 32 + [255] * 224, "1"))


@cache
def _shades(ground: Colour, ink: Colour) -> list[int]:
    """Palette indices from no cover to full cover."""
    steps = [nearest(mix(ground, ink, i / theme.FINE_STEPS)) for i in range(theme.FINE_STEPS + 1)]
    return [steps[round(i * theme.FINE_STEPS / 255)] for i in range(256)]
