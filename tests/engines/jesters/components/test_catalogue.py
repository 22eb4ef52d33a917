"""Jesters' components: what is in the lists (S20–S22), and that a wrong one is refused with its line and the reason."""

from __future__ import annotations

import re
from collections import Counter
from importlib.resources import files
from itertools import combinations

import pytest

from engines.jesters.components.catalogue import (
    ANY,
    COLOURS,
    SYMBOLS,
    Adjust,
    BadComponents,
    Extra,
    FameForColour,
    FameForSymbol,
    Opposite,
    Recolour,
    Reroll,
    TurnOver,
    all_components,
    favorite,
    gift,
    jest_card,
    performance,
)
from engines.jesters.components.component_file import LineIndex, parse_components
from engines.jesters.requirements.evaluation import parse_requirement

TEXT = files("engines.jesters").joinpath("components.toml").read_text(encoding="utf-8")
LINES = TEXT.splitlines()
ALL = all_components()


def line_number_of(part: str) -> int:
    """The number of the one line in which that stands."""
    (found,) = (number for number, line in enumerate(LINES, 1) if part in line)
    return found


def parse_refused(text: str) -> tuple[int, str]:
    """The line and the reason for which a text is refused."""
    with pytest.raises(BadComponents) as refused:
        parse_components(text)
    assert str(refused.value) == f"line {refused.value.line}: {refused.value.reason}"
    return refused.value.line, refused.value.reason


def replace_line(number: int, line: str) -> str:
    """The lists with another line there."""
    return "\n".join([*LINES[: number - 1], line, *LINES[number:]])


def change_refused(part: str, before: str, after: str) -> str:
    """The reason why the lists are refused with that change in the line in which `part` stands."""
    number = line_number_of(part)
    assert LINES[number - 1].count(before) == 1, LINES[number - 1]
    line, reason = parse_refused(replace_line(number, LINES[number - 1].replace(before, after)))
    assert line == number, (line, reason)
    return reason


# --- what is in them


def test_s20_to_s22_there_are_so_many_of_each() -> None:
    counts = (len(ALL.performances), len(ALL.favorites), len(ALL.jest_cards), len(ALL.gifts))
    assert counts == (38, 5, 50, 25)
    assert performance(7) is ALL.performances[6]
    assert favorite(5) is ALL.favorites[4]
    assert jest_card(50) is ALL.jest_cards[49]
    assert gift(1) is ALL.gifts[0]
    assert [part.id for part in ALL.jest_cards] == list(range(1, 51))


def test_s20_every_fame_and_every_kind_of_requirement_is_there() -> None:
    assert {task.fame for task in ALL.performances} == set(range(2, 10))
    kinds = {type(task.requirement.form).__name__ for task in ALL.performances}
    assert kinds == {"MinSum", "MaxSum", "HighDice", "SameFace", "TwoGroups", "Run", "DifferentFaces", "FaceSlots"}
    coloured = [task for task in ALL.performances if any(task.requirement.colours)]
    assert len(coloured) >= 24  # so that Gifts of a colour are worth having


def test_s20_the_legible_ones_are_there() -> None:
    asked = {str(task.requirement) for task in ALL.performances}
    assert asked >= {"sum >= 9", "each 1/3 2/4 2/5 1/6", "3 different", "run of 2", "2 dice sum <= 6"}
    assert len(asked) == 38


def test_s20_every_symbol_appears_equally_often_give_or_take_one() -> None:
    counts = Counter(symbol for task in ALL.performances for symbol in task.symbols)
    assert set(counts) == set(range(10))
    assert max(counts.values()) - min(counts.values()) <= 1
    assert all(1 <= len(set(task.symbols)) == len(task.symbols) <= 2 for task in ALL.performances)


def test_s20_favorites_bear_all_ten_symbols_once() -> None:
    assert sorted(symbol for task in ALL.favorites for symbol in task.symbols) == list(range(10))


def test_s20_names_are_our_own_and_different() -> None:
    names = [task.name for task in (*ALL.performances, *ALL.favorites)]
    assert len(set(names)) == 43


def test_s20_two_players_have_dice_enough_of_every_colour() -> None:
    for task in (*ALL.performances, *ALL.favorites):
        assert max(task.requirement.colours) <= 3
        assert task.dice <= 12


