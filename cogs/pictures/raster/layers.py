"""Sprites cut for pasting: what covers a whole row is put there without asking the outline for every pixel.

A picture takes a hundred pastes, and most of the time of Pillow's own is spent on asking what holds for all of these:
that images are in memory, that their modes suit each other, that the one below may be written to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from PIL import Image, ImageChops

from cogs.pictures.raster.sprites import Sprite

LARGE_PIXELS = 5000  # pixels whose outline takes longer than two layers more
ImageCore = Any
"""What Pillow keeps of an image that is in memory: to be pasted, without its being asked for each time."""


class Layer(NamedTuple):
    """Some rows of a sprite: how far down they begin, and what is pasted there through which outline."""

    down: int
    width: int
    height: int
    core: ImageCore
    mask: ImageCore | None


def split_layers(sprite: Sprite) -> Sequence[Layer]:
    """A large sprite in three: the rows between round corners need no outline, and are pasted sooner without it."""
    image, mask = sprite.image, sprite.mask
    top, bottom = (0, 0) if mask is None else _full_rows(mask)
    if mask is None or image.width * (bottom - top) < LARGE_PIXELS:
        return (make_layer(image, mask),)
    middle = make_layer(image.crop((0, top, image.width, bottom)), None, top)
    ends = [(y, (0, y, image.width, end)) for y, end in ((0, top), (bottom, image.height)) if y < end]
    return (middle, *(make_layer(image.crop(rows), mask.crop(rows), y) for y, rows in ends))


def paste_layers(below: Image.Image, parts: Sequence[Layer], x: int, y: int) -> None:
    """Paste indices through their outlines, with a point for their upper left corner, as `Image.paste` does."""
    core, end = below.im, below.height
    for down, width, height, image, mask in parts:
        top = y + down
        if top >= end or top + height <= 0:
            continue
        if mask is None:
            core.paste(image, (x, top, x + width, top + height))
        else:
            core.paste(image, (x, top, x + width, top + height), mask)


def make_layer(image: Image.Image, mask: Image.Image | None, down: int = 0) -> Layer:
    """An image as it is, through its outline."""
    image.load()
    if mask is not None:
        mask.load()
    return Layer(down, *image.size, image.im, mask and mask.im)


def _full_rows(mask: Image.Image) -> tuple[int, int]:
    """Where the first rows begin and end that are covered from left to right."""
    gaps = [*ImageChops.invert(mask).getprojection()[1], 1]  # whether anything shows through, a row each
    top = gaps.index(0) if 0 in gaps else 0
    return top, gaps.index(1, top)
