"""Sprites: drawings ready to paste, loaded from the sprite cache or drawn now."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache
from struct import Struct

from PIL import Image

from cogs.pictures.raster import sprite_cache
from cogs.pictures.raster.palette import to_indices, weave_indices
from cogs.pictures.raster.pen import DrawFunction, Drawing, image_from_bytes, stretch_image

_HEADER = Struct(f">HHHH{sprite_cache.KEY_BYTES}s")  # the drawn size, the stretched size, and the key of the mask


@dataclass(frozen=True, slots=True)
class Sprite:
    """A drawing as indices of the shared palette, and its hard-edged mask (None: a full rectangle)."""

    image: Image.Image
    mask: Image.Image | None


def build_sprite(draw: DrawFunction, *arguments: Hashable) -> Sprite:
    """Return the sprite of a drawing, from the sprite cache if possible."""
    cached = sprite_cache.load_cached(pack_sprite, draw, *arguments)
    return make_sprite(draw(*arguments)) if cached is None else _unpack_sprite(cached)


def solid_index(draw: DrawFunction, *arguments: Hashable) -> int | None:
    """Return the palette index of a drawing of one colour; None for other drawings."""
    cached = sprite_cache.load_cached(pack_sprite, draw, *arguments)
    image = _drawing_indices(draw(*arguments)) if cached is None else _cached_image(cached)
    return image.tobytes()[0] if image.size == (1, 1) else None


def make_sprite(art: Drawing) -> Sprite:
    """Convert a drawing to the shared palette."""
    mask = _drawing_outline(art)
    return Sprite(stretch_image(_drawing_indices(art), art.size), mask and stretch_image(mask, art.size))


def pack_sprite(draw: DrawFunction, *arguments: Hashable) -> tuple[bytes, bytes, bytes]:
    """Return the cache record of a drawing, and the key and record of its mask, which many drawings share."""
    art = draw(*arguments)
    image, mask = _drawing_indices(art), _drawing_outline(art)
    outline = mask.tobytes() if mask else b""
    name = sprite_cache.content_key(b"%d %d " % image.size + outline) if mask else sprite_cache.EMPTY_KEY
    return _HEADER.pack(*image.size, *(art.size or image.size), name) + image.tobytes(), name, outline


def _unpack_sprite(packed: bytes) -> Sprite:
    *_, width, height, outline = _HEADER.unpack_from(packed)
    image, size = _cached_image(packed), (width, height)
    return Sprite(stretch_image(image, size), _cached_outline(outline, image.size, size))


def _cached_image(packed: bytes) -> Image.Image:
    width, height, *_ = _HEADER.unpack_from(packed)
    return image_from_bytes((width, height), packed[_HEADER.size :])


@cache
def _cached_outline(name: bytes, size: tuple[int, int], whole: tuple[int, int]) -> Image.Image | None:
    outline = None if name == sprite_cache.EMPTY_KEY else sprite_cache.read_record(name)
    return None if outline is None else stretch_image(Image.frombytes("1", size, outline), whole)


def _drawing_indices(art: Drawing) -> Image.Image:
    indices = to_indices(art.image, art.colours)
    return weave_indices(indices) if art.is_woven else indices


def _drawing_outline(art: Drawing) -> Image.Image | None:
    return None if art.mask is None else threshold_mask(art.mask)


def threshold_mask(coverage: Image.Image) -> Image.Image:
    """Return the mask of all pixels that are covered by at least half."""
    return coverage.convert("1", dither=Image.Dither.NONE)
