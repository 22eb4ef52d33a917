"""Reasons for Jesters' moves: chances, missing dice, the cost of a failure."""

from __future__ import annotations

import re

import pytest

from cogs.jesters.help import MEETS, move_effect
from cogs.jesters.move_reasons import move_reason
from engines.jesters import JESTERS, prospects
from engines.jesters.components.catalogue import Opposite, Recolour
from engines.jesters.model import Finish, Spend
from tests.cogs.jesters.states import whole_match
from tests.engines.jesters.positions import card_with, gift_with, parse_position, performance_with, play_moves

PAIR = performance_with("pair, one blue")
BLUE = card_with(bottom="±1 blue")
TWO_RED, OTHER_RED = card_with(bottom="±2 red"), card_with(bottom="±2 red", nth=1)
RED, TURN_BLUE = gift_with(Recolour(0)), gift_with(Opposite(1))
LYING = f"hands: {BLUE} 3 17 | board: {PAIR} 1 2 3 | perform: {PAIR} R4 B5"
SAID = {
    f"hands: 5 6 | board: {PAIR} 1 2 3 | perform: {PAIR} B4 R4": {
        "finish": "The dice meet the requirement, for 4 Fame."
    },
    f"hands: 5 6 | board: {PAIR} 1 2 3 | perform: {PAIR} B2 R4": {
        "finish": "The failure costs 3 Fame, but you keep your 2 dice and your 2 Jest cards and draw a Jest card."
    },
    LYING: {
        f"spend {BLUE} 2 4": "The dice then meet the requirement, for 4 Fame.",
        "reroll 3": "A reroll of die 1 succeeds with a chance of 17% and brings 4 Fame.",
        "reroll 3, mark 1": "The best reroll, of die 1, succeeds with a chance of 17%.",
        "reroll 3, mark 1, roll": "A reroll of die 1 succeeds with a chance of 17% and brings 4 Fame.",
    },
    f"hands: {TWO_RED} {OTHER_RED} | board: {PAIR} 1 2 3 | perform: {PAIR} R1 B5": {
        f"spend {TWO_RED} 1 3": (
            "After that, another card that changes die 1 to 5 makes the attempt a success, for 4 Fame."
        )
    },
    f"hands: 5 | gifts: {RED} | board: {PAIR} 1 2 3 | perform: {PAIR} B4 B4": {
        f"gift {RED}": "The dice already meet the requirement, and a die made red brings 1 more Fame."
    },
    f"hands: {BLUE} | gifts: {TURN_BLUE} | board: {PAIR} 1 2 3 | perform: {PAIR} R3 B4": {
        f"gift {TURN_BLUE} 2": "The dice then meet the requirement, for 4 Fame."
    },
    f"hands: 5 | board: {PAIR} 1 2 3": {
        "pass": "The first to pass takes the first player card, worth 3 Fame if you hold it at the end."
    },
}


@pytest.mark.parametrize(
    ("text", "moves", "reason"), [(at, *each) for at, reasons in SAID.items() for each in reasons.items()]
)
def test_a_move_is_spoken_for(text: str, moves: str, reason: str) -> None:
    state = parse_position(text)
    *before, move = moves.split(", ")
    play_moves(state, *before)
    JESTERS.check(state, state.turn, JESTERS.parse_move(move))
    assert move_reason(JESTERS.view(state, state.turn), JESTERS.parse_move(move)) == reason


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("hands: 5 6 7", "(With|You would have) .*dice"),
        (f"hands: {card_with(top='red blue')} | dice: red", "With 3 dice, you would complete “"),
        (
            f"hands: {card_with(top='red blue')} | dice: 2 red green purple",
            "With 4 of your 6 dice, you would complete “",
        ),
    ],
)
def test_learning_is_spoken_for_by_the_task_and_the_dice_that_it_brings_nearest(line: str, reason: str) -> None:
    state = parse_position(f"{line} | board: {PAIR} 1 2 3")
    learn = next(move for move in JESTERS.moves(state, state.turn) if JESTERS.format_move(move).startswith("learn"))
    assert re.match(reason, move_reason(JESTERS.view(state, state.turn), learn))


@pytest.mark.parametrize("seats", [2, 4])
def test_dice_that_are_said_to_meet_the_task_do(seats: int) -> None:
    endings = set()
    for state in whole_match(seats):
        if state.phase != "attempt":
            continue
        for move in JESTERS.moves(state, state.turn):
            reason = move_reason(JESTERS.view(state, state.turn), move)
            after = JESTERS.copy(state)
            JESTERS.play(after, state.turn, move)
            if reason.startswith("The dice then meet the requirement") and after.phase == "attempt":
                endings.add("then")
                assert prospects.meets_requirement(JESTERS.view(after, state.turn)), reason
            if isinstance(move, Finish):
                endings.add("finish")
                is_met_then = after.failures[state.turn] == state.failures[state.turn]
                assert reason.startswith("The dice meet the requirement") == is_met_then, reason
            if found := re.match(r"After that, another card \(.*, die (\d+) to (\d)\)", reason):
                endings.add("after")
                view = JESTERS.view(after, state.turn)
                completions = [each for each in JESTERS.moves(after, state.turn) if isinstance(each, Spend)]
                assert any(
                    (way.die, way.face) == (int(found[1]), int(found[2])) and move_effect(view, way) == MEETS
                    for way in completions
                ), reason
    assert endings >= {"then", "finish"}
