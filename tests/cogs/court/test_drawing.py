"""The Court's pictures: small palette PNGs, readable on a phone, in which everything that is told is seen."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from itertools import combinations
from typing import Any

import pytest
from PIL import Image, ImageChops

from cogs.court.drawing import pieces
from cogs.court.drawing.board import CELLS, FRAME, STARTS, window
from cogs.court.spec import (
    SIDE,
    CourtBoard,
    CourtEnd,
    CourtHand,
    CourtMove,
    CourtRolls,
    CourtSeat,
    CourtTable,
)
from cogs.pictures.canvas import Canvas, Drawer, sprite
from cogs.pictures.theme import PIXELS, WIDTH
from engines.court import COURT, board
from tests.cogs.court.states import hand, set_up, some
from tests.fronts import STUDIO

MOST_BYTES = 80 * 1024
PHONE = 375  # points that a picture is wide there


def at(name: str) -> int:
    return board.square(name)


MOVE = CourtMove(at("K14"), at("K9"), "H")
BOARD = CourtBoard((at("K9"), at("P12"), at("C20"), at("V4")), (at("K5"), at("R12"), -1, at("D7")), (MOVE,))
SEATS = (
    CourtSeat(5, "HD", 6, "K9", "K5", "to hinder", True),
    CourtSeat(6, "", 6, "P12", "R12"),
    CourtSeat(2, "HSC", 6, "C20", ""),
    CourtSeat(1, "C", 5, "V4", "D7"),
)
ROLLS = CourtRolls(0, "KS", 4, ((1, (4, 2), True), (2, (6,), False), (3, (3,), True)))
TABLE = CourtTable(SEATS, BOARD, ("turn 34", "draw pile 23"), ROLLS, ((3,), (5,), (2,), (1,)))
CARDS = tuple((card, False) for card in ("5H", "10H", "9D", "QS", "AC", "menhir"))
ENDS = (
    CourtEnd("5", CourtMove(at("K9"), at("K6"), "H")),
    CourtEnd("10", CourtMove(at("K9"), at("K6"), "H")),
    CourtEnd("9", CourtMove(at("K9"), at("T9"), "D")),
)
HAND = CourtHand(CARDS, 5, "HD", 4, replace(BOARD, ends=ENDS, you=0), (at("K9"),))


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png))


def full() -> CourtTable:
    """As much on one board as there can be, and the longest rolls."""
    ends = tuple(CourtEnd("10", CourtMove(start, -1, suit)) for start in BOARD.mages for suit in "CDHS")
    moves = tuple(CourtMove(at(start), -1, suit) for start, suit in (("K1", "S"), ("A3", "D")))
    seats = tuple(CourtSeat(6, "HDSC", 6, "K12", "R12", "to hinder", True) for _ in range(4))
    rolls = replace(ROLLS, defences=tuple((seat, (4,) * 6 + (2,), True) for seat in (1, 2, 3)))
    return CourtTable(seats, replace(BOARD, moves=moves, ends=ends), ("turn 1000 of 1000", "draw pile 162"), rolls)


def test_the_fullest_board_is_less_than_80_kb_and_its_dice_stay_inside() -> None:
    assert len(STUDIO.render(full())) < MOST_BYTES
    surface = STUDIO.lay(full(), Plan)
    assert isinstance(surface, Plan)
    dice = [x + arguments[1] for x, kind, arguments in surface.pasted if kind == "die"]
    assert len(dice) == 22
    assert max(dice) <= 760  # where the turn and the draw pile are told


CHANGED: list[tuple[str, object]] = [
    ("notes", ("turn 35", "draw pile 23")),
    ("rolls", None),
    ("rolls", replace(ROLLS, roll=5)),
    ("rolls", replace(ROLLS, card="KD")),
    ("rolls", replace(ROLLS, seat=1)),
    ("rolls", replace(ROLLS, defences=ROLLS.defences[:2])),
    ("rolls", replace(ROLLS, defences=((1, (4, 4, 2), True), *ROLLS.defences[1:]))),
    ("rolls", replace(ROLLS, defences=((1, (4, 2), False), *ROLLS.defences[1:]))),
    ("board", replace(BOARD, moves=())),
    ("board", replace(BOARD, moves=(replace(MOVE, start=at("K13")),))),
    ("board", replace(BOARD, mages=(at("L9"), *BOARD.mages[1:]))),
    ("board", replace(BOARD, mages=(-1, *BOARD.mages[1:]))),
    ("board", replace(BOARD, menhirs=(at("K5"), at("R13"), -1, at("D7")))),
    ("board", replace(BOARD, menhirs=(at("K5"), at("R12"), at("D7"), -1))),
]


@pytest.mark.parametrize(("part", "value"), CHANGED)
def test_every_part_of_a_table_is_seen(part: str, value: object) -> None:
    assert STUDIO.render(replaced(TABLE, part, value)) != STUDIO.render(TABLE)


@pytest.mark.parametrize(
    ("part", "value"),
    [
        *(("health", 4), ("banners", "HS"), ("banners", "HDC"), ("cards", 5), ("mage", "off"), ("menhir", "")),
        *(("tag", ""), ("tag", "to move"), ("lit", False)),
    ],
)
def test_every_part_of_a_plate_is_seen(part: str, value: object) -> None:
    assert STUDIO.render(replace(TABLE, seats=(replaced(SEATS[0], part, value), *SEATS[1:]))) != STUDIO.render(TABLE)


def test_the_roll_off_is_seen_as_long_as_there_was_no_attack() -> None:
    calm = replace(TABLE, rolls=None)
    assert STUDIO.render(replace(calm, roll_off=((4,), (5,), (2,), (1,)))) != STUDIO.render(calm)


@pytest.mark.parametrize(
    "other",
    [
        replace(HAND, cards=(("5H", True), *CARDS[1:])),
        replace(HAND, cards=CARDS[:5]),
        replace(HAND, health=4),
        replace(HAND, banners="HDS"),
        replace(HAND, goal=3),
        replace(HAND, board=replace(HAND.board, you=1)),
        replace(HAND, board=replace(HAND.board, ends=(ENDS[0], replace(ENDS[1], text="J"), ENDS[2]))),
        replace(HAND, board=replace(HAND.board, ends=(*ENDS[:2], replace(ENDS[2], gold=True)))),
        replace(HAND, board=replace(HAND.board, ends=ENDS[:2]), around=(at("K9"), at("T9"))),
        replace(HAND, board=replace(HAND.board, free=(STARTS[0],))),
        replace(HAND, whole=True),
    ],
)
def test_every_part_of_a_hand_is_seen(other: CourtHand) -> None:
    assert STUDIO.render(other) != STUDIO.render(HAND)


def test_the_chosen_column_is_seen() -> None:
    whole = replace(HAND, whole=True, board=replace(HAND.board, ends=()))
    marked = [STUDIO.render(replace(whole, board=replace(whole.board, column=column))) for column in (-1, 0, 21)]
    assert len(set(marked)) == 3


class Plan(Canvas):
    """A canvas that notes what is laid where."""

    def __init__(self, ground: Drawer, height: int) -> None:
        super().__init__(ground, height)
        self.pasted: list[tuple[float, str, tuple[Any, ...]]] = []
        self.written: list[tuple[str, int]] = []

    def paste(self, x: float, y: float, draw: Drawer, *arguments: Any, dimmed: bool = False) -> None:
        self.pasted.append((x, draw.__name__, arguments))
        super().paste(x, y, draw, *arguments, dimmed=dimmed)

    def text(self, x: float, y: float, text: str, size: int, *rest: Any, **more: Any) -> None:
        self.written.append((text, size))
        super().text(x, y, text, size, *rest, **more)


def planned(spec: CourtTable | CourtHand) -> Plan:
    surface = STUDIO.lay(spec, Plan)
    assert isinstance(surface, Plan)
    return surface


def test_all_four_edges_have_coordinates_and_their_suits() -> None:
    plan = planned(TABLE)
    written = [text for text, _ in plan.written]
    for name in [*board.LETTERS, *(str(row) for row in range(1, 23))]:
        assert written.count(name) >= 2, name
    edges = [arguments[0] for _, kind, arguments in plan.pasted if kind == "edge"]
    assert {suit: edges.count(suit) for suit in "CDHS"} == dict.fromkeys("CDHS", SIDE)


def test_what_is_written_can_be_read_on_a_phone() -> None:
    smallest = min(size for spec in (TABLE, HAND, full()) for _, size in planned(spec).written)
    assert smallest * PHONE / WIDTH >= 9  # points that capitals are high
    assert min(CELLS) * PHONE / WIDTH >= 15


def test_the_part_that_is_shown_holds_all_that_is_asked_for_and_is_as_large_as_it_goes() -> None:
    room = WIDTH - 2 * FRAME, 680
    near, far = window((at("K9"), at("M9")), 0, 0, *room), window((at("A1"), at("V10")), 0, 0, *room)
    assert near is not None
    assert far is not None
    assert (near.cell, far.cell) == (max(CELLS), min(CELLS))
    for part, names in ((near, ("K9", "M9", "J8", "N10")), (far, ("A1", "V10"))):
        assert all(part.shows(at(name)) for name in names)
        assert part.right - part.x <= room[0]
        assert part.low - part.y <= room[1]
    assert window((at("A1"), at("V22")), 0, 0, *room) is None
    corner = window((at("V22"),), 0, 0, *room)
    assert corner is not None
    assert corner.shows(at("V22"))
    assert (corner.edge("D"), corner.edge("S"), corner.edge("H"), corner.edge("C")) == (True, True, False, False)


def test_every_mark_lies_in_the_part_that_is_shown() -> None:
    for seats in (2, 4):
        for state in some(12, seats):
            for seat in range(seats):
                picture = hand(state, seat).picture
                assert picture is not None
                assert isinstance(picture.spec, CourtHand)
                plan = planned(picture.spec)
                marks = [(x, arguments[1]) for x, kind, arguments in plan.pasted if kind == "end"]
                assert len(marks) == len(picture.spec.board.ends)
                assert all(x >= -20 and x + size <= WIDTH + 20 for x, size in marks)


def test_hands_in_one_phase_keep_their_height_where_a_part_is_shown() -> None:
    sizes = {opened(STUDIO.render(replace(HAND, board=replace(HAND.board, ends=ENDS[:n])))).size for n in range(4)}
    assert len(sizes) == 1
    assert {opened(STUDIO.render(spec)).size for spec in (TABLE, full(), replace(TABLE, rolls=None))} == {(900, 1190)}


def shape(draw: Drawer, *arguments: Any) -> Image.Image:
    """A thing with its colours taken away."""
    thing = sprite(draw, *arguments)
    assert thing.mask is not None
    return thing.mask.convert("L")


@pytest.mark.parametrize("size", [round(1.1 * min(CELLS)), round(1.1 * max(CELLS))])
def test_mages_and_menhirs_are_told_apart_by_their_outlines(size: int) -> None:
    shapes = {f"mage {seat}": shape(pieces.mage, seat, size) for seat in range(4)}
    shapes["menhir"] = shape(pieces.menhir, 0, size)
    for (one, first), (other, second) in combinations(shapes.items(), 2):
        differing = ImageChops.difference(first, second).histogram()[255]
        assert differing > first.width * first.height / 20, (one, other)


def test_sizes_of_things_are_few_so_that_few_are_kept() -> None:
    assert len(CELLS) <= 8
    cells = set()
    for state in some(13)[::2]:
        picture = hand(state, next(iter(COURT.decisions(state)), 0)).picture
        assert picture is not None
        assert isinstance(picture.spec, CourtHand)
        cells |= {arguments[1] for _, kind, arguments in planned(picture.spec).pasted if kind == "square"}
    assert cells <= set(CELLS)


def test_a_pictures_size_is_what_a_phone_shows() -> None:
    image = opened(STUDIO.render(hand(set_up("K9 P12", "9D 5H/"), 0).picture.spec))  # type: ignore[union-attr]
    assert image.width == WIDTH * PIXELS
    assert image.height < 1.4 * image.width


def replaced(thing: Any, part: str, value: object) -> Any:
    """A copy with the part of that name changed."""
    return replace(thing, **{part: value})
