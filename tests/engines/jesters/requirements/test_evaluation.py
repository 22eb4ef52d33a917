"""Jesters: requirements read and written, met or not, with which chance, and what is missing (S20)."""

from __future__ import annotations

import os
import time
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from random import Random

import pytest

from engines.jesters.components.catalogue import all_components
from engines.jesters.requirements import evaluation, forms
from engines.jesters.requirements.evaluation import Die, MissingDice, Requirement, is_met, parse_requirement
from tests.engines.jesters import reference_requirements

MORE = 20 if os.environ.get("MOTLEY_SOAK") else 1
RED, BLUE, GREEN, PURPLE = range(4)
FORMS = [
    *("sum >= 2", "sum >= 9", "sum >= 15", "sum >= 22", "2 dice sum <= 3", "2 dice sum <= 6", "3 dice sum <= 7"),
    *("4 dice sum <= 9", "pair", "3 alike", "4 alike", "pair and pair", "pair and 3 alike", "3 alike and 3 alike"),
    *("run of 2", "run of 3", "run of 5", "run of 6", "2 different", "3 different", "5 different", "6 different"),
    *("2 dice >= 4", "3 dice >= 4", "5 dice >= 4", "each 1/3 2/4 2/5 1/6", "each 1/2 5/6", "each 6 6 6"),
    *("each 1/2/3 1", "each 1/3/5 2/4/6 2/4/6", "each 1/2/3/4/5/6 6"),
]
COLOURS = ["one red", "two blue", "three green", "one red, one green", "two blue, one purple", "two red, two blue"]


def requirement_texts() -> list[str]:
    """Every form with every colour clause that it has dice enough for."""
    clauses = ["", *(f", {colours}" for colours in COLOURS)]
    coloured = {clause: sum(parse_requirement("6 different" + clause).colours) for clause in clauses}
    needed = {form: parse_requirement(form).form.dice_needed for form in FORMS}
    return [form + clause for form in FORMS for clause in clauses if coloured[clause] <= needed[form]]


TEXTS = requirement_texts()
OWN = [str(task.requirement) for task in (*all_components().performances, *all_components().favorites)]


def random_dice(rng: Random, most: int) -> list[Die]:
    """Dice of few or many colours, and of a few faces as often as of all, so that much is met just so, or just not."""
    colours = rng.choice([(0, 1, 2, 3), (0, 1), (1, 3), (0, 2), (1,)])
    low = rng.randint(1, 6)
    faces = range(1, 7) if rng.random() < 0.5 else range(low, min(6, low + rng.randint(1, 3)) + 1)
    return [(rng.choice(colours), rng.choice(faces)) for _ in range(rng.randint(0, most))]


def dice_near(rng: Random, requirement: Requirement) -> list[Die]:
    """Seven dice at most: any, or about as many as are needed, of the colours asked for, many of them different."""
    if rng.random() < 0.5:
        return random_dice(rng, 7)
    colours = [colour for colour in range(4) for _ in range(requirement.colours[colour])]
    number = min(7, requirement.form.dice_needed + rng.randint(0, 2))
    colours = (colours + rng.choices(range(4), k=number))[:number]
    faces = [*rng.sample(range(1, 7), 6), rng.randint(1, 6)] if rng.random() < 0.4 else rng.choices(range(1, 7), k=7)
    return list(zip(colours, faces, strict=False))


# --- text


def test_there_are_requirements_of_every_form_and_many_with_colours() -> None:
    kinds = {type(parse_requirement(text).form).__name__ for text in FORMS}
    assert kinds == {"MinSum", "MaxSum", "HighDice", "SameFace", "TwoGroups", "Run", "DifferentFaces", "FaceSlots"}
    assert len(TEXTS) > 3 * len(FORMS)


@pytest.mark.parametrize("text", TEXTS)
def test_s20_a_requirement_is_written_as_it_was_read(text: str) -> None:
    assert evaluation.format_requirement(parse_requirement(text)) == text
    assert str(parse_requirement(text)) == text


