"""Jokers' pictures: small palette PNGs that show everything in the words."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from itertools import combinations, pairwise
from typing import Any

import pytest
from PIL import Image, ImageChops

from cogs.jokers.drawing.layout import HAND_SCALE, TABLE_SCALE
from cogs.jokers.drawing.spec import Group, Hand, Held, PileTable
from cogs.pictures import card_faces
from cogs.pictures.raster.canvas import Canvas, DrawingSurface, shared_sprite
from cogs.pictures.raster.letters import text_width
from cogs.pictures.raster.pen import DrawFunction
from cogs.pictures.raster.theme import CARD_SIZE, LARGE, WIDTH
from cogs.pictures.spec import PlateLine, SeatPlate
from engines.jokers import deck
from tests.fronts import STUDIO

RUN = Group("run", (Held("2C"), Held("3C"), Held("joker", "4C"), Held("5C")))
SET = Group("set", (Held("9D"), Held("9H"), Held("9S")))
REST = Group("no meld", (Held("KH"), Held("10S")), meld=False)
PLATES = (
    SeatPlate(
        0, "Ada", (PlateLine("135 points", "gold", "last +30"), PlateLine("8 cards", right="safety 1")), turn=True
    ),
    SeatPlate(1, "Bela", (PlateLine("−40 points", "gold", "last −40"), PlateLine("9 cards", right="safety 1, 2"))),
)
PILE = tuple(deck.card_name(card) for card in range(13, 26))
TABLE = PileTable(PLATES, ("round 2 of 6", "1 trade left"), 12, PILE, 9, "5H", 5, (RUN, SET), 1)
CALM = replace(TABLE, turned=None, reach=0, declared=())
HAND = Hand((RUN, SET, REST), "+20 if the round ends now", "good")


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png))


def test_a_full_table_stays_small() -> None:
    assert len(STUDIO.render(TABLE)) < 40 * 1024


CHANGED: list[tuple[str, object]] = [
    ("plates", (replace(PLATES[0], name="Ade"), PLATES[1])),
    ("hand", HAND),
    ("draw", 11),
    ("pile", PILE[:12]),
    ("pile", (PILE[1], PILE[0], *PILE[2:])),
    ("below", 0),
    ("below", 8),
    ("turned", "6H"),
    ("reach", 6),
    ("declared", (RUN,)),
    ("declarer", 0),
]


@pytest.mark.parametrize(("part", "value"), CHANGED)
def test_every_part_of_a_table_is_seen(part: str, value: object) -> None:
    assert STUDIO.render(replaced(TABLE, part, value)) != STUDIO.render(TABLE)


def test_trades_left_and_an_empty_pile_are_seen() -> None:
    assert STUDIO.render(replace(CALM, said=("round 2 of 6", "2 trades left"))) != STUDIO.render(CALM)
    assert STUDIO.render(replace(CALM, pile=(), below=0)) != STUDIO.render(CALM)
    assert STUDIO.render(replace(CALM, draw=0)) != STUDIO.render(CALM)


def test_what_a_hand_is_worth_is_seen() -> None:
    assert STUDIO.render(with_hand(replace(HAND, worth="−20"))) != STUDIO.render(with_hand(HAND))


def test_trades_left_in_the_last_turn_are_seen_beside_a_declared_hand() -> None:
    last = replace(TABLE, hand=replace(HAND, said="your hand · 1 trade left"))
    assert STUDIO.render(last) != STUDIO.render(replace(TABLE, hand=HAND))


class Written(Canvas):
    """A canvas that records the ends of words, and the start of a declared hand."""

    def __init__(self, ground: DrawFunction, height: int) -> None:
        super().__init__(ground, height)
        self.words: list[tuple[float, float, str]] = []
        self.cards: list[float] = []

    def paste(self, x: float, y: float, draw: DrawFunction, *arguments: Any, dimmed: bool = False) -> None:
        if draw is card_faces.card and arguments in [(held.key, TABLE_SCALE) for held in (*RUN.cards, *SET.cards)]:
            self.cards.append(x)
        super().paste(x, y, draw, *arguments, dimmed=dimmed)

    def text(self, x: float, y: float, text: str, size: int, *rest: Any) -> None:
        broad, anchor = text_width(text, size), rest[2] if len(rest) > 2 else "m"
        left = x - {"l": 0, "m": broad / 2, "r": broad}[anchor]
        self.words.append((left, left + broad, text))
        super().text(x, y, text, size, *rest)


@pytest.mark.parametrize("cards", range(14))
@pytest.mark.parametrize("turned", [None, "5H"])
def test_no_words_are_cut_off_however_long_the_pile_is(cards: int, turned: str | None) -> None:
    spec = replace(TABLE, pile=PILE[:cards], below=9 if cards == 13 else 0, turned=turned, hand=HAND)
    surface: DrawingSurface = STUDIO.lay_out(spec, Written)
    assert isinstance(surface, Written)
    assert min(left for left, _, _ in surface.words) >= 20
    assert max(right for _, right, _ in surface.words) <= WIDTH - 20


def test_a_safety_card_turned_up_keeps_clear_of_the_hand_that_was_declared() -> None:
    surface: DrawingSurface = STUDIO.lay_out(replace(TABLE, reach=10), Written)
    assert isinstance(surface, Written)
    ((left, _, _),) = [each for each in surface.words if each[2] == "safety card"]
    assert max(surface.cards) + CARD_SIZE[0] * TABLE_SCALE < left


def with_hand(hand: Hand) -> PileTable:
    return replace(CALM, hand=hand)


@pytest.mark.parametrize(
    "other",
    [
        (RUN, SET),
        (RUN, SET, Group("no meld", (Held("10S"), Held("KH")), meld=False)),
        (SET, RUN, REST),
        (Group("run", (*RUN.cards[:2], Held("joker", "5C"), RUN.cards[3])), SET, REST),
        (Group("run", (*RUN.cards[:2], Held("joker"), RUN.cards[3])), SET, REST),
        (replace(RUN, name="set"), SET, REST),
    ],
)
def test_every_part_of_a_hand_is_seen(other: tuple[Group, ...]) -> None:
    assert STUDIO.render(with_hand(replace(HAND, groups=other))) != STUDIO.render(with_hand(HAND))


def test_a_hand_keeps_its_height_so_that_nothing_below_it_jumps() -> None:
    hands = [(), (REST,), (RUN, SET, REST), (Group("run", RUN.cards * 2),)]
    assert len({opened(STUDIO.render(with_hand(replace(HAND, groups=groups)))).size for groups in hands}) == 1
    turned = replace(CALM, turned="5H", reach=5)
    assert len({opened(STUDIO.render(spec)).size for spec in (CALM, turned, replace(CALM, pile=(), below=0))}) == 1


class Plan(Canvas):
    """A canvas that records the places of a hand's cards."""

    def __init__(self, ground: DrawFunction, height: int) -> None:
        super().__init__(ground, height)
        self.cards: list[tuple[float, str]] = []

    def paste(self, x: float, y: float, draw: DrawFunction, *arguments: Any, dimmed: bool = False) -> None:
        if draw is card_faces.card and arguments[1] == HAND_SCALE:
            self.cards.append((x, arguments[0]))
        super().paste(x, y, draw, *arguments, dimmed=dimmed)


