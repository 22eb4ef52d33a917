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
from engines.jest import deck
from tests.cogs.pictures.recording_surface import check_differ, colourless_shape
from tests.game_uis import STUDIO

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


def test_the_fullest_pictures_stay_small() -> None:
    full = tuple(Counted(key, "−5", True) for key in KEYS[:7])
    rows = tuple(JestRow(seat, "Maximili", seat + 1, (*full, Counted("", "+8")), "−10") for seat in range(4))
    for spec in (JestSheet(rows, ("AH", "2H")), replace(TABLE, own=JestHand(HAND.cards, KEYS[:6], "worth −10"))):
        assert len(STUDIO.render(spec)) < BYTES


@pytest.mark.parametrize("unit", [1.5, 0.98, 0.72])
def test_every_card_is_told_by_its_shapes_without_colour(unit: float) -> None:
    check_differ({key: colourless_shape(card_faces.card, key, unit) for key in KEYS}, 1 / 400)


def with_hand(**parts: Any) -> JestTable:
    return replace(TABLE, own=replace(HAND, **parts))


def with_row(**parts: Any) -> JestSheet:
    return replace(SHEET, rows=(replace(ROW, **parts), SHEET.rows[1]))


def with_seat(**parts: Any) -> JestTable:
    changed: Any = replace(SEAT, **parts)
    return replace(TABLE, seats=(TABLE.seats[0], changed, *TABLE.seats[2:]))


LAID = (("3S", "face down", None), ("4H", "face up", None)), (("3S", "", None), ("4H", "", None))
CHANGED: dict[Any, list[Any]] = {
    TABLE: [
        *(replace(TABLE, title=("round 3", "of 3")), replace(TABLE, deck=0), with_hand()),
        replace(TABLE, trophies=(Trophy("3S", ("lowest", "club ♣")),)),
        *(
            replace(TABLE, trophies=(Trophy("4S", condition),))
            for condition in (("highest", "club ♣"), ("lowest", "spade ♠"))
        ),
        *(with_seat(name="Ade"), with_seat(up=Offered("4D")), with_seat(up=Offered()), with_seat(jest=3)),
        *(with_seat(down=Offered("", 2, 1)), with_seat(jest=0), with_seat(tag="has taken"), with_seat(turn=True)),
    ],
    with_hand(): [
        *(with_hand(cards=cards) for cards in LAID),
        *(with_hand(cards=(("3S", "face up", taker), HAND.cards[1])) for taker in (2, 1)),
        *(with_hand(jest=("AS",)), with_hand(jest=()), with_hand(worth="worth −9")),
    ],
    SHEET: [
        *(replace(SHEET, nobody=()), with_row(total="11"), with_row(place=2), with_row(cards=ROW.cards[:2])),
        *(with_row(cards=(counted, *ROW.cards[1:])) for counted in (Counted("AS", "+5", True), Counted("AS", "−5"))),
    ],
}


@pytest.mark.parametrize(("spec", "changed"), [(spec, each) for spec, some in CHANGED.items() for each in some])
def test_every_part_is_seen(spec: Any, changed: Any) -> None:
    assert STUDIO.render(changed) != STUDIO.render(spec)


def test_the_taker_of_a_card_and_the_time_are_shown() -> None:
    places = [Offered("", taker, order) for taker in range(4) for order in range(1, 5)]
    drawn = {STUDIO.render(replace(TABLE, seats=(*TABLE.seats[:3], replace(SEAT, up=place)))) for place in places}
    assert len(drawn) == len(places)


@pytest.mark.parametrize("seats", [3, 4])
def test_columns_keep_apart(seats: int) -> None:
    empty = JestSeat("", Offered(), Offered(), 0)
    plain = drawn_image(JestTable(("",), (), 0, (empty,) * seats))
    full = replace(SEAT, jest=5, tag="to take", turn=True)
    boxes = []
    for seat in range(seats):
        trophies = tuple(full if each == seat else empty for each in range(seats))
        box = ImageChops.difference(plain, drawn_image(JestTable(("",), (), 0, trophies))).getbbox()
        assert box is not None
        boxes.append(box)
    assert all(one[2] <= other[0] for one, other in combinations(boxes, 2))


def drawn_image(spec: JestTable) -> Image.Image:
    return Image.open(BytesIO(STUDIO.render(spec))).convert("RGB")
