"""Jesters' pictures: small palette PNGs that show everything in the words, also for colour-blind players."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from io import BytesIO
from itertools import combinations
from typing import Any

import pytest
from PIL import Image, ImageChops

from cogs.jesters.drawing import dice, icons
from cogs.jesters.drawing.spec import Attempt, GiftFace, JestFace, Majority, Own, Roll, Sign, Stage, Task
from cogs.jesters.tasks import requirement_signs
from cogs.pictures import table_pieces
from cogs.pictures.plates import lay_plates
from cogs.pictures.raster.canvas import Canvas, shared_sprite
from cogs.pictures.raster.letters import text_width
from cogs.pictures.raster.palette import palette_colours
from cogs.pictures.raster.pen import DrawFunction
from cogs.pictures.raster.theme import MIN_TYPE_SIZE, PIXELS_PER_UNIT, WIDTH, Colour
from cogs.pictures.spec import PlateLine, SeatPlate, Spec
from engines.jesters.components import catalogue
from engines.jesters.components.catalogue import COLOURS, SYMBOLS, Favorite, Performance
from tests.cogs.jesters.states import hand_screen, table_screen, whole_match
from tests.cogs.pictures.heard import RecordingSurface
from tests.engines.jesters.positions import parse_position
from tests.fronts import STUDIO

MOST_BYTES = 64 * 1024
LINES = (PlateLine(""), PlateLine("5 cards", right="9★"), PlateLine("1 fail", right="first"))
SEATS = tuple(
    SeatPlate(seat, name, LINES, seat == 1, ("0", "0", "1")) for seat, name in enumerate(("Ada", "B", "C", "D"))
)
TASK = Task("The Two Noses", (Sign("x"), Sign("x", 1)), (0, 5), "4")
FAVORITE = Task("The Prince Sulks", (Sign("x"), Sign("x")), (5, 6), favorite=True)
MAJORITIES = (Majority("6/3", (1, 8), (2, 0, 1, 3)), Majority("5/2", (5, 6), (1, 1, 0, 2), True))
CARD = JestFace((0, 1), "±2", 2)
GIFTS = (GiftFace("opposite", 3, 0), GiftFace("recolour", 1, 2))
OWN = Own((CARD, CARD), GIFTS)
STAGE = Stage(SEATS, (FAVORITE, *(TASK,) * 5), (2, 0, 3, 5), MAJORITIES, "Round 2 of 3")
HAND = replace(STAGE, own=OWN)
ATTEMPT = Attempt(
    TASK, (Roll(0, 1), Roll(1, 3, True), Roll(2, 6, was=1)), "Missing: a die", "17% if rolled again", False
)
TRYING = replace(STAGE, tasks=(), attempt=ATTEMPT)


def open_image(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png))


def test_the_fullest_pictures_stay_small() -> None:
    rolls = tuple(Roll(i % 4, i % 6 + 1, i % 2 == 0, was=(i + 1) % 4) for i in range(20))
    gifts = tuple(GiftFace(effect, 1, i) for i, effect in enumerate(("opposite", "recolour", "symbol", "colour") * 2))
    own = Own((CARD,) * 20, gifts)
    for spec in (
        replace(HAND, own=own),
        replace(TRYING, attempt=replace(ATTEMPT, dice=rolls), own=own),
        replace(TRYING, attempt=None, choice=GIFTS, own=own),
    ):
        assert len(STUDIO.render(spec)) < MOST_BYTES


# Colours and symbols without their colours


def colourless_shape(draw: DrawFunction, *arguments: Hashable) -> Image.Image:
    """Return a drawing without colours: everything but its most common colour is ink."""
    image = shared_sprite(draw, *arguments).image
    counts = image.histogram()
    ground = counts.index(max(counts))
    return Image.frombytes("L", image.size, image.tobytes()).point([255 * (index != ground) for index in range(256)])


def check_differ(shapes: dict[Any, Image.Image], share: float) -> None:
    for (one, first), (other, second) in combinations(shapes.items(), 2):
        differing = ImageChops.difference(first, second).histogram()[255]
        assert differing > first.width * first.height * share, (one, other)


@pytest.mark.parametrize("size", [108, 84, 72])
def test_rolled_dice_are_told_apart_by_their_pattern(size: int) -> None:
    for face in range(1, 7):
        check_differ(
            {colour: colourless_shape(dice.rolled_die, colour, face, size, False) for colour in range(4)}, 0.02
        )


@pytest.mark.parametrize("size", [46, 38, 30])
def test_dice_are_told_apart_by_their_pattern(size: int) -> None:
    check_differ({colour: colourless_shape(dice.technique_die, colour, size) for colour in range(-1, 4)}, 0.04)


@pytest.mark.parametrize("width", [46, 90])
def test_colours_asked_for_are_told_apart(width: int) -> None:
    check_differ({colour: colourless_shape(dice.requirement_die, "x", colour, width) for colour in range(4)}, 0.02)


@pytest.mark.parametrize("width", [60, 100])
def test_colours_that_a_card_changes_are_told_apart(width: int) -> None:
    check_differ({colour: colourless_shape(dice.change_sign, "±2", colour, width, 60) for colour in range(-1, 4)}, 0.02)


def lightness(draw: DrawFunction, *arguments: Hashable) -> Image.Image:
    """Return the light pixels of a drawing."""
    levels = bytes(255 * (red + green + blue > 450) for red, green, blue in palette_colours()).ljust(256, b"\0")
    image = shared_sprite(draw, *arguments).image
    return Image.frombytes("L", image.size, image.tobytes().translate(levels))


@pytest.mark.parametrize("size", [108, 72])
def test_faces_are_told_apart(size: int) -> None:
    check_differ({face: lightness(dice.rolled_die, 0, face, size, False) for face in range(1, 7)}, 0.01)


@pytest.mark.parametrize("size", [48, 36])
def test_symbols_are_told_apart_by_shape(size: int) -> None:
    check_differ({SYMBOLS[number]: lightness(icons.symbol_icon, number, size) for number in range(10)}, 0.04)


# Everything is seen


def replace_part(thing: Any, part: str, value: object) -> Any:
    """Return a copy with one field changed."""
    return replace(thing, **{part: value})


CHANGES: list[tuple[Any, str, object]] = [
    (STAGE, "round", "Round 3 of 3"),
    (STAGE, "plates", (replace(SEATS[0], name="Eve"), *SEATS[1:])),
    (STAGE, "plates", (replace(SEATS[0], marks=("0", "0", "2")), *SEATS[1:])),
    (STAGE, "tasks", (FAVORITE, *(TASK,) * 4)),
    (STAGE, "middle", (2, 1, 3, 5)),
    (STAGE, "majorities", MAJORITIES[:1]),
    (STAGE, "attempt", ATTEMPT),
    (STAGE, "own", OWN),
    (HAND, "own", Own((CARD,), GIFTS)),
    (HAND, "own", Own((), GIFTS)),
    (HAND, "own", Own((CARD, CARD), GIFTS[:1])),
    (HAND, "own", Own((CARD, CARD), ())),
    (HAND, "own", Own((), ())),
    (HAND, "own", Own((CARD, CARD), (replace(GIFTS[0], used=True), GIFTS[1]))),
    (HAND, "choice", GIFTS),
]


@pytest.mark.parametrize(("spec", "part", "value"), CHANGES)
def test_every_part_is_seen(spec: Any, part: str, value: object) -> None:
    assert STUDIO.render(replace_part(spec, part, value)) != STUDIO.render(spec)


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
        ("chance", "44%"),
        ("chosen", True),
    ],
)
def test_every_part_of_a_performance_is_seen(part: str, value: object) -> None:
    tasks = (replace_part(TASK, part, value), *STAGE.tasks[1:])
    assert STUDIO.render(replace(STAGE, tasks=tasks)) != STUDIO.render(replace(STAGE, tasks=(TASK, *STAGE.tasks[1:])))


@pytest.mark.parametrize(
    ("part", "value"),
    [("worth", "7/3"), ("symbols", (1, 9)), ("symbols", (8, 1)), ("counts", (2, 0, 1, 2)), ("now", True)],
)
def test_every_part_of_a_majority_is_seen(part: str, value: object) -> None:
    changed: Any = (replace_part(MAJORITIES[0], part, value), *MAJORITIES[1:])
    assert STUDIO.render(replace(STAGE, majorities=changed)) != STUDIO.render(STAGE)


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("task", replace(TASK, name="Another")),
        ("dice", ATTEMPT.dice[:2]),
        ("dice", (Roll(0, 2), *ATTEMPT.dice[1:])),
        ("dice", (Roll(3, 1), *ATTEMPT.dice[1:])),
        ("dice", (Roll(0, 1, True), *ATTEMPT.dice[1:])),
        ("dice", (*ATTEMPT.dice[:2], Roll(2, 6, was=0))),
        ("dice", (*ATTEMPT.dice[:2], Roll(2, 6))),
        ("said", "Missing: two dice"),
        ("quiet", "18% if rolled again"),
        ("met", True),
    ],
)
def test_every_part_of_an_attempt_is_seen(part: str, value: object) -> None:
    changed = replace_part(ATTEMPT, part, value)
    assert STUDIO.render(replace(TRYING, attempt=changed)) != STUDIO.render(TRYING)


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("learn", (0,)),
        ("learn", (0, -1)),
        ("learn", (0, 2)),
        ("learn", (0, 1, 1)),
        ("change", "±3"),
        ("change", "turn"),
        ("colour", -1),
        ("colour", 3),
    ],
)
def test_every_part_of_a_jest_card_is_seen(part: str, value: object) -> None:
    changed = replace(HAND, own=Own((replace_part(CARD, part, value), CARD), GIFTS))
    assert STUDIO.render(changed) != STUDIO.render(HAND)


def test_every_gift_looks_different() -> None:
    effects = [("opposite", 4), ("recolour", 4), ("colour", 4), ("symbol", 10), ("extra", 1), ("reroll", 1)]
    gifts = [GiftFace(effect, of, 0) for effect, number in effects for of in range(number)]
    gifts += [replace(gifts[0], symbol=symbol) for symbol in range(1, 10)]
    drawn = {STUDIO.render(replace(HAND, own=Own((), (gift,)))) for gift in gifts}
    assert len(drawn) == len(gifts)


# Room


class RecordingCanvas(Canvas):
    """A canvas that records what is laid where."""

    def __init__(self, ground: DrawFunction, height: int) -> None:
        super().__init__(ground, height)
        self.laid: list[tuple[str, float, float, float, float]] = []

    def paste(self, x: float, y: float, draw: DrawFunction, *arguments: Hashable, dimmed: bool = False) -> None:
        width, height = shared_sprite(draw, *arguments).image.size
        self.laid.append((draw.__name__, x, y, x + width / PIXELS_PER_UNIT, y + height / PIXELS_PER_UNIT))
        super().paste(x, y, draw, *arguments, dimmed=dimmed)


def record_places(spec: Spec, kind: str) -> list[tuple[float, float, float, float]]:
    surface = STUDIO.lay_out(spec, RecordingCanvas)
    assert isinstance(surface, RecordingCanvas)
    return [tuple(place) for name, *place in surface.laid if name == kind]  # type: ignore[misc]


class WritingCanvas(RecordingCanvas):
    """A canvas that records texts."""

    def text(self, x: float, y: float, text: str, size: int, ink: Colour, ground: Colour, anchor: str = "m") -> None:
        self.laid.append((text, x, y, x, y))
        super().text(x, y, text, size, ink, ground, anchor)


def test_s16_the_first_majority_says_what_its_numbers_are() -> None:
    for number, said in ((1, True), (2, False)):
        surface = STUDIO.lay_out(replace(STAGE, majorities=MAJORITIES[:number]), WritingCanvas)
        assert isinstance(surface, WritingCanvas)
        assert ("at the end: most 6, second 3" in {text for text, *_ in surface.laid}) is said


@pytest.mark.parametrize("number", [1, 4, 5, 9, 12, 13, 19, 20, 21])
def test_rolled_dice_stay_inside_and_show_their_faces(number: int) -> None:
    rolls = tuple(Roll(i % 4, i % 6 + 1) for i in range(number))
    trying = replace(TRYING, attempt=replace(ATTEMPT, dice=rolls))
    places = record_places(trying, "rolled_die")
    assert len(places) == number
    (card,) = record_places(trying, "task_card")
    panel = max(record_places(trying, "panel"), key=lambda place: place[2] - place[0])
    for left, top, right, low in places:
        assert left > card[2]
        assert right <= panel[2]
        assert top > panel[1]
        assert low < panel[3] - 2 * 44
    assert all(are_apart(one, other, 0) for one, other in combinations(places, 2))


def are_apart(one: tuple[float, ...], other: tuple[float, ...], share: float) -> bool:
    """Return whether two rectangles overlap by at most a share of their width, or not in height."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return across <= share * (one[2] - one[0]) or down <= 0


