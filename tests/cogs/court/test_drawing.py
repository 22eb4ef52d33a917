"""The Court's pictures: small palette PNGs that are readable on a phone and show everything in the words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from cogs.court.drawing import pieces
from cogs.court.drawing.board import START_SQUARES, BoardPlace, tile_places
from cogs.court.drawing.spec import (
    BOARD_SIDE,
    CourtBoard,
    CourtCard,
    CourtMove,
    CourtPicture,
    CourtRolls,
    CourtWay,
)
from cogs.pictures.raster.theme import PIXELS_PER_UNIT, WIDTH
from cogs.pictures.spec import PlateLine, ResultBanner, SeatPlate
from engines.court import COURT, board
from tests.cogs.court.states import BENCH, cached_positions, make_state
from tests.cogs.pictures.recording_surface import check_differ, outline, picture_size, record_picture
from tests.cogs.screen_bench import spec_of, walk_steps
from tests.game_uis import STUDIO

MOST_BYTES = 64 * 1024
CELLS = (22, 30)  # layout units of a square
square_at = board.parse_square


def make_plate(seat: int, banners: str, health: int, turn: bool = False) -> SeatPlate:
    lines = (PlateLine(str(health)),)
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
CARDS = (
    CourtCard("5H", "T4"),
    CourtCard("10H", banner="H"),
    CourtCard("9D", "stays"),
    *(CourtCard(name, "later", idle=True) for name in ("QS", "AC", "menhir")),
)
WAYS = (
    CourtWay(1, CourtMove(square_at("P12"), square_at("Q12"), "D")),
    CourtWay(2, CourtMove(square_at("L16"), square_at("L16"), "D")),
    CourtWay(3, CourtMove(square_at("S9"), -1, "D"), True),
)
HAND = CourtPicture(PLATES, replace(BOARD, you=0), "turn 34 of 120", CARDS)
CHOSEN = replace(HAND, chosen="9D", board=replace(HAND.board, moves=(), possible_moves=WAYS))


def full_picture() -> CourtPicture:
    far = (square_at("A1"), square_at("V22"), square_at("A22"), square_at("V1"))
    possible_moves = tuple(CourtWay(seat, CourtMove(start, -1, "DCHS"[seat]), True) for seat, start in enumerate(far))
    moves = tuple(CourtMove(square_at(start), -1, suit) for start, suit in (("K1", "S"), ("A3", "D")))
    return replace(HAND, board=replace(BOARD, mages=far, moves=moves, possible_moves=possible_moves))


def test_the_fullest_board_is_small_and_the_dice_of_all_defenders_fit_below_the_plates() -> None:
    assert len(STUDIO.render(full_picture())) < MOST_BYTES
    placed = tuple(replace(plate, lines=(PlateLine("5", right="1st place"),)) for plate in PLATES)
    for spec in (TABLE, replace(TABLE, plates=placed, banner=ResultBanner((0,), "Ada wins", "3 banners"))):
        drawing, height = record_picture(spec)
        dice, plates = sorted(drawing.places_of("die"), key=lambda box: box[1]), drawing.places_of("panel")
        assert len(dice) == len(plates) == 4
        assert dice[0][1] > max(low for _, _, _, low in plates)
        assert all(above[3] < below[1] for above, below in pairwise(dice))
        assert dice[-1][3] < height


PLATE_PARTS: tuple[dict[str, Any], ...] = (
    {"name": "Greta"},
    {"computer": True},
    {"lines": (PlateLine("5", "bad"),)},
    {"lines": (PlateLine("5", right="1st place"),)},
)
CARD_PARTS: tuple[dict[str, Any], ...] = (
    {"idle": True},
    {"text": "T5"},
    {"mage": 1},
    {"mage": 2},
    {"banner": "H"},
    {"name": "5C"},
)


def with_rolls(**parts: Any) -> CourtPicture:
    return replace(TABLE, rolls=replace(ROLLS, **parts))


def with_board(**parts: Any) -> CourtPicture:
    return replace(HAND, board=replace(HAND.board, **parts))


NEAR = square_at("J7")
CHANGED = {
    TABLE: [
        replace(TABLE, note="turn 35 of 120"),
        *(replace(TABLE, plates=(make_plate(0, *plate), *PLATES[1:])) for plate in (("HD", 4, True), ("HS", 5, True))),
        replace(TABLE, plates=(make_plate(0, "HD", 5), *PLATES[1:])),
        *(replace(TABLE, plates=(replace(PLATES[0], **part), *PLATES[1:])) for part in PLATE_PARTS),
        *(with_rolls(roll=5), with_rolls(card="KD"), with_rolls(seat=1), with_rolls(defences=ROLLS.defences[:2])),
        *(with_rolls(defences=(one, *ROLLS.defences[1:])) for one in ((1, 1, True), (1, 2, False))),
    ],
    HAND: [
        replace(HAND, note="turn 35 of 120"),
        replace(HAND, plates=(make_plate(0, "HD", 4, True), *PLATES[1:])),
        *(replace(HAND, hand=(replace(CARDS[0], **part), *CARDS[1:])) for part in CARD_PARTS),
        *(replace(HAND, hand=CARDS[:5]), replace(HAND, chosen="9D"), replace(HAND, small=True)),
        *(with_board(moves=moves) for moves in ((), (replace(MOVE, start=square_at("K13")),))),
        *(with_board(mages=(mage, *BOARD.mages[1:])) for mage in (square_at("L9"), -1)),
        with_board(menhirs=(square_at("K6"), square_at("R13"), -1, NEAR)),
        with_board(menhirs=(square_at("K6"), square_at("R12"), NEAR, -1)),
        *(with_board(you=1), with_board(free=(START_SQUARES[0],)), with_board(possible_moves=WAYS[:1])),
        *(with_board(row=8), with_board(claimed=("H",)), with_board(claimed=("D",))),
        *(with_board(possible_moves=(replace(WAYS[0], seat=2),)), with_board(possible_moves=WAYS[2:])),
        with_board(possible_moves=(replace(WAYS[2], banner=False),)),
        *(with_board(possible_moves=(replace(WAYS[0], card=card),)) for card in ("AD", "10D")),
    ],
    replace(TABLE, rolls=None): [replace(TABLE, rolls=None, roll_off=(4, 5, 2, 1))],
}


def test_every_part_of_a_picture_is_seen() -> None:
    for spec, others in CHANGED.items():
        assert len({STUDIO.render(each) for each in (spec, *others)}) == 1 + len(others)


def drawings_of(spec: CourtPicture, *kinds: str) -> list[Any]:
    return [arguments for _, _, draw, arguments in record_picture(spec)[0].pasted if draw.__name__ in kinds]


@cache
def hand_pictures(seats: int) -> Sequence[CourtPicture]:
    """Return the pictures of all hands in the positions of some matches, also those of the steps of a move."""
    found = dict[CourtPicture, None]()
    for state in (state for seed in (12, 13) for state in cached_positions(seed, seats)):
        for seat in COURT.decisions(state):
            drawn = BENCH.hand(state, seat)
            pictures = [drawn.picture, *(step.picture for step in walk_steps(drawn.controls))]
            found |= {spec: None for picture in pictures if picture and isinstance(spec := picture.spec, CourtPicture)}
    return tuple(found)


def place_of_board(spec: CourtPicture) -> BoardPlace:
    ((x, y, _, (*_, cell, _)),) = [one for one in record_picture(spec)[0].pasted if one[2] is pieces.board_squares]
    assert isinstance(cell, int)
    return BoardPlace(cell, x, y)


def drawn_strips(spec: CourtPicture) -> dict[Any, tuple[float, float, float, float]]:
    """Return the left, upper, right and lower end of each edge's strip."""
    drawing, _ = record_picture(spec)
    suits = [arguments[0] for _, _, draw, arguments in drawing.pasted if draw is pieces.edge_strip]
    return dict(zip(suits, drawing.places_of("edge_strip"), strict=True))


