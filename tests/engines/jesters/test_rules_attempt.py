"""Jesters by the book: an attempt and Jest cards in it (S7, S8), and refusals (C3)."""

from __future__ import annotations

from collections import Counter

import pytest

from engines.jesters import JESTERS, effects
from engines.jesters.components.catalogue import Opposite
from engines.jesters.events import (
    AttemptStarted,
    CardSpent,
    DiceRerolled,
    DieMarked,
    RerollBought,
)
from engines.jesters.model import FAVORITE_TARGET, Die, State
from engines.jesters.view import View
from engines.kit.chance import Chance
from tests.engines.jesters.positions import (
    asked_decision,
    attempt_dice_text,
    card_with,
    dice_meeting,
    expect_refusal,
    gift_with,
    legal_notations,
    owned_dice_text,
    parse_position,
    performance_with,
    play_moves,
    seat_to_act,
)

RED, PURPLE = 0, 3
PAIR = performance_with("pair")
OPPOSITE = gift_with(Opposite(RED))


def table_view(state: State) -> View:
    """What everybody sees."""
    return JESTERS.view(state, None)


# --- S7: the roll


def test_s7_the_techniques_named_are_rolled_openly() -> None:
    state = parse_position(f"dice: 3 red blue purple | board: {PAIR} 1", rolls="3 5 6")
    dice = (Die(RED, RED, 3), Die(RED, RED, 5), Die(PURPLE, PURPLE, 6))
    assert play_moves(state, f"perform {PAIR} 2 red purple") == [AttemptStarted(seat=0, target=PAIR, dice=dice)]
    assert attempt_dice_text(state) == "R3 R5 P6"
    assert asked_decision(state) == "attempt"
    assert seat_to_act(state) == 0
    assert owned_dice_text(state) == "3 red blue purple"  # they stay one's own while they lie there


def test_s7_dice_are_fair() -> None:
    state = parse_position("dice: 4 red 4 blue 4 green 4 purple")
    faces: Counter[str] = Counter()
    for seed in range(60):
        rolled = JESTERS.copy(state)
        rolled.chance = Chance(f"{seed:032x}")
        play_moves(rolled, "perform favorite 4 red 4 blue 4 green 4 purple")
        faces.update(die[1] for die in attempt_dice_text(rolled).split())
    assert set(faces) == set("123456")
    assert all(110 < number < 210 for number in faces.values())  # of 960


def test_s7_the_favorite_may_be_named() -> None:
    state = parse_position("dice: red", rolls="2")
    assert play_moves(state, "perform favorite red") == [
        AttemptStarted(seat=0, target=FAVORITE_TARGET, dice=(Die(RED, RED, 2),))
    ]


# --- S7, S8: Jest cards


def test_s7_a_jest_card_for_its_bottom_half_on_one_die_that_matches_it() -> None:
    number = card_with(bottom="±2 red")
    state = parse_position(f"hands: {number} | perform: {PAIR} R3 B3 R4")
    ways = [f"spend {number} {die} {face}" for die, faces in ((1, "1245"), (3, "2356")) for face in faces]
    assert legal_notations(state, "spend") == ways
    assert expect_refusal(state, f"spend {number} 2 4").reason == "Die 2 is blue, but this only works on red dice."
    assert play_moves(state, f"spend {number} 3 2") == [CardSpent(seat=0, card=number, die=3, before=4, face=2)]
    assert attempt_dice_text(state) == "R3 B3 R2"
    assert table_view(state).discard == (number,)
    assert JESTERS.view(state, 0).hand == ()
    assert asked_decision(state) == "attempt"
    assert seat_to_act(state) == 0


@pytest.mark.parametrize(("bottom", "colour"), [("±1 any", ""), ("±2 red", "R"), ("±3 red", "R")])
def test_s8_up_to_so_many(bottom: str, colour: str) -> None:
    number, amount = card_with(bottom=bottom), int(bottom[1])
    for face in range(1, 7):
        state = parse_position(f"hands: {number} | perform: {PAIR} R{face}")
        reach = [to for to in range(face - amount, face + amount + 1) if to != face and 1 <= to <= 6]
        assert legal_notations(state, "spend") == [f"spend {number} 1 {to}" for to in reach]


