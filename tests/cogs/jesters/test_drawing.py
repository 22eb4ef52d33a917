"""Jesters' pictures: small palette PNGs in which everything that is told is seen, colours also without colour."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from io import BytesIO
from itertools import combinations
from typing import Any

import pytest
from PIL import Image, ImageChops

from cogs.jesters.drawing import dice, icons
from cogs.jesters.drawing.icons import SYMBOLS
from cogs.jesters.drawing.parts import length
from cogs.jesters.spec import (
    Attempt,
    GiftFace,
    JestersHand,
    JestersLine,
    JestersSeat,
    JestersSheet,
    JestFace,
    Majority,
    Roll,
    Sign,
    Stage,
    Task,
)
from cogs.jesters.tasks import signs
from cogs.pictures.canvas import Canvas, Drawer, sprite
from cogs.pictures.spec import Spec
from cogs.pictures.theme import PIXELS, WIDTH
from engines.jesters import components
from engines.jesters.components import Favorite, Performance
from tests.cogs.jesters.states import table, whole_match
from tests.fronts import STUDIO

MOST_BYTES = 80 * 1024
SEAT = JestersSeat((2, 1, 0, 3), 5, 2, 9, 1, "1 of 2")
TASK = Task("The Two Noses", (Sign("x"), Sign("x", 1)), (0, 5), "4")
FAVORITE = Task("The Prince Sulks", (Sign("x"), Sign("x")), (5, 6), favorite=True)
MAJORITIES = (Majority("6/3", (1, 8), (2, 0, 1, 3)), Majority("5/2", (5, 6), (1, 1, 0, 2), True), Majority("4/1"))
STAGE = Stage("Round 2 of 3", "21 left", (FAVORITE, *(TASK,) * 5), (2, 0, 3, 5), (SEAT,) * 4, MAJORITIES)
ATTEMPT = Attempt(1, TASK, (Roll(0, 1), Roll(1, 3, True), Roll(2, 6, was=1)), ("missing: a die",), False)
TRYING = replace(STAGE, attempt=ATTEMPT)
CARD = JestFace(12, (0, 1), "±2", 2)
GIFTS = (GiftFace("opposite", 3, 0), GiftFace("recolour", 1, 2))
HAND = JestersHand((CARD, replace(CARD, number=13)), (2, 1, 0, 3), GIFTS)
LINE = JestersLine("6 / 3", (("4", "+6"), ("2", "0"), ("3", "−3")), (1, 8))
SHEET = JestersSheet((LINE, replace(LINE, name="Gifts", symbols=())), ("32", "−5", "9"), (1, 3, 2))


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png))


def test_the_fullest_pictures_stay_small() -> None:
    dice = tuple(Roll(i % 4, i % 6 + 1, i % 2 == 0, was=(i + 1) % 4) for i in range(20))
    gifts = tuple(GiftFace(effect, 1, i) for i, effect in enumerate(("opposite", "recolour", "symbol", "colour") * 2))
    cards = tuple(replace(CARD, number=i) for i in range(30, 50))
    seats = (replace(SEAT, dice=(5, 5, 5, 5), cards=20, done=10, fame=60, gifts="10 of 10", tag="marks dice"),) * 4
    full = replace(ATTEMPT, dice=dice)
    for spec in (
        replace(STAGE, seats=seats),
        replace(STAGE, seats=seats, attempt=full),
        JestersHand(cards, (5, 5, 5, 5), gifts, full),
        JestersHand(cards, (5, 5, 5, 5), gifts, choice=GIFTS),
    ):
        assert len(STUDIO.render(spec)) < MOST_BYTES


# Colours and symbols without their colours


def shape(draw: Drawer, *arguments: Hashable) -> Image.Image:
    """A drawing with its colours taken away: what differs from its commonest colour is ink."""
    image = sprite(draw, *arguments).image
    counts = image.histogram()
    ground = counts.index(max(counts))
    return Image.frombytes("L", image.size, image.tobytes()).point([255 * (index != ground) for index in range(256)])


def differ(shapes: dict[Any, Image.Image], share: float) -> None:
    for (one, first), (other, second) in combinations(shapes.items(), 2):
        differing = ImageChops.difference(first, second).histogram()[255]
        assert differing > first.width * first.height * share, (one, other)


@pytest.mark.parametrize("size", [92, 70, 47])
def test_rolled_dice_are_told_apart_by_word_and_pattern(size: int) -> None:
    for face in range(1, 7):
        differ({colour: shape(dice.rolled, colour, face, size, False) for colour in range(4)}, 0.03)


@pytest.mark.parametrize("size", [92, 47])
def test_patterns_tell_rolled_dice_apart_without_their_words(size: int) -> None:
    whole = {colour: shape(dice.rolled, colour, 1, size, False) for colour in range(4)}
    differ({colour: image.crop((0, 0, image.width, image.height // 2)) for colour, image in whole.items()}, 0.01)


@pytest.mark.parametrize("size", [62, 46])
def test_dice_are_told_apart_by_letter_and_pattern(size: int) -> None:
    differ({colour: shape(dice.tech, colour, size) for colour in range(-1, 4)}, 0.03)


@pytest.mark.parametrize("size", [54, 38])
def test_colours_asked_for_are_told_apart(size: int) -> None:
    differ({colour: shape(dice.sign, "x", colour, size) for colour in range(4)}, 0.03)


def lights(draw: Drawer, *arguments: Hashable) -> Image.Image:
    """A drawing in black and white: what is light in it."""
    return sprite(draw, *arguments).image.convert("L").point([255 * (level > 150) for level in range(256)])


@pytest.mark.parametrize("size", [92, 47])
def test_faces_are_told_apart(size: int) -> None:
    differ({face: lights(dice.rolled, 0, face, size, False) for face in range(1, 7)}, 0.01)


@pytest.mark.parametrize("size", [48, 38])
def test_symbols_are_told_apart_by_shape(size: int) -> None:
    differ({SYMBOLS[number]: lights(icons.symbol, number, size) for number in range(10)}, 0.04)


# Everything is seen


def replaced(thing: Any, part: str, value: object) -> Any:
    """A copy with the part of that name changed."""
    return replace(thing, **{part: value})


CHANGES: list[tuple[Any, str, object]] = [
    (STAGE, "title", "Round 3 of 3"),
    (STAGE, "pile", "20 left"),
    (STAGE, "tasks", (FAVORITE, *(TASK,) * 4)),
    (STAGE, "middle", (2, 1, 3, 5)),
    (STAGE, "seats", (SEAT,) * 3),
    (STAGE, "attempt", ATTEMPT),
    (HAND, "cards", (CARD,)),
    (HAND, "cards", ()),
    (HAND, "dice", (2, 1, 0, 2)),
    (HAND, "dice", (0, 0, 0, 0)),
    (HAND, "gifts", ()),
    (HAND, "gifts", GIFTS[:1]),
    (HAND, "gifts", (replace(GIFTS[0], used=True), GIFTS[1])),
    (HAND, "attempt", ATTEMPT),
    (HAND, "choice", GIFTS),
    (SHEET, "lines", (LINE,)),
    (SHEET, "totals", ("31", "−5", "9")),
    (SHEET, "places", (2, 3, 1)),
]


@pytest.mark.parametrize(("spec", "part", "value"), CHANGES)
def test_every_part_is_seen(spec: Any, part: str, value: object) -> None:
    assert STUDIO.render(replaced(spec, part, value)) != STUDIO.render(spec)


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("dice", (1, 1, 0, 3)),
        ("dice", (0, 0, 0, 0)),
        ("cards", 4),
        ("done", 3),
        ("fame", 10),
        ("failures", 2),
        ("gifts", "0 of 2"),
        ("tag", "to play"),
        ("turn", True),
        ("first", True),
    ],
)
def test_every_part_of_a_seat_is_seen(part: str, value: object) -> None:
    assert STUDIO.render(replace(STAGE, seats=(replaced(SEAT, part, value), *STAGE.seats[1:]))) != STUDIO.render(STAGE)


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("name", "Another"),
        ("signs", (Sign("x"), Sign("x"))),
        ("signs", (Sign("x"), Sign("x", 2))),
        ("signs", (Sign("x"), Sign("y", 1))),
        ("signs", (Sign("x"), Sign("x", 1), Sign("≥9", die=False))),
        ("symbols", (0,)),
        ("symbols", (5, 0)),
        ("fame", "5"),
        ("favorite", True),
    ],
)
def test_every_part_of_a_performance_is_seen(part: str, value: object) -> None:
    tasks = (replaced(TASK, part, value), *STAGE.tasks[1:])
    assert STUDIO.render(replace(STAGE, tasks=tasks)) != STUDIO.render(replace(STAGE, tasks=(TASK, *STAGE.tasks[1:])))


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("worth", "7/3"),
        ("symbols", (1, 9)),
        ("symbols", (8, 1)),
        ("symbols", ()),
        ("counts", (2, 0, 1, 2)),
        ("now", True),
    ],
)
def test_every_part_of_a_majority_is_seen(part: str, value: object) -> None:
    changed: Any = (replaced(MAJORITIES[0], part, value), *MAJORITIES[1:])
    assert STUDIO.render(replace(STAGE, majorities=changed)) != STUDIO.render(STAGE)


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("seat", 2),
        ("task", replace(TASK, name="Another")),
        ("dice", ATTEMPT.dice[:2]),
        ("dice", (Roll(0, 2), *ATTEMPT.dice[1:])),
        ("dice", (Roll(3, 1), *ATTEMPT.dice[1:])),
        ("dice", (Roll(0, 1, True), *ATTEMPT.dice[1:])),
        ("dice", (*ATTEMPT.dice[:2], Roll(2, 6, was=0))),
        ("dice", (*ATTEMPT.dice[:2], Roll(2, 6))),
        ("lines", ("missing: two dice",)),
        ("met", True),
    ],
)
def test_every_part_of_an_attempt_is_seen(part: str, value: object) -> None:
    changed = replaced(ATTEMPT, part, value)
    assert STUDIO.render(replace(TRYING, attempt=changed)) != STUDIO.render(TRYING)
    assert STUDIO.render(replace(HAND, attempt=changed)) != STUDIO.render(replace(HAND, attempt=ATTEMPT))


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("number", 14),
        ("learn", (0,)),
        ("learn", (0, -1)),
        ("learn", (0, 2)),
        ("change", "±3"),
        ("change", "opposite"),
        ("colour", -1),
        ("colour", 3),
        ("dimmed", True),
    ],
)
def test_every_part_of_a_jest_card_is_seen(part: str, value: object) -> None:
    assert STUDIO.render(replace(HAND, cards=(replaced(CARD, part, value), HAND.cards[1]))) != STUDIO.render(HAND)


def test_every_gift_looks_different() -> None:
    effects = [("opposite", 4), ("recolour", 4), ("colour", 4), ("symbol", 10), ("extra", 1), ("reroll", 1)]
    gifts = [GiftFace(effect, of, 0) for effect, number in effects for of in range(number)]
    gifts += [replace(gifts[0], symbol=symbol) for symbol in range(1, 10)]
    drawn = {STUDIO.render(replace(HAND, gifts=(gift,))) for gift in gifts}
    assert len(drawn) == len(gifts)


# Room


class Plan(Canvas):
    """A canvas that notes what comes to lie where."""

    def __init__(self, ground: Drawer, height: int) -> None:
        super().__init__(ground, height)
        self.laid: list[tuple[str, float, float, float, float]] = []

    def paste(self, x: float, y: float, draw: Drawer, *arguments: Hashable, dimmed: bool = False) -> None:
        width, height = sprite(draw, *arguments).image.size
        self.laid.append((draw.__name__, x, y, x + width / PIXELS, y + height / PIXELS))
        super().paste(x, y, draw, *arguments, dimmed=dimmed)


def laid(spec: Spec, kind: str) -> list[tuple[float, float, float, float]]:
    surface = STUDIO.lay(spec, Plan)
    assert isinstance(surface, Plan)
    return [tuple(place) for name, *place in surface.laid if name == kind]  # type: ignore[misc]


@pytest.mark.parametrize("number", [1, 4, 5, 9, 13, 14, 19, 20, 23])
def test_rolled_dice_stay_inside_and_show_their_faces(number: int) -> None:
    dice = tuple(Roll(i % 4, i % 6 + 1) for i in range(number))
    places = laid(replace(TRYING, attempt=replace(ATTEMPT, dice=dice)), "rolled")
    assert len(places) == number
    (card, *_) = laid(TRYING, "task_card")
    strip = min(top for _, top, _, _ in laid(TRYING, "pit"))
    for left, top, right, low in places:
        assert left > card[2]
        assert right <= WIDTH - 20
        assert top > 40
        assert low < strip
    assert all(apart(one, other, 0.15) for one, other in combinations(places, 2))


def apart(one: tuple[float, ...], other: tuple[float, ...], share: float) -> bool:
    """Whether two rectangles overlap by no more than a share of their width, or not in height."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return across <= share * (one[2] - one[0]) or down <= 0


