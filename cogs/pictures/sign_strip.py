"""The signs of all games side by side, for the top of their list."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

from PIL import Image

SIDE, GAP = 150, 18  # pixels: of a sign, and between two; a telephone shows about a third of them


def strip_size(signs: int) -> tuple[int, int]:
    """Return the width and height in pixels of a strip of so many signs."""
    return signs * (SIDE + GAP) - GAP, SIDE


def join_signs(signs: Sequence[bytes]) -> bytes:
    """Return one PNG of square PNGs from left to right, with nothing between them."""
    strip = Image.new("RGBA", strip_size(len(signs)))
    for number, sign in enumerate(signs):
        image = Image.open(BytesIO(sign)).convert("RGBA").resize((SIDE, SIDE), Image.Resampling.LANCZOS)
        strip.paste(image, (number * (SIDE + GAP), 0))
    content = BytesIO()
    strip.quantize(256, Image.Quantize.FASTOCTREE).save(content, "PNG")
    return content.getvalue()
