"""The palette that all pictures share: its colours, nearest matches, shades, and dimmed colours."""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import cache, lru_cache
from itertools import combinations_with_replacement

from PIL import Image

from cogs.pictures.raster import sprite_cache, theme
from cogs.pictures.raster.theme import Colour, mix_colours


@cache
def palette_colours() -> tuple[Colour, ...]:
    """Return all colours on the green cloth."""
    each = iter(palette_bytes())
    return tuple(zip(each, each, each, strict=True))


@cache
def palette_bytes(cloth: str = "green") -> bytes:
    """Return the palette on a cloth as bytes: red, green and blue of each colour."""
    replaced = theme.CLOTHS[cloth]
    doubled = (replaced.get(colour, colour) for colour in theme.DOUBLED_COLOURS)
    return _distinct_palette_bytes(cloth) + bytes(channel for colour in doubled for channel in colour)


@cache
def _distinct_palette_bytes(cloth: str = "green") -> bytes:
    """Return the palette without its repeated colours."""
    return sprite_cache.load_cached(mix_palette, cloth) or mix_palette(cloth)


def mix_palette(cloth: str = "green") -> bytes:
    """Build the palette from the theme's colours, the shades between those that meet, and the dimmed colours.

    All cloths have their colours in the order of the green one.
    """
    colours: dict[Colour, Colour] = {}  # on the green cloth, and on this one
    dyed = theme.CLOTHS[cloth]

    def add_shades(one: Colour, other: Colour, is_dimmed: bool = False) -> None:
        for share in theme.SHADES:
            plain, on_cloth = (
                mix_colours(*pair, share) for pair in ((one, other), (dyed.get(one, one), dyed.get(other, other)))
            )
            if is_dimmed:
                plain = mix_colours(plain, theme.FELT_DARK, theme.FADE_SHARE)
                on_cloth = mix_colours(on_cloth, dyed.get(theme.FELT_DARK, theme.FELT_DARK), theme.FADE_SHARE)
            colours.setdefault(plain, on_cloth)

    for one, other in theme.BRIGHT_PAIRS:
        add_shades(one, other)
    for one, other in theme.CARD_PAIRS:
        add_shades(one, other, is_dimmed=True)
    assert len(colours) + len(theme.DOUBLED_COLOURS) <= 256, len(colours)
    return bytes(channel for colour in colours.values() for channel in colour)


@cache
def nearest_index(colour: Colour) -> int:
    """Return the palette index of a colour, or of the most similar one."""
    return _nearest_of(colour, palette_colours())


@cache
def shade_index(one: Colour, other: Colour, share: float = 0.5) -> int:
    """Return the palette index of a shade between two colours: the most similar one if it is not in the palette.

    That is not a dimmed one, and between two colours of sheets it is one of theirs.
    """
    bright, shade = palette_colours()[: _count_colours(theme.BRIGHT_PAIRS)], mix_colours(one, other, share)
    sheets = bright[: _count_colours(theme.SHEET_PAIRS)]
    is_of_sheets = {one, other}.issubset(sheets) and shade not in bright
    return _nearest_of(shade, sheets if is_of_sheets else bright)


def _nearest_of(colour: Colour, colours: Sequence[Colour]) -> int:
    if colour in colours:
        return colours.index(colour)
    r, g, b = colour
    distances = [(r - x) ** 2 + (g - y) ** 2 + (b - z) ** 2 for x, y, z in colours]
    return distances.index(min(distances))


@cache
def _count_colours(pairs: Sequence[tuple[Colour, Colour]]) -> int:
    """Return how many colours some pairs have with their shades."""
    return len({mix_colours(*pair, share) for pair in pairs for share in theme.SHADES})


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
    return shades_by_coverage().translate(steps.ljust(256, b"\0"))


def compute_shade_indices(ground: Colour, ink: Colour) -> bytes:
    """Compute the palette index of each shade between two colours."""
    return bytes(shade_index(ground, ink, share) for share in theme.SHADES)


@cache
def shades_by_coverage() -> bytes:
    """Return for every coverage value the number of its shade, from ground to ink."""
    low, high = theme.SHADED_COVERAGE.start, theme.SHADED_COVERAGE.stop
    return bytes(low) + b"\1" * (high - low) + b"\2" * (256 - high)


def to_indices(image: Image.Image, colours: Set[Colour] = frozenset()) -> Image.Image:
    """Convert a drawing in these colours to palette indices in mode L. Only the file needs the colours themselves.

    A pixel gets one of the colours or the shade between two of them. More are not seen, and take a twentieth more room
    in files. Without colours, the whole palette is used.
    """
    pairs = combinations_with_replacement(sorted(colours), 2)
    indices = sorted({shade_index(one, other) for one, other in pairs})
    found = image.quantize(palette=_palette_image(tuple(indices)), dither=Image.Dither.NONE)
    return Image.frombytes("L", found.size, found.tobytes().translate(bytes(indices or range(256)).ljust(256, b"\0")))


def weave_indices(image: Image.Image) -> Image.Image:
    """Replace every third column's indices by the second index of colours that are in the palette twice.

    The compressor searches a limited number of matches. In a plain area all of them are nearby; with alternating
    indices it also finds the row above.
    """
    others = Image.frombytes("L", image.size, image.tobytes().translate(_last_indices()))
    columns = Image.frombytes("L", (image.width, 1), (b"\0\0\xff" * image.width)[: image.width])
    return Image.composite(others, image, columns.resize(image.size, Image.Resampling.NEAREST))


def _last_indices() -> bytes:
    """Return for every index the last index of the same colour."""
    last = {colour: index for index, colour in enumerate(palette_colours())}
    return bytes(last[colour] for colour in palette_colours()).ljust(256, b"\0")


@lru_cache(64)
def _palette_image(indices: Sequence[int]) -> Image.Image:
    """Return an image with these colours of the palette, or with all of them if there are none."""
    image, colours = Image.new("P", (1, 1)), palette_colours()
    chosen = [colours[index] for index in indices] or colours[: -len(theme.DOUBLED_COLOURS)]
    image.putpalette([channel for colour in chosen for channel in colour])
    return image
