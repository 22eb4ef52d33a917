"""Sprites cut for pasting: what covers a whole row is put there without asking the outline for every pixel."""

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