def test_s21_every_kind_of_top_and_bottom_is_there_and_no_colour_comes_off_badly() -> None:
    tops = Counter(card.top for card in ALL.jest_cards)
    assert {len(top) for top in tops} == {1, 2, 3}
    singles = {(colour,) for colour in (*range(4), ANY)}
    assert set(tops) >= singles | {(ANY, ANY)} | {(c, ANY) for c in range(4)} | {*combinations(range(4), 3)}
    colours = Counter(colour for card in ALL.jest_cards for colour in card.top)
    assert len({colours[colour] for colour in range(4)}) == 1
    below = Counter(card.bottom.colour for card in ALL.jest_cards)
    assert max(below[colour] for colour in range(4)) - min(below[colour] for colour in range(4)) <= 1


def test_s21_bottoms_are_those_of_the_rules() -> None:
    bottoms = {card.bottom for card in ALL.jest_cards}
    assert bottoms >= {
        kind for colour in range(4) for kind in (TurnOver(colour), *(Adjust(n, colour) for n in (1, 2, 3)))
    }
    assert Adjust(1, ANY) in bottoms
    assert Adjust(3, ANY) not in bottoms


def test_s22_the_gifts_are_those_of_the_rules() -> None:
    effects = [each.effect for each in ALL.gifts]
    assert {each.colour for each in effects if isinstance(each, Opposite)} == set(range(4))
    assert {each.colour for each in effects if isinstance(each, Recolour)} == set(range(4))
    assert {each.symbol for each in effects if isinstance(each, FameForSymbol)} == set(range(10))
    assert {each.colour for each in effects if isinstance(each, FameForColour)} == set(range(4))
    counts = Counter(type(each) for each in effects)
    assert counts == {Opposite: 4, Recolour: 4, FameForSymbol: 10, FameForColour: 4, Extra: 2, Reroll: 1}


def test_s22_symbols_of_gifts_are_spread_and_none_pays_for_its_own() -> None:
    counts = Counter(each.symbol for each in ALL.gifts)
    assert {counts[symbol] for symbol in range(10)} == {2, 3}
    assert not [each for each in ALL.gifts if each.effect == FameForSymbol(each.symbol)]


def test_values_are_read_from_their_line() -> None:
    first = LINES[line_number_of('"The Marshal Turns Red"') - 1]
    task = next(task for task in ALL.performances if task.name == "The Marshal Turns Red")
    assert f"id = {task.id}," in first
    assert f'requirement = "{task.requirement}"' in first
    assert task.requirement == parse_requirement("run of 2, one red")
    assert f"dice = {task.dice}, fame = {task.fame}," in first
    assert [SYMBOLS[symbol] for symbol in task.symbols] == re.findall(r'"([^"]+)"', first)[2:]
    assert COLOURS == ("red", "blue", "green", "purple")


# --- what is refused

HORNS = '"Fanfare for Two Horns"'
HATS = '"Three Hats in the Air"'
BORED = '"The King Is Bored"'
CARD = "id = 7, top"
PAIR = '["red", "blue"]'
NO_BOTTOM = "is not a bottom half: write turn, ±1, ±2 or ±3, and a colour or any"