@pytest.mark.parametrize(
    "sizes", [(8,), (1,) * 3, (3, 5), (4, 4, 1), (3, 3, 3), (9,), (3, 3, 2), (7, 2), (3, 6)], ids=str
)
def test_cards_of_a_hand_stay_inside_and_show_their_corners(sizes: tuple[int, ...]) -> None:
    groups = tuple(Group("run", RUN.cards[:1] * size) for size in sizes)
    surface: DrawingSurface = STUDIO.lay_out(with_hand(replace(HAND, groups=groups)), Plan)
    assert isinstance(surface, Plan)
    places = [x for x, _ in surface.cards]
    assert len(places) == sum(sizes)
    assert min(places) >= 20
    assert max(places) + CARD_SIZE[0] * HAND_SCALE <= WIDTH - 20
    assert all(after - before >= 60 for before, after in pairwise(places))


def shape(key: str, size: float) -> Image.Image:
    """Return a card without colours: everything but its most common colour is ink."""
    image = shared_sprite(card_faces.card, key, size).image
    counts = image.histogram()
    ground = counts.index(max(counts))
    return Image.frombytes("L", image.size, image.tobytes()).point([255 * (index != ground) for index in range(256)])


@pytest.mark.parametrize("size", [LARGE, 0.6])
def test_the_joker_is_told_by_its_shape(size: float) -> None:
    shapes = {key: shape(key, size) for key in ("joker", "back", "JS", "KH", "AC")}
    for (one, first), (other, second) in combinations(shapes.items(), 2):
        differing = ImageChops.difference(first, second).histogram()[255]
        assert differing > first.width * first.height / 100, (one, other)


def replaced(thing: Any, part: str, value: object) -> Any:
    """Return a copy with one field changed."""
    return replace(thing, **{part: value})
