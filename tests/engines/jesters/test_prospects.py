"""What helps in an attempt at Jesters, its notation, and the attempt that its rules page works through."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engines.jesters import JESTERS, effects, prospects
from engines.jesters.components import catalogue
from engines.jesters.components.catalogue import Opposite, Recolour, Reroll
from engines.jesters.model import FAVORITE_TARGET, Learn, Move, Perform, State, UseGift
from engines.jesters.requirements.evaluation import is_met, parse_requirement, reroll_chance
from engines.kit.errors import BadNotation
from tests.engines.jesters import positions
from tests.games import game_root

PAIR, BLUE_PAIR = positions.performance_with("pair"), positions.performance_with("pair, one blue")
RED, BLUE, GREEN, PURPLE = range(4)
PAINT_RED, PAINT_BLUE, PAINT_GREEN = (positions.gift_with(Recolour(colour)) for colour in (RED, BLUE, GREEN))
TURN_RED, TURN_GREEN, REROLL = (
    positions.gift_with(Opposite(RED)),
    positions.gift_with(Opposite(GREEN)),
    positions.gift_with(Reroll()),
)
ANY_BY_ONE, RED_BY_THREE = positions.card_with(bottom="±1 any"), positions.card_with(bottom="±3 red")


def completing_notations(state: State) -> list[str]:
    return [
        JESTERS.format_move(move)
        for move in positions.completing_moves(JESTERS.view(state, 0), JESTERS.moves(state, 0))
    ]


def test_the_performance_is_shown_and_whether_the_dice_meet_it() -> None:
    for dice, does in (("R1 B1", True), ("R1 B2", False)):
        view = JESTERS.view(positions.parse_position(f"board: {PAIR} | perform: {PAIR} {dice}"), 1)  # everybody sees it
        assert prospects.attempted_task(view).id == PAIR
        assert prospects.meets_requirement(view) is does
        assert (prospects.missing_dice(view) is None) is does
    view = JESTERS.view(
        positions.parse_position(f"favorite: {positions.favorite_with('pair')} | perform: favorite R1 B1"), None
    )
    assert str(prospects.attempted_task(view).requirement) == "pair"
    assert prospects.meets_requirement(view)
    lack = prospects.missing_dice(
        JESTERS.view(positions.parse_position(f"board: {BLUE_PAIR} | perform: {BLUE_PAIR} R1 G4"), 0)
    )
    assert lack is not None
    assert (lack.dice, lack.faces, lack.colours) == (1, (1, 4), (0, 1, 0, 0))


def test_without_an_attempt_there_is_nothing_to_help_with() -> None:
    view = JESTERS.view(positions.parse_position("dice: red"), 0)
    asks = (prospects.attempted_task, prospects.meets_requirement, prospects.missing_dice, prospects.success_chance)
    for ask in asks:
        with pytest.raises(ValueError, match="there are no rolled dice"):
            ask(view)


@pytest.mark.parametrize(
    ("task", "own", "dice", "completions"),
    [
        (
            *(PAIR, f"hands: {ANY_BY_ONE} {RED_BY_THREE}", "R2 B4 G5"),
            {f"spend {ANY_BY_ONE} 2 5", f"spend {ANY_BY_ONE} 3 4", *(f"spend {RED_BY_THREE} 1 {to}" for to in (4, 5))},
        ),
        (PAIR, f"gifts: {TURN_RED} {TURN_GREEN} {REROLL}", "R2 B5 G4", {f"gift {TURN_RED} 1"}),
        (BLUE_PAIR, f"gifts: {PAINT_BLUE} {PAINT_GREEN}", "P2 R1 G1", {f"gift {PAINT_BLUE}"}),
        # if it is complete, everything that keeps it so
        (PAIR, f"hands: {ANY_BY_ONE}", "R1 B1 G5", {f"spend {ANY_BY_ONE} 3 4", f"spend {ANY_BY_ONE} 3 6"}),
    ],
)
def test_the_dice_that_would_complete_a_task_are_found(task: int, own: str, dice: str, completions: set[str]) -> None:
    found = completing_notations(positions.parse_position(f"board: {task} | {own} | perform: {task} {dice}"))
    assert len(found) == len(completions)
    assert set(found) == completions


def test_the_fewest_dice_are_painted(monkeypatch: pytest.MonkeyPatch) -> None:
    state = positions.parse_position(
        f"board: {BLUE_PAIR} | gifts: {PAINT_BLUE} {PAINT_GREEN} | perform: {BLUE_PAIR} P2 R1 G1"
    )
    found = [prospects.fewest_dice_to_paint(JESTERS.view(state, 0), gift) for gift in (PAINT_BLUE, PAINT_GREEN, REROLL)]
    assert found == [(2,), (), ()]
    state = positions.parse_position(f"board: {PAIR} | gifts: {PAINT_RED} | perform: {PAIR} G4 R1 B1 G4 P4 P1")
    for requirement, dice in (("two red", (3,)), ("three red", (3, 6))):
        task = catalogue.performance(PAIR).model_copy(
            update={"requirement": parse_requirement(f"3 alike, {requirement}")}
        )
        monkeypatch.setattr(effects, "task", lambda *_, task=task: task)
        assert prospects.fewest_dice_to_paint(JESTERS.view(state, 0), PAINT_RED) == dice
        assert completing_notations(state) == [f"gift {PAINT_RED}"]


def test_the_chance_of_a_reroll_is_that_of_the_marked_dice() -> None:
    state = positions.parse_position(f"board: {PAIR} | hands: 1 | perform: {PAIR} R2 B4 G6")
    view = JESTERS.view(state, 0)
    assert prospects.success_chance(view, (1,)) == Fraction(2, 6)
    assert prospects.success_chance(view, (1, 2)) == 1 - Fraction(5 * 4, 36)
    assert prospects.success_chance(view, ()) == 0
    positions.play_moves(state, "reroll 1", "mark 3")
    assert prospects.success_chance(JESTERS.view(state, 0)) == Fraction(2, 6)
    positions.play_moves(state, "mark 1", "mark 2")
    assert prospects.success_chance(JESTERS.view(state, 0)) == 1 - Fraction(6 * 5 * 4, 216)


def test_a_change_of_colour_counts_and_is_no_luck() -> None:
    start = f"board: {BLUE_PAIR} | gifts: {PAINT_BLUE} | perform: {BLUE_PAIR} R1 G1 P2"
    state = positions.position_after(start, f"gift {PAINT_BLUE}", "mark 3")
    assert not prospects.meets_requirement(JESTERS.view(state, 0))
    assert prospects.success_chance(JESTERS.view(state, 0)) == 0
    positions.play_moves(state, "mark 1")
    assert prospects.success_chance(JESTERS.view(state, 0)) == 1
    positions.play_moves(state, "paint")
    assert prospects.meets_requirement(JESTERS.view(state, 0))


def test_the_worked_attempt_of_the_rules_page_is_what_happens() -> None:
    page = " ".join((game_root("jesters") / "docs" / "rules" / "jesters.md").read_text(encoding="utf-8").split())
    story = page.partition("### An example")[2].partition("## What Gifts do")[0]
    assert "*pair, one blue*" in story
    assert "They show blue 3, blue 5 and red 4." in story
    assert "A 3 makes a pair with the other blue die, a 4 one with the red die: two faces out of six." in story
    tweak, other = positions.card_with(bottom="±1 blue"), positions.card_with(bottom="±1 red")
    dealt = f"hands: {tweak} {other} | board: {BLUE_PAIR} 1 2 3 | perform: {BLUE_PAIR} B3 B5 R4"
    requirement, dice = catalogue.performance(BLUE_PAIR).requirement, ((1, 3), (1, 5), (0, 4))
    assert not is_met(requirement, dice)
    assert is_met(requirement, ((1, 4), (1, 5), (0, 4)))
    assert reroll_chance(requirement, dice, [1]) == Fraction(1, 3)
    for moves, succeeds in (([f"spend {tweak} 1 4"], True), ([f"reroll {other}", "mark 2", "roll"], True), ([], False)):
        middle = sum(positions.parse_position(dealt).middle)
        state = positions.position_after(dealt, *moves, "finish", rolls="3")
        assert (BLUE_PAIR in state.completed[0]) == succeeds
        assert sum(state.middle) - middle == (3 if succeeds else 0)
        assert sum(state.dice[0]) == (0 if succeeds else 3)


# --- notation


@pytest.mark.parametrize(
    ("text", "move", "written"),
    [
        ("learn 12", Learn(12), ""),
        ("Learn 12 Blue RED", Learn(12, (RED, BLUE)), "learn 12 red blue"),
        ("perform 7 red red blue", Perform(7, (2, 1, 0, 0)), "perform 7 2 red blue"),
        ("perform 7 2 red, blue", Perform(7, (2, 1, 0, 0)), "perform 7 2 red blue"),
        ("perform Favorite 3 purple", Perform(FAVORITE_TARGET, (0, 0, 0, 3)), "perform favorite 3 purple"),
        ("perform favorite 5 red 5 blue 5 green 5 purple", Perform(FAVORITE_TARGET, (5, 5, 5, 5)), ""),
        ("gift 5", UseGift(5), ""),
        ("gift 5 3", UseGift(5, die=3), ""),
        ("gift 5 green", UseGift(5, colour=GREEN), ""),
    ],
)
def test_notation_is_read_and_written(text: str, move: Move, written: str) -> None:
    assert JESTERS.parse_move(text) == move
    assert JESTERS.format_move(move) == (written or text)


@pytest.mark.parametrize(
    "text",
    [
        *["", "dance", "learn", "learn red", "learn 12 pink", "learn 123", "perform", "perform 7", "perform red"],
        *["perform 0 red", "perform 7 2", "perform 7 2 3 red", "perform 7 0 red", "perform 7 red 2", "spend 1 2"],
        *["spend 1 2 x", "reroll", "reroll 1 2", "gift", "gift red", "gift 5 pink", "gift 5 3 red", "mark", "mark x"],
        *["roll 1", "paint green", "finish now", "pass 1", "keep", "keep two", "mark ²"],
    ],
)
def test_a_text_that_is_no_move_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(BadNotation, match=r"[.]$"):
        JESTERS.parse_move(text)
