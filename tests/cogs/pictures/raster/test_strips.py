"""Strips of pictures are laid once and reused; everything outside them is drawn, too."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from cogs.pictures.raster import strips, theme
from cogs.pictures.raster.canvas import Canvas
from cogs.pictures.raster.hashed_key import HashedKey
from cogs.pictures.raster.pen import DrawFunction
from cogs.pictures.raster.strips import GROUND_END, StripedSurface, lay_shared, lay_strip
from cogs.pictures.table_pieces import felt_tray, paper_sheet, round_badge

HEIGHT = 400


def lay_badge(surface: Any, y: int, letter: str) -> None:
    surface.paste(400, y + 10, round_badge, letter, 60, True)
    surface.paste(-20, y + 10, round_badge, letter, 60, True)  # over the edge


def lay_strips(canvas: Any, letters: str, laid: Any = lay_badge) -> None:
    lay_strip(canvas, 0, 120, laid, 0, letters[0])
    lay_strip(canvas, 240, HEIGHT, laid, 240, letters[1])
    canvas.text(500, 180, "between", theme.MIN_TYPE_SIZE, theme.IVORY, theme.FELT)


def check_same(lay: Callable[[Any], object], height: int = HEIGHT, ground: DrawFunction = felt_tray) -> None:
    """Check that a picture of strips is the one that is laid at once."""
    in_strips, at_once = StripedSurface(ground, height), Canvas(ground, height)
    lay(in_strips)
    lay(at_once)
    one, other = (Image.open(BytesIO(canvas.to_png())) for canvas in (in_strips, at_once))
    assert (one.size, one.tobytes()) == (other.size, other.tobytes())


def test_a_picture_of_strips_is_the_one_that_is_laid_at_once() -> None:
    for ground in (felt_tray, paper_sheet):  # of which one is plain
        for letters in ("DT", "TD", "TT"):
            check_same(partial(lay_strips, letters=letters), ground=ground)


def test_a_picture_without_strips_is_drawn_whole() -> None:
    check_same(lambda canvas: lay_badge(canvas, 100, "D"))


def test_a_strip_is_laid_once_for_all_pictures_that_have_it_at_that_height() -> None:
    laid: list[tuple[int, str]] = []

    def note_strip(surface: Any, y: int, letter: str) -> None:
        laid.append((y, letter))
        lay_badge(surface, y, letter)

    def draw(letters: str) -> None:
        canvas = StripedSurface(felt_tray, HEIGHT)
        lay_strips(canvas, letters, note_strip)
        canvas.to_png()

    for letters in ("DT", "DD", "DT"):
        draw(letters)
    assert laid == [(0, "D"), (240, "T"), (240, "D")]
    strips.clear_strips()
    draw("DT")
    assert laid[3:] == [(0, "D"), (240, "T")]


def test_the_lower_end_of_a_picture_is_its_own() -> None:
    """The felt has round corners, so the same strip looks different inside a higher picture."""
    for height in (HEIGHT, HEIGHT + 80):
        check_same(lambda canvas: lay_strip(canvas, 240, HEIGHT, lay_badge, 240, "D"), height)


def test_a_part_shared_by_two_pictures_is_packed_once_but_for_its_end() -> None:
    for letters in ("DD", "DT"):
        strips.clear_strips()
        for height, letter in zip((HEIGHT, HEIGHT + 80), letters, strict=True):
            end = (HEIGHT, lay_badge, HEIGHT - GROUND_END - 50, letter)
            check_same(lambda canvas, end=end: lay_shared(canvas, 240, *end), height)  # type: ignore[misc]
        assert len(strips._strip_cache) == (3 if letters == "DD" else 4)


def test_a_part_that_is_cut_is_laid_in_one_go_or_only_as_far_as_it_is_new() -> None:
    laid: list[int] = []

    def note_strip(surface: Any, y: int, letter: str) -> None:
        laid.append(len(surface._pixels) // surface._row_bytes)
        lay_badge(surface, y, letter)

    strips.clear_strips()
    higher, lower = StripedSurface(felt_tray, HEIGHT + 80), StripedSurface(felt_tray, HEIGHT)
    for canvas in (higher, lower, higher, lower):
        lay_shared(canvas, 240, HEIGHT, note_strip, 300, "D")
    whole, cut, end = (round(height * theme.PIXELS_PER_UNIT) for height in (HEIGHT, 240, GROUND_END))
    assert laid == [whole - cut, end]


def test_only_those_asked_for_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strips, "MAX_STRIPS", 2)
    monkeypatch.setattr(strips, "_strip_cache", type(strips._strip_cache)())
    for letter in "ABCA":
        StripedSurface(felt_tray, HEIGHT).add_strips((0, 100), lay_badge, 0, letter)
    assert [key[-1] for key in strips._strip_cache] == [HashedKey((0, "C")), HashedKey((0, "A"))]