@pytest.mark.parametrize(
    ("text", "requirement"),
    [
        ("pair, one blue", Requirement(forms.SameFace(2), (0, 1, 0, 0))),
        ("sum >= 9", Requirement(forms.MinSum(9))),
        ("2 dice sum <= 6", Requirement(forms.MaxSum(2, 6))),
        ("3 alike", Requirement(forms.SameFace(3))),
        ("pair and 3 alike, two red, one green", Requirement(forms.TwoGroups(2, 3), (2, 0, 1, 0))),
        ("run of 4", Requirement(forms.Run(4))),
        ("3 different", Requirement(forms.DifferentFaces(3))),
        ("3 dice >= 4, three purple", Requirement(forms.HighDice(3), (0, 0, 0, 3))),
        ("each 1/3 2/4 2/5 1/6", Requirement(forms.FaceSlots(((1, 3), (2, 4), (2, 5), (1, 6))))),
        ("  Each 1/3   6 ,one  RED ", Requirement(forms.FaceSlots(((1, 3), (6,))), (1, 0, 0, 0))),
    ],
)
def test_s20_a_text_is_read_as_its_requirement(text: str, requirement: Requirement) -> None:
    assert parse_requirement(text) == requirement


@pytest.mark.parametrize(
    ("text", "position", "reason"),
    [
        ("", 1, "expected sum, pair, run, each or a number of dice, not the end"),
        ("pear", 1, "expected sum, pair, run, each or a number of dice, not pear"),
        ("pair one blue", 6, "expected ,, not one"),
        ("pair,", 6, "expected one or two or three, not the end"),
        ("pair, four blue", 7, "expected one or two or three, not four"),
        ("pair, one pink", 11, "expected red or blue or green or purple, not pink"),
        ("pair, three blue", 13, "it requires more dice of a colour than dice that meet it"),
        ("pair, one red, two blue", 20, "it requires more dice of a colour than dice that meet it"),
        ("pair, one blue, one blue", 21, "name colours once each, in the order red, blue, green, purple"),
        ("pair, one blue, one red", 21, "name colours once each, in the order red, blue, green, purple"),
        ("3 alike, one red, one blue, one green", 33, "at most two colours may be required"),
        ("sum > 9", 5, "expected >=, not >"),
        ("sum >= 1", 8, "expected a number from 2 to 36, not 1"),
        ("sum >= 37", 8, "expected a number from 2 to 36, not 37"),
        ("2 alike", 1, "two equal dice are called a pair"),
        ("7 alike", 1, "expected a number from 2 to 6, not 7"),
        ("3 alike and pair", 13, "the smaller group must come first"),
        ("pair and 2 alike", 10, "expected a number from 3 to 6, not 2"),
        ("pair or pair", 6, "expected ,, not or"),
        ("3 dice >= 5", 11, "expected a number from 4 to 4, not 5"),
        ("3 dice < 5", 8, "expected sum or >=, not <"),
        ("2 dice sum >= 6", 12, "expected <=, not >="),
        ("2 dice sum <= 1", 15, "expected a number from 2 to 11, not 1"),
        ("2 dice sum <= 12", 15, "expected a number from 2 to 11, not 12"),
        ("run 3", 5, "expected of, not 3"),
        ("run of 7", 8, "expected a number from 2 to 6, not 7"),
        ("run of 3 4", 10, "expected ,, not 4"),
        ("1 different", 1, "expected a number from 2 to 6, not 1"),
        ("3 same", 3, "expected dice or alike or different, not same"),
        ("each", 5, "expected two to six slots"),
        ("each 1/3", 9, "expected two to six slots"),
        ("each 1 2 3 4 5 6 1", 19, "expected two to six slots"),
        ("each 3/1 2", 6, "a slot needs faces from 1 to 6, each once and in order, not 3/1"),
        ("each 1/1 2", 6, "a slot needs faces from 1 to 6, each once and in order, not 1/1"),
        ("each 1/7 2", 6, "a slot needs faces from 1 to 6, each once and in order, not 1/7"),
        ("each 1/ 2", 7, "expected two to six slots"),
    ],
)
def test_a_text_that_is_no_requirement_is_refused_with_the_place_and_the_reason(
    text: str, position: int, reason: str
) -> None:
    with pytest.raises(evaluation.BadRequirement) as refused:
        parse_requirement(text)
    assert (refused.value.position, refused.value.reason) == (position, reason)
    assert str(refused.value) == f"{reason} (at character {position})"


