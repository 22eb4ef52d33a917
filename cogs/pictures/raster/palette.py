"""The palette that all pictures share: its colours, nearest matches, shades, and dimmed colours."""

from __future__ import annotations

from functools import cache

from PIL import Image

from cogs.pictures.raster import sprite_cache, theme
from cogs.pictures.raster.theme import Colour


@cache
def palette_colours() -> tuple[Colour, ...]:
    """Return all colours."""
    each = iter(palette_bytes())
    return tuple(zip(each, each, each, strict=True))


@cache
def palette_bytes() -> bytes:
    """Return the palette as bytes: red, green and blue of each colour."""
    return _distinct_palette_bytes() + bytes(channel for colour in theme.DOUBLED_COLOURS for channel in colour)


@cache
def _distinct_palette_bytes() -> bytes:
    """Return the palette without its repeated colours."""
    return sprite_cache.load_cached(mix_palette) or mix_palette()


def mix_palette() -> bytes:
    """Build the palette from the theme's colours, the shades between those that meet, and the dimmed colours."""
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
    """Return the palette index of a colour, or of the most similar one."""
    if colour in palette_colours():
        return palette_colours().index(colour)
    r, g, b = colour
    distances = [(r - x) ** 2 + (g - y) ** 2 + (b - z) ** 2 for x, y, z in palette_colours()]
    return distances.index(min(distances))


@cache
def faded_indices() -> bytes:
    """Return for every palette index the index of its dimmed colour."""
    return sprite_cache.load_cached(compute_faded_indices) or compute_faded_indices()


def compute_faded_indices() -> bytes:
    """Compute the nearest palette index of every dimmed colour."""
    return bytes(
        nearest_index(mix_colours(colour, theme.FELT_DARK, theme.FADE_SHARE)) for colour in palette_colours()
    ).ljust(256, b"\0")


@cache
def shade_indices(ground: Colour, ink: Colour) -> bytes:
    """Return the palette indices from no coverage to full coverage."""
    steps = sprite_cache.load_cached(compute_shade_indices, ground, ink) or compute_shade_indices(ground, ink)
    return _shade_by_coverage().translate(steps.ljust(256, b"\0"))


def compute_shade_indices(ground: Colour, ink: Colour) -> bytes:
    """Compute the palette index of each shade between two colours."""
    return bytes(
        nearest_index(mix_colours(ground, ink, i / theme.TEXT_SHADE_STEPS)) for i in range(theme.TEXT_SHADE_STEPS + 1)
    )


@cache
def _shade_by_coverage() -> bytes:
    """Return for every coverage value the number of its shade."""
    return bytes(round(i * theme.TEXT_SHADE_STEPS / 255) for i in range(256))


def to_indices(image: Image.Image) -> Image.Image:
    """Convert a drawing to palette indices in mode L. Only the file needs the colours themselves."""
    found = image.quantize(palette=_palette_image(), dither=Image.Dither.NONE)
    return Image.frombytes("L", found.size, found.tobytes())


def weave_indices(image: Image.Image) -> Image.Image:
    """Replace every third column's indices by the second index of colours that are in the palette twice.

    The compressor searches a limited number of matches. In a plain area all of them are nearby; with alternating
    indices it also finds the row above.
    """
    others = Image.frombytes("L", image.size, image.tobytes().translate(_last_indices()))
    columns = Image.frombytes("L", (image.width, 1), (b"\0\0\xff" * image.width)[: image.width])
    return Image.composite(others, image, columns.resize(image.size, Image.Resampling.NEAREST))


def mix_colours(one: Colour, other: Colour, share: float) -> Colour:
    """Return a colour between two."""
    r, g, b = (round(a + (c - a) * share) for a, c in zip(one, other, strict=True))
    return r, g, b


def _last_indices() -> bytes:
    """Return for every index the last index of the same colour."""
    last = {colour: index for index, colour in enumerate(palette_colours())}
    return bytes(last[colour] for colour in palette_colours()).ljust(256, b"\0")


@cache
def _palette_image() -> Image.Image:
    image = Image.new("P", (1, 1))
    image.putpalette(_distinct_palette_bytes())
    return image