@pytest.mark.parametrize("number", [1, 5, 6, 7, 10, 11, 20, 25])
def test_jest_cards_do_not_overlap_and_hold_their_dice(number: int) -> None:
    spec = replace(HAND, own=Own((replace(CARD, learn=(0, 1, 2)),) * number, GIFTS))
    places = [*record_places(spec, "jest_card"), *record_places(spec, "gift_card")]
    assert len(places) == number + 2
    assert all(left >= 10 and right <= WIDTH - 10 for left, _, right, _ in places)
    assert all(are_apart(one, other, 0) for one, other in combinations(places, 2))
    top = min(place[1] for place in places)
    small = [
        place for kind in ("technique_die", "change_sign") for place in record_places(spec, kind) if place[1] >= top
    ]
    assert len(small) >= 4 * number
    assert all(any(_is_inside(one, place) for place in places) for one in small)


def _is_inside(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] >= other[0] and one[1] >= other[1] and one[2] <= other[2] + 1 and one[3] <= other[3] + 1


@pytest.mark.parametrize("number", [1, 4, 5, 6])
def test_every_performance_fits_its_card(number: int) -> None:
    every = catalogue.all_components()
    tasks: tuple[Performance | Favorite, ...] = (*every.performances, *every.favorites)
    for each in tasks:
        task = Task(each.name, requirement_signs(each.requirement), each.symbols, "9", chance="<1%")
        drawn = replace(STAGE, tasks=(task,) * number)
        (left, top, right, low), *_ = record_places(drawn, "task_card")
        foot = min(place[1] for place in record_places(drawn, "symbol_icon") if place[1] > top)
        signs_laid = [place for kind in ("requirement_die", "technique_die") for place in record_places(drawn, kind)]
        first = [place for place in signs_laid if left <= place[0] < right and top < place[1] < low]
        assert len(first) >= 2
        for place in first:
            assert left + 8 <= place[0], each.name
            assert place[2] <= right - 4, each.name
            assert top + 40 <= place[1], each.name
            assert place[3] <= foot + 2, each.name
        words = each.name.split()
        halves = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(len(words))]
        broken = min(max(text_width(half, MIN_TYPE_SIZE) for half in pair) for pair in halves)
        whole = text_width(each.name, MIN_TYPE_SIZE)
        assert (whole if number in (1, 4) else min(whole, broken)) <= right - left - 20, each.name