# --- met


@pytest.mark.parametrize("text", [*TEXTS, *OWN])
def test_s20_dice_meet_it_just_when_they_do_by_the_book(text: str) -> None:
    rng, requirement = Random(text), parse_requirement(text)
    for _ in range(60 * MORE):
        dice = dice_near(rng, requirement)
        assert is_met(requirement, dice) == reference_requirements.meets_requirement(text, dice), dice


def test_the_rolls_tried_meet_nearly_all_requirements_and_meet_none_always() -> None:
    shares = []
    for text in [*TEXTS, *OWN]:
        rng, requirement = Random(text), parse_requirement(text)
        shares.append(sum(is_met(requirement, dice_near(rng, requirement)) for _ in range(60)) / 60)
    assert max(shares) < 1
    assert sum(share > 0 for share in shares) > 0.9 * len(shares)


@pytest.mark.parametrize("text", OWN)
def test_s20_every_roll_of_a_few_dice_is_judged_as_by_the_book(text: str) -> None:
    requirement = parse_requirement(text)
    named = [colour for colour in range(4) if requirement.colours[colour]]
    first, second = (*named, *({*range(4)} - {*named}))[:2]
    kinds = [(colour, face) for colour in (first, second) for face in range(1, 7)]
    for number in range(3 if MORE == 1 else 5):
        for dice in combinations_with_replacement(kinds, number):
            assert is_met(requirement, dice) == reference_requirements.meets_requirement(text, dice), dice


@pytest.mark.parametrize(
    ("text", "dice", "does"),
    [
        ("pair, one blue", [(RED, 3), (RED, 3), (BLUE, 4)], False),  # the blue die is not of the pair
        ("pair and pair", [(RED, 3), (RED, 3), (GREEN, 3), (BLUE, 3)], True),  # two groups of the same
        ("pair and 3 alike, three red", [(RED, 3), (RED, 3), (RED, 1), (GREEN, 2), (GREEN, 2), (BLUE, 2)], False),
        ("pair and pair, two red, two blue", [(RED, 3), (GREEN, 3), (RED, 5), (BLUE, 5), (BLUE, 5)], False),
        ("sum >= 9, one blue", [(RED, 6), (RED, 6)], False),
        ("sum >= 9, one blue", [(RED, 6), (RED, 6), (BLUE, 1)], True),  # a sum is met by all dice
        ("run of 3, two red", [(RED, 2), (RED, 2), (BLUE, 3), (BLUE, 4)], False),  # both red ones for the same place
        ("each 1/3 2/4 2/5 1/6", [(RED, 1), (RED, 1), (RED, 2), (RED, 2)], True),
        ("each 1/3 2/4 2/5 1/6", [(RED, 3), (RED, 3), (RED, 2), (RED, 6)], False),
    ],
)
def test_s20_examples_of_dice_meet_their_requirement_or_not(text: str, dice: list[Die], does: bool) -> None:
    assert is_met(parse_requirement(text), dice) is does
    assert reference_requirements.meets_requirement(text, dice) is does


# --- chances


@pytest.mark.parametrize("text", [*TEXTS[::3], *OWN])
def test_s23_the_chance_of_a_roll_is_that_of_counting_all_rolls(text: str) -> None:
    rng, requirement = Random(text), parse_requirement(text)
    for number in range(min(4, requirement.form.dice_needed + 1) + (MORE > 1)):
        colours = [rng.randrange(4) for _ in range(number)]
        dice = [(colour, 1) for colour in colours]
        assert evaluation.success_chance(requirement, colours) == reference_requirements.hit_share(
            text, dice, range(number)
        ), colours