def test_every_picture_has_the_whole_board_its_coordinates_and_a_suit_along_each_of_its_edges() -> None:
    tables = [spec_of(BENCH.table(state), CourtPicture) for state in cached_positions(12, 4)[::20]]
    for spec in (*tables, TABLE, CHOSEN, full_picture(), *hand_pictures(4)[::20]):
        drawing, _ = record_picture(spec)
        place = place_of_board(spec)
        assert (*drawings_of(spec, "board_squares")[0][:2],) == (BOARD_SIDE, BOARD_SIDE)
        numbers = range(1, BOARD_SIDE + 1, 2 if spec.small else 1)
        assert drawing.texts() >= {*board.COLUMN_LETTERS, *map(str, numbers)}
        assert {suit: strip[:2] for suit, strip in drawn_strips(spec).items()} == {
            "H": (place.x, place.y - pieces.EDGE_THICKNESS),
            "D": (place.right, place.y),
            "S": (place.x, place.bottom),
            "C": (place.x - pieces.EDGE_THICKNESS, place.y),
        }
        assert {length for _, length in drawings_of(spec, "edge_strip")} == {BOARD_SIDE * place.cell}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_destination_that_is_offered_lies_on_the_board_and_every_banner_on_its_edge(seats: int) -> None:
    count = 0
    for spec in hand_pictures(seats):
        place, drawing = place_of_board(spec), record_picture(spec)[0]
        middles = {
            kind: {((x + right) / 2, (y + low) / 2) for x, y, right, low in drawing.places_of(kind)}
            for kind in ("mage_outline", "edge_crossing")
        }
        for way in spec.board.possible_moves:
            if way.move.end < 0:
                strip = drawn_strips(spec)[way.move.suit]
                start = place.square_middle(way.move.start)
                assert any(
                    strip[0] < x < strip[2]
                    and strip[1] < y < strip[3]
                    and min(abs(x - start[0]), abs(y - start[1])) < 2
                    for x, y in middles["edge_crossing"]
                )
            elif way.move.end != way.move.start:
                x, y = place.square_middle(way.move.end)
                assert place.x < x < place.right
                assert place.y < y < place.bottom
                assert any(abs(x - at) + abs(y - down) < 2 for at, down in middles["mage_outline"])
            count += 1
    assert count > 50


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_cards_stand_beside_their_destinations_and_hide_nothing(seats: int) -> None:
    wanted = count = 0
    for spec in hand_pictures(seats):
        place, board_spec = place_of_board(spec), spec.board
        labelled = [way for way in board_spec.possible_moves if way.card and way.move.end != way.move.start]
        tiles = tile_places(board_spec, place)
        wanted, count = wanted + len(labelled), count + len(tiles)
        boxes = [(x, y, x + pieces.tile_size(way.card)[0], y + pieces.TILE_HEIGHT) for way, x, y in tiles]
        standing = [square for square in (*board_spec.mages, *board_spec.menhirs) if square >= 0]
        others = [place.square_box(square) for square in standing]
        others += [place.square_box(way.move.end) for way in labelled if way.move.end >= 0]
        for i, box in enumerate(boxes):
            left, top, right, low = box
            assert place.x - pieces.EDGE_THICKNESS <= left < right <= place.right + pieces.EDGE_THICKNESS
            assert place.y - pieces.EDGE_THICKNESS <= top < low <= place.bottom + pieces.EDGE_THICKNESS
            for other in (*boxes[:i], *others):
                assert left >= other[2] or other[0] >= right or top >= other[3] or other[1] >= low
    assert count >= 0.97 * wanted > 30


