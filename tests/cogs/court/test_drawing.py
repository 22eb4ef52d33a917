"""The Court's pictures: small palette PNGs that are readable on a phone and show everything in the words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cogs.court.drawing import pieces
from cogs.court.drawing.board import CELL_SIZES, START_SQUARES, fit_window, last_square, window_on_pieces
from cogs.court.drawing.spec import BOARD_SIDE, CourtBoard, CourtMove, CourtPicture, CourtRolls, CourtWay
from cogs.pictures.raster.theme import PIXELS_PER_UNIT, WIDTH
from cogs.pictures.spec import PlateLine, SeatPlate
from engines.court import COURT, board
from tests.cogs.court.states import BENCH, cached_positions, make_state
from tests.cogs.pictures.recording_surface import check_differ, outline, picture_size, record_picture
from tests.cogs.screen_bench import spec_of, walk_steps
from tests.game_uis import STUDIO

MOST_BYTES = 64 * 1024
ROOM = 692, 660  # for squares
square_at = board.parse_square


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
CHOSEN = replace(HAND, chosen="9D", board=replace(HAND.board, moves=(), possible_moves=WAYS))


def full_picture() -> CourtPicture:
    far = (square_at("A1"), square_at("V22"), square_at("A22"), square_at("V1"))
    possible_moves = tuple(CourtWay(seat, CourtMove(start, -1, "DCHS"[seat]), True) for seat, start in enumerate(far))
    moves = tuple(CourtMove(square_at(start), -1, suit) for start, suit in (("K1", "S"), ("A3", "D")))
    return replace(HAND, board=replace(BOARD, mages=far, moves=moves, possible_moves=possible_moves))


def test_the_fullest_board_is_small_and_the_longest_rolls_stay_beside_the_map() -> None:
    assert len(STUDIO.render(full_picture())) < MOST_BYTES
    ends = [right for _, _, right, _ in record_picture(TABLE)[0].places_of("die")]
    assert len(ends) == 4
    assert max(ends) <= 700


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
        replace(TABLE, plates=(replace(PLATES[0], name="Greta"), *PLATES[1:])),
        *(with_rolls(roll=5), with_rolls(card="KD"), with_rolls(seat=1), with_rolls(defences=ROLLS.defences[:2])),
        *(with_rolls(defences=(one, *ROLLS.defences[1:])) for one in ((1, 1, True), (1, 2, False))),
    ],
    HAND: [
        replace(HAND, note="turn 35 of 120"),
        replace(HAND, plates=(make_plate(0, "HD", 4, True), *PLATES[1:])),
        *(replace(HAND, hand=hand) for hand in ((("5H", True), *CARDS[1:]), CARDS[:5])),
        *(replace(HAND, chosen="9D"), replace(HAND, whole=True)),
        *(with_board(moves=moves) for moves in ((), (replace(MOVE, start=square_at("K13")),))),
        *(with_board(mages=(mage, *BOARD.mages[1:])) for mage in (square_at("L9"), -1)),
        with_board(menhirs=(square_at("K6"), square_at("R13"), -1, NEAR)),
        with_board(menhirs=(square_at("K6"), square_at("R12"), NEAR, -1)),
        *(with_board(you=1), with_board(free=(START_SQUARES[0],)), with_board(possible_moves=WAYS[:1])),
        *(with_board(possible_moves=(replace(WAYS[0], seat=2),)), with_board(possible_moves=WAYS[2:])),
        with_board(possible_moves=(replace(WAYS[2], banner=False),)),
    ],
    replace(TABLE, rolls=None): [replace(TABLE, rolls=None, roll_off=(4, 5, 2, 1))],
}


def test_every_part_of_a_picture_is_seen() -> None:
    for spec, others in CHANGED.items():
        assert len({STUDIO.render(each) for each in (spec, *others)}) == 1 + len(others)


def test_the_chosen_part_is_seen_from_near_with_the_names_of_its_squares() -> None:
    whole = replace(HAND, whole=True)
    parts = map(square_at, ("A1", "J10"))
    chosen = [replace(whole, board=replace(whole.board, part=part, named=(part,))) for part in parts]
    assert len({STUDIO.render(spec) for spec in (whole, *chosen)}) == 3
    assert "J10" in record_picture(chosen[1])[0].texts()


def test_the_whole_board_names_every_part_and_has_the_suits_outside() -> None:
    drawing, height = record_picture(replace(HAND, whole=True))
    assert drawing.texts() >= {f"{letter}{number}" for number in (1, 6, 10, 14, 18) for letter in "AFJNR"}
    x, y, _, (cell,) = next(each for each in drawing.pasted if each[2] is pieces.board_parts)
    assert isinstance(cell, int)
    for left, top, right, low in drawing.places_of("edge_sign"):
        assert right <= x or left >= x + BOARD_SIDE * cell or low <= y or top >= y + BOARD_SIDE * cell
        assert 0 <= top <= low <= height


def drawings_of(spec: CourtPicture, *kinds: str) -> list[Any]:
    return [arguments for _, _, draw, arguments in record_picture(spec)[0].pasted if draw.__name__ in kinds]


def test_the_whole_board_has_coordinates_and_a_bar_with_its_suit_at_every_edge() -> None:
    assert record_picture(full_picture())[0].texts() >= {*board.COLUMN_LETTERS[::2], *map(str, range(2, 23, 2))}
    assert sorted(suit for suit, *_ in drawings_of(full_picture(), "edge_bar")) == list("CDHS")
    assert sorted(drawings_of(full_picture(), "edge_sign")) == [(suit, True) for suit in "CDHS"]


def test_a_part_of_the_board_says_where_it_lies_in_the_whole() -> None:
    assert [is_whole for _, is_whole in drawings_of(HAND, "edge_sign")] == [False] * 4
    assert [len(drawings_of(HAND, kind)) for kind in ("mini_board", "gold_frame")] == [1, 1]
    assert {"L", "9"} <= record_picture(HAND)[0].texts()
    assert not drawings_of(full_picture(), "mini_board")


def test_the_part_that_is_shown_holds_all_that_is_asked_for_and_is_as_large_as_it_goes() -> None:
    near, far = (fit_window(tuple(map(square_at, ends)), 0, 0, *ROOM) for ends in (("K9", "M9"), ("A1", "V22")))
    assert (near.cell, far.cell) == (max(CELL_SIZES), min(CELL_SIZES))
    assert (near.is_whole, far.is_whole) == (False, True)
    for part, names in ((near, ("K9", "M9", "J8", "N10")), (far, ("A1", "V22"))):
        assert all(part.contains_square(square_at(name)) for name in names)
        assert part.right - part.x <= ROOM[0]
        assert part.bottom - part.y <= ROOM[1]
    corner = fit_window((square_at("V22"),), 0, 0, *ROOM)
    assert corner.contains_square(square_at("V22"))
    assert [corner.shows_edge(suit) for suit in "DSHC"] == [True, True, False, False]


def test_the_part_stays_as_it_is_while_a_card_is_chosen_unless_it_leads_out_of_it() -> None:
    standing = window_on_pieces(HAND.board, 0, 0, *ROOM)
    inside = replace(HAND.board, possible_moves=WAYS[:2])
    assert window_on_pieces(inside, 0, 0, *ROOM) == standing
    outside = window_on_pieces(CHOSEN.board, 0, 0, *ROOM)
    assert outside != standing
    assert all(outside.contains_square(last_square(way.move)) for way in WAYS)


@pytest.mark.parametrize("seats", [2, 4])
def test_nothing_is_laid_over_a_mage_and_every_way_ends_in_sight(seats: int) -> None:
    for state in cached_positions(12, seats)[::3]:
        for seat in COURT.decisions(state):
            drawn = BENCH.hand(state, seat)
            pictures = [drawn.picture, *(step.picture for step in walk_steps(drawn.controls))]
            for spec in {picture.spec for picture in pictures if picture}:
                assert isinstance(spec, CourtPicture)
                kinds = [draw.__name__ for _, _, draw, _ in record_picture(spec)[0].pasted]
                above = set(kinds[kinds.index("mage") :]) if "mage" in kinds else set[str]()
                assert not {"path_dot", "mage_outline", "edge_crossing", "arrow", "edge_sign", "menhir"} & above
                ends = sum(way.move.end != way.move.start for way in spec.board.possible_moves)
                assert kinds.count("mage_outline") + kinds.count("edge_crossing") == ends


def test_pictures_keep_their_height_so_that_controls_keep_their_place() -> None:
    specs = (TABLE, replace(TABLE, rolls=None), HAND, CHOSEN, full_picture())
    ((width, height),) = {picture_size(spec) for spec in specs}
    assert (width, height < 0.9 * width) == (WIDTH * PIXELS_PER_UNIT, True)


@pytest.mark.parametrize("size", [round(1.1 * min(CELL_SIZES)), round(1.1 * max(CELL_SIZES))])
def test_mages_and_menhirs_are_told_apart_by_their_outlines(size: int) -> None:
    shapes = {f"mage {seat}": outline(pieces.mage, seat, size) for seat in range(4)}
    check_differ(shapes | {"menhir": outline(pieces.menhir, 0, size)}, 1 / 20)


def test_sizes_of_things_are_few_so_that_few_are_kept() -> None:
    grounds = set()
    for state in cached_positions(13)[::2]:
        for seat in range(4):
            grounds |= {*drawings_of(spec_of(BENCH.hand(state, seat), CourtPicture), "board_squares")}
    assert len(grounds) <= 2 * len(CELL_SIZES)


def test_a_hand_is_seen_as_far_as_its_ranks_and_suits_go() -> None:
    drawing, height = record_picture(spec_of(BENCH.hand(make_state("K9 P12", "9D 5H/"), 0), CourtPicture))
    (_, y, _, (_, unit)), *_ = [one for one in drawing.pasted if one[2].__name__ == "card"]
    assert isinstance(unit, float | int)
    assert height - y >= 84 * unit  # the end of the sign below the rank