@pytest.mark.parametrize("number", [1, 5, 6, 7, 12, 13, 20])
def test_jest_cards_do_not_overlap(number: int) -> None:
    places = laid(replace(HAND, cards=tuple(replace(CARD, number=i) for i in range(number))), "jest_half_card")
    assert len(places) == number
    assert all(left >= 10 and right <= WIDTH - 10 for left, _, right, _ in places)
    assert all(apart(one, other, 0) for one, other in combinations(places, 2))


def test_every_performance_fits_its_card() -> None:
    every = components.components()
    tasks: tuple[Performance | Favorite, ...] = (*every.performances, *every.favorites)
    for each in tasks:
        drawn = replace(STAGE, tasks=(Task(each.name, signs(each.requirement), each.symbols, "9"),) * 5)
        (left, top, right, low), *_ = laid(drawn, "task_card")
        symbols = min(place[1] for place in laid(drawn, "symbol"))
        dice = [place for kind in ("sign", "tech", "relation") for place in laid(drawn, kind)]
        first = [place for place in dice if place[0] < right and place[1] < low]
        assert len(first) >= 2
        for place in first:
            assert left + 12 <= place[0], each.name
            assert place[2] <= right - 8, each.name
            assert top + 60 <= place[1], each.name
            assert place[3] <= symbols + 4, each.name
        words = each.name.split()
        halves = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(len(words))]
        assert min(max(length(half, 22) for half in pair) for pair in halves) <= right - left - 40, each.name


def test_a_table_keeps_its_height_all_through_a_match() -> None:
    for seats in (2, 4):
        drawn = [table(state).picture for state in whole_match(seats)[::5]]
        assert len({opened(STUDIO.render(picture.spec)).size for picture in drawn if picture}) == 1


@pytest.mark.parametrize("effect", ["recolour", "colour", "symbol"])
def test_a_gift_that_brings_fame_shows_it_on_its_card(effect: str) -> None:
    spec = replace(HAND, gifts=(GiftFace(effect, 1, 2),))
    ((left, top, right, bottom),) = laid(spec, "gift_card")
    ((x, y, to_x, to_y),) = laid(spec, "fame")
    assert left < x < to_x < right
    assert top < y < to_y < bottom
    assert laid(replace(HAND, gifts=(GiftFace("opposite", 1, 2),)), "fame") == []
