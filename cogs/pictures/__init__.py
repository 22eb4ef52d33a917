"""Pictures: what a screen wants drawn, as PNG."""

from __future__ import annotations

from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from cogs.pictures.spec import HandPicture, ScoreSheet, Spec, TrickTable


def render(spec: Spec) -> bytes:
    """The picture as a PNG. May be called from any thread."""
    match spec:
        case HandPicture():
            lines = [" ".join(card.key for card in spec.cards)]
        case TrickTable():
            lines = [spec.title, *(f"{laid.seat}: {laid.card}" for laid in spec.trick.cards)]
        case ScoreSheet():
            lines = [row.name for row in spec.rows]
    image = Image.new("P", (1000, 60 + 50 * len(lines)), 0)
    image.putpalette([20, 70, 50, 255, 255, 255])
    for i, line in enumerate(lines):
        ImageDraw.Draw(image).text((30, 30 + 50 * i), line, fill=1, font=ImageFont.load_default(36))
    out = BytesIO()
    image.save(out, "PNG", compress_level=6)
    return out.getvalue()
