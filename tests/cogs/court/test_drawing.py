"""The Court's pictures: small palette PNGs that are readable on a phone and show everything in the words."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from itertools import combinations
from typing import Any

import pytest
from PIL import Image, ImageChops

from cogs.court.drawing import pieces
from cogs.court.drawing.board import CELL_SIZES, START_SQUARES, fit_window, last_square, window_on_pieces
from cogs.court.drawing.pieces import edge_sign_size
from cogs.court.drawing.spec import BOARD_SIDE, CourtBoard, CourtMove, CourtPicture, CourtRolls, CourtWay
from cogs.pictures.raster.canvas import Canvas, shared_sprite
from cogs.pictures.raster.pen import DrawFunction
from cogs.pictures.raster.theme import MIN_TYPE_SIZE, PIXELS_PER_UNIT, WIDTH
from cogs.pictures.spec import PlateLine, SeatPlate
from engines.court import COURT, board
from tests.cogs.court.states import cached_positions, hand_screen, make_state
from tests.cogs.court.test_screen import step_trails
from tests.fronts import STUDIO

MOST_BYTES = 64 * 1024
ROOM = 692, 660  # for squares


def square_at(name: str) -> int:
    return board.parse_square(name)


def make_plate(seat: int, banners: str, health: int, turn: bool = False) -> SeatPlate:
    lines = (PlateLine(f"{len(banners)}/4", "gold"), PlateLine(f"health {health}"))
    return SeatPlate(seat, ("Ada", "Bela", "Chidi", "Dora")[seat], lines, turn, tuple(banners))


MOVE = CourtMove(square_at("K14"), square_at("K9"), "H")
BOARD = CourtBoard(
    (square_at("K9"), square_at("P12"), square_at("L16"), square_at("S9")),
    (square_at("K6"), square_at("R12"), -1, square_at("J7")),
    (MOVE,),
)
PLATES = (make_plate(0, "HD", 5, True), make_plate(1, "", 6), make_plate(2, "HSC", 2), make_plate(3, "C", 1))
ROLLS = CourtRolls(0, "KS", 4, ((1, 2, True), (2, 6, False), (3, 3, True)))
TABLE = CourtPicture(PLATES, BOARD, "turn 34 of 120", rolls=ROLLS)
CARDS = tuple((card, False) for card in ("5H", "10H", "9D", "QS", "AC", "menhir"))
WAYS = (
    CourtWay(1, CourtMove(square_at("P12"), square_at("Q12"), "D")),
    CourtWay(2, CourtMove(square_at("L16"), square_at("L16"), "D")),
    CourtWay(3, CourtMove(square_at("S9"), -1, "D"), True),
)
HAND = CourtPicture(PLATES, replace(BOARD, you=0), "turn 34 of 120", CARDS)
CHOSEN = replace(HAND, chosen="9D", board=replace(HAND.board, moves=(), ways=WAYS))


def full_picture() -> CourtPicture:
    """A board with as many pieces as possible."""
    far = (square_at("A1"), square_at("V22"), square_at("A22"), square_at("V1"))
    ways = tuple(CourtWay(seat, CourtMove(start, -1, "DCHS"[seat]), True) for seat, start in enumerate(far))
    moves = tuple(CourtMove(square_at(start), -1, suit) for start, suit in (("K1", "S"), ("A3", "D")))
    return replace(HAND, board=replace(BOARD, mages=far, moves=moves, ways=ways))


def test_the_fullest_board_is_small_and_the_longest_rolls_stay_beside_the_map() -> None:
    assert len(STUDIO.render(full_picture())) < MOST_BYTES
    dice = [x + arguments[1] for x, _, kind, arguments in record_picture(TABLE).pasted if kind == "die"]
    assert len(dice) == 4
    assert max(dice) <= 700


CHANGED: list[tuple[CourtPicture, str, object]] = [
    *((spec, "note", "turn 35 of 120") for spec in (TABLE, HAND)),
    *((spec, "plates", (make_plate(0, "HD", 4, True), *PLATES[1:])) for spec in (TABLE, HAND)),
    (TABLE, "plates", (make_plate(0, "HS", 5, True), *PLATES[1:])),
    (TABLE, "plates", (make_plate(0, "HD", 5), *PLATES[1:])),
    (TABLE, "plates", (replace(PLATES[0], name="Greta"), *PLATES[1:])),
    (TABLE, "rolls", replace(ROLLS, roll=5)),
    (TABLE, "rolls", replace(ROLLS, card="KD")),
    (TABLE, "rolls", replace(ROLLS, seat=1)),
    (TABLE, "rolls", replace(ROLLS, defences=ROLLS.defences[:2])),
    (TABLE, "rolls", replace(ROLLS, defences=((1, 1, True), *ROLLS.defences[1:]))),
    (TABLE, "rolls", replace(ROLLS, defences=((1, 2, False), *ROLLS.defences[1:]))),
    (HAND, "hand", (("5H", True), *CARDS[1:])),
    (HAND, "hand", CARDS[:5]),
    (HAND, "chosen", "9D"),
    (HAND, "whole", True),
]


@pytest.mark.parametrize(("spec", "part", "value"), CHANGED, ids=lambda value: value if isinstance(value, str) else "")
def test_every_part_of_a_picture_is_seen(spec: CourtPicture, part: str, value: object) -> None:
    assert STUDIO.render(replace_part(spec, part, value)) != STUDIO.render(spec)


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("moves", ()),
        ("moves", (replace(MOVE, start=square_at("K13")),)),
        ("mages", (square_at("L9"), *BOARD.mages[1:])),
        ("mages", (-1, *BOARD.mages[1:])),
        ("menhirs", (square_at("K6"), square_at("R13"), -1, square_at("J7"))),
        ("menhirs", (square_at("K6"), square_at("R12"), square_at("J7"), -1)),
        ("you", 1),
        ("free", (START_SQUARES[0],)),
        ("ways", WAYS[:1]),
        ("ways", (replace(WAYS[0], seat=2),)),
        ("ways", WAYS[2:]),
        ("ways", (replace(WAYS[2], banner=False),)),
    ],
)
def test_every_part_of_a_board_is_seen(part: str, value: object) -> None:
    shown = {STUDIO.render(HAND), STUDIO.render(replace(HAND, board=replace_part(HAND.board, part, value)))}
    assert len(shown) == 2


def test_the_roll_off_is_seen_as_long_as_there_was_no_attack() -> None:
    calm = replace(TABLE, rolls=None)
    assert STUDIO.render(replace(calm, roll_off=(4, 5, 2, 1))) != STUDIO.render(calm)


def test_the_chosen_part_is_seen_from_near_with_the_names_of_its_squares() -> None:
    whole = replace(HAND, whole=True)
    chosen = [
        replace(whole, board=replace(whole.board, part=part, named=(part,)))
        for part in (square_at("A1"), square_at("J10"))
    ]
    assert len({STUDIO.render(spec) for spec in (whole, *chosen)}) == 3
    assert "J10" in {text for text, _ in record_picture(chosen[1]).written}


def test_the_whole_board_names_every_part_and_has_the_suits_outside() -> None:
    plan = record_picture(replace(HAND, whole=True))
    corners = {f"{letter}{number}" for number in (1, 6, 10, 14, 18) for letter in "AFJNR"}
    assert corners <= {text for text, _ in plan.written}
    x, y, _, (cell,) = next(each for each in plan.pasted if each[2] == "board_parts")
    for left, top, _, (suit, _) in (each for each in plan.pasted if each[2] == "edge_sign"):
        width, height = edge_sign_size(suit)
        beside = left + width <= x or left >= x + BOARD_SIDE * cell or top + height <= y or top >= y + BOARD_SIDE * cell
        assert beside
        assert 0 <= top <= plan.image.height / PIXELS_PER_UNIT - height


class RecordingCanvas(Canvas):
    """A canvas that records what is laid where."""

    def __init__(self, ground: DrawFunction, height: int) -> None:
        super().__init__(ground, height)
        self.pasted: list[tuple[float, float, str, tuple[Any, ...]]] = []
        self.written: list[tuple[str, int]] = []

    def paste(self, x: float, y: float, draw: DrawFunction, *arguments: Any, dimmed: bool = False) -> None:
        self.pasted.append((x, y, draw.__name__, arguments))
        super().paste(x, y, draw, *arguments, dimmed=dimmed)

    def text(self, x: float, y: float, text: str, size: int, *rest: Any, **more: Any) -> None:
        self.written.append((text, size))
        super().text(x, y, text, size, *rest, **more)


def record_picture(spec: CourtPicture) -> RecordingCanvas:
    surface = STUDIO.lay_out(spec, RecordingCanvas)
    assert isinstance(surface, RecordingCanvas)
    return surface


def test_the_whole_board_has_coordinates_and_a_bar_with_its_suit_at_every_edge() -> None:
    plan = record_picture(full_picture())
    written = [text for text, _ in plan.written]
    assert set(written) >= {*board.COLUMN_LETTERS[::2], *map(str, range(2, 23, 2))}
    assert sorted(arguments[0] for _, _, kind, arguments in plan.pasted if kind == "edge_bar") == list("CDHS")
    assert sorted(arguments for _, _, kind, arguments in plan.pasted if kind == "edge_sign") == [
        (suit, True) for suit in "CDHS"
    ]


def test_a_part_of_the_board_says_where_it_lies_in_the_whole() -> None:
    plan = record_picture(HAND)
    assert [arguments[1] for _, _, kind, arguments in plan.pasted if kind == "edge_sign"] == [False] * 4
    assert [kind for _, _, kind, _ in plan.pasted if kind in ("mini_board", "gold_frame")] == [
        "mini_board",
        "gold_frame",
    ]
    assert {"L", "9"} <= {text for text, _ in plan.written}
    assert not [kind for _, _, kind, _ in record_picture(full_picture()).pasted if kind == "mini"]


def test_what_is_written_can_be_read_on_a_phone() -> None:
    specs = (TABLE, HAND, CHOSEN, full_picture(), replace(HAND, whole=True))
    assert min(size for spec in specs for _, size in record_picture(spec).written) >= MIN_TYPE_SIZE


def test_the_part_that_is_shown_holds_all_that_is_asked_for_and_is_as_large_as_it_goes() -> None:
    near, far = (
        fit_window((square_at("K9"), square_at("M9")), 0, 0, *ROOM),
        fit_window((square_at("A1"), square_at("V22")), 0, 0, *ROOM),
    )
    assert (near.cell, far.cell) == (max(CELL_SIZES), min(CELL_SIZES))
    assert (near.is_whole, far.is_whole) == (False, True)
    for shown, names in ((near, ("K9", "M9", "J8", "N10")), (far, ("A1", "V22"))):
        assert all(shown.contains_square(square_at(name)) for name in names)
        assert shown.right - shown.x <= ROOM[0]
        assert shown.bottom - shown.y <= ROOM[1]
    corner = fit_window((square_at("V22"),), 0, 0, *ROOM)
    assert corner.contains_square(square_at("V22"))
    assert (corner.shows_edge("D"), corner.shows_edge("S"), corner.shows_edge("H"), corner.shows_edge("C")) == (
        True,
        True,
        False,
        False,
    )


def test_the_part_stays_as_it_is_while_a_card_is_chosen_unless_it_leads_out_of_it() -> None:
    standing = window_on_pieces(HAND.board, 0, 0, *ROOM)
    inside = replace(HAND.board, ways=WAYS[:2])
    assert window_on_pieces(inside, 0, 0, *ROOM) == standing
    outside = window_on_pieces(CHOSEN.board, 0, 0, *ROOM)
    assert outside != standing
    assert all(outside.contains_square(last_square(way.move)) for way in WAYS)


@pytest.mark.parametrize("seats", [2, 4])
def test_nothing_is_laid_over_a_mage_and_every_way_ends_in_sight(seats: int) -> None:
    for state in cached_positions(12, seats)[::3]:
        for seat in COURT.decisions(state):
            drawn = hand_screen(state, seat)
            pictures = [drawn.picture, *(step.picture for trail in step_trails(drawn.controls) for step in trail)]
            for spec in {picture.spec for picture in pictures if picture}:
                assert isinstance(spec, CourtPicture)
                kinds = [kind for _, _, kind, _ in record_picture(spec).pasted]
                first = kinds.index("mage") if "mage" in kinds else len(kinds)
                assert not {"path_dot", "mage_outline", "edge_crossing", "arrow", "edge_sign", "menhir"} & set(
                    kinds[first:]
                )
                ends = sum(way.move.end != way.move.start for way in spec.board.ways)
                assert kinds.count("mage_outline") + kinds.count("edge_crossing") == ends


def test_pictures_keep_their_height_so_that_controls_keep_their_place() -> None:
    sizes = {
        open_image(STUDIO.render(spec)).size
        for spec in (TABLE, replace(TABLE, rolls=None), HAND, CHOSEN, full_picture())
    }
    assert len(sizes) == 1
    ((width, height),) = sizes
    assert (width, height < 0.9 * width) == (WIDTH * PIXELS_PER_UNIT, True)


def open_image(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png))


def colourless_shape(draw: DrawFunction, *arguments: Any) -> Image.Image:
    """Return a sprite without its colours."""
    thing = shared_sprite(draw, *arguments)
    assert thing.mask is not None
    return thing.mask.convert("L")


@pytest.mark.parametrize("size", [round(1.1 * min(CELL_SIZES)), round(1.1 * max(CELL_SIZES))])
def test_mages_and_menhirs_are_told_apart_by_their_outlines(size: int) -> None:
    shapes = {f"mage {seat}": colourless_shape(pieces.mage, seat, size) for seat in range(4)}
    shapes["menhir"] = colourless_shape(pieces.menhir, 0, size)
    for (one, first), (other, second) in combinations(shapes.items(), 2):
        differing = ImageChops.difference(first, second).histogram()[255]
        assert differing > first.width * first.height / 20, (one, other)


def test_sizes_of_things_are_few_so_that_few_are_kept() -> None:
    grounds = set()
    for state in cached_positions(13)[::2]:
        for picture in (hand_screen(state, seat).picture for seat in range(4)):
            assert picture is not None
            assert isinstance(picture.spec, CourtPicture)
            pasted = record_picture(picture.spec).pasted
            grounds |= {arguments for _, _, kind, arguments in pasted if kind == "board_squares"}
    assert len(grounds) <= 2 * len(CELL_SIZES)


def test_a_hand_is_seen_as_far_as_its_ranks_and_suits_go() -> None:
    picture = hand_screen(make_state("K9 P12", "9D 5H/"), 0).picture
    assert picture is not None
    assert isinstance(picture.spec, CourtPicture)
    plan = record_picture(picture.spec)
    (_, y, _, (_, unit)), *_ = [one for one in plan.pasted if one[2] == "card"]
    assert plan.image.height / PIXELS_PER_UNIT - y >= 84 * unit  # the end of the sign below the rank


def replace_part(thing: Any, part: str, value: object) -> Any:
    """Return a copy with one field changed."""
    return replace(thing, **{part: value})