def test_s8_a_die_stays_within_1_to_6_and_is_changed() -> None:
    number = card_with(bottom="±3 red")
    state = parse_position(f"hands: {number} | perform: {PAIR} R5")
    for face in (0, 1, 5, 7, 8):
        said = expect_refusal(state, f"spend {number} 1 {face}")
        assert said.rule == "S8"
        assert said.reason == "Die 1 shows 5. With this card you can make it show 2 or 3 or 4 or 6."


def test_s7_cards_for_any_colour_match_every_die() -> None:
    number = card_with(bottom="±1 any")
    state = parse_position(f"hands: {number} | perform: {PAIR} R1 B2 G5 P6")
    assert legal_notations(state, "spend") == [
        f"spend {number} {die}" for die in ("1 2", "2 1", "2 3", "3 4", "3 6", "4 5")
    ]


def test_s7_a_card_that_turns_a_die_shows_its_opposite_side() -> None:
    number = card_with(bottom="turn red")
    for face in range(1, 7):
        state = parse_position(f"hands: {number} | perform: {PAIR} R{face} B1 R1")
        assert legal_notations(state, "spend") == [f"spend {number} 1 {7 - face}", f"spend {number} 3 6"]


def test_s7_only_cards_of_ones_own_hand_and_dice_that_are_there() -> None:
    number = card_with(bottom="±1 any")
    state = parse_position(f"hands: {number} / 50 | perform: {PAIR} R1 B2")
    assert expect_refusal(state, "spend 50 1 2").reason == "You do not have Jest card 50."
    assert expect_refusal(state, "reroll 50").reason == "You do not have Jest card 50."
    for die in (0, 3):
        assert expect_refusal(state, f"spend {number} {die} 2").reason == "There are dice 1 to 2."
    one = parse_position(f"hands: {number} | perform: {PAIR} R1")
    assert expect_refusal(one, f"spend {number} 2 2").reason == "There is only die 1."


def test_s7_as_often_as_one_likes_and_in_any_order() -> None:
    number, again, other = card_with(bottom="±1 any"), card_with(bottom="±1 any", nth=1), card_with("red")
    state = parse_position(f"hands: {number} {again} {other} | gifts: {OPPOSITE} | perform: {PAIR} R1 B4", rolls="2")
    play_moves(
        state, f"spend {number} 1 2", f"gift {OPPOSITE} 1", f"spend {again} 1 6", f"reroll {other}", "mark 2", "roll"
    )
    assert attempt_dice_text(state) == "R6 B2"
    assert legal_notations(state) == ["finish"]
    assert table_view(state).discard == (number, again, other)


def test_s7_any_jest_card_for_a_reroll_of_any_dice() -> None:
    number = card_with(bottom="±3 purple")
    state = parse_position(f"hands: {number} | perform: {PAIR} R1 B2 G3", rolls="6 5")
    assert f"reroll {number}" in legal_notations(state)
    assert play_moves(state, f"reroll {number}") == [RerollBought(seat=0, card=number)]
    assert asked_decision(state) == "mark"
    assert table_view(state).discard == (number,)
    assert legal_notations(state) == ["mark 1", "mark 2", "mark 3"]
    assert expect_refusal(state, "roll").reason == "Mark at least one die."
    assert play_moves(state, "mark 3") == [DieMarked(seat=0, die=3, marked=True)]
    assert legal_notations(state) == ["mark 1", "mark 2", "unmark 3", "roll"]
    assert play_moves(state, "mark 1", "mark 2", "unmark 2")[-1] == DieMarked(seat=0, die=2, marked=False)
    attempt = table_view(state).attempt
    assert attempt is not None
    assert attempt.marked == (1, 3)
    assert attempt.marking == 0
    assert play_moves(state, "roll") == [DiceRerolled(seat=0, dice=(1, 3), faces=(6, 5))]
    assert attempt_dice_text(state) == "R6 B2 G5"
    assert asked_decision(state) == "attempt"


