"""Sprites: drawings as they are pasted, out of the stock or drawn now."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache
from struct import Struct

from PIL import Image

from cogs.pictures import stock
from cogs.pictures.palette import indices
from cogs.pictures.pen import Art, Drawer, grown

_HEAD = Struct(f">HHHH{stock.KEY}s")  # the size drawn, the size grown to, and the key of the outline


@dataclass(frozen=True, slots=True)
class Sprite:
    """A drawing as indices of the shared palette, and its hard-edged outline (None: a full rectangle)."""

    image: Image.Image
    mask: Image.Image | None


def built(draw: Drawer, *arguments: Hashable) -> Sprite:
    """What a drawer draws, or drew beforehand."""
    kept = stock.found(packed, draw, *arguments)
    return made(draw(*arguments)) if kept is None else _unpacked(kept)


def made(art: Art) -> Sprite:
    """A drawing in the shared palette."""
    mask = _outline(art)
    return Sprite(grown(indices(art.image), art.size), mask and grown(mask, art.size))


def packed(draw: Drawer, *arguments: Hashable) -> tuple[bytes, bytes, bytes]:
    """What the stock keeps of a drawing; and its outline, which many have in common, with the name for that."""
    art = draw(*arguments)
    image, mask = indices(art.image), _outline(art)
    outline = mask.tobytes() if mask else b""
    name = stock.content_key(b"%d %d " % image.size + outline) if mask else stock.NOTHING
    return _HEAD.pack(*image.size, *(art.size or image.size), name) + image.tobytes(), name, outline


def _unpacked(kept: bytes) -> Sprite:
    width, height, *size, outline = _HEAD.unpack_from(kept)
    image = Image.frombytes("L", (width, height), kept[_HEAD.size :])
    return Sprite(grown(image, (size[0], size[1])), _kept_outline(outline, (width, height), (size[0], size[1])))


@cache
def _kept_outline(name: bytes, size: tuple[int, int], whole: tuple[int, int]) -> Image.Image | None:
    outline = None if name == stock.NOTHING else stock.record(name)
    return None if outline is None else grown(Image.frombytes("1", size, outline), whole)


def _outline(art: Art) -> Image.Image | None:
    return None if art.mask is None else halved(art.mask)


def halved(cover: Image.Image) -> Image.Image:
    """Where at least half is covered."""
    return cover.convert("1", dither=Image.Dither.NONE)
