"""The strip of seat plates."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from cogs.pictures import table_pieces
from cogs.pictures.plates import lay_plates, plates_height
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import Canvas
from cogs.pictures.raster.letters import breadth
from cogs.pictures.raster.pen import Art
from cogs.pictures.raster.theme import LEAST_TYPE, NAME_TYPE, WIDTH, Colour
from cogs.pictures.spec import PlateLine, SeatPlate
from tests.cogs.pictures.heard import Heard

LONG = ("WWWWWWWW", "Mmmmmmmm", "Žofie", "D", "Ольга", "Μαργαρίτ")


def some(seats: int, turn: int | None = None) -> list[SeatPlate]:
    lines = (PlateLine("20 of 20", right="deals"), PlateLine("−110", "gold", "+200", "good"))
    return [SeatPlate(seat, LONG[seat], lines, seat == turn) for seat in range(seats)]


def drawn(plates: list[SeatPlate]) -> bytes:
    canvas = Canvas(table_pieces.tray, 400)
    lay_plates(canvas, 20, plates)
    return canvas.png()


@pytest.mark.parametrize("seats", range(2, 7))
def test_a_strip_of_any_number_of_seats_fits_and_is_read_on_a_telephone(seats: int) -> None:
    heard, plates = Heard(), some(seats)
    height = lay_plates(heard, 20, plates)
    assert height == plates_height(plates)
    panels = heard.panels()
    assert len(panels) == seats
    for x, y, text, size in heard.said:
        width = breadth(text, size)
        assert size >= LEAST_TYPE
        within = [px + 8 <= x and x + width <= px + wide - 8 and py < y < py + high for px, py, wide, high in panels]
        assert any(within), text
    for x, y, wide, high in panels:
        assert x >= 0
        assert x + wide <= WIDTH
        assert 20 <= y <= 20 + height - high
    by_line = sorted((y, x, text, breadth(text, size)) for x, y, text, size in heard.said)
    for (y, x, text, width), (below, next_x, other, _) in pairwise(by_line):
        assert y != below or x + width < next_x, (text, other)


def test_a_name_is_as_large_as_it_can_be_and_stands_beside_its_shape() -> None:
    heard = Heard()
    lay_plates(heard, 0, some(4))
    sizes = {text.rstrip("…"): size for _, _, text, size in heard.said}
    assert sizes["Žofie"] == NAME_TYPE
    tokens = [arguments for _, _, draw, arguments in heard.pasted if draw is table_pieces.token]
    assert [seat for seat, *_ in tokens] == [0, 1, 2, 3]


@pytest.mark.parametrize("name", ["WWWWWWWW", "MMMMMMMM", "Alexandra", "Maximilian von und zu Hohenfels"])
@pytest.mark.parametrize("seats", range(2, 7))
def test_a_name_is_whole_where_it_fits_and_else_ends_with_an_ellipsis(seats: int, name: str) -> None:
    heard = Heard()
    lay_plates(heard, 0, [replace(plate, name=name) for plate in some(seats)])
    x, _, width, _ = heard.panels()[0]
    left, _, shown, size = next(said for said in heard.said if said[0] > x and 20 < said[1] < 40)
    room = x + width - 14 - left
    assert breadth(shown, size) <= room
    if breadth(name, LEAST_TYPE) <= room:
        assert shown == name
    else:
        kept = shown.removesuffix("…")
        assert name.startswith(kept)
        assert shown == f"{kept}…"
        assert breadth(f"{name[: len(kept) + 1]}…", LEAST_TYPE) > room


def test_whose_turn_it_is_is_seen_and_so_is_every_word() -> None:
    calm = some(4)
    first = calm[0]
    lines = first.lines
    others = [
        replace(first, turn=True),
        replace(first, name="Ada"),
        replace(first, seat=5),
        replace(first, lines=(replace(lines[0], text="3 of 20"), lines[1])),
        replace(first, lines=(replace(lines[0], right=""), lines[1])),
        replace(first, lines=(lines[0], replace(lines[1], right="+10"))),
    ]
    pictures = {drawn(calm), *(drawn([other, *calm[1:]]) for other in others)}
    assert len(pictures) == 1 + len(others)


def test_a_games_own_marks_stand_at_the_end_of_the_first_line_and_words_make_room() -> None:
    heard = Heard()
    plates = [replace(plate, marks=("one", "two")) for plate in some(4)]
    lay_plates(heard, 0, plates, _dot)
    marks = [(x, y, arguments[0]) for x, y, draw, arguments in heard.pasted if draw is _dot]
    assert [key for _, _, key in marks] == ["one", "two"] * 4
    x, _, text, size = next(said for said in heard.said if said[2].startswith("deals"))
    assert x + breadth(text, size) <= min(x for x, _, _ in marks[:2])


def _dot(key: str, size: int) -> Art:
    return table_pieces.badge(key[0], size, False)


def test_words_on_our_grounds_have_contrast_enough() -> None:
    for ground in (theme.PLATE, theme.FELT):
        for ink in theme.TONES.values():
            assert contrast(ground, ink) >= 4.5
    for ink in theme.SUIT_COLOURS.values():
        assert contrast(theme.IVORY, ink) >= 4.5
    for _, colour, letter in theme.SEATS:
        assert contrast(colour, letter) >= 4.5


def contrast(one: Colour, other: Colour) -> float:
    """As the WCAG have it."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: Colour) -> float:
    shares = (v / 255 for v in colour)
    r, g, b = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in shares)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