@pytest.mark.parametrize(
    ("part", "before", "after", "reason"),
    [
        (HORNS, "fame = 3", "fame = 1", "performances: fame: Input should be greater than or equal to 2"),
        (HORNS, "fame = 3", "fame = 10", "performances: fame: Input should be less than or equal to 9"),
        (HORNS, "fame = 3", 'fame = "3"', "performances: fame: Input should be a valid integer"),
        (HORNS, "fame = 3, ", "", "performances: fame: Field required"),
        (HORNS, "fame = 3", "fame = 3, points = 2", "performances: points: Extra inputs are not permitted"),
        (HORNS, "id = 11,", "id = 12,", "performances: id 12 where 11 should be next"),
        (HORNS, HORNS, '""', "performances: name: String should have at least 3 characters"),
        (HORNS, '"Music"', '"Musik"', "performances: symbols: 'Musik' is not one of the ten symbols"),
        (HORNS, '"Music"', '"Entertainment"', "performances: symbols: the same symbol appears twice"),
        (
            HORNS,
            '["Music", ',
            '["Music", "Mime", ',
            "performances: symbols: Tuple should have at most 2 items after validation, not 3",
        ),
        (
            HORNS,
            '["Music", "Entertainment"]',
            "[]",
            "performances: symbols: Tuple should have at least 1 item after validation, not 0",
        ),
        (HORNS, "2 dice >= 4", "2 dice > 4", "performances: requirement: expected sum or >=, not > (at character 8)"),
        (HORNS, "dice >= 4", "dice  >=  4", "performances: requirement: write it as '2 dice >= 4, two green'"),
        (
            HORNS,
            "two green",
            "four green",
            "performances: requirement: expected one or two or three, not four (at character 14)",
        ),
        (
            HORNS,
            "2 dice >= 4, two green",
            "pair, three red",
            "performances: requirement: it requires more dice of a colour than dice that meet it (at character 13)",
        ),
        (HORNS, "dice = 2", "dice = 7", "performances: dice: Input should be less than or equal to 6"),
        (HORNS, "2 dice >= 4", "3 dice >= 4", "performances: 2 dice cannot meet a requirement for 3"),
        (HORNS, "2 dice >= 4, two green", "run of 3", "performances: 2 dice cannot meet a requirement for 3"),
        (BORED, BORED, '"The Two Noses"', "favorites: the name 'The Two Noses' appears twice"),
        (BORED, "dice = 2", "fame = 3, dice = 2", "favorites: fame: Extra inputs are not permitted"),
        (
            BORED,
            '["Mime", "Music"]',
            '["Mime"]',
            "favorites: symbols: Tuple should have at least 2 items after validation, not 1",
        ),
        (CARD, "±2 purple", "turn pink", "jest_cards: bottom: 'pink' is neither a colour nor any"),
        (CARD, "±2 purple", "flip purple", f"jest_cards: bottom: 'flip purple' {NO_BOTTOM}"),
        (CARD, "±2 purple", "±4 purple", f"jest_cards: bottom: '±4 purple' {NO_BOTTOM}"),
        (CARD, "±2 purple", "±3 any", "jest_cards: bottom: only ±1 and ±2 may change a die of any colour"),
        (CARD, "±2 purple", "turn any", "jest_cards: the halves are worth 4 and 6, together 10, not 5 to 9"),
        ("id = 2, top", "±3 green", "±2 green", "jest_cards: the halves are worth 1 and 3, together 4, not 5 to 9"),
        (CARD, PAIR, '["green", "red"]', "jest_cards: top: colours must be in the order red, blue, green, purple, any"),
        (CARD, PAIR, '["red", "green", "purple", "any"]', "jest_cards: top: a top half has one to three Techniques"),
        (CARD, PAIR, '"red"', "jest_cards: top: a top half has one to three Techniques"),
        (CARD, PAIR, '["red", "grey"]', "jest_cards: top: 'grey' is neither a colour nor any"),
        (CARD, "id = 7", "id = 6", "jest_cards: id 6 where 7 should be next"),
        ("id = 5, effect", "recolour red", "recolour any", "gifts: effect: 'recolour any' is not the effect of a Gift"),
        ("id = 5, effect", "recolour red", "fame Musik", "gifts: effect: 'Musik' is not one of the ten symbols"),
        ("id = 5, effect", '"Satire"', '"Irony"', "gifts: symbol: 'Irony' is not one of the ten symbols"),
    ],
)
def test_a_wrong_entry_is_refused_with_its_line(part: str, before: str, after: str, reason: str) -> None:
    assert change_refused(part, before, after) == reason


def test_what_is_there_twice_is_refused_with_the_line_of_the_second() -> None:
    number, second = line_number_of(HATS), line_number_of(HORNS)
    text = replace_line(number, LINES[number - 1].replace(HATS, HORNS))
    assert parse_refused(text) == (second, f"performances: the name {HORNS.strip(chr(34))!r} appears twice")
    number = second
    text = replace_line(number, LINES[number - 1].replace("2 dice >= 4, two green", "pair, one blue"))
    second = line_number_of('"pair, one blue"')
    assert parse_refused(text) == (second, "performances: the requirement 'pair, one blue' appears twice")


