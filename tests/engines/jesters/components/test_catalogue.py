"""Jesters' components: what is in the lists (S20–S22), and that a wrong one is refused with its line and the reason."""

from __future__ import annotations

import re
from collections import Counter
from importlib.resources import files
from itertools import combinations

import pytest

from engines.jesters.components import catalogue
from engines.jesters.components.component_file import LineIndex, parse_components
from engines.jesters.requirements.evaluation import parse_requirement

TEXT = files("engines.jesters").joinpath("components.toml").read_text(encoding="utf-8")
LINES = TEXT.splitlines()
ALL = catalogue.all_components()


def line_number_of(part: str) -> int:
    (found,) = (number for number, line in enumerate(LINES, 1) if part in line)
    return found


def parse_refused(text: str) -> tuple[int, str]:
    with pytest.raises(catalogue.BadComponents) as refused:
        parse_components(text)
    assert str(refused.value) == f"line {refused.value.line}: {refused.value.reason}"
    return refused.value.line, refused.value.reason


def parse_changed(part: str, before: str, after: str) -> tuple[int, str]:
    """Where and why the lists are refused with that change in the line in which `part` stands."""
    number = line_number_of(part)
    assert LINES[number - 1].count(before) == 1, LINES[number - 1]
    line = LINES[number - 1].replace(before, after)
    return parse_refused("\n".join([*LINES[: number - 1], line, *LINES[number:]]))


# --- what is in them, besides what is refused below


def test_every_component_is_found_by_its_number() -> None:
    assert catalogue.performance(7) is ALL.performances[6]
    assert catalogue.favorite(5) is ALL.favorites[4]
    assert catalogue.jest_card(50) is ALL.jest_cards[49]
    assert catalogue.gift(1) is ALL.gifts[0]


def test_s20_every_fame_and_every_kind_of_requirement_is_there() -> None:
    assert {task.fame for task in ALL.performances} == set(range(2, 10))
    kinds = {type(task.requirement.form).__name__ for task in ALL.performances}
    assert kinds == {"MinSum", "MaxSum", "HighDice", "SameFace", "TwoGroups", "Run", "DifferentFaces", "FaceSlots"}
    coloured = [task for task in ALL.performances if any(task.requirement.colours)]
    assert len(coloured) >= 24  # so that Gifts of a colour are worth having


def test_s21_every_kind_of_top_and_bottom_is_there_and_no_colour_comes_off_badly() -> None:
    tops, any_colour, colours = Counter(card.top for card in ALL.jest_cards), catalogue.ANY, range(4)
    assert {len(top) for top in tops} == {1, 2, 3}
    singles = {(colour,) for colour in (*colours, any_colour)}
    doubles = {(colour, any_colour) for colour in (*colours, any_colour)}
    assert set(tops) >= singles | doubles | {*combinations(colours, 3)}
    counts = Counter(colour for card in ALL.jest_cards for colour in card.top)
    assert len({counts[colour] for colour in colours}) == 1
    below = Counter(card.bottom.colour for card in ALL.jest_cards)
    assert max(below[colour] for colour in colours) - min(below[colour] for colour in colours) <= 1
    bottoms = {card.bottom for card in ALL.jest_cards}
    assert bottoms >= {catalogue.Adjust(number, colour) for number in (1, 2, 3) for colour in colours}
    assert bottoms >= {catalogue.Adjust(1, any_colour), *map(catalogue.TurnOver, colours)}


def test_s22_no_gift_pays_for_its_own_symbol() -> None:
    assert not [each for each in ALL.gifts if each.effect == catalogue.FameForSymbol(each.symbol)]


def test_values_are_read_from_their_line() -> None:
    first = LINES[line_number_of('"The Marshal Turns Red"') - 1]
    task = next(task for task in ALL.performances if task.name == "The Marshal Turns Red")
    assert f"id = {task.id}," in first
    assert f'requirement = "{task.requirement}"' in first
    assert task.requirement == parse_requirement("run of 2, one red")
    assert f"dice = {task.dice}, fame = {task.fame}," in first
    assert [catalogue.SYMBOLS[symbol] for symbol in task.symbols] == re.findall(r'"([^"]+)"', first)[2:]
    assert catalogue.COLOURS == ("red", "blue", "green", "purple")


# --- what is refused