def test_s7_marks_are_for_the_dice_there_are_and_for_nothing_else() -> None:
    number = card_with("red")
    state = parse_position(f"hands: {number} 1 | gifts: {OPPOSITE} | perform: {PAIR} R1 B2")
    play_moves(state, f"reroll {number}", "mark 1")
    assert expect_refusal(state, "mark 1").reason == "Die 1 is already marked."
    assert expect_refusal(state, "unmark 2").reason == "Die 2 is not marked."
    assert expect_refusal(state, "mark 3").reason == expect_refusal(state, "mark 0").reason == "There are dice 1 to 2."
    for move in ("finish", "spend 1 1 2", f"gift {OPPOSITE} 1", "paint", "pass", "learn 1", "keep 1"):
        assert expect_refusal(state, move).reason == "Mark the dice to reroll, then roll them."


def test_s7_in_an_attempt_nothing_else_may_be_done() -> None:
    state = parse_position(f"hands: 1 | dice: red | perform: {PAIR} R1 B2")
    for move in ("learn 1", f"perform {PAIR} red", "pass", "mark 1", "roll", "paint", "keep 1"):
        assert expect_refusal(state, move).reason == "You have rolled your dice. Change them, or finish the attempt."


def test_s7_it_is_finished_by_choice_and_never_by_itself() -> None:
    state = parse_position(f"perform: {PAIR} R2 B2")
    assert legal_notations(state) == ["finish"]
    state = parse_position(f"dice: 2 red | board: {PAIR}", rolls="3 3")
    play_moves(state, f"perform {PAIR} 2 red")
    assert asked_decision(state) == "attempt"
    assert legal_notations(state) == ["finish"]


def test_s7_it_may_be_finished_as_a_failure_while_there_is_still_something_to_try() -> None:
    state = parse_position(f"hands: {card_with(bottom='±1 any')} | perform: {PAIR} R2 B3")
    play_moves(state, "finish")
    assert table_view(state).failures == (1, 0, 0)


def test_s7_it_succeeds_when_the_dice_meet_the_requirement_further_dice_do_no_harm() -> None:
    for dice, failures in (("R2 B2", 0), ("R2 B3 G2", 0), ("R2 B3", 1), ("R2", 1)):
        state = parse_position(f"board: {PAIR} | perform: {PAIR} {dice}")
        play_moves(state, "finish")
        assert table_view(state).failures[0] == failures
        assert table_view(state).completed[0] == (() if failures else (PAIR,))


@pytest.mark.parametrize("number", range(1, 39))
def test_s7_every_performance_is_measured_by_its_own_requirement(number: int) -> None:
    dice = dice_meeting(effects.task(number, 1).requirement)
    state = parse_position(f"seats: 4 | board: {number} | perform: {number} {dice}")
    play_moves(state, "finish")
    assert table_view(state).completed[0] == (number,)
    state = parse_position(f"seats: 4 | board: {number} | perform: {number} R1")
    play_moves(state, "finish")
    assert table_view(state).failures[0] == 1


@pytest.mark.parametrize("number", range(1, 6))
def test_s7_the_favorite_is_measured_by_its_own_requirement(number: int) -> None:
    dice = dice_meeting(effects.task(FAVORITE_TARGET, number).requirement)
    state = parse_position(f"seats: 4 | favorite: {number} | perform: favorite {dice}")
    play_moves(state, "finish")
    assert table_view(state).done == (0,)
    state = parse_position(f"seats: 4 | favorite: {number} | perform: favorite R1")
    play_moves(state, "finish")
    assert table_view(state).failures[0] == 1


def test_s7_the_coloured_dice_asked_for_must_be_among_those_that_meet_it() -> None:
    blue = performance_with("pair, one blue")
    for dice, done in (("R2 B2", True), ("R2 G2 B3", False)):
        state = parse_position(f"board: {blue} | perform: {blue} {dice}")
        play_moves(state, "finish")
        assert bool(table_view(state).completed[0]) is done
