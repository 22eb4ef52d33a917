"""The strip of seat plates."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product

import pytest

from cogs.pictures import table_pieces
from cogs.pictures.plates import lay_plates, plates_height
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import Canvas
from cogs.pictures.raster.letters import text_width
from cogs.pictures.raster.pen import Drawing
from cogs.pictures.raster.theme import MIN_TYPE_SIZE, NAME_TYPE_SIZE, WIDTH
from cogs.pictures.spec import PlateLine, SeatPlate
from tests.cogs.pictures.heard import MIN_CONTRAST, RecordingSurface, contrast_ratio

LONG = ("WWWWWWWW", "Mmmmmmmm", "Žofie", "D", "Ольга", "Μαργαρίτ")


def make_plates(seats: int, turn: int | None = None) -> list[SeatPlate]:
    lines = (PlateLine("20 of 20", right="deals"), PlateLine("−110", "gold", "+200", "good"))
    return [SeatPlate(seat, LONG[seat], lines, seat == turn) for seat in range(seats)]


def draw_plates(plates: list[SeatPlate]) -> bytes:
    canvas = Canvas(table_pieces.felt_tray, 400)
    lay_plates(canvas, 20, plates)
    return canvas.to_png()


@pytest.mark.parametrize("seats", range(2, 7))
def test_a_strip_of_any_number_of_seats_fits_and_is_read_on_a_telephone(seats: int) -> None:
    heard, plates = RecordingSurface(), make_plates(seats)
    height = lay_plates(heard, 20, plates)
    assert height == plates_height(plates)
    panels = heard.plate_grounds()
    assert len(panels) == seats
    for x, y, text, size in heard.written:
        width = text_width(text, size)
        assert size >= MIN_TYPE_SIZE
        within = [px + 8 <= x and x + width <= px + wide - 8 and py < y < py + high for px, py, wide, high in panels]
        assert any(within), text
    for x, y, wide, high in panels:
        assert x >= 0
        assert x + wide <= WIDTH
        assert 20 <= y <= 20 + height - high
    by_line = sorted((y, x, text, text_width(text, size)) for x, y, text, size in heard.written)
    for (y, x, text, width), (below, next_x, other, _) in pairwise(by_line):
        assert y != below or x + width < next_x, (text, other)


def test_a_name_is_as_large_as_it_can_be_and_stands_beside_its_shape() -> None:
    heard = RecordingSurface()
    lay_plates(heard, 0, make_plates(4))
    sizes = {text.rstrip("…"): size for _, _, text, size in heard.written}
    assert sizes["Žofie"] == NAME_TYPE_SIZE
    tokens = [arguments for _, _, draw, arguments in heard.pasted if draw is table_pieces.seat_token]
    assert [seat for seat, *_ in tokens] == [0, 1, 2, 3]


@pytest.mark.parametrize("name", ["WWWWWWWW", "MMMMMMMM", "Alexandra", "Maximilian von und zu Hohenfels"])
@pytest.mark.parametrize("seats", range(2, 7))
def test_a_name_is_whole_where_it_fits_and_else_ends_with_an_ellipsis(seats: int, name: str) -> None:
    heard = RecordingSurface()
    lay_plates(heard, 0, [replace(plate, name=name) for plate in make_plates(seats)])
    x, _, width, _ = heard.plate_grounds()[0]
    left, _, shown, size = next(said for said in heard.written if said[0] > x and 20 < said[1] < 40)
    room = x + width - 14 - left
    assert text_width(shown, size) <= room
    if text_width(name, MIN_TYPE_SIZE) <= room:
        assert shown == name
    else:
        kept = shown.removesuffix("…")
        assert name.startswith(kept)
        assert shown == f"{kept}…"
        assert text_width(f"{name[: len(kept) + 1]}…", MIN_TYPE_SIZE) > room


def test_whose_turn_it_is_is_seen_and_so_is_every_word() -> None:
    calm = make_plates(4)
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
    pictures = {draw_plates(calm), *(draw_plates([other, *calm[1:]]) for other in others)}
    assert len(pictures) == 1 + len(others)


def test_a_games_own_marks_stand_at_the_end_of_the_first_line_and_words_make_room() -> None:
    heard = RecordingSurface()
    plates = [replace(plate, marks=("one", "two")) for plate in make_plates(4)]
    lay_plates(heard, 0, plates, _dot)
    marks = [(x, y, arguments[0]) for x, y, draw, arguments in heard.pasted if draw is _dot]
    assert [key for _, _, key in marks] == ["one", "two"] * 4
    x, _, text, size = next(said for said in heard.written if said[2].startswith("deals"))
    assert x + text_width(text, size) <= min(x for x, _, _ in marks[:2])


def _dot(key: str, size: int) -> Drawing:
    return table_pieces.round_badge(key[0], size, False)


def test_words_on_our_grounds_have_contrast_enough_on_every_cloth() -> None:
    pairs = [*product((theme.PLATE, theme.FELT), theme.TONE_COLOURS.values())]
    pairs += [(theme.IVORY, ink) for ink in theme.SUIT_COLOURS.values()]
    pairs += product((theme.PAPER, theme.PAPER_BAND), theme.PAPER_TONES.values())
    for cloth in theme.CLOTHS.values():
        for ground, ink in (*pairs, *((colour, letter) for _, colour, letter in theme.SEAT_SIGNS)):
            assert contrast_ratio(cloth.get(ground, ground), cloth.get(ink, ink)) >= MIN_CONTRAST, (ground, ink)
