"""What helps in an attempt at Jesters, its notation, and its lists of moves."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engines.jesters import JESTERS, effects, prospects
from engines.jesters.components import catalogue as parts
from engines.jesters.components.catalogue import Opposite, Recolour, Reroll
from engines.jesters.model import FAVORITE_TARGET, Learn, Move, Perform, State, UseGift
from engines.jesters.requirements.evaluation import parse_requirement
from engines.kit.errors import BadNotation
from tests.engines.jesters.positions import (
    card_with,
    completing_moves,
    favorite_with,
    gift_with,
    parse_position,
    performance_with,
    play_moves,
)

PAIR, BLUE_PAIR = performance_with("pair"), performance_with("pair, one blue")
RED, BLUE, GREEN, PURPLE = range(4)


def completing_ways(state: State) -> list[str]:
    """What would complete the attempt."""
    return [JESTERS.format_move(move) for move in completing_moves(JESTERS.view(state, 0), JESTERS.moves(state, 0))]


# --- what the dice lack


def test_what_is_performed_and_whether_the_dice_meet_it() -> None:
    for dice, met in (("R1 B1", True), ("R1 B2", False)):
        view = JESTERS.view(parse_position(f"board: {PAIR} | perform: {PAIR} {dice}"), 1)  # everybody sees it
        assert prospects.attempted_task(view).id == PAIR
        assert prospects.meets_requirement(view) is met
        assert (prospects.missing_dice(view) is None) is met
    number = favorite_with("pair")
    view = JESTERS.view(parse_position(f"favorite: {number} | perform: favorite R1 B1"), None)
    assert str(prospects.attempted_task(view).requirement) == "pair"
    assert prospects.meets_requirement(view)


def test_what_is_missing() -> None:
    lack = prospects.missing_dice(JESTERS.view(parse_position(f"board: {BLUE_PAIR} | perform: {BLUE_PAIR} R1 G4"), 0))
    assert lack is not None
    assert (lack.dice, lack.faces, lack.colours) == (1, (1, 4), (0, 1, 0, 0))


def test_a_changed_colour_counts() -> None:
    paint = gift_with(Recolour(BLUE))
    state = parse_position(f"board: {BLUE_PAIR} | gifts: {paint} | perform: {BLUE_PAIR} R1 G1")
    assert not prospects.meets_requirement(JESTERS.view(state, 0))
    play_moves(state, f"gift {paint}", "mark 2", "paint")
    assert prospects.meets_requirement(JESTERS.view(state, 0))


def test_without_an_attempt_there_is_nothing_to_help_with() -> None:
    view = JESTERS.view(parse_position("dice: red"), 0)
    for ask in (
        prospects.attempted_task,
        prospects.meets_requirement,
        prospects.missing_dice,
        prospects.success_chance,
    ):
        with pytest.raises(ValueError, match="no rolled dice"):
            ask(view)


# --- what would complete it


def test_jest_cards_that_would_complete_it() -> None:
    one, three = card_with(bottom="±1 any"), card_with(bottom="±3 red")
    state = parse_position(f"board: {PAIR} | hands: {one} {three} | perform: {PAIR} R2 B4 G5")
    assert sorted(completing_ways(state)) == sorted(
        [f"spend {one} 2 5", f"spend {one} 3 4", f"spend {three} 1 4", f"spend {three} 1 5"]
    )


def test_gifts_that_would_complete_it() -> None:
    turn, other, reroll = gift_with(Opposite(RED)), gift_with(Opposite(GREEN)), gift_with(Reroll())
    state = parse_position(f"board: {PAIR} | gifts: {turn} {other} {reroll} | perform: {PAIR} R2 B5 G4")
    assert completing_ways(state) == [f"gift {turn} 1"]


def test_a_gift_of_another_colour_that_would_complete_it() -> None:
    blue, green = gift_with(Recolour(BLUE)), gift_with(Recolour(GREEN))
    state = parse_position(f"board: {BLUE_PAIR} | gifts: {blue} {green} | perform: {BLUE_PAIR} P2 R1 G1")
    assert completing_ways(state) == [f"gift {blue}"]
    view = JESTERS.view(state, 0)
    assert prospects.fewest_dice_to_paint(view, blue) == (2,)
    assert prospects.fewest_dice_to_paint(view, green) == ()
    assert prospects.fewest_dice_to_paint(view, gift_with(Reroll())) == ()


def test_the_fewest_dice_to_paint(monkeypatch: pytest.MonkeyPatch) -> None:
    red = gift_with(Recolour(RED))
    state = parse_position(f"board: {PAIR} | gifts: {red} | perform: {PAIR} G4 R1 B1 G4 P4 P1")
    for asked, dice in (("two red", (3,)), ("three red", (3, 6))):
        task = parts.performance(PAIR).model_copy(update={"requirement": parse_requirement(f"3 alike, {asked}")})
        monkeypatch.setattr(effects, "task", lambda *_, task=task: task)
        assert prospects.fewest_dice_to_paint(JESTERS.view(state, 0), red) == dice
        assert completing_ways(state) == [f"gift {red}"]


def test_where_it_is_complete_everything_that_keeps_it_so_is_named() -> None:
    number = card_with(bottom="±1 any")
    state = parse_position(f"board: {PAIR} | hands: {number} | perform: {PAIR} R1 B1 G5")
    assert completing_ways(state) == [f"spend {number} 3 4", f"spend {number} 3 6"]


# --- with which chance


def test_the_chance_of_a_reroll() -> None:
    state = parse_position(f"board: {PAIR} | hands: 1 | perform: {PAIR} R2 B4 G6")
    view = JESTERS.view(state, 0)
    assert prospects.success_chance(view, (1,)) == Fraction(2, 6)
    assert prospects.success_chance(view, (1, 2)) == 1 - Fraction(5 * 4, 36)
    assert prospects.success_chance(view, ()) == 0
    play_moves(state, "reroll 1", "mark 3")
    assert prospects.success_chance(JESTERS.view(state, 0)) == Fraction(2, 6)
    play_moves(state, "mark 1", "mark 2")
    assert prospects.success_chance(JESTERS.view(state, 0)) == 1 - Fraction(6 * 5 * 4, 216)


def test_a_change_of_colour_is_no_luck() -> None:
    blue = gift_with(Recolour(BLUE))
    state = parse_position(f"board: {BLUE_PAIR} | gifts: {blue} | perform: {BLUE_PAIR} R1 G1 P2")
    play_moves(state, f"gift {blue}", "mark 3")
    assert prospects.success_chance(JESTERS.view(state, 0)) == 0
    play_moves(state, "mark 1")
    assert prospects.success_chance(JESTERS.view(state, 0)) == 1


# --- notation


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("learn 12", Learn(12)),
        ("Learn 12 Blue RED", Learn(12, (RED, BLUE))),
        ("perform 7 red red blue", Perform(7, (2, 1, 0, 0))),
        ("perform 7 2 red, blue", Perform(7, (2, 1, 0, 0))),
        ("perform Favorite 3 purple", Perform(FAVORITE_TARGET, (0, 0, 0, 3))),
        ("gift 5", UseGift(5)),
        ("gift 5 3", UseGift(5, die=3)),
        ("gift 5 green", UseGift(5, colour=GREEN)),
    ],
)
def test_notation_is_read(text: str, move: Move) -> None:
    assert JESTERS.parse_move(text) == move
    assert JESTERS.parse_move(JESTERS.format_move(move)) == move


def test_all_dice_there_are_fit_into_a_short_notation() -> None:
    everything = Perform(FAVORITE_TARGET, (5, 5, 5, 5))
    assert JESTERS.format_move(everything) == "perform favorite 5 red 5 blue 5 green 5 purple"
    assert JESTERS.format_move(Perform(7, (2, 1, 0, 0))) == "perform 7 2 red blue"


@pytest.mark.parametrize(
    "text",
    [
        *["", "dance", "learn", "learn red", "learn 12 pink", "learn 123", "perform", "perform 7", "perform red"],
        *["perform 0 red", "perform 7 2", "perform 7 2 3 red", "perform 7 0 red", "perform 7 red 2", "spend 1 2"],
        *["spend 1 2 x", "reroll", "reroll 1 2", "gift", "gift red", "gift 5 pink", "gift 5 3 red", "mark", "mark x"],
        *["roll 1", "paint green", "finish now", "pass 1", "keep", "keep two", "mark ²"],
    ],
)
def test_what_is_no_move_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(BadNotation, match=r"[.]$"):
        JESTERS.parse_move(text)
