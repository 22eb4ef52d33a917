"""The palette that all pictures share: its colours, the one most like another, and what dimmed ones become."""

from __future__ import annotations

from functools import cache

from PIL import Image

from cogs.pictures.raster import sprite_cache, theme
from cogs.pictures.raster.theme import Colour


@cache
def palette_colours() -> tuple[Colour, ...]:
    """All colours."""
    each = iter(palette_bytes())
    return tuple(zip(each, each, each, strict=True))


@cache
def palette_bytes() -> bytes:
    """The palette as files have it: red, green and blue of each colour."""
    return _distinct_palette_bytes() + bytes(channel for colour in theme.DOUBLED_COLOURS for channel in colour)


@cache
def _distinct_palette_bytes() -> bytes:
    """The same without those that stand there twice."""
    return sprite_cache.load_cached(mix_palette) or mix_palette()


def mix_palette() -> bytes:
    """The colours that meet, the shades between them, and what cards fade to when dimmed."""
    colours: dict[Colour, None] = {}
    for one, other in theme.BLENDED_PAIRS:
        colours.update((mix_colours(one, other, i / theme.SHADE_STEPS), None) for i in range(theme.SHADE_STEPS + 1))
    for one, other in theme.TEXT_COLOURS:
        colours.update(
            (mix_colours(one, other, i / theme.TEXT_SHADE_STEPS), None) for i in range(theme.TEXT_SHADE_STEPS + 1)
        )
    for one, other in theme.BLENDED_PAIRS[:19]:
        colours.update(
            (mix_colours(mix_colours(one, other, i / theme.SHADE_STEPS), theme.FELT_DARK, theme.FADE_SHARE), None)
            for i in range(theme.SHADE_STEPS + 1)
        )
    assert len(colours) + len(theme.DOUBLED_COLOURS) <= 256, len(colours)
    return bytes(channel for colour in colours for channel in colour)


@cache
def nearest_index(colour: Colour) -> int:
    """The palette's index of a colour, or of the one most like it."""
    if colour in palette_colours():
        return palette_colours().index(colour)
    r, g, b = colour
    distances = [(r - x) ** 2 + (g - y) ** 2 + (b - z) ** 2 for x, y, z in palette_colours()]
    return distances.index(min(distances))


@cache
def faded_indices() -> bytes:
    """For every colour of the palette, the one it fades to."""
    return sprite_cache.load_cached(compute_faded_indices) or compute_faded_indices()


def compute_faded_indices() -> bytes:
    """Each colour's fading, as far as the palette has it."""
    return bytes(
        nearest_index(mix_colours(colour, theme.FELT_DARK, theme.FADE_SHARE)) for colour in palette_colours()
    ).ljust(256, b"\0")


@cache
def shade_indices(ground: Colour, ink: Colour) -> bytes:
    """Palette indices from no cover to full cover."""
    steps = sprite_cache.load_cached(compute_shade_indices, ground, ink) or compute_shade_indices(ground, ink)
    return _shade_by_coverage().translate(steps.ljust(256, b"\0"))


def compute_shade_indices(ground: Colour, ink: Colour) -> bytes:
    """The palette's index of each shade between the two."""
    return bytes(
        nearest_index(mix_colours(ground, ink, i / theme.TEXT_SHADE_STEPS)) for i in range(theme.TEXT_SHADE_STEPS + 1)
    )


@cache
def _shade_by_coverage() -> bytes:
    """For every cover, which of the shades it is."""
    return bytes(round(i * theme.TEXT_SHADE_STEPS / 255) for i in range(256))


def to_indices(image: Image.Image) -> Image.Image:
    """A drawing as indices of the palette, in mode L: nothing but the file needs to know which colours those are."""
    found = image.quantize(palette=_palette_image(), dither=Image.Dither.NONE)
    return Image.frombytes("L", found.size, found.tobytes())


def weave_indices(image: Image.Image) -> Image.Image:
    """A drawing's indices, of which every third column has the second ones of colours that stand in the palette twice.

    What packs a row looks only so far back for one like it. In a plain area each place is like its neighbours, and
    these are all that is found; where they differ by turns, the row above is found, too.
    """
    others = Image.frombytes("L", image.size, image.tobytes().translate(_last_indices()))
    columns = Image.frombytes("L", (image.width, 1), (b"\0\0\xff" * image.width)[: image.width])
    return Image.composite(others, image, columns.resize(image.size, Image.Resampling.NEAREST))


def mix_colours(one: Colour, other: Colour, share: float) -> Colour:
    """A colour between two."""
    r, g, b = (round(a + (c - a) * share) for a, c in zip(one, other, strict=True))
    return r, g, b


def _last_indices() -> bytes:
    """For every index, that of the same colour that stands there last."""
    last = {colour: index for index, colour in enumerate(palette_colours())}
    return bytes(last[colour] for colour in palette_colours()).ljust(256, b"\0")


@cache
def _palette_image() -> Image.Image:
    image = Image.new("P", (1, 1))
    image.putpalette(_distinct_palette_bytes())
    return image