@pytest.mark.parametrize("text", [*TEXTS[1::2], *OWN])
def test_the_chance_of_a_reroll_is_that_of_counting_all_rolls(text: str) -> None:
    rng, requirement = Random(text), parse_requirement(text)
    for _ in range(2 * MORE):
        dice = random_dice(rng, 7)
        marked = rng.sample(range(len(dice)), min(len(dice), rng.randint(0, 2 + (MORE > 1))))
        assert evaluation.reroll_chance(requirement, dice, marked) == reference_requirements.hit_share(
            text, dice, marked
        ), (dice, marked)


def test_a_reroll_of_nothing_is_certain_or_hopeless() -> None:
    assert evaluation.reroll_chance(parse_requirement("pair"), [(RED, 3), (BLUE, 3)], []) == 1
    assert evaluation.reroll_chance(parse_requirement("pair"), [(RED, 3), (BLUE, 4)], []) == 0
    assert evaluation.success_chance(parse_requirement("pair"), []) == 0
    assert evaluation.success_chance(parse_requirement("pair"), [RED, BLUE]) == Fraction(1, 6)


@pytest.mark.parametrize("text", OWN)
def test_the_chance_of_all_twenty_dice_is_worked_out_within_a_moment(text: str) -> None:
    start = time.process_time()
    sure = evaluation.success_chance(parse_requirement(text), [*range(4)] * 5)
    taken = time.process_time() - start
    assert Fraction(1, 3) <= sure <= 1
    assert taken < 5


# --- what is missing


@pytest.mark.parametrize("text", [*TEXTS[::2], *OWN])
def test_the_missing_dice_are_the_fewest_that_would_do(text: str) -> None:
    rng, requirement = Random(text), parse_requirement(text)
    for _ in range(8 * MORE):
        dice = random_dice(rng, 6)
        found = evaluation.missing_dice(requirement, dice)
        assert (found is None) == reference_requirements.meets_requirement(text, dice)
        if found is None:
            continue
        faces = reference_requirements.faces_that_help(text, dice)
        assert bool(faces) == (found.dice == 1)
        if found.dice == 1:
            assert {*found.faces} == faces
        else:  # with the right die it is one fewer, with any other one not
            for face in range(1, 7):
                further = [evaluation.missing_dice(requirement, [*dice, (colour, face)]) for colour in range(4)]
                nearest = min(each.dice for each in further if each)
                assert nearest == found.dice - (face in found.faces), (dice, face)


@pytest.mark.parametrize(
    ("text", "dice", "lacking"),
    [
        ("pair, one blue", [(RED, 3), (RED, 3)], MissingDice(1, (3,), 0, (0, 1, 0, 0))),
        ("pair, one blue", [(RED, 3), (BLUE, 4)], MissingDice(1, (3, 4), 0, (0, 0, 0, 0))),
        ("sum >= 9", [(RED, 1), (RED, 3)], MissingDice(1, (5, 6), 5, (0, 0, 0, 0))),
        ("2 dice sum <= 6", [(RED, 3), (RED, 4), (RED, 6)], MissingDice(1, (1, 2, 3), 1, (0, 0, 0, 0))),
        ("2 dice sum <= 6", [(RED, 3)], MissingDice(1, (1, 2, 3), 0, (0, 0, 0, 0))),
        ("each 1/3 2/4 2/5 1/6", [(RED, 1), (RED, 1), (RED, 2)], MissingDice(1, (2, 4, 5), 0, (0, 0, 0, 0))),
        ("3 alike, two green", [(RED, 3), (GREEN, 2)], MissingDice(2, (2, 3), 0, (0, 0, 1, 0))),
        ("pair", [(RED, 3), (RED, 3)], None),
    ],
)
def test_missing_dice_are_those_of_the_examples(text: str, dice: list[Die], lacking: MissingDice | None) -> None:
    assert evaluation.missing_dice(parse_requirement(text), dice) == lacking


def test_natural_dice_are_those_asked_for_and_others() -> None:
    for task in all_components().performances:
        for colour in range(4):
            required = task.requirement.colours[colour]
            assert not required or task.natural_colours.count(colour) == required
        assert len(task.natural_colours) == task.dice
        others = [colour for colour in task.natural_colours if not task.requirement.colours[colour]]
        assert all(abs(others.count(a) - others.count(b)) <= 1 for a, b in combinations({*others}, 2))
