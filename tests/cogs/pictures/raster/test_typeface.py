"""The characters of our typeface, and the names of seats in pictures."""

from __future__ import annotations

import pytest
from PIL import ImageChops

from cogs.pictures.raster.letters import fit_text, text_coverage, text_width
from cogs.pictures.raster.theme import MIN_TYPE_SIZE
from cogs.pictures.raster.typeface import font_signs, has_all_signs, plate_names

NOWHERE = "\U0010fffd"  # a character without a glyph in any typeface


def test_every_sign_that_is_listed_is_drawn_as_itself() -> None:
    missing = text_coverage(f"H{NOWHERE}", 40)
    for sign in sorted(font_signs()):
        drawn = text_coverage(f"H{sign}", 40)
        assert drawn.size != missing.size or ImageChops.difference(drawn, missing).getbbox(), f"U+{ord(sign):04X}"


@pytest.mark.parametrize("text", ["日本", "🎉", "אבג", "a\u0301", "\u200d", "\u00ad", NOWHERE, "\n"])
def test_a_text_with_a_missing_sign_is_recognised(text: str) -> None:
    assert not has_all_signs(text)


def test_the_signs_of_our_pictures_are_there() -> None:
    assert has_all_signs("ABCabcäöüßñçžłőŞαβωЖяїґ0123456789+−–—…·×½%★☆♠♥♣♦♤♡♧♢←→≤≥“”’,.:;?!()/")


def test_the_minus_is_as_wide_as_the_plus_and_lies_within_its_height() -> None:
    assert text_width("−", 600) == pytest.approx(text_width("+", 600), abs=2)
    plus, minus = (text_coverage(f"+{sign}+", 200).getbbox() for sign in "+−")
    assert plus == minus
    bar = text_coverage("−", 200).getbbox()
    assert bar is not None
    assert bar[3] - bar[1] < (bar[2] - bar[0]) / 3


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("Ada", "Bela"), ("Ada", "Bela")),
        (("Alexandra", "Žofie", "Ольга"), ("Alexandra", "Žofie", "Ольга")),
        (("Alexander the Great of Macedonia", "W" * 32), ("Alexander the Great of Macedonia", "W" * 32)),
        (("Jose\u0301", "Ada 🎉", "日本"), ("José", "B", "C")),
        (("Alexandra", "Alexandria", "Chidi"), ("A", "B", "Chidi")),
        (("ada", "Ada", "Chidi"), ("A", "B", "Chidi")),
        (("Ada", "Аdа"), ("A", "B")),  # the second in Cyrillic
        (("B", "b", "c"), ("A", "B", "C")),
        (("A", "B"), ("A", "B")),
        (("Ada with 🎉", "abcdefgh\u0335"), ("Ada with…", "B")),
        ((" a \u00a0 b ", "Bela"), ("a b", "Bela")),
    ],
)
def test_a_seat_has_a_name_that_can_be_drawn_or_its_letter(names: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert plate_names(names) == expected


@pytest.mark.parametrize("room", [60, 100, 200, 400])
def test_words_are_made_to_fit(room: int) -> None:
    text, size = fit_text("WWWWWWWW of all", room, 36)
    assert text_width(text, size) <= room
    assert size >= MIN_TYPE_SIZE
    assert text.rstrip("…") in "WWWWWWWW of all"
    assert ("…" in text) == (text_width("WWWWWWWW of all", MIN_TYPE_SIZE) > room)
    assert fit_text("Ada", 200, 36) == ("Ada", 36)
