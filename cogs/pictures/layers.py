"""Sprites cut for pasting: what covers a whole row is put there without asking the outline for every pixel.

A picture takes a hundred pastes, and most of the time of Pillow's own is spent on asking what holds for all of these:
that images are in memory, that their modes suit each other, that the one below may be written to.
"""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageChops

from cogs.pictures.sprites import Sprite

LARGE = 5000  # pixels whose outline takes longer than two layers more
Layer = tuple[int, Image.Image, Image.Image | None]
"""Some rows of a sprite: how far down they begin, and what is pasted there through which outline."""


def layers(whole: Sprite) -> Sequence[Layer]:
    """A large sprite in three: the rows between round corners need no outline, and are pasted sooner without it."""
    image, mask = whole.image, whole.mask
    top, bottom = (0, 0) if mask is None else _full(mask)
    if mask is None or image.width * (bottom - top) < LARGE:
        return ((0, image, mask),)
    middle = top, image.crop((0, top, image.width, bottom)), None
    ends = [(y, (0, y, image.width, end)) for y, end in ((0, top), (bottom, image.height)) if y < end]
    return (middle, *((y, image.crop(rows), mask.crop(rows)) for y, rows in ends))


def _full(mask: Image.Image) -> tuple[int, int]:
    """Where the first rows begin and end that are covered from left to right."""
    gaps = [*ImageChops.invert(mask).getprojection()[1], 1]  # whether anything shows through, a row each
    top = gaps.index(0) if 0 in gaps else 0
    return top, gaps.index(1, top)


def put(below: Image.Image, image: Image.Image, mask: Image.Image | None, x: int, y: int) -> None:
    """Paste indices through an outline, with a point for their upper left corner, as `Image.paste` does."""
    (width, height), core = image.size, below.im
    if y + height <= 0 or y >= below.height:
        return
    if mask is None:
        core.paste(image.im, (x, y, x + width, y + height))
    else:
        core.paste(image.im, (x, y, x + width, y + height), mask.im)
