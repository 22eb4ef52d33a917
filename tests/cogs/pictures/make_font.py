"""Make the typefaces of the pictures with fonttools: `python -m tests.cogs.pictures.make_font <folder>`.

The folder holds the fonts of Debian's fonts-noto-core and fonts-noto-extra (20201225) and fonts-vollkorn (4.105). Noto
Sans has most signs; a few come from its sister faces, and the minus sign is the bar of its own plus. Titles are set in
Vollkorn.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from fontTools.pens.ttGlyphPen import TTGlyphPen  # type: ignore[import-not-found, unused-ignore]
from fontTools.subset import Options, Subsetter  # type: ignore[import-not-found, unused-ignore]
from fontTools.ttLib import TTFont  # type: ignore[import-not-found, unused-ignore]

ROOT = Path(__file__).parents[3]
FONT_FOLDER = ROOT / "cogs" / "pictures" / "raster" / "font"
TITLE_FONT = "Vollkorn-Black.ttf"
TEXT_FONT = "NotoSans-SemiCondensedSemiBold.ttf"
LATIN = (*range(0x20, 0x7F), *range(0xA0, 0xAD), *range(0xAE, 0x250), *range(0x1E00, 0x1F00))
GREEK = tuple(range(0x370, 0x400))
CYRILLIC = (*range(0x400, 0x483), *range(0x48A, 0x530))  # without combining accents
PUNCTUATION = tuple(map(ord, "‐–—‘’‚“”„†‡•…‰′″‹›⁄€№"))
SISTER_FONTS = {"NotoSansSymbols-SemiBold.ttf": "←↑→↓↔", "NotoSansSymbols2-Regular.ttf": "★☆♠♡♢♣♤♥♦♧✓"}
SIGN_FONTS = {"NotoSansMath-Regular.ttf": "≠≤≥"}
MINUS_SIGN = "−"


def main(fonts: Path) -> None:
    """Merge the text, the symbols and the minus in one file; cut the titles' letters from another."""
    titles = _subset(fonts / TITLE_FONT, [*range(0x20, 0x7F), *range(0xA0, 0x180), *GREEK, *CYRILLIC, *PUNCTUATION])
    titles.save(FONT_FOLDER / "VollkornBlack.ttf")
    font = _subset(fonts / TEXT_FONT, [*LATIN, *GREEK, *CYRILLIC, *PUNCTUATION])
    for name, signs in (SISTER_FONTS | SIGN_FONTS).items():
        sister = TTFont(fonts / name)
        for sign in signs:
            glyph = sister.getBestCmap()[ord(sign)]
            pen = TTGlyphPen(None)
            sister.getGlyphSet()[glyph].draw(pen)
            _add_glyph(font, sign, pen.glyph(), sister["hmtx"][glyph][0])
    _add_minus(font)
    font.save(FONT_FOLDER / "NotoSans.ttf")


def _subset(path: Path, code_points: list[int]) -> Any:
    """Return a font with these characters alone."""
    font = TTFont(path)
    options = Options(hinting=False, layout_features=[], notdef_outline=True, name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14])
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=code_points)
    subsetter.subset(font)
    return font


def _add_minus(font: Any) -> None:
    """Return the outline of the plus without its vertical bar."""
    plus = font["glyf"]["plus"]
    level = (plus.yMin + plus.yMax) / 2
    points = plus.getCoordinates(font["glyf"])[0]
    ends = sorted({y for x, y in points if x == plus.xMin})
    assert ends[0] < level < ends[-1], "the plus has an unknown shape"
    pen = TTGlyphPen(None)
    pen.moveTo((plus.xMin, ends[0]))
    for point in ((plus.xMin, ends[-1]), (plus.xMax, ends[-1]), (plus.xMax, ends[0])):
        pen.lineTo(point)
    pen.closePath()
    _add_glyph(font, MINUS_SIGN, pen.glyph(), font["hmtx"]["plus"][0])


def _add_glyph(font: Any, sign: str, glyph: Any, width: int) -> None:
    name = f"uni{ord(sign):04X}"
    font.setGlyphOrder([*font.getGlyphOrder(), name])
    font["glyf"][name] = glyph
    font["hmtx"][name] = (width, getattr(glyph, "xMin", 0))
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap[ord(sign)] = name


if __name__ == "__main__":
    main(Path(sys.argv[1]))
