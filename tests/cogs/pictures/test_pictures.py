"""Pictures are small palette PNGs, the same from any thread, and distinguish things by shape."""

from __future__ import annotations

from collections.abc import Hashable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO
from itertools import islice, pairwise
from multiprocessing import get_context
from typing import Any

import pytest
from PIL import Image

from cogs.court.drawing import pieces
from cogs.pictures import score_sheet, table_pieces
from cogs.pictures.raster import theme
from cogs.pictures.raster.canvas import Canvas, shared_sprite
from cogs.pictures.raster.layers import split_layers
from cogs.pictures.raster.palette import nearest_index, palette_bytes, palette_colours
from cogs.pictures.raster.pen import DrawFunction, Drawing, Pen, draw_stretchable, stretch_image, tilted_size
from cogs.pictures.raster.png import encode_png
from cogs.pictures.raster.sprites import make_sprite
from cogs.pictures.raster.theme import MIN_TYPE_SIZE, PIXELS_PER_UNIT, WIDTH
from cogs.pictures.spec import PlateLine, ScoreSheet, SeatPlate, SheetRow, Spec
from cogs.wizard.drawing import cards
from cogs.wizard.drawing.spec import CardFace, Laid, Trick, WizardPicture
from engines.wizard.deck import CARD_KINDS, DECK, card_name
from tests.cogs.pictures.recording_surface import (
    RecordingSurface,
    check_differ,
    colourless_shape,
    outline,
    record_picture,
)
from tests.cogs.screen_bench import spec_of
from tests.cogs.wizard.states import BENCH, match_positions
from tests.game_uis import STUDIO

# The picture of a hand of ten cards at a table of six
PEOPLE = ("Ada", "Bela", "Chidi", "Dora", "Emil", "Fumi")
HAND = tuple(
    CardFace(key, raised=key[-1] in "rd", dimmed=key[-1] == "S")
    for key in ("wizard", "wizard", "AS", "KS", "10S", "QH", "7H", "JC", "3D", "jester")
)
PICTURE = WizardPicture(
    plates=tuple(
        SeatPlate(seat, name, (PlateLine(f"took {seat % 3} of 2", right=f"{30 * seat}"),), seat == 5)
        for seat, name in enumerate(PEOPLE)
    ),
    turned="7H",
    trump=("hearts are trump ♥", "7♥ turned up"),
    counts=("round 8 of 10", "bids total 9 of 8"),
    trick=Trick(tuple(Laid(seat, key) for seat, key in enumerate(("10H", "wizard", "QH", "9C", "jester"))), 1),
    last=Trick(tuple(Laid(seat, key) for seat, key in enumerate(("4S", "8S", "KS", "AD", "2S", "jester"))), 2, True),
    hand=HAND,
)
KEYS = tuple(card_name(card) for card in range(CARD_KINDS))
PICTURE_BYTES = 64 * 1024
CALLED = ("WWWWWWWW", "Mmmmmmmm", "C", "Dorothea", "Žofie", "Ольга")
LARGE, IN_ROWS = 1.5, 1.26  # as in a hand
IN_TRICK = 1.2
STYLES = (
    *((LARGE, False), (LARGE, True), (IN_ROWS, True), (IN_ROWS, False), (IN_TRICK, False)),
    *((0.72, False), (0.64, False)),
)


def open_image(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png))


@pytest.mark.parametrize("count", [0, 1, 7, 9, 10, 11, 14, 16, 18, 20])
def test_a_hand_and_its_table_are_a_palette_png_that_is_small(count: int) -> None:
    ordered = sorted(DECK, key=lambda card: (card * 37) % 60)
    for state in range(3):
        keys = [card_name(card) for card in ordered[state * 20 : state * 20 + count]]
        faces = tuple(CardFace(key, i % 3 == state, i % 3 == 1) for i, key in enumerate(keys))
        png = STUDIO.render(replace(PICTURE, hand=faces))
        assert open_image(png).mode == "P"
        assert len(png) < PICTURE_BYTES


def test_threads_that_draw_at_once_in_a_fresh_process_draw_the_same() -> None:
    tables = (spec_of(BENCH.table(state), WizardPicture) for state in islice(match_positions(6, 22), 0, 120, 23))
    specs: list[Spec] = [*tables, PICTURE, spec_of(BENCH.result([*match_positions(6, 3)][-1]), ScoreSheet)]
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as fresh:
        drawn = fresh.submit(render_in_threads, specs * 3).result()
    assert drawn == [STUDIO.render(spec) for spec in specs] * 3


