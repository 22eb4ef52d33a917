"""Jesters by the book: an attempt and Jest cards in it (S7, S8), and refusals (C3)."""

from __future__ import annotations

from collections import Counter

import pytest

from engines.jesters import JESTERS
from engines.jesters.components import effects
from engines.jesters.components.catalogue import Opposite
from engines.jesters.events import (
    Attempted,
    CardSpent,
    Marked,
    RerollBought,
    Rerolled,
)
from engines.jesters.model import FAVORITE, Die, State, View
from engines.kit.chance import Chance
from tests.engines.jesters.positions import (
    asked,
    card,
    gift,
    legal,
    meeting,
    owned,
    performance,
    play,
    position,
    refused,
    shown,
    turn,
)

RED, PURPLE = 0, 3
PAIR = performance("pair")
OPPOSITE = gift(Opposite(RED))


def table(state: State) -> View:
    """What everybody sees."""
    return JESTERS.view(state, None)


# --- S7: the roll


def test_s7_the_techniques_named_are_rolled_openly() -> None:
    state = position(f"dice: 3 red blue purple | board: {PAIR} 1", rolls="3 5 6")
    dice = (Die(RED, RED, 3), Die(RED, RED, 5), Die(PURPLE, PURPLE, 6))
    assert play(state, f"perform {PAIR} 2 red purple") == [Attempted(seat=0, target=PAIR, dice=dice)]
    assert shown(state) == "R3 R5 P6"
    assert asked(state) == "attempt"
    assert turn(state) == 0
    assert owned(state) == "3 red blue purple"  # they stay one's own while they lie there


def test_s7_dice_are_fair() -> None:
    state = position("dice: 4 red 4 blue 4 green 4 purple")
    faces: Counter[str] = Counter()
    for seed in range(60):
        rolled = JESTERS.copy(state)
        rolled.chance = Chance(f"{seed:032x}")
        play(rolled, "perform favorite 4 red 4 blue 4 green 4 purple")
        faces.update(die[1] for die in shown(rolled).split())
    assert set(faces) == set("123456")
    assert all(110 < number < 210 for number in faces.values())  # of 960


def test_s7_the_favorite_may_be_named() -> None:
    state = position("dice: red", rolls="2")
    assert play(state, "perform favorite red") == [Attempted(seat=0, target=FAVORITE, dice=(Die(RED, RED, 2),))]


# --- S7, S8: Jest cards


def test_s7_a_jest_card_for_its_bottom_half_on_one_die_that_matches_it() -> None:
    number = card(bottom="±2 red")
    state = position(f"hands: {number} | perform: {PAIR} R3 B3 R4")
    ways = [f"spend {number} {die} {face}" for die, faces in ((1, "1245"), (3, "2356")) for face in faces]
    assert legal(state, "spend") == ways
    assert refused(state, f"spend {number} 2 4").reason == "Die 2 is blue, and this is for red ones."
    assert play(state, f"spend {number} 3 2") == [CardSpent(seat=0, card=number, die=3, before=4, face=2)]
    assert shown(state) == "R3 B3 R2"
    assert table(state).discard == (number,)
    assert JESTERS.view(state, 0).hand == ()
    assert asked(state) == "attempt"
    assert turn(state) == 0


@pytest.mark.parametrize(("bottom", "colour"), [("±1 any", ""), ("±2 red", "R"), ("±3 red", "R")])
def test_s8_up_to_so_many(bottom: str, colour: str) -> None:
    number, amount = card(bottom=bottom), int(bottom[1])
    for face in range(1, 7):
        state = position(f"hands: {number} | perform: {PAIR} R{face}")
        reach = [to for to in range(face - amount, face + amount + 1) if to != face and 1 <= to <= 6]
        assert legal(state, "spend") == [f"spend {number} 1 {to}" for to in reach]


def test_s8_a_die_stays_within_1_to_6_and_is_changed() -> None:
    number = card(bottom="±3 red")
    state = position(f"hands: {number} | perform: {PAIR} R5")
    for face in (0, 1, 5, 7, 8):
        said = refused(state, f"spend {number} 1 {face}")
        assert said.rule == "S8"
        assert said.reason == "Die 1 shows 5: with this card it can be made to show 2 or 3 or 4 or 6."


def test_s7_cards_for_any_colour_match_every_die() -> None:
    number = card(bottom="±1 any")
    state = position(f"hands: {number} | perform: {PAIR} R1 B2 G5 P6")
    assert legal(state, "spend") == [f"spend {number} {die}" for die in ("1 2", "2 1", "2 3", "3 4", "3 6", "4 5")]


def test_s7_a_card_that_turns_a_die_shows_its_opposite_side() -> None:
    number = card(bottom="turn red")
    for face in range(1, 7):
        state = position(f"hands: {number} | perform: {PAIR} R{face} B1 R1")
        assert legal(state, "spend") == [f"spend {number} 1 {7 - face}", f"spend {number} 3 6"]


def test_s7_only_cards_of_ones_own_hand_and_dice_that_are_there() -> None:
    number = card(bottom="±1 any")
    state = position(f"hands: {number} / 50 | perform: {PAIR} R1 B2")
    assert refused(state, "spend 50 1 2").reason == "You do not hold Jest card 50."
    assert refused(state, "reroll 50").reason == "You do not hold Jest card 50."
    for die in (0, 3):
        assert refused(state, f"spend {number} {die} 2").reason == "There are dice 1 to 2."
    one = position(f"hands: {number} | perform: {PAIR} R1")
    assert refused(one, f"spend {number} 2 2").reason == "There is only die 1."


