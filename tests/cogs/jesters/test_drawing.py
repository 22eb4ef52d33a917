"""Jesters' pictures: small palette PNGs that show everything in the words, also for colour-blind players."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from itertools import combinations, combinations_with_replacement
from typing import Any

import pytest
from PIL import Image

from cogs.jesters.drawing import dice, icons
from cogs.jesters.drawing.emoji import EMOJI
from cogs.jesters.drawing.emoji_keys import dice_key, performance_key
from cogs.jesters.drawing.spec import SYMBOL_NAMES, Attempt, GiftFace, JestFace, Majority, Own, Roll, Sign, Stage, Task
from cogs.jesters.tasks import requirement_signs
from cogs.pictures import table_pieces
from cogs.pictures.plates import lay_plates
from cogs.pictures.raster.canvas import shared_sprite
from cogs.pictures.raster.letters import text_width
from cogs.pictures.raster.palette import palette_colours
from cogs.pictures.raster.pen import DrawFunction
from cogs.pictures.raster.theme import MIN_TYPE_SIZE, PIXELS_PER_UNIT, WIDTH
from cogs.pictures.spec import PlateLine, SeatPlate
from engines.jesters.components import catalogue
from engines.jesters.components.catalogue import COLOURS, SYMBOLS, Favorite, Performance
from tests.cogs.jesters.states import BENCH, whole_match
from tests.cogs.pictures.recording_surface import (
    RecordingSurface,
    check_differ,
    colourless_shape,
    picture_size,
    record_picture,
)
from tests.cogs.screen_bench import spec_of, walk_steps
from tests.engines.jesters.positions import parse_position
from tests.game_uis import STUDIO

MOST_BYTES = 64 * 1024
LINES = (PlateLine(""), PlateLine("5 cards", right="9★"), PlateLine("1 fail", right="first"))
NAMES, MARKS = ("Ada", "B", "C", "D"), ("0", "0", "1")
SEATS = tuple(SeatPlate(seat, name, LINES, seat == 1, MARKS) for seat, name in enumerate(NAMES))
TASK = Task("The Two Noses", (Sign("x"), Sign("x", 1)), (0, 5), "4")
FAVORITE = Task("The Prince Sulks", (Sign("x"), Sign("x")), (5, 6), favorite=True)
MAJORITIES = (Majority("6/3", (1, 8), (2, 0, 1, 3)), Majority("5/2", (5, 6), (1, 1, 0, 2), True))
CARD = JestFace((0, 1), "±2", 2)
GIFTS = (GiftFace("opposite", 3, 0), GiftFace("recolour", 1, 2))
OWN = Own((CARD, CARD), GIFTS)
STAGE = Stage(SEATS, (FAVORITE, *(TASK,) * 5), (2, 0, 3, 5), MAJORITIES, "Round 2 of 3")
HAND = replace(STAGE, own=OWN)
DIE, OTHER, LAST = Roll(0, 1), Roll(1, 3, True), Roll(2, 6, was=1)
ATTEMPT = Attempt(TASK, (DIE, OTHER, LAST), "Missing: a die", "17% if rolled again", False)
TRYING = replace(STAGE, tasks=(), attempt=ATTEMPT)


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


@pytest.mark.parametrize(
    ("draw", "colours", "share", "before", "after"),
    [
        *((dice.rolled_die, range(4), 0.02, (), (face, size, False)) for face in range(1, 7) for size in (108, 84, 72)),
        *((dice.technique_die, range(-1, 4), 0.04, (), (size,)) for size in (46, 38, 30)),
        *((dice.requirement_die, range(4), 0.02, ("x",), (width,)) for width in (46, 90)),
        *((dice.change_sign, range(-1, 4), 0.02, ("±2",), (width, 60)) for width in (60, 100)),
    ],
)
def test_colours_are_told_apart_by_their_pattern(
    draw: DrawFunction, colours: range, share: float, before: tuple[str, ...], after: tuple[Hashable, ...]
) -> None:
    check_differ({colour: colourless_shape(draw, *before, colour, *after) for colour in colours}, share)


def lightness(draw: DrawFunction, *arguments: Hashable) -> Image.Image:
    levels = bytes(255 * (red + green + blue > 450) for red, green, blue in palette_colours()).ljust(256, b"\0")
    image = shared_sprite(draw, *arguments).image
    return Image.frombytes("L", image.size, image.tobytes().translate(levels))


@pytest.mark.parametrize("size", [108, 72])
def test_faces_are_told_apart(size: int) -> None:
    check_differ({face: lightness(dice.rolled_die, 0, face, size, False) for face in range(1, 7)}, 0.01)


@pytest.mark.parametrize("size", [48, 36])
def test_symbols_are_told_apart_by_shape(size: int) -> None:
    check_differ({SYMBOLS[number]: lightness(icons.symbol_icon, number, size) for number in range(10)}, 0.04)


def with_task(**parts: Any) -> Stage:
    return replace(STAGE, tasks=(replace(TASK, **parts), *STAGE.tasks[1:]))


def with_majority(**parts: Any) -> Stage:
    return replace(STAGE, majorities=(replace(MAJORITIES[0], **parts), *MAJORITIES[1:]))


def with_attempt(**parts: Any) -> Stage:
    return replace(TRYING, attempt=replace(ATTEMPT, **parts))


def with_card(**parts: Any) -> Stage:
    return replace(HAND, own=Own((replace(CARD, **parts), CARD), GIFTS))


CHANGED = {
    STAGE: [
        replace(STAGE, round="Round 3 of 3"),
        replace(STAGE, plates=(replace(SEATS[0], name="Eve"), *SEATS[1:])),
        replace(STAGE, plates=(replace(SEATS[0], marks=("0", "0", "2")), *SEATS[1:])),
        replace(STAGE, tasks=(FAVORITE, *(TASK,) * 4)),
        replace(STAGE, middle=(2, 1, 3, 5)),
        replace(STAGE, majorities=MAJORITIES[:1]),
        replace(STAGE, attempt=ATTEMPT),
        replace(STAGE, own=OWN),
        *(with_majority(symbols=symbols) for symbols in ((1, 9), (8, 1))),
        *(with_majority(worth="7/3"), with_majority(counts=(2, 0, 1, 2)), with_majority(now=True)),
    ],
    HAND: [
        *(replace(HAND, own=own) for own in (Own((CARD,), GIFTS), Own((), GIFTS), Own((CARD, CARD), GIFTS[:1]))),
        *(replace(HAND, own=own) for own in (Own((CARD, CARD), ()), Own((), ()))),
        replace(HAND, own=Own((CARD, CARD), (replace(GIFTS[0], used=True), GIFTS[1]))),
        replace(HAND, choice=GIFTS),
        *(with_card(learn=learn) for learn in ((0,), (0, -1), (0, 2), (0, 1, 1))),
        *(with_card(change="±3"), with_card(change="turn"), with_card(colour=-1), with_card(colour=3)),
    ],
    with_task(): [
        with_task(name="Another"),
        *(with_task(signs=(Sign("x"), *signs)) for signs in ([Sign("x")], [Sign("x", 2)], [Sign("y", 1)])),
        with_task(signs=(*TASK.signs, Sign("≥9", die=False))),
        *(with_task(symbols=(0,)), with_task(symbols=(5, 0)), with_task(fame="5"), with_task(favorite=True)),
        *(with_task(chance="44%"), with_task(chosen=True)),
    ],
    TRYING: [
        with_attempt(task=replace(TASK, name="Another")),
        with_attempt(dice=(DIE, OTHER)),
        *(with_attempt(dice=(die, OTHER, LAST)) for die in (Roll(0, 2), Roll(3, 1), Roll(0, 1, True))),
        *(with_attempt(dice=(DIE, OTHER, die)) for die in (Roll(2, 6, was=0), Roll(2, 6))),
        *(with_attempt(said="Missing: two dice"), with_attempt(quiet="18% if rolled again"), with_attempt(met=True)),
    ],
}


@pytest.mark.parametrize(("spec", "changed"), [(spec, each) for spec, some in CHANGED.items() for each in some])
def test_every_part_is_seen(spec: Stage, changed: Stage) -> None:
    assert STUDIO.render(changed) != STUDIO.render(spec)


def test_every_gift_looks_different() -> None:
    effects = [("opposite", 4), ("recolour", 4), ("colour", 4), ("symbol", 10), ("extra", 1), ("reroll", 1)]
    gifts = [GiftFace(effect, of, 0) for effect, number in effects for of in range(number)]
    gifts += [replace(gifts[0], symbol=symbol) for symbol in range(1, 10)]
    drawn = {STUDIO.render(replace(HAND, own=Own((), (gift,)))) for gift in gifts}
    assert len(drawn) == len(gifts)


def test_s16_the_first_majority_says_what_its_numbers_are() -> None:
    for number, is_explained in ((1, True), (2, False)):
        drawing, _ = record_picture(replace(STAGE, majorities=MAJORITIES[:number]))
        assert ("at the end: most 6, second 3" in drawing.texts()) is is_explained


@pytest.mark.parametrize("number", [1, 4, 5, 9, 12, 13, 19, 20, 21])
def test_rolled_dice_stay_inside_and_show_their_faces(number: int) -> None:
    rolls = tuple(Roll(i % 4, i % 6 + 1) for i in range(number))
    drawing, _ = record_picture(with_attempt(dice=rolls))
    places = drawing.places_of("rolled_die")
    assert len(places) == number
    (card,) = drawing.places_of("task_card")
    panel = max(drawing.places_of("panel"), key=lambda place: place[2] - place[0])
    for left, top, right, low in places:
        assert left > card[2]
        assert right <= panel[2]
        assert top > panel[1]
        assert low < panel[3] - 2 * 40
    assert all(are_apart(one, other) for one, other in combinations(places, 2))


def are_apart(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return min(one[2], other[2]) <= max(one[0], other[0]) or min(one[3], other[3]) <= max(one[1], other[1])


@pytest.mark.parametrize("number", [1, 5, 6, 7, 10, 11, 20, 25])
def test_jest_cards_do_not_overlap_and_hold_their_dice(number: int) -> None:
    drawing, _ = record_picture(replace(HAND, own=Own((replace(CARD, learn=(0, 1, 2)),) * number, GIFTS)))
    places = [*drawing.places_of("jest_card"), *drawing.places_of("gift_card")]
    assert len(places) == number + 2
    assert all(left >= 10 and right <= WIDTH - 10 for left, _, right, _ in places)
    assert all(are_apart(one, other) for one, other in combinations(places, 2))
    top = min(place[1] for place in places)
    small = [place for kind in ("technique_die", "change_sign") for place in drawing.places_of(kind) if place[1] >= top]
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
        drawing, _ = record_picture(replace(STAGE, tasks=(task,) * number))
        (left, top, right, low), *_ = drawing.places_of("task_card")
        foot = min(place[1] for place in drawing.places_of("symbol_icon") if place[1] > top)
        signs_laid = [place for kind in ("requirement_die", "technique_die") for place in drawing.places_of(kind)]
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


def test_symbols_have_their_names_and_every_card_and_performance_an_emoji() -> None:
    assert tuple(SYMBOLS) == SYMBOL_NAMES
    every = catalogue.all_components()
    keys = {dice_key(card.top) for card in every.jest_cards} | {dice_key([colour]) for colour in range(4)}
    keys |= {performance_key(each.fame) for each in every.performances} | {performance_key(0)}
    keys |= {dice_key(pair) for pair in combinations_with_replacement(range(4), 2)}
    assert keys == set(EMOJI)


def symbols_without_names(drawing: RecordingSurface) -> set[str]:
    laid = {SYMBOLS[int(str(arguments[0]))] for _, _, draw, arguments in drawing.pasted if draw is icons.symbol_icon}
    return laid - drawing.texts()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_symbol_has_its_name_in_the_picture_and_every_symbol_of_a_performance_in_the_alt_text(seats: int) -> None:
    found = set[str]()
    for state in whole_match(seats)[::3]:
        for drawn in (BENCH.table(state), *(BENCH.hand(state, seat) for seat in range(seats))):
            pictures = [drawn.picture, *(step.picture for step in walk_steps(drawn.controls) if step.picture)]
            for picture in pictures:
                assert picture is not None
                stage = picture.spec
                assert isinstance(stage, Stage)
                drawing, _ = record_picture(stage)
                assert symbols_without_names(drawing) == set()
                assert not set(drawing.overflowing_texts())
                tasks = (*stage.tasks, *([stage.attempt.task] if stage.attempt else ()))
                names = {SYMBOLS[symbol] for task in tasks for symbol in task.symbols}
                assert all(name in picture.alt for name in names)
                found |= names
    assert found == set(SYMBOLS)


def test_all_names_of_symbols_fit_beside_each_other() -> None:
    for number in range(1, 11):
        for symbols in combinations(range(10), number):
            drawing, _ = record_picture(legend(symbols))
            assert symbols_without_names(drawing) == set()
            names = [box for box in drawing.text_boxes() if box[3] in SYMBOLS]
            assert len({box[0] for box in names}) <= 2, symbols
            assert all(left >= 14 and right <= WIDTH - 14 for _, left, right, _ in names), symbols


def legend(symbols: tuple[int, ...]) -> Stage:
    return replace(STAGE, tasks=(), majorities=(), choice=tuple(GiftFace("extra", -1, symbol) for symbol in symbols))


def test_the_performance_of_an_attempt_has_the_names_of_its_symbols_on_its_card() -> None:
    every = catalogue.all_components()
    tasks: tuple[Performance | Favorite, ...] = (*every.performances, *every.favorites)
    for each in tasks:
        fame = str(each.fame) if isinstance(each, Performance) else ""
        drawing, _ = record_picture(with_attempt(task=Task(each.name, (Sign("x"),), each.symbols, fame)))
        assert symbols_without_names(drawing) == set()
        ((left, top, right, low),) = drawing.places_of("task_card")
        (reward,) = [*drawing.places_of("fame_star"), *drawing.places_of("gift_icon")]
        for symbol in each.symbols:
            ((y, start, end, _),) = [box for box in drawing.text_boxes() if box[3] == SYMBOLS[symbol]]
            assert left < start < end < right, each.name
            assert top < y < low, each.name
            assert end <= reward[0] or y < reward[1], each.name


def test_hands_have_room_on_a_telephone_all_through_a_match() -> None:
    for seats in (2, 4):
        for state in whole_match(seats)[::5]:
            for drawn in (BENCH.table(state), *(BENCH.hand(state, seat) for seat in range(seats))):
                assert picture_size(spec_of(drawn, Stage))[1] <= 1100 * PIXELS_PER_UNIT


@pytest.mark.parametrize("effect", ["recolour", "colour", "symbol"])
def test_a_gift_that_brings_fame_says_so(effect: str) -> None:
    drawing, _ = record_picture(replace(HAND, own=Own((), (GiftFace(effect, 1, 2),))))
    fame = [text for _, _, text, _ in drawing.written if text.endswith(" ★")]
    assert fame == ["+1 ★" if effect == "recolour" else "+2 ★"]


@pytest.mark.parametrize(("seats", "number"), [(2, 9), (2, 12), (3, 6), (3, 7), (3, 16), (4, 5), (4, 6), (4, 20)])
def test_so_many_dice_stand_on_a_plate_that_the_number_of_the_others_does_too(seats: int, number: int) -> None:
    most = 20 - 4 * (4 - seats)
    each = most // 4
    dice = " ".join(f"{min(number - each * i, each)} {name}" for i, name in enumerate(COLOURS) if number > each * i)
    state = parse_position(f"seats: {seats} | hands: 1 | dice: {dice}")
    spec = spec_of(BENCH.table(state), Stage)
    plate, drawing = spec.plates[0], RecordingSurface()
    lay_plates(drawing, 0, spec.plates, lambda _, size: table_pieces.round_badge("0", size, False))
    count_text = plate.lines[0].text
    assert len(plate.marks) + int(count_text or 0) == number
    assert count_text in drawing.texts() | {""}