def test_an_edge_whose_banner_the_reader_has_is_faded_and_has_a_tick() -> None:
    state = make_state("K9 P12", "9D 5H/", banners="HS -")
    for seat, suits in ((0, ("H", "S")), (1, ())):
        spec = spec_of(BENCH.hand(state, seat), CourtPicture)
        assert spec.board.claimed == suits
        assert len(drawings_of(spec, "edge_tick")) == len(suits)


def test_the_free_starting_squares_have_their_names_beside_them_also_with_mages_around() -> None:
    mages = tuple(map(square_at, ("L11", "J11", "J12", "M12")))
    free = tuple(map(square_at, ("K11", "K12", "L12")))
    spec = with_board(mages=mages, free=free)
    drawing, place = record_picture(spec)[0], place_of_board(spec)
    assert drawing.texts() >= {"K11", "K12", "L12"}
    for left, top, right, low in drawing.places_of("name_ground"):
        for square in (*mages, *free):
            x, y = place.square_middle(square)
            assert not (left < x < right and top < y < low)


def test_the_chosen_row_is_framed() -> None:
    spec = replace(with_board(row=8), small=True)
    ((left, top, right, low),) = record_picture(spec)[0].places_of("gold_frame")
    place = place_of_board(spec)
    x, y = place.square_middle(square_at("A9"))
    assert top < y < low < top + 2 * place.cell
    assert left < x < place.right - place.cell < right


@pytest.mark.parametrize("seats", [2, 4])
def test_nothing_is_laid_over_a_mage_and_every_way_ends_in_sight(seats: int) -> None:
    for spec in hand_pictures(seats):
        kinds = [draw.__name__ for _, _, draw, _ in record_picture(spec)[0].pasted]
        on_board = kinds[: kinds.index("panel")]
        above = set(on_board[on_board.index("mage") :]) if "mage" in on_board else set[str]()
        assert not {"path_dot", "mage_outline", "edge_crossing", "arrow", "edge_tick", "card_tile", "menhir"} & above
        ends = sum(way.move.end != way.move.start for way in spec.board.possible_moves)
        assert kinds.count("mage_outline") + kinds.count("edge_crossing") == ends


def test_pictures_keep_their_height_so_that_controls_keep_their_place() -> None:
    specs = (TABLE, replace(TABLE, rolls=None), HAND, CHOSEN, full_picture())
    ((width, height),) = {picture_size(spec) for spec in specs}
    assert (width, height < 0.9 * width) == (WIDTH * PIXELS_PER_UNIT, True)


@pytest.mark.parametrize("size", [round(1.2 * cell) for cell in CELLS])
def test_mages_and_menhirs_are_told_apart_by_their_outlines(size: int) -> None:
    shapes = {f"mage {seat}": outline(pieces.mage, seat, size) for seat in range(4)}
    check_differ(shapes | {"menhir": outline(pieces.menhir, 0, size)}, 1 / 20)


def test_the_board_has_one_size_in_every_turn_and_a_smaller_one_above_many_buttons() -> None:
    cells = {place_of_board(spec).cell for spec in hand_pictures(4)}
    assert cells == {*CELLS}
    assert {place_of_board(spec).cell for spec in hand_pictures(4) if not spec.small} == {max(CELLS)}