HORNS = '"Fanfare for Two Horns"'
HATS = '"Three Hats in the Air"'
BORED = '"The King Is Bored"'
CARD = "id = 7, top"
RECOLOUR = "id = 5, effect"
PAIR = '["red", "blue"]'
GREENS = "2 dice >= 4, two green"
NO_BOTTOM = "is not a bottom half: write turn, ±1, ±2 or ±3, and a colour or any"
NO_TOP = "a top half has one to three Techniques"
TUPLE = "Tuple should have at"


@pytest.mark.parametrize(
    ("part", "before", "after", "reason"),
    [
        (HORNS, "fame = 3", "fame = 1", "fame: Input should be greater than or equal to 2"),
        (HORNS, "fame = 3", "fame = 10", "fame: Input should be less than or equal to 9"),
        (HORNS, "fame = 3", 'fame = "3"', "fame: Input should be a valid integer"),
        (HORNS, "fame = 3, ", "", "fame: Field required"),
        (HORNS, "fame = 3", "fame = 3, points = 2", "points: Extra inputs are not permitted"),
        (HORNS, "id = 11,", "id = 12,", "id 12 where 11 should be next"),
        (HORNS, HORNS, '""', "name: String should have at least 3 characters"),
        (HORNS, '"Music"', '"Musik"', "symbols: 'Musik' is not one of the ten symbols"),
        (HORNS, '"Music"', '"Entertainment"', "symbols: the same symbol appears twice"),
        (HORNS, '["Music", ', '["Music", "Mime", ', f"symbols: {TUPLE} most 2 items after validation, not 3"),
        (HORNS, '["Music", "Entertainment"]', "[]", f"symbols: {TUPLE} least 1 item after validation, not 0"),
        (HORNS, "2 dice >= 4", "2 dice > 4", "requirement: expected sum or >=, not > (at character 8)"),
        (HORNS, "dice >= 4", "dice  >=  4", f"requirement: write it as '{GREENS}'"),
        (HORNS, "two green", "four green", "requirement: expected one or two or three, not four (at character 14)"),
        (
            *(HORNS, GREENS, "pair, three red"),
            "requirement: it requires more dice of a colour than dice that meet it (at character 13)",
        ),
        (HORNS, "dice = 2", "dice = 7", "dice: Input should be less than or equal to 6"),
        (HORNS, "2 dice >= 4", "3 dice >= 4", "2 dice cannot meet a requirement for 3"),
        (HORNS, GREENS, "run of 3", "2 dice cannot meet a requirement for 3"),
        (BORED, BORED, '"The Two Noses"', "the name 'The Two Noses' appears twice"),
        (BORED, "dice = 2", "fame = 3, dice = 2", "fame: Extra inputs are not permitted"),
        (BORED, '["Mime", "Music"]', '["Mime"]', f"symbols: {TUPLE} least 2 items after validation, not 1"),
        (CARD, "±2 purple", "turn pink", "bottom: 'pink' is neither a colour nor any"),
        (CARD, "±2 purple", "flip purple", f"bottom: 'flip purple' {NO_BOTTOM}"),
        (CARD, "±2 purple", "±4 purple", f"bottom: '±4 purple' {NO_BOTTOM}"),
        (CARD, "±2 purple", "±3 any", "bottom: only ±1 and ±2 may change a die of any colour"),
        (CARD, "±2 purple", "turn any", "the halves are worth 4 and 6, together 10, not 5 to 9"),
        ("id = 2, top", "±3 green", "±2 green", "the halves are worth 1 and 3, together 4, not 5 to 9"),
        (CARD, PAIR, '["green", "red"]', "top: colours must be in the order red, blue, green, purple, any"),
        (CARD, PAIR, '["red", "green", "purple", "any"]', f"top: {NO_TOP}"),
        (CARD, PAIR, '"red"', f"top: {NO_TOP}"),
        (CARD, PAIR, '["red", "grey"]', "top: 'grey' is neither a colour nor any"),
        (CARD, "id = 7", "id = 6", "id 6 where 7 should be next"),
        (RECOLOUR, "recolour red", "recolour any", "effect: 'recolour any' is not the effect of a Gift"),
        (RECOLOUR, "recolour red", "fame Musik", "effect: 'Musik' is not one of the ten symbols"),
        (RECOLOUR, '"Satire"', '"Irony"', "symbol: 'Irony' is not one of the ten symbols"),
        ('"The Queen Cannot Sleep"', '"Drama"', '"Mime"', "the symbol Mime appears twice"),  # S20
        ('effect = "opposite blue"', "opposite blue", "opposite red", "one Opposite(colour=0) too many"),  # S22
    ],
)
def test_a_wrong_entry_is_refused_with_its_line(part: str, before: str, after: str, reason: str) -> None:
    number = line_number_of(part)
    keys = [line.removesuffix(" = [") for line in LINES[:number] if line.endswith(" = [")]
    assert parse_changed(part, before, after) == (number, f"{keys[-1]}: {reason}")