def test_hands_have_room_on_a_telephone_all_through_a_match() -> None:
    for seats in (2, 4):
        for state in whole_match(seats)[::5]:
            for drawn in (table_screen(state), *(hand_screen(state, seat) for seat in range(seats))):
                assert drawn.picture is not None
                assert open_image(STUDIO.render(drawn.picture.spec)).height <= 1100 * PIXELS_PER_UNIT


@pytest.mark.parametrize("effect", ["recolour", "colour", "symbol"])
def test_a_gift_that_brings_fame_says_so(effect: str) -> None:
    class Said(Canvas):
        """A canvas that records texts."""

        def text(self, x: float, y: float, text: str, *how: Any, **more: Any) -> None:
            written.append(text)

    written: list[str] = []
    STUDIO.lay_out(replace(HAND, own=Own((), (GiftFace(effect, 1, 2),))), Said)
    assert [text for text in written if text.endswith(" ★")] == ["+1 ★" if effect == "recolour" else "+2 ★"]


@pytest.mark.parametrize(("seats", "number"), [(2, 9), (2, 12), (3, 6), (3, 7), (3, 16), (4, 5), (4, 6), (4, 20)])
def test_so_many_dice_stand_on_a_plate_that_the_number_of_the_others_does_too(seats: int, number: int) -> None:
    most = 20 - 4 * (4 - seats)
    dice = " ".join(
        [f"{min(number - i, most // 4)} {name}" for i, name in zip(range(0, number, most // 4), COLOURS, strict=False)]
    )
    state = parse_position(f"seats: {seats} | hands: 1 | dice: {dice}")
    picture = table_screen(state).picture
    assert picture is not None
    spec = picture.spec
    assert isinstance(spec, Stage)
    plate, heard = spec.plates[0], RecordingSurface()
    lay_plates(heard, 0, spec.plates, lambda _, size: table_pieces.round_badge("0", size, False))
    told = plate.lines[0].text
    assert len(plate.marks) + int(told or 0) == number
    assert told in {text for _, _, text, _ in heard.written} | {""}