def test_s7_as_often_as_one_likes_and_in_any_order() -> None:
    number, again, other = card(bottom="±1 any"), card(bottom="±1 any", nth=1), card("red")
    state = position(f"hands: {number} {again} {other} | gifts: {OPPOSITE} | perform: {PAIR} R1 B4", rolls="2")
    play(state, f"spend {number} 1 2", f"gift {OPPOSITE} 1", f"spend {again} 1 6", f"reroll {other}", "mark 2", "roll")
    assert shown(state) == "R6 B2"
    assert legal(state) == ["finish"]
    assert table(state).discard == (number, again, other)


def test_s7_any_jest_card_for_a_reroll_of_any_dice() -> None:
    number = card(bottom="±3 purple")
    state = position(f"hands: {number} | perform: {PAIR} R1 B2 G3", rolls="6 5")
    assert f"reroll {number}" in legal(state)
    assert play(state, f"reroll {number}") == [RerollBought(seat=0, card=number)]
    assert asked(state) == "mark"
    assert table(state).discard == (number,)
    assert legal(state) == ["mark 1", "mark 2", "mark 3"]
    assert refused(state, "roll").reason == "Mark at least one die."
    assert play(state, "mark 3") == [Marked(seat=0, die=3, marked=True)]
    assert legal(state) == ["mark 1", "mark 2", "unmark 3", "roll"]
    assert play(state, "mark 1", "mark 2", "unmark 2")[-1] == Marked(seat=0, die=2, marked=False)
    attempt = table(state).attempt
    assert attempt is not None
    assert attempt.marked == (1, 3)
    assert attempt.marking == 0
    assert play(state, "roll") == [Rerolled(seat=0, dice=(1, 3), faces=(6, 5))]
    assert shown(state) == "R6 B2 G5"
    assert asked(state) == "attempt"


def test_s7_marks_are_for_the_dice_there_are_and_for_nothing_else() -> None:
    number = card("red")
    state = position(f"hands: {number} 1 | gifts: {OPPOSITE} | perform: {PAIR} R1 B2")
    play(state, f"reroll {number}", "mark 1")
    assert refused(state, "mark 1").reason == "Die 1 is marked already."
    assert refused(state, "unmark 2").reason == "Die 2 is not marked."
    assert refused(state, "mark 3").reason == refused(state, "mark 0").reason == "There are dice 1 to 2."
    for move in ("finish", "spend 1 1 2", f"gift {OPPOSITE} 1", "paint", "pass", "learn 1", "keep 1"):
        assert refused(state, move).reason == "Mark the dice to reroll, then roll them."


def test_s7_in_an_attempt_nothing_else_may_be_done() -> None:
    state = position(f"hands: 1 | dice: red | perform: {PAIR} R1 B2")
    for move in ("learn 1", f"perform {PAIR} red", "pass", "mark 1", "roll", "paint", "keep 1"):
        assert refused(state, move).reason == "Your dice lie rolled: change them, or finish the attempt."


def test_s7_it_is_finished_by_choice_and_never_by_itself() -> None:
    state = position(f"perform: {PAIR} R2 B2")
    assert legal(state) == ["finish"]
    state = position(f"dice: 2 red | board: {PAIR}", rolls="3 3")
    play(state, f"perform {PAIR} 2 red")
    assert asked(state) == "attempt"
    assert legal(state) == ["finish"]


def test_s7_it_may_be_finished_as_a_failure_while_there_is_still_something_to_try() -> None:
    state = position(f"hands: {card(bottom='±1 any')} | perform: {PAIR} R2 B3")
    play(state, "finish")
    assert table(state).failures == (1, 0, 0)


def test_s7_it_succeeds_when_the_dice_meet_the_requirement_further_dice_do_no_harm() -> None:
    for dice, failures in (("R2 B2", 0), ("R2 B3 G2", 0), ("R2 B3", 1), ("R2", 1)):
        state = position(f"board: {PAIR} | perform: {PAIR} {dice}")
        play(state, "finish")
        assert table(state).failures[0] == failures
        assert table(state).completed[0] == (() if failures else (PAIR,))


@pytest.mark.parametrize("number", range(1, 39))
def test_s7_every_performance_is_measured_by_its_own_requirement(number: int) -> None:
    dice = meeting(effects.task(number, 1).requirement)
    state = position(f"seats: 4 | board: {number} | perform: {number} {dice}")
    play(state, "finish")
    assert table(state).completed[0] == (number,)
    state = position(f"seats: 4 | board: {number} | perform: {number} R1")
    play(state, "finish")
    assert table(state).failures[0] == 1


@pytest.mark.parametrize("number", range(1, 6))
def test_s7_the_favorite_is_measured_by_its_own_requirement(number: int) -> None:
    dice = meeting(effects.task(FAVORITE, number).requirement)
    state = position(f"seats: 4 | favorite: {number} | perform: favorite {dice}")
    play(state, "finish")
    assert table(state).done == (0,)
    state = position(f"seats: 4 | favorite: {number} | perform: favorite R1")
    play(state, "finish")
    assert table(state).failures[0] == 1


def test_s7_the_coloured_dice_asked_for_must_be_among_those_that_meet_it() -> None:
    blue = performance("pair, one blue")
    for dice, done in (("R2 B2", True), ("R2 G2 B3", False)):
        state = position(f"board: {blue} | perform: {blue} {dice}")
        play(state, "finish")
        assert bool(table(state).completed[0]) is done
