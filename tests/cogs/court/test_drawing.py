"""The Court's pictures: small palette PNGs, readable on a phone, in which everything that is told is seen."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from itertools import combinations
from typing import Any

import pytest
from PIL import Image, ImageChops

from cogs.court.drawing import pieces
from cogs.court.drawing.board import CELLS, STARTS, last, part, window
from cogs.court.drawing.pieces import sign_size
from cogs.court.spec import SIDE, CourtBoard, CourtMove, CourtPicture, CourtRolls, CourtWay
from cogs.pictures.raster.canvas import Canvas, sprite
from cogs.pictures.raster.pen import Drawer
from cogs.pictures.raster.theme import LEAST_TYPE, PIXELS, WIDTH
from cogs.pictures.spec import PlateLine, SeatPlate
from engines.court import COURT, board
from tests.cogs.court.states import hand, set_up, some
from tests.cogs.court.test_screen import trails
from tests.fronts import STUDIO

MOST_BYTES = 64 * 1024
ROOM = 692, 660  # for squares


def at(name: str) -> int:
    return board.square(name)


def plate(seat: int, banners: str, health: int, turn: bool = False) -> SeatPlate:
    lines = (PlateLine(f"{len(banners)}/4", "gold"), PlateLine(f"health {health}"))
    return SeatPlate(seat, ("Ada", "Bela", "Chidi", "Dora")[seat], lines, turn, tuple(banners))


MOVE = CourtMove(at("K14"), at("K9"), "H")
BOARD = CourtBoard((at("K9"), at("P12"), at("L16"), at("S9")), (at("K6"), at("R12"), -1, at("J7")), (MOVE,))
PLATES = (plate(0, "HD", 5, True), plate(1, "", 6), plate(2, "HSC", 2), plate(3, "C", 1))
ROLLS = CourtRolls(0, "KS", 4, ((1, 2, True), (2, 6, False), (3, 3, True)))
TABLE = CourtPicture(PLATES, BOARD, "turn 34 of 120", rolls=ROLLS)
CARDS = tuple((card, False) for card in ("5H", "10H", "9D", "QS", "AC", "menhir"))
WAYS = (
    CourtWay(1, CourtMove(at("P12"), at("Q12"), "D")),
    CourtWay(2, CourtMove(at("L16"), at("L16"), "D")),
    CourtWay(3, CourtMove(at("S9"), -1, "D"), True),
)
HAND = CourtPicture(PLATES, replace(BOARD, you=0), "turn 34 of 120", CARDS)
CHOSEN = replace(HAND, chosen="9D", board=replace(HAND.board, moves=(), ways=WAYS))


def full() -> CourtPicture:
    """As much on one board as there can be."""
    far = (at("A1"), at("V22"), at("A22"), at("V1"))
    ways = tuple(CourtWay(seat, CourtMove(start, -1, "DCHS"[seat]), True) for seat, start in enumerate(far))
    moves = tuple(CourtMove(at(start), -1, suit) for start, suit in (("K1", "S"), ("A3", "D")))
    return replace(HAND, board=replace(BOARD, mages=far, moves=moves, ways=ways))


def test_the_fullest_board_is_small_and_the_longest_rolls_stay_beside_the_map() -> None:
    assert len(STUDIO.render(full())) < MOST_BYTES
    dice = [x + arguments[1] for x, _, kind, arguments in planned(TABLE).pasted if kind == "die"]
    assert len(dice) == 4
    assert max(dice) <= 700


CHANGED: list[tuple[CourtPicture, str, object]] = [
    *((spec, "note", "turn 35 of 120") for spec in (TABLE, HAND)),
    *((spec, "plates", (plate(0, "HD", 4, True), *PLATES[1:])) for spec in (TABLE, HAND)),
    (TABLE, "plates", (plate(0, "HS", 5, True), *PLATES[1:])),
    (TABLE, "plates", (plate(0, "HD", 5), *PLATES[1:])),
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
    assert STUDIO.render(replaced(spec, part, value)) != STUDIO.render(spec)


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("moves", ()),
        ("moves", (replace(MOVE, start=at("K13")),)),
        ("mages", (at("L9"), *BOARD.mages[1:])),
        ("mages", (-1, *BOARD.mages[1:])),
        ("menhirs", (at("K6"), at("R13"), -1, at("J7"))),
        ("menhirs", (at("K6"), at("R12"), at("J7"), -1)),
        ("you", 1),
        ("free", (STARTS[0],)),
        ("ways", WAYS[:1]),
        ("ways", (replace(WAYS[0], seat=2),)),
        ("ways", WAYS[2:]),
        ("ways", (replace(WAYS[2], banner=False),)),
    ],
)
def test_every_part_of_a_board_is_seen(part: str, value: object) -> None:
    shown = {STUDIO.render(HAND), STUDIO.render(replace(HAND, board=replaced(HAND.board, part, value)))}
    assert len(shown) == 2


def test_the_roll_off_is_seen_as_long_as_there_was_no_attack() -> None:
    calm = replace(TABLE, rolls=None)
    assert STUDIO.render(replace(calm, roll_off=(4, 5, 2, 1))) != STUDIO.render(calm)


def test_the_chosen_part_is_seen_from_near_with_the_names_of_its_squares() -> None:
    whole = replace(HAND, whole=True)
    chosen = [replace(whole, board=replace(whole.board, part=part, named=(part,))) for part in (at("A1"), at("J10"))]
    assert len({STUDIO.render(spec) for spec in (whole, *chosen)}) == 3
    assert "J10" in {text for text, _ in planned(chosen[1]).written}


def test_the_whole_board_names_every_part_and_has_the_suits_outside() -> None:
    plan = planned(replace(HAND, whole=True))
    corners = {f"{letter}{number}" for number in (1, 6, 10, 14, 18) for letter in "AFJNR"}
    assert corners <= {text for text, _ in plan.written}
    x, y, _, (cell,) = next(each for each in plan.pasted if each[2] == "parts")
    for left, top, _, (suit, _) in (each for each in plan.pasted if each[2] == "sign"):
        width, height = sign_size(suit)
        beside = left + width <= x or left >= x + SIDE * cell or top + height <= y or top >= y + SIDE * cell
        assert beside
        assert 0 <= top <= plan.image.height / PIXELS - height


class Plan(Canvas):
    """A canvas that notes what is laid where."""

    def __init__(self, ground: Drawer, height: int) -> None:
        super().__init__(ground, height)
        self.pasted: list[tuple[float, float, str, tuple[Any, ...]]] = []
        self.written: list[tuple[str, int]] = []

    def paste(self, x: float, y: float, draw: Drawer, *arguments: Any, dimmed: bool = False) -> None:
        self.pasted.append((x, y, draw.__name__, arguments))
        super().paste(x, y, draw, *arguments, dimmed=dimmed)

    def text(self, x: float, y: float, text: str, size: int, *rest: Any, **more: Any) -> None:
        self.written.append((text, size))
        super().text(x, y, text, size, *rest, **more)


def planned(spec: CourtPicture) -> Plan:
    surface = STUDIO.lay(spec, Plan)
    assert isinstance(surface, Plan)
    return surface


def test_the_whole_board_has_coordinates_and_a_bar_with_its_suit_at_every_edge() -> None:
    plan = planned(full())
    written = [text for text, _ in plan.written]
    assert set(written) >= {*board.LETTERS[::2], *map(str, range(2, 23, 2))}
    assert sorted(arguments[0] for _, _, kind, arguments in plan.pasted if kind == "edge") == list("CDHS")
    assert sorted(arguments for _, _, kind, arguments in plan.pasted if kind == "sign") == [
        (suit, True) for suit in "CDHS"
    ]


def test_a_part_of_the_board_says_where_it_lies_in_the_whole() -> None:
    plan = planned(HAND)
    assert [arguments[1] for _, _, kind, arguments in plan.pasted if kind == "sign"] == [False] * 4
    assert [kind for _, _, kind, _ in plan.pasted if kind in ("mini", "frame")] == ["mini", "frame"]
    assert {"L", "9"} <= {text for text, _ in plan.written}
    assert not [kind for _, _, kind, _ in planned(full()).pasted if kind == "mini"]


def test_what_is_written_can_be_read_on_a_phone() -> None:
    specs = (TABLE, HAND, CHOSEN, full(), replace(HAND, whole=True))
    assert min(size for spec in specs for _, size in planned(spec).written) >= LEAST_TYPE


def test_the_part_that_is_shown_holds_all_that_is_asked_for_and_is_as_large_as_it_goes() -> None:
    near, far = window((at("K9"), at("M9")), 0, 0, *ROOM), window((at("A1"), at("V22")), 0, 0, *ROOM)
    assert (near.cell, far.cell) == (max(CELLS), min(CELLS))
    assert (near.whole, far.whole) == (False, True)
    for shown, names in ((near, ("K9", "M9", "J8", "N10")), (far, ("A1", "V22"))):
        assert all(shown.shows(at(name)) for name in names)
        assert shown.right - shown.x <= ROOM[0]
        assert shown.low - shown.y <= ROOM[1]
    corner = window((at("V22"),), 0, 0, *ROOM)
    assert corner.shows(at("V22"))
    assert (corner.edge("D"), corner.edge("S"), corner.edge("H"), corner.edge("C")) == (True, True, False, False)


def test_the_part_stays_as_it_is_while_a_card_is_chosen_unless_it_leads_out_of_it() -> None:
    standing = part(HAND.board, 0, 0, *ROOM)
    inside = replace(HAND.board, ways=WAYS[:2])
    assert part(inside, 0, 0, *ROOM) == standing
    outside = part(CHOSEN.board, 0, 0, *ROOM)
    assert outside != standing
    assert all(outside.shows(last(way.move)) for way in WAYS)


@pytest.mark.parametrize("seats", [2, 4])
def test_nothing_is_laid_over_a_mage_and_every_way_ends_in_sight(seats: int) -> None:
    for state in some(12, seats)[::3]:
        for seat in COURT.decisions(state):
            drawn = hand(state, seat)
            pictures = [drawn.picture, *(step.picture for trail in trails(drawn.controls) for step in trail)]
            for spec in {picture.spec for picture in pictures if picture}:
                assert isinstance(spec, CourtPicture)
                kinds = [kind for _, _, kind, _ in planned(spec).pasted]
                first = kinds.index("mage") if "mage" in kinds else len(kinds)
                assert not {"step", "ghost", "crossing", "arrow", "sign", "menhir"} & set(kinds[first:])
                ends = sum(way.move.end != way.move.start for way in spec.board.ways)
                assert kinds.count("ghost") + kinds.count("crossing") == ends


def test_pictures_keep_their_height_so_that_controls_keep_their_place() -> None:
    sizes = {opened(STUDIO.render(spec)).size for spec in (TABLE, replace(TABLE, rolls=None), HAND, CHOSEN, full())}
    assert len(sizes) == 1
    ((width, height),) = sizes
    assert (width, height < 0.9 * width) == (WIDTH * PIXELS, True)


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png))


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
    grounds = set()
    for state in some(13)[::2]:
        for picture in (hand(state, seat).picture for seat in range(4)):
            assert picture is not None
            assert isinstance(picture.spec, CourtPicture)
            pasted = planned(picture.spec).pasted
            grounds |= {arguments for _, _, kind, arguments in pasted if kind == "squares"}
    assert len(grounds) <= 2 * len(CELLS)


def test_a_hand_is_seen_as_far_as_its_ranks_and_suits_go() -> None:
    picture = hand(set_up("K9 P12", "9D 5H/"), 0).picture
    assert picture is not None
    assert isinstance(picture.spec, CourtPicture)
    plan = planned(picture.spec)
    (_, y, _, (_, unit)), *_ = [one for one in plan.pasted if one[2] == "card"]
    assert plan.image.height / PIXELS - y >= 84 * unit  # where the sign under the rank ends


def replaced(thing: Any, part: str, value: object) -> Any:
    """A copy with the part of that name changed."""
    return replace(thing, **{part: value})
