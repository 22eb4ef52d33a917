"""The strip of seat plates."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product

import pytest

from cogs.pictures import table_pieces
from cogs.pictures.names import MIN_STRETCH, FittedName, fit_name
from cogs.pictures.plates import lay_plates, plates_height
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import Canvas
from cogs.pictures.raster.letters import text_coverage, text_width
from cogs.pictures.raster.pen import Drawing
from cogs.pictures.raster.theme import MIN_TYPE_SIZE, NAME_TYPE_SIZE, WIDTH
from cogs.pictures.raster.typeface import MAX_PLATE_NAME, begun
from cogs.pictures.spec import PlateLine, SeatPlate
from tests.cogs.pictures.recording_surface import MIN_CONTRAST, RecordingSurface, contrast_ratio

WIDE = ("WWWWWWWW", "MMMMMMMM", "WMWMWMWM", "Wwmmwwmm", "Alexandra")
LONG_NAMES = ("Maximilian", "Maximilian von und zu Hohenfels", f"{'W' * 7} und zu Hohenfels")
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
    drawing, plates = RecordingSurface(), make_plates(seats)
    height = lay_plates(drawing, 20, plates)
    assert height == plates_height(plates)
    panels = drawing.plate_grounds()
    assert len(panels) == seats
    for x, y, text, size in drawing.written:
        width = drawing.widths[x, y, text]
        assert size >= MIN_TYPE_SIZE
        within = [px + 8 <= x and x + width <= px + wide - 8 and py < y < py + high for px, py, wide, high in panels]
        assert any(within), text
    for x, y, wide, high in panels:
        assert x >= 0
        assert x + wide <= WIDTH
        assert 20 <= y <= 20 + height - high
    by_line = sorted((y, x, text, drawing.widths[x, y, text]) for x, y, text, _ in drawing.written)
    for (y, x, text, width), (below, next_x, other, _) in pairwise(by_line):
        assert y != below or x + width < next_x, (text, other)


def test_a_name_is_as_large_as_it_can_be_and_stands_beside_its_shape() -> None:
    drawing = RecordingSurface()
    lay_plates(drawing, 0, make_plates(4))
    sizes = {text.rstrip("…"): size for _, _, text, size in drawing.written}
    assert sizes["Žofie"] == NAME_TYPE_SIZE
    tokens = [arguments for _, _, draw, arguments in drawing.pasted if draw is table_pieces.seat_token]
    assert [seat for seat, *_ in tokens] == [0, 1, 2, 3]


@pytest.mark.parametrize("name", [*WIDE, *LONG_NAMES])
@pytest.mark.parametrize("seats", range(2, 7))
def test_a_name_is_whole_or_shows_the_beginning_by_which_it_differs(seats: int, name: str) -> None:
    drawing = RecordingSurface()
    lay_plates(drawing, 0, [replace(plate, name=name) for plate in make_plates(seats)])
    x, _, width, _ = drawing.plate_grounds()[0]
    left, y, text, size = next(line for line in drawing.written if line[0] > x and 20 < line[1] < 40)
    room = x + width - 14 - left
    assert drawing.widths[left, y, text] <= room
    assert size >= MIN_TYPE_SIZE
    if text_width(name, MIN_TYPE_SIZE) <= room or len(name) <= MAX_PLATE_NAME:
        assert text == name
    elif text != name:
        assert name.startswith(text.removesuffix("…"))
        assert len(text) > len(begun(name))
        assert text.endswith("…")


def test_a_name_is_condensed_no_more_than_it_must_be() -> None:
    assert fit_name("Ada", 160) == FittedName("Ada", NAME_TYPE_SIZE, 1)
    whole, begins = fit_name("WWWWWWWW", 160), fit_name("WWWWWWWWW", 160)
    assert (whole.text, begins.text) == ("WWWWWWWW", "WWWWWWWW…")
    assert MIN_STRETCH <= begins.stretch < whole.stretch < 1
    assert fit_name("Maximilian von und zu Hohenfels", 160).stretch == 1
    assert fit_name("Maximiliana", 160) == FittedName("Maximiliana", MIN_TYPE_SIZE, 0.9)
    assert fit_name("W" * 20, 60).text == "WW…"


def test_a_condensed_name_is_as_high_as_others_and_differs_by_its_last_letter() -> None:
    whole, narrow = text_coverage("WWWWWWWW", MIN_TYPE_SIZE), text_coverage("WWWWWWWW", MIN_TYPE_SIZE, 0.6)
    assert (narrow.width, narrow.height) == (int(whole.width * 0.6), whole.height)
    heights = [box[1::2] for box in (narrow.getbbox(), whole.getbbox()) if box]
    assert heights[0] == heights[1]
    assert narrow.tobytes() != text_coverage("WWWWWWWM", MIN_TYPE_SIZE, 0.6).tobytes()


def test_everybody_sees_whose_turn_it_is_and_every_word() -> None:
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
    drawing = RecordingSurface()
    plates = [replace(plate, marks=("one", "two")) for plate in make_plates(4)]
    lay_plates(drawing, 0, plates, _dot)
    marks = [(x, y, arguments[0]) for x, y, draw, arguments in drawing.pasted if draw is _dot]
    assert [key for _, _, key in marks] == ["one", "two"] * 4
    x, _, text, size = next(line for line in drawing.written if line[2].startswith("deals"))
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