def render_in_threads(specs: list[Spec]) -> list[bytes]:
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(STUDIO.render, specs))


def test_all_sprites_share_one_palette() -> None:
    assert len(palette_colours()) <= 256
    sprites = [shared_sprite(cards.wizard_card, key, LARGE) for key in KEYS]
    for each in (*sprites, shared_sprite(table_pieces.felt_tray, 660)):
        assert max(each.image.tobytes()) < len(palette_colours())


def test_an_interlaced_picture_looks_the_same_and_takes_less_room() -> None:
    """Draw rows of squares, as on a board, in which the compressor does not find equal rows by itself."""
    art = pieces.board_squares(14, 14, 42, 0)
    last_felt = len(palette_colours()) - 1 - palette_colours()[::-1].index(theme.FELT)
    files = []
    for woven in (True, False):
        image = make_sprite(replace(art, is_woven=woven)).image
        assert (last_felt in image.tobytes()) == woven
        files.append(encode_png(image, palette_bytes()))
    assert open_image(files[0]).convert("RGB").tobytes() == open_image(files[1]).convert("RGB").tobytes()
    assert len(files[0]) < 0.95 * len(files[1])


def test_a_sheet_that_has_grown_is_laid_again_at_its_end_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    laid: list[tuple[SheetRow, ...]] = []
    real = score_sheet._lay_rows

    def note_rows(surface: Any, rows: tuple[SheetRow, ...], *arguments: Any) -> None:
        laid.append(rows)
        real(surface, rows, *arguments)

    monkeypatch.setattr(score_sheet, "_lay_rows", note_rows)
    rows = tuple(SheetRow(str(i), (("1/1", "+30"), ("0/1", "−10")), ("30", "−10")) for i in range(14))
    for count in (13, 14):
        STUDIO.render(ScoreSheet(rows[:count], ("30", "−10")))
    assert [len(each) for each in laid] == [6, 6, 1, 2]


@pytest.mark.parametrize(
    ("draw", "arguments", "number"),
    [
        (cards.wizard_card, (KEYS[0], LARGE, False), 3),
        (table_pieces.panel, (300, 250, True), 3),
        (table_pieces.seat_token, (2, 40, False), 1),  # round: no row of it is covered from left to right, or few
        (table_pieces.paper_band, (200,), 1),  # covers all
    ],
)
def test_layers_paste_as_the_outline_does(draw: DrawFunction, arguments: tuple[Hashable, ...], number: int) -> None:
    whole = shared_sprite(draw, *arguments)
    assert len(split_layers(whole)) == number
    pasted, canvas = Image.new("L", (1200, 500), 9), Canvas(table_pieces.felt_tray, 500)
    canvas.image = pasted.copy()
    canvas._core = canvas.image.im
    for x, y in ((20, 30), (-10, -10)):
        canvas.paste(x, y, draw, *arguments)
        pasted.paste(whole.image, (round(x * PIXELS_PER_UNIT), round(y * PIXELS_PER_UNIT)), whole.mask)
    assert canvas.image.tobytes() == pasted.tobytes()


@pytest.mark.parametrize(("size", "crowded"), STYLES)
def test_every_card_is_told_by_its_shapes_without_colour(size: float, crowded: bool) -> None:
    shapes = {key: colourless_shape(cards.wizard_card, key, size, crowded) for key in (*KEYS, "back")}
    check_differ(shapes, 1 / 400)
    if (size, crowded) == (IN_ROWS, True):  # what is seen of a card under others
        area = (0, 0, round(62 * IN_ROWS * PIXELS_PER_UNIT), round((120 - 20) * PIXELS_PER_UNIT))
        check_differ({key: shape.crop(area) for key, shape in shapes.items()}, 1 / 200)


def test_every_seat_is_told_by_its_shape() -> None:
    check_differ({seat: outline(table_pieces.seat_token, seat, 68) for seat in range(6)}, 1 / 20)


