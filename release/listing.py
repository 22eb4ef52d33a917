"""`python -m release.listing`: makes the pictures of a public listing from our own screenshots and signs.

`docs/listing/README.md` says what each picture is for, and where the sizes come from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "docs" / "listing"
GAMES = ("wizard", "jest", "jokers", "court", "jesters")
ICON, BANNER, CAROUSEL = (1024, 1024), (680, 240), (1920, 1080)  # pixels
FELT = (0x1E, 0x3B, 0x2F)  # a dark table
GAP = 24  # pixels between the signs
SIZES: Mapping[str, tuple[int, int]] = {
    "icon.png": ICON,
    "banner.png": BANNER,
    **{f"carousel-{game}.png": CAROUSEL for game in GAMES},
}


def make_pictures(target: Path = TARGET) -> list[Path]:
    """Write all pictures into a folder, and return their paths."""
    return [_save(picture, target / name) for name, picture in _pictures()]


def _pictures() -> Iterator[tuple[str, Image.Image]]:
    pictures = ROOT / "docs" / "pictures"
    signs = [Image.open(pictures / "signs" / f"{game}.png").convert("RGBA") for game in GAMES]
    yield "icon.png", _on_felt(signs[0], ICON, margin=0)
    yield "banner.png", _on_felt(_in_a_row(signs), BANNER, margin=24)
    for game in GAMES:
        yield (
            f"carousel-{game}.png",
            _on_felt(Image.open(pictures / f"{game}.png").convert("RGBA"), CAROUSEL, margin=40),
        )


def _in_a_row(signs: list[Image.Image]) -> Image.Image:
    """Return the signs beside each other."""
    width = sum(sign.width for sign in signs) + GAP * (len(signs) - 1)
    row = Image.new("RGBA", (width, max(sign.height for sign in signs)))
    left = 0
    for sign in signs:
        row.paste(sign, (left, 0))
        left += sign.width + GAP
    return row


def _on_felt(picture: Image.Image, size: tuple[int, int], margin: int) -> Image.Image:
    """Return the picture in the middle of a table of that size, as large as it fits within the margin."""
    scale = min((size[0] - 2 * margin) / picture.width, (size[1] - 2 * margin) / picture.height)
    scaled = picture.resize((round(picture.width * scale), round(picture.height * scale)), Image.Resampling.LANCZOS)
    whole = Image.new("RGB", size, FELT)
    whole.paste(scaled, ((size[0] - scaled.width) // 2, (size[1] - scaled.height) // 2), scaled)
    return whole


def _save(picture: Image.Image, path: Path) -> Path:
    picture.quantize(256, method=Image.Quantize.FASTOCTREE).save(path, optimize=True)
    return path


if __name__ == "__main__":
    for path in make_pictures():
        print(path)
