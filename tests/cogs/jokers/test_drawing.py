"""Jokers' pictures: small palette PNGs that show everything in the words."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from cogs.jokers.drawing.layout import HAND_SCALE, TABLE_SCALE
from cogs.jokers.drawing.spec import Group, Hand, PileTable, ShownCard
from cogs.pictures import card_faces
from cogs.pictures.raster.theme import CARD_SIZE, LARGE, WIDTH
from cogs.pictures.spec import PlateLine, SeatPlate
from engines.jokers import deck
from tests.cogs.pictures.recording_surface import check_differ, colourless_shape, picture_size, record_picture
from tests.game_uis import STUDIO

RUN = Group("run", (ShownCard("2C"), ShownCard("3C"), ShownCard("joker", "4C"), ShownCard("5C")))
SET = Group("set", (ShownCard("9D"), ShownCard("9H"), ShownCard("9S")))
REST = Group("no meld", (ShownCard("KH"), ShownCard("10S")), meld=False)
PLATES = (
    SeatPlate(0, "Ada", (PlateLine("135 points", "gold", "last +30"), PlateLine("8 cards", right="safety 1")), True),
    SeatPlate(1, "Bela", (PlateLine("−40 points", "gold", "last −40"), PlateLine("9 cards", right="safety 1, 2"))),
)
PILE = tuple(deck.card_name(card) for card in range(13, 26))
TABLE = PileTable(PLATES, ("round 2 of 6", "1 trade left"), 12, PILE, 9, "5H", 5, (RUN, SET), 1)
CALM = replace(TABLE, turned=None, reach=0, declared=())
HAND = Hand((RUN, SET, REST), "+20 if the round ends now", "good")


def test_a_full_table_stays_small() -> None:
    assert len(STUDIO.render(TABLE)) < 40 * 1024


def with_hand(**parts: Any) -> PileTable:
    return replace(CALM, hand=replace(HAND, **parts))


LAST_TURN = replace(TABLE, hand=HAND)  # beside a declared hand
CHANGED = {
    TABLE: [
        replace(TABLE, plates=(replace(PLATES[0], name="Ade"), PLATES[1])),
        *(LAST_TURN, replace(TABLE, draw=11), replace(TABLE, below=0), replace(TABLE, below=8)),
        *(replace(TABLE, pile=pile) for pile in (PILE[:12], (PILE[1], PILE[0], *PILE[2:]))),
        *(replace(TABLE, turned="6H"), replace(TABLE, reach=6), replace(TABLE, declarer=0)),
        replace(TABLE, declared=(RUN,)),
    ],
    CALM: [
        replace(CALM, said=("round 2 of 6", "2 trades left")),
        *(replace(CALM, pile=(), below=0), replace(CALM, draw=0)),
    ],
    LAST_TURN: [replace(TABLE, hand=replace(HAND, said="your hand · 1 trade left"))],
    with_hand(): [
        *(with_hand(worth="−20"), with_hand(groups=(RUN, SET)), with_hand(groups=(SET, RUN, REST))),
        with_hand(groups=(RUN, SET, replace(REST, cards=REST.cards[::-1]))),
        *(
            with_hand(groups=(replace(RUN, cards=(*RUN.cards[:2], joker, RUN.cards[3])), SET, REST))
            for joker in (ShownCard("joker", "5C"), ShownCard("joker"))
        ),
        with_hand(groups=(replace(RUN, name="set"), SET, REST)),
    ],
}


@pytest.mark.parametrize(("spec", "changed"), [(spec, each) for spec, some in CHANGED.items() for each in some])
def test_every_part_is_seen(spec: PileTable, changed: PileTable) -> None:
    assert STUDIO.render(changed) != STUDIO.render(spec)


@pytest.mark.parametrize("cards", range(14))
@pytest.mark.parametrize("turned_card", [None, "5H"])
def test_no_words_are_cut_off_however_long_the_pile_is(cards: int, turned_card: str | None) -> None:
    spec = replace(TABLE, pile=PILE[:cards], below=9 if cards == 13 else 0, turned=turned_card, hand=HAND)
    boxes = record_picture(spec)[0].text_boxes()
    assert min(left for _, left, _, _ in boxes) >= 20
    assert max(right for _, _, right, _ in boxes) <= WIDTH - 20


def test_a_safety_card_turned_up_keeps_clear_of_the_hand_that_was_declared() -> None:
    drawing, _ = record_picture(replace(TABLE, reach=10))
    ((left, _, _, _),) = [each for each in drawing.written if each[2] == "safety card"]
    declared = [(face.key, TABLE_SCALE) for face in (*RUN.cards, *SET.cards)]
    starts = [x for x, _, draw, arguments in drawing.pasted if draw is card_faces.card and arguments in declared]
    assert max(starts) + CARD_SIZE[0] * TABLE_SCALE < left


def test_a_hand_keeps_its_height_so_that_nothing_below_it_jumps() -> None:
    hands = [(), (REST,), (RUN, SET, REST), (Group("run", RUN.cards * 2),)]
    assert len({picture_size(with_hand(groups=groups)) for groups in hands}) == 1
    with_turned_card = replace(CALM, turned="5H", reach=5)
    assert len({picture_size(spec) for spec in (CALM, with_turned_card, replace(CALM, pile=(), below=0))}) == 1


@pytest.mark.parametrize("sizes", [(8,), (1,) * 3, (3, 5), (4, 4, 1), (3, 3, 3), (9,), (3, 3, 2), (7, 2), (3, 6)])
def test_cards_of_a_hand_stay_inside_and_show_their_corners(sizes: tuple[int, ...]) -> None:
    groups = tuple(Group("run", RUN.cards[:1] * size) for size in sizes)
    drawing, _ = record_picture(with_hand(groups=groups))
    places = [x for x, _, draw, arguments in drawing.pasted if draw is card_faces.card and arguments[1] == HAND_SCALE]
    assert len(places) == sum(sizes)
    assert min(places) >= 20
    assert max(places) + CARD_SIZE[0] * HAND_SCALE <= WIDTH - 20
    assert all(after - before >= 60 for before, after in pairwise(places))


@pytest.mark.parametrize("size", [LARGE, 0.6])
def test_the_joker_is_told_by_its_shape(size: float) -> None:
    keys = ("joker", "back", "JS", "KH", "AC")
    check_differ({key: colourless_shape(card_faces.card, key, size) for key in keys}, 1 / 100)