FACE = CardFace("10H")
SHEET = ScoreSheet((SheetRow("1", (("0/0", "+20"),)),), ("20",))
ONE_CARD = replace(PICTURE, hand=(FACE,))
CHANGED: dict[Any, list[Any]] = {
    ONE_CARD: [
        *(replace(PICTURE, hand=(face,)) for face in (CardFace("10D"), replace(FACE, raised=True))),
        *(replace(PICTURE, hand=(replace(FACE, dimmed=True),)), replace(PICTURE, hand=())),
    ],
    SHEET: [
        replace(SHEET, rows=(SheetRow("1", (("0/0", "−20"),)),)),
        *(replace(SHEET, names=("Ada",)), replace(SHEET, places=(1,))),
        replace(SHEET, rows=(SheetRow("1", (("0/0", "+20"),), ("20",)),)),
    ],
    PICTURE: [
        *(replace(PICTURE, turned="7S"), replace(PICTURE, turned=None), replace(PICTURE, last=Trick())),
        replace(PICTURE, trump=("spades are trump ♠", "7♥ turned up")),
        replace(PICTURE, trump=("hearts are trump ♥", "named by Ada")),
        replace(PICTURE, counts=("round 9 of 10", "bids total 9 of 8")),
        replace(PICTURE, counts=("round 8 of 10", "bids total 8 of 8")),
        replace(PICTURE, plates=tuple(replace(plate, turn=False) for plate in PICTURE.plates)),
        *(replace(PICTURE, trick=trick) for trick in (Trick(), Trick((Laid(0, "10H"), Laid(1, "9H")), 0))),
        replace(PICTURE, hand=HAND[1:]),
    ],
}


@pytest.mark.parametrize(("spec", "changed"), [(spec, each) for spec, some in CHANGED.items() for each in some])
def test_every_part_of_a_picture_is_seen(spec: Spec, changed: Spec) -> None:
    assert STUDIO.render(changed) != STUDIO.render(spec)


def check_apart(drawing: RecordingSurface, height: int) -> None:
    boxes = drawing.text_boxes()
    assert all(x >= 0 and end <= WIDTH and 0 < y < height for y, x, end, _ in boxes)
    for (y, _, end, text), (below, left, _, other) in pairwise(boxes):
        assert y != below or end <= left, (text, other)


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_longest_sheet_is_read_on_a_telephone(seats: int) -> None:
    rounds = 60 // max(3, seats)
    cells = (("10/10", "−100"),) * seats
    rows = tuple(SheetRow(str(number), cells, ("−1000",) * seats) for number in range(1, rounds + 1))
    spec = ScoreSheet(rows, ("−1000",) * seats, tuple(range(1, seats + 1)), "bid/took", CALLED[:seats])
    drawing, height = record_picture(spec)
    assert height <= 1900
    assert all(size >= MIN_TYPE_SIZE for *_, size in drawing.written)
    check_apart(drawing, height)


def test_the_leader_and_the_winner_of_the_trick_are_shown() -> None:
    laid = PICTURE.trick.cards
    tricks = [Trick(laid, 1), Trick(laid, 2), Trick((laid[1], laid[0], *laid[2:]), 1), Trick(laid, 1, over=True)]
    assert len({STUDIO.render(replace(PICTURE, trick=trick)) for trick in tricks}) == len(tricks)


@pytest.mark.parametrize("seats", range(3, 7))
def test_each_card_of_a_trick_lies_under_the_plate_of_its_seat_and_leans_to_it(seats: int) -> None:
    plates = tuple(replace(PICTURE.plates[0], seat=seat, name=CALLED[seat]) for seat in range(seats))
    for first in range(seats):
        order = [(first + i) % seats for i in range(seats)]
        laid = tuple(Laid(seat, card_name(DECK[seat])) for seat in order)
        drawing, _ = record_picture(
            replace(PICTURE, plates=plates, turned=None, trick=Trick(laid, first), last=Trick(), hand=())
        )
        framed = [(x, x + panel_width(plate)) for x, _, draw, plate in drawing.pasted if draw is table_pieces.panel]
        assert len(framed) == seats
        fanned = [(x, arguments) for x, _, draw, arguments in drawing.pasted if draw is cards.wizard_card]
        middles = []
        for seat, (x, (key, unit, _, tilt)) in zip(order, fanned, strict=True):
            assert isinstance(unit, float)
            assert isinstance(tilt, int)
            left, right = framed[seat]
            middle = x + tilted_size(100 * unit, 140 * unit, tilt)[0] / 2
            assert key == card_name(DECK[seat])
            assert left < middle < right
            aside = (left + right) / 2 - middle  # the plate is so far to the right of the card
            assert tilt * aside > 0 if abs(aside) > 1 else tilt == 0
            middles.append(middle)
        assert all(other - one > 100 * IN_TRICK for one, other in pairwise(sorted(middles)))


