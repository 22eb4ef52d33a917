"""The palette that all pictures share: its colours, the one most like another, and what dimmed ones become."""

from __future__ import annotations

from functools import cache

from PIL import Image

from cogs.pictures.raster import sprite_cache, theme
from cogs.pictures.raster.theme import Colour


@cache
def palette() -> tuple[Colour, ...]:
    """All colours."""
    each = iter(channels())
    return tuple(zip(each, each, each, strict=True))


@cache
def channels() -> bytes:
    """The palette as files have it: red, green and blue of each colour."""
    return _once() + bytes(channel for colour in theme.WOVEN for channel in colour)


@cache
def _once() -> bytes:
    """The same without those that stand there twice."""
    return sprite_cache.found(mixed) or mixed()


def mixed() -> bytes:
    """The colours that meet, the shades between them, and what cards fade to when dimmed."""
    colours: dict[Colour, None] = {}
    for one, other in theme.MEETINGS:
        colours.update((mix(one, other, i / theme.STEPS), None) for i in range(theme.STEPS + 1))
    for one, other in theme.WORDS:
        colours.update((mix(one, other, i / theme.FINE_STEPS), None) for i in range(theme.FINE_STEPS + 1))
    for one, other in theme.MEETINGS[:19]:
        colours.update(
            (mix(mix(one, other, i / theme.STEPS), theme.FELT_DARK, theme.FADE), None) for i in range(theme.STEPS + 1)
        )
    assert len(colours) + len(theme.WOVEN) <= 256, len(colours)
    return bytes(channel for colour in colours for channel in colour)


@cache
def nearest(colour: Colour) -> int:
    """The palette's index of a colour, or of the one most like it."""
    if colour in palette():
        return palette().index(colour)
    r, g, b = colour
    distances = [(r - x) ** 2 + (g - y) ** 2 + (b - z) ** 2 for x, y, z in palette()]
    return distances.index(min(distances))


@cache
def faded() -> bytes:
    """For every colour of the palette, the one it fades to."""
    return sprite_cache.found(dimmed) or dimmed()


def dimmed() -> bytes:
    """Each colour's fading, as far as the palette has it."""
    return bytes(nearest(mix(colour, theme.FELT_DARK, theme.FADE)) for colour in palette()).ljust(256, b"\0")


@cache
def shades(ground: Colour, ink: Colour) -> bytes:
    """Palette indices from no cover to full cover."""
    steps = sprite_cache.found(between, ground, ink) or between(ground, ink)
    return _steps().translate(steps.ljust(256, b"\0"))


def between(ground: Colour, ink: Colour) -> bytes:
    """The palette's index of each shade between the two."""
    return bytes(nearest(mix(ground, ink, i / theme.FINE_STEPS)) for i in range(theme.FINE_STEPS + 1))


@cache
def _steps() -> bytes:
    """For every cover, which of the shades it is."""
    return bytes(round(i * theme.FINE_STEPS / 255) for i in range(256))


def indices(image: Image.Image) -> Image.Image:
    """A drawing as indices of the palette, in mode L: nothing but the file needs to know which colours those are."""
    found = image.quantize(palette=_palette_image(), dither=Image.Dither.NONE)
    return Image.frombytes("L", found.size, found.tobytes())


def woven(image: Image.Image) -> Image.Image:
    """A drawing's indices, of which every third column has the second ones of colours that stand in the palette twice.

    What packs a row looks only so far back for one like it. In a plain area each place is like its neighbours, and
    these are all that is found; where they differ by turns, the row above is found, too.
    """
    others = Image.frombytes("L", image.size, image.tobytes().translate(_seconds()))
    columns = Image.frombytes("L", (image.width, 1), (b"\0\0\xff" * image.width)[: image.width])
    return Image.composite(others, image, columns.resize(image.size, Image.Resampling.NEAREST))


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """A colour between two."""
    r, g, b = (round(a + (c - a) * share) for a, c in zip(one, other, strict=True))
    return r, g, b


def _seconds() -> bytes:
    """For every index, that of the same colour that stands there last."""
    last = {colour: index for index, colour in enumerate(palette())}
    return bytes(last[colour] for colour in palette()).ljust(256, b"\0")


@cache
def _palette_image() -> Image.Image:
    image = Image.new("P", (1, 1))
    image.putpalette(_once())
    return image
