"""Layers: sprites cut for fast pasting. Rows that a sprite covers entirely are pasted without a mask.

A picture takes about a hundred pastes. `Image.paste` spends most of its time on checks that always hold here: that
images are loaded, that their modes match, and that the target is writable.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from PIL import Image, ImageChops

from cogs.pictures.raster.png import highest_index
from cogs.pictures.raster.sprites import Sprite

LARGE_PIXELS = 5000  # pixels from which masking costs more than two extra layers
ImageCore = Any
"""Pillow's internal image of a loaded image, kept to paste from."""


class Layer(NamedTuple):
    """Some rows of a sprite: their offset from its top, their pixels, their mask, and their highest pixel."""

    down: int
    width: int
    height: int
    core: ImageCore
    mask: ImageCore | None
    last_index: int  # of the palette


def split_layers(sprite: Sprite) -> Sequence[Layer]:
    """Cut a large sprite in three: the rows between the round corners need no mask and are pasted faster without."""
    image, mask = sprite.image, sprite.mask
    top, bottom = (0, 0) if mask is None else _full_rows(mask)
    if mask is None or image.width * (bottom - top) < LARGE_PIXELS:
        return (make_layer(image, mask),)
    middle = make_layer(image.crop((0, top, image.width, bottom)), None, top)
    ends = [(y, (0, y, image.width, end)) for y, end in ((0, top), (bottom, image.height)) if y < end]
    return (middle, *(make_layer(image.crop(rows), mask.crop(rows), y) for y, rows in ends))


def paste_layers(below: ImageCore, parts: Sequence[Layer], x: int, y: int) -> int:
    """Paste layers through their masks, with their upper left corner at a point, as `Image.paste` does.

    Returns the highest palette index that they may have.
    """
    end, highest = below.size[1], 0
    for down, width, height, image, mask, last_index in parts:
        top = y + down
        if top >= end or top + height <= 0:
            continue
        if mask is None:
            below.paste(image, (x, top, x + width, top + height))
        else:
            below.paste(image, (x, top, x + width, top + height), mask)
        if last_index > highest:
            highest = last_index
    return highest


def make_layer(image: Image.Image, mask: Image.Image | None, down: int = 0) -> Layer:
    """Return a whole image as one layer with its mask."""
    image.load()
    if mask is not None:
        mask.load()
    return Layer(down, *image.size, image.im, mask and mask.im, highest_index(image))


def _full_rows(mask: Image.Image) -> tuple[int, int]:
    """Return the start and end of the first rows that are covered from left to right."""
    gaps = [*ImageChops.invert(mask).getprojection()[1], 1]  # per row: whether anything shows through
    top = gaps.index(0) if 0 in gaps else 0
    return top, gaps.index(1, top)
