"""Jest's pictures: small palette PNGs, every part visible, with cards that differ in shape."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from itertools import combinations
from typing import Any

import pytest
from PIL import Image, ImageChops

from cogs.jest.drawing.spec import Counted, JestHand, JestRow, JestSeat, JestSheet, JestTable, Offered, Trophy
from cogs.pictures import card_faces
from cogs.pictures.raster.canvas import shared_sprite
from engines.jest import deck
from tests.fronts import STUDIO

BYTES = 40 * 1024
KEYS = (*(deck.card_name(card) for card in deck.DECK), "back")
SEAT = JestSeat("Ada", Offered("4H"), Offered("back"), 2)
TABLE = JestTable(
    ("round 2", "of 3"),
    (Trophy("4S", ("lowest", "club ♣")),),
    4,
    (replace(SEAT, tag="to take", turn=True), SEAT, replace(SEAT, down=Offered("", 3, 1)), SEAT),
)
HAND = JestHand((("3S", "face up", None), ("4H", "face down", None)), ("AS", "joker"), "worth 9")
ROW = JestRow(1, "Bela", 1, (Counted("AS", "+5"), Counted("AC", "+5", True), Counted("", "+2")), "12")
SHEET = JestSheet((ROW, replace(ROW, seat=0, place=2)), ("AH",))


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png))


def test_the_fullest_pictures_stay_small() -> None:
    full = tuple(Counted(key, "−5", True) for key in KEYS[:7])
    rows = tuple(JestRow(seat, "Maximili", seat + 1, (*full, Counted("", "+8")), "−10") for seat in range(4))
    for spec in (JestSheet(rows, ("AH", "2H")), replace(TABLE, own=JestHand(HAND.cards, KEYS[:6], "worth −10"))):
        assert len(STUDIO.render(spec)) < BYTES


@pytest.mark.parametrize("unit", [1.5, 0.98, 0.72])
def test_every_card_is_told_by_its_shapes_without_colour(unit: float) -> None:
    shapes = {key: shape(key, unit) for key in KEYS}
    for (one, first), (other, second) in combinations(shapes.items(), 2):
        differing = ImageChops.difference(first, second).histogram()[255]
        assert differing > first.width * first.height / 400, (one, other)


def shape(key: str, unit: float) -> Image.Image:
    """Return a card without colours: everything but its most common colour is ink."""
    image = shared_sprite(card_faces.card, key, unit).image
    counts = image.histogram()
    ground = counts.index(max(counts))
    return Image.frombytes("L", image.size, image.tobytes()).point([255 * (index != ground) for index in range(256)])


CHANGES: list[tuple[Any, str, Any]] = [
    (TABLE, "title", ("round 3", "of 3")),
    (TABLE, "deck", 0),
    (TABLE, "trophies", (Trophy("3S", ("lowest", "club ♣")),)),
    (TABLE, "trophies", (Trophy("4S", ("highest", "club ♣")),)),
    (TABLE, "trophies", (Trophy("4S", ("lowest", "spade ♠")),)),
    (TABLE, "own", HAND),
    (HAND, "cards", (("3S", "face down", None), ("4H", "face up", None))),
    (HAND, "cards", (("3S", "", None), ("4H", "", None))),
    (HAND, "cards", (("3S", "face up", 2), ("4H", "face down", None))),
    (HAND, "cards", (("3S", "face up", 1), ("4H", "face down", None))),
    (HAND, "jest", ("AS",)),
    (HAND, "jest", ()),
    (HAND, "worth", "worth −9"),
    (SHEET, "nobody", ()),
    (SHEET, "rows", (replace(ROW, total="11"), SHEET.rows[1])),
    (SHEET, "rows", (replace(ROW, place=2), SHEET.rows[1])),
    (SHEET, "rows", (replace(ROW, cards=ROW.cards[:2]), SHEET.rows[1])),
    (SHEET, "rows", (replace(ROW, cards=(Counted("AS", "+5", True), *ROW.cards[1:])), SHEET.rows[1])),
    (SHEET, "rows", (replace(ROW, cards=(Counted("AS", "−5"), *ROW.cards[1:])), SHEET.rows[1])),
]
SEATS: list[tuple[str, Any]] = [
    ("name", "Ade"),
    ("up", Offered("4D")),
    ("up", Offered()),
    ("down", Offered("", 2, 1)),
    ("jest", 3),
    ("jest", 0),
    ("tag", "has taken"),
    ("turn", True),
]


@pytest.mark.parametrize(("spec", "part", "value"), CHANGES)
def test_every_part_is_seen(spec: Any, part: str, value: Any) -> None:
    changed = replace(spec, **{part: value})
    if isinstance(spec, JestHand):
        spec, changed = replace(TABLE, own=spec), replace(TABLE, own=changed)
    assert STUDIO.render(changed) != STUDIO.render(spec)


@pytest.mark.parametrize(("part", "value"), SEATS)
def test_every_part_of_a_seat_is_seen(part: str, value: Any) -> None:
    changed: Any = replace(SEAT, **{part: value})
    assert STUDIO.render(replace(TABLE, seats=(TABLE.seats[0], changed, *TABLE.seats[2:]))) != STUDIO.render(TABLE)


def test_who_took_a_card_and_when_is_seen() -> None:
    places = [Offered("", taker, order) for taker in range(4) for order in range(1, 5)]
    drawn = {STUDIO.render(replace(TABLE, seats=(*TABLE.seats[:3], replace(SEAT, up=place)))) for place in places}
    assert len(drawn) == len(places)


@pytest.mark.parametrize("seats", [3, 4])
def test_columns_keep_apart(seats: int) -> None:
    empty = JestSeat("", Offered(), Offered(), 0)
    plain = opened(STUDIO.render(JestTable(("",), (), 0, (empty,) * seats))).convert("RGB")
    full = replace(SEAT, jest=5, tag="to take", turn=True)
    boxes = []
    for seat in range(seats):
        there = tuple(full if each == seat else empty for each in range(seats))
        box = ImageChops.difference(
            plain, opened(STUDIO.render(JestTable(("",), (), 0, there))).convert("RGB")
        ).getbbox()
        assert box is not None
        boxes.append(box)
    assert all(one[2] <= other[0] for one, other in combinations(boxes, 2))