@pytest.mark.parametrize("seats", [4, 6])
@pytest.mark.parametrize("rounds", range(1, 10))
def test_no_line_of_a_sheet_reaches_into_the_next_strip(rounds: int, seats: int) -> None:
    row = SheetRow("1", (("1/1", "+30"),) * seats, ("130",) * seats)
    spec = ScoreSheet((row,) * rounds, ("130",) * seats, names=PEOPLE[:seats])
    assert open_image(STUDIO.render(spec)).tobytes() == STUDIO.lay_out(spec, Canvas).image.tobytes()


def panel_width(panel: tuple[Hashable, ...]) -> int:
    assert isinstance(panel[0], int)
    return panel[0]


@pytest.mark.parametrize("tilt", [-8, -4, 4, 8])
def test_a_tilted_card_is_whole_and_turned_clockwise(tilt: int) -> None:
    upright, tilted = (cards.wizard_card("10H", IN_TRICK, False, each) for each in (0, tilt))
    grown = tilted_size(*upright.image.size, tilt)
    assert tilted.image.size == tuple(map(round, grown))
    assert upright.mask
    assert tilted.mask
    areas = [mask.convert("1").convert("L").histogram()[255] for mask in (upright.mask, tilted.mask)]
    assert areas[1] == pytest.approx(areas[0], rel=0.005)
    row = tilted.mask.height // 4  # a clockwise turn moves everything above the middle to the right
    upper = tilted.mask.crop((0, row, tilted.mask.width, row + 1)).getbbox()
    assert upper is not None
    assert ((upper[0] + upper[2]) / 2 > tilted.mask.width / 2) == (tilt > 0)


@pytest.mark.parametrize("seats", range(3, 7))
@pytest.mark.parametrize("hand_size", [1, 10, 20])
def test_all_that_lies_on_a_table_stays_within_it_and_apart(seats: int, hand_size: int) -> None:
    spec = replace(
        PICTURE,
        plates=tuple(replace(PICTURE.plates[seat], name=CALLED[seat]) for seat in range(seats)),
        trump=("diamonds are trump ♦", "named by WWWWWWWW"),
        counts=("round 20 of 20", "bids total 100 of 20"),
        trick=Trick(tuple(Laid(seat, "10H") for seat in range(seats)), 0),
        last=Trick(tuple(Laid(seat, "10H") for seat in range(seats)), 0, True),
        hand=(CardFace("10H"),) * hand_size,
    )
    drawing, height = record_picture(spec)
    check_apart(drawing, height)
    cards_at = [(x, y, arguments[1]) for x, y, draw, arguments in drawing.pasted if draw is cards.wizard_card]
    assert len(cards_at) == 1 + 2 * seats + hand_size
    for x, y, unit in cards_at:
        assert isinstance(unit, float)
        assert 0 <= x <= WIDTH - 100 * unit
        assert 0 <= y <= height - 140 * unit


@pytest.mark.parametrize(("width", "height"), [(1000, 795), (230, 144), (321, 100), (60, 85), (483, 99)])
@pytest.mark.parametrize("turn", [False, True])
def test_a_stretched_drawing_equals_one_drawn_large(width: int, height: int, turn: bool) -> None:
    def draw(width: int, height: int) -> Drawing:
        pen = Pen(width, height, ground=theme.FELT_DARK)
        edge = 6 if turn else 2
        pen.box(0, 0, width, height, 20, theme.SHADE, in_mask=True)
        pen.box(edge, edge, width - edge, height - edge, 24, theme.PLATE)
        return pen.finish()

    small, large = draw_stretchable(draw, width, height), draw(width, height)
    assert small.mask is not None
    assert large.mask is not None
    assert stretch_image(small.image, small.size).tobytes() == large.image.tobytes()
    assert stretch_image(small.mask, small.size).tobytes() == large.mask.tobytes()


def test_the_colour_most_like_one_is_found() -> None:
    for colour in palette_colours():
        assert nearest_index(colour) == palette_colours().index(colour)  # the first index if the colour is there twice
    darkest = min(palette_colours(), key=lambda colour: sum(part * part for part in colour))
    assert palette_colours()[nearest_index((0, 0, 0))] == darkest