@pytest.mark.parametrize("key", ["performances", "favorites", "jest_cards", "gifts"])
def test_one_entry_too_few_or_too_many_is_refused_with_the_line_of_the_list(key: str) -> None:
    begin = line_number_of(f"{key} = [")
    end = next(number for number in range(begin, len(LINES) + 1) if LINES[number - 1] == "]")
    count = end - begin - 1
    less = "\n".join([*LINES[: end - 2], *LINES[end - 1 :]])
    assert parse_refused(less) == (begin, f"{key}: {count - 1} entries, not {count}")
    entry = LINES[end - 2].replace(f"id = {count},", f"id = {count + 1},")
    entry = re.sub(r'name = "[^"]*"', 'name = "One More"', entry)
    line, reason = parse_refused("\n".join([*LINES[: end - 1], entry, *LINES[end - 1 :]]))
    assert (line, reason) == (begin, f"{key}: {count + 1} entries, not {count}")


@pytest.mark.parametrize("key", ["performances", "favorites", "jest_cards", "gifts"])
def test_a_list_that_is_not_there_is_refused(key: str) -> None:
    text = TEXT.replace(f"{key} = [", f"other_{key} = [")
    line, reason = parse_refused(text)
    assert (line, reason) in (
        (line_number_of(f"{key} = ["), f"other_{key}: Extra inputs are not permitted"),
        (len(LINES) + 1, f"{key}: Field required"),
    )


def test_what_is_no_toml_is_refused_with_its_line() -> None:
    number = line_number_of(HORNS)
    line, reason = parse_refused(replace_line(number, LINES[number - 1].replace("id = 11", "id = ")))
    assert line == number
    assert "Invalid value" in reason
    assert parse_refused("performances = [")[0] == 1


def test_a_legible_performance_that_is_missing_is_refused_with_the_line_of_the_list() -> None:
    number = line_number_of('"2 dice sum <= 6",')
    text = replace_line(number, LINES[number - 1].replace("2 dice sum <= 6", "2 dice sum <= 10"))
    assert parse_refused(text) == (line_number_of("performances = ["), "performances: '2 dice sum <= 6' is missing")


def test_symbols_that_are_not_spread_evenly_are_refused_with_the_line_of_the_list() -> None:
    text = TEXT.replace('symbols = ["Mime", "Magic"]', 'symbols = ["Mime", "Comedy"]')
    text = text.replace('symbols = ["Magic", "Entertainment"]', 'symbols = ["Comedy", "Entertainment"]')
    counts = "performances: Comedy 9 times, Magic 6 times"
    assert parse_refused(text) == (line_number_of("performances = ["), counts)
    text = TEXT.replace('effect = "reroll", symbol = "Satire"', 'effect = "reroll", symbol = "Mime"')
    assert parse_refused(text) == (line_number_of("gifts = ["), "gifts: Mime 4 times, Satire 2 times")


def test_s20_a_symbol_on_two_favorites_is_refused_with_the_line_of_the_second() -> None:
    number = line_number_of('"The Queen Cannot Sleep"')
    text = replace_line(number, LINES[number - 1].replace('"Drama"', '"Mime"'))
    assert parse_refused(text) == (number, "favorites: the symbol Mime appears twice")


def test_s22_other_gifts_are_refused_with_the_line_of_the_one_too_many() -> None:
    number = line_number_of('effect = "opposite blue"')
    text = replace_line(number, LINES[number - 1].replace("opposite blue", "opposite red"))
    assert parse_refused(text) == (number, "gifts: one Opposite(colour=0) too many")


def test_the_first_of_several_wrong_lines_is_told() -> None:
    text = TEXT.replace("fame = 9", "fame = 11").replace("±3 green", "±3 teal")
    first = next(number for number, line in enumerate(LINES, 1) if "fame = 9" in line)
    assert parse_refused(text)[0] == first


def test_lines_are_found_whatever_is_in_strings_and_comments() -> None:
    text = [
        "# performances = [ {",
        "gifts = [ # [{",
        r'  { a = "]},{ \" #" }, # },{',
        "",
        "  {b = '['},",
        '  """',
        '  {""",',
        "  7,",
        "  { c = [1,",
        " 2] }",
        "]",
        '"x" = [ {',
        "",
    ]
    lines = LineIndex("\n".join(text))
    assert [lines.line_of("gifts", place) for place in range(5)] == [3, 5, 6, 8, 9]
    assert lines.line_of("gifts", None) == 2
    assert lines.line_of("x", None) == 12
    assert lines.line_of("performances", 0) == 13  # not there: the last line