def test_a_duplicate_is_refused_with_the_line_of_the_second() -> None:
    refused = parse_changed(HATS, HATS, HORNS)
    assert refused == (line_number_of(HORNS), f"performances: the name {HORNS.strip(chr(34))!r} appears twice")
    refused = parse_changed(HORNS, GREENS, "pair, one blue")
    second = line_number_of('"pair, one blue"')
    assert refused == (second, "performances: the requirement 'pair, one blue' appears twice")


@pytest.mark.parametrize("key", ["performances", "favorites", "jest_cards", "gifts"])
def test_one_entry_too_few_or_too_many_is_refused_with_the_line_of_the_list(key: str) -> None:
    begin = line_number_of(f"{key} = [")
    end = next(number for number in range(begin, len(LINES) + 1) if LINES[number - 1] == "]")
    count = end - begin - 1
    less = "\n".join([*LINES[: end - 2], *LINES[end - 1 :]])
    assert parse_refused(less) == (begin, f"{key}: {count - 1} entries, not {count}")
    entry = LINES[end - 2].replace(f"id = {count},", f"id = {count + 1},")
    entry = re.sub(r'name = "[^"]*"', 'name = "One More"', entry)
    more = "\n".join([*LINES[: end - 1], entry, *LINES[end - 1 :]])
    assert parse_refused(more) == (begin, f"{key}: {count + 1} entries, not {count}")


@pytest.mark.parametrize("key", ["performances", "favorites", "jest_cards", "gifts"])
def test_a_list_that_is_not_there_is_refused(key: str) -> None:
    assert parse_refused(TEXT.replace(f"{key} = [", f"other_{key} = [")) in (
        (line_number_of(f"{key} = ["), f"other_{key}: Extra inputs are not permitted"),
        (len(LINES) + 1, f"{key}: Field required"),
    )


def test_a_file_that_is_no_toml_is_refused_with_its_line() -> None:
    line, reason = parse_changed(HORNS, "id = 11", "id = ")
    assert line == line_number_of(HORNS)
    assert "Invalid value" in reason
    assert parse_refused("performances = [")[0] == 1


def test_a_legible_performance_that_is_missing_is_refused_with_the_line_of_the_list() -> None:
    refused = parse_changed('"2 dice sum <= 6",', "2 dice sum <= 6", "2 dice sum <= 10")
    assert refused == (line_number_of("performances = ["), "performances: '2 dice sum <= 6' is missing")


def test_symbols_that_are_not_spread_evenly_are_refused_with_the_line_of_the_list() -> None:
    text = TEXT.replace('symbols = ["Mime", "Magic"]', 'symbols = ["Mime", "Comedy"]')
    text = text.replace('symbols = ["Magic", "Entertainment"]', 'symbols = ["Comedy", "Entertainment"]')
    counts = "performances: Comedy 9 times, Magic 6 times"
    assert parse_refused(text) == (line_number_of("performances = ["), counts)
    text = TEXT.replace('effect = "reroll", symbol = "Satire"', 'effect = "reroll", symbol = "Mime"')
    assert parse_refused(text) == (line_number_of("gifts = ["), "gifts: Mime 4 times, Satire 2 times")


def test_the_first_of_several_wrong_lines_is_told() -> None:
    text = TEXT.replace("fame = 9", "fame = 11").replace("±3 green", "±3 teal")
    first = next(number for number, line in enumerate(LINES, 1) if "fame = 9" in line)
    assert parse_refused(text)[0] == first


def test_lines_are_found_whatever_is_in_strings_and_comments() -> None:
    text = [
        *("# performances = [ {", "gifts = [ # [{", r'  { a = "]},{ \" #" }, # },{', "", "  {b = '['},", '  """'),
        *('  {""",', "  7,", "  { c = [1,", " 2] }", "]", '"x" = [ {', ""),
    ]
    lines = LineIndex("\n".join(text))
    assert [lines.line_of("gifts", place) for place in range(5)] == [3, 5, 6, 8, 9]
    assert lines.line_of("gifts", None) == 2
    assert lines.line_of("x", None) == 12
    assert lines.line_of("performances", 0) == 13  # not there: the last line
