"""Sprites: drawings as they are pasted, out of the stock or drawn now."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache
from struct import Struct

from PIL import Image

from cogs.pictures.raster import sprite_cache
from cogs.pictures.raster.palette import indices, woven
from cogs.pictures.raster.pen import Art, Drawer, grown, mapped

_HEAD = Struct(f">HHHH{sprite_cache.KEY}s")  # the size drawn, the size grown to, and the key of the outline


@dataclass(frozen=True, slots=True)
class Sprite:
    """A drawing as indices of the shared palette, and its hard-edged outline (None: a full rectangle)."""

    image: Image.Image
    mask: Image.Image | None


def built(draw: Drawer, *arguments: Hashable) -> Sprite:
    """What a drawer draws, or drew beforehand."""
    kept = sprite_cache.found(packed, draw, *arguments)
    return made(draw(*arguments)) if kept is None else _unpacked(kept)


def plain(draw: Drawer, *arguments: Hashable) -> int | None:
    """The index of what is of one colour throughout."""
    kept = sprite_cache.found(packed, draw, *arguments)
    image = _indices(draw(*arguments)) if kept is None else _kept_image(kept)
    return image.tobytes()[0] if image.size == (1, 1) else None


def made(art: Art) -> Sprite:
    """A drawing in the shared palette."""
    mask = _outline(art)
    return Sprite(grown(_indices(art), art.size), mask and grown(mask, art.size))


def packed(draw: Drawer, *arguments: Hashable) -> tuple[bytes, bytes, bytes]:
    """What the stock keeps of a drawing; and its outline, which many have in common, with the name for that."""
    art = draw(*arguments)
    image, mask = _indices(art), _outline(art)
    outline = mask.tobytes() if mask else b""
    name = sprite_cache.content_key(b"%d %d " % image.size + outline) if mask else sprite_cache.NOTHING
    return _HEAD.pack(*image.size, *(art.size or image.size), name) + image.tobytes(), name, outline


def _unpacked(kept: bytes) -> Sprite:
    *_, width, height, outline = _HEAD.unpack_from(kept)
    image, size = _kept_image(kept), (width, height)
    return Sprite(grown(image, size), _kept_outline(outline, image.size, size))


def _kept_image(kept: bytes) -> Image.Image:
    width, height, *_ = _HEAD.unpack_from(kept)
    return mapped((width, height), kept[_HEAD.size :])


@cache
def _kept_outline(name: bytes, size: tuple[int, int], whole: tuple[int, int]) -> Image.Image | None:
    outline = None if name == sprite_cache.NOTHING else sprite_cache.record(name)
    return None if outline is None else grown(Image.frombytes("1", size, outline), whole)


def _indices(art: Art) -> Image.Image:
    return woven(indices(art.image)) if art.woven else indices(art.image)


def _outline(art: Art) -> Image.Image | None:
    return None if art.mask is None else halved(art.mask)


def halved(cover: Image.Image) -> Image.Image:
    """Where at least half is covered."""
    return cover.convert("1", dither=Image.Dither.NONE)
