"""Jesters: moves beyond doubt, and that players go on from whatever somebody else has left half done."""

from __future__ import annotations

from random import Random

import pytest

from engines.jesters import JESTERS
from engines.jesters.components.catalogue import Opposite, Recolour
from engines.jesters.components.catalogue import Reroll as RerollGift
from players.jesters import PLAYER_MODEL
from tests.engines.jesters import positions
from tests.engines.jesters.positions import card_with, favorite_with, gift_with, performance_with, play_moves

PAIR = performance_with("pair, one blue")
SIXES = performance_with("each 6 6, one red")
RED = gift_with(Recolour(0))
TURN_BLUE = gift_with(Opposite(1))


def policy_move(text: str, *moves: str) -> str:
    state = positions.parse_position(text)
    play_moves(state, *moves)
    seat = state.turn
    move = PLAYER_MODEL.choose_move(JESTERS.view(state, seat), JESTERS.moves(state, seat), Random(1))
    assert move == PLAYER_MODEL.choose_in_playout(state, seat, Random(1))
    JESTERS.check(state, seat, move)
    return JESTERS.format_move(move)


PLUS_BLUE = card_with(bottom="±1 blue")
HATS = performance_with("3 different")
LOW = performance_with("2 dice sum <= 4, two red")
RING = "round: 3 | placed: 2 3"
FIRST_PLAYER = f"{RING} | hands: 5 | dice: red blue | board: 6 35 36 31 | done: 0"

CHOICES = {
    "dice that meet the task are finished": (f"hands: 5 6 | board: {PAIR} 1 2 3 | perform: {PAIR} B4 R4", "finish"),
    "one card that completes is spent rather than luck tried": (
        f"hands: {PLUS_BLUE} 3 17 | board: {PAIR} 1 2 3 | perform: {PAIR} R4 B5",
        f"spend {PLUS_BLUE} 2 4",
    ),
    "a gift that turns a die is used before a card": (
        f"hands: {PLUS_BLUE} | gifts: {TURN_BLUE} | board: {PAIR} 1 2 3 | perform: {PAIR} R3 B4",
        f"gift {TURN_BLUE} 2",
    ),
    "dice that will do are rolled at once": (
        f"dice: red blue green | board: {HATS} {SIXES} 35 31 | done: 0",
        f"perform {HATS} red blue green",
    ),
    "who lacks a colour learns it": (f"hands: 27 41 | board: {LOW} 35 36 30 | failures: 2", "learn 27"),
    "the first player card is taken by who has nothing else to do": (FIRST_PLAYER, "pass"),
    "and is no reason to pass once it is gone": (f"{FIRST_PLAYER} | passed: 1", "perform 6 red blue"),
    "all dice are thrown into the last attempt": (
        f"{RING} | passed: 1 2 | dice: 2 red blue green | board: 14 1 2 3 | done: 0",
        "perform 14 2 red blue green",
    ),
}


@pytest.mark.parametrize("case", CHOICES)
def test_computers_make_moves_that_are_beyond_doubt(case: str) -> None:
    text, move = CHOICES[case]
    assert policy_move(text) == move


def test_a_card_is_not_too_dear_for_a_small_prize_and_a_third_failure_is() -> None:
    assert policy_move("hands: 5 3 17 | board: 6 1 2 3 | perform: 6 R4 G3").startswith("spend 5 ")
    assert policy_move("dice: red blue | failures: 2 | board: 36 35 31 8 | done: 0").startswith("pass")


def test_two_cards_are_spent_for_a_great_prize() -> None:
    one, other = card_with(bottom="±2 red"), card_with(bottom="±2 red", nth=1)
    move = policy_move(f"hands: {one} {other} | board: {SIXES} 1 2 3 | perform: {SIXES} R4 R4")
    assert move in {f"spend {each} {die} 6" for each in (one, other) for die in (1, 2)}


def test_a_gift_of_colour_brings_its_fame_before_the_end() -> None:
    text = f"hands: 5 | gifts: {RED} | board: {PAIR} 1 2 3 | perform: {PAIR} B4 B4"
    assert_moves_follow(text, f"gift {RED}", "mark 1", "paint", "finish")


def assert_moves_follow(text: str, *moves: str) -> None:
    """Assert that the policy makes each of these moves after the others."""
    for number, move in enumerate(moves):
        assert policy_move(text, *moves[:number]) == move


def test_a_painter_keeps_the_requested_colour() -> None:
    text = f"hands: 5 | gifts: {RED} | board: {PAIR} 1 2 3 | perform: {PAIR} B4 G4"
    assert policy_move(text, f"gift {RED}") == "mark 2"
    assert policy_move(text, f"gift {RED}", "mark 1") == "unmark 1"


def test_two_gifts_of_colour_are_used_one_after_the_other() -> None:
    blue, purple, both = gift_with(Recolour(1)), gift_with(Recolour(3)), performance_with("pair, one blue, one purple")
    text = f"gifts: {blue} {purple} | board: {both} 1 2 3 | perform: {both} R1 R4 G4"
    assert_moves_follow(text, f"gift {blue}", "mark 2", "paint", f"gift {purple}", "mark 3", "paint", "finish")


def test_the_die_that_is_lacking_or_not_needed_is_rolled_again() -> None:
    text = f"hands: 1 5 6 | board: {SIXES} 1 2 3 | perform: {SIXES} R6 B1"
    assert policy_move(text, "reroll 1") == "mark 2"
    assert policy_move(text, "reroll 1", "mark 1") == "unmark 1"
    assert policy_move(text, "reroll 1", "mark 2") == "roll"
    assert policy_move(f"hands: 1 | board: {PAIR} 1 2 3 | perform: {PAIR} B4 B4 R2", "reroll 1") == "mark 3"


@pytest.mark.parametrize("dice", ["R1 " * 5 + "B2 " * 4, "G2 P4 " * 4 + "R2", "R1 R2 R3 R4 R5 B1 B2 B3 B4 B5"])
def test_many_dice_are_no_trouble(dice: str) -> None:
    text = f"seats: 4 | gifts: {RED} {gift_with(RerollGift())} | hands: 1 2 5 | board: 31 36 2 3 4 | perform: 36 {dice}"
    assert policy_move(text)
    assert policy_move(text, "reroll 5")
    assert policy_move(text, f"gift {RED}").startswith("mark")


def test_the_better_gift_is_kept() -> None:
    better, other = gift_with(RerollGift()), gift_with(Opposite(0))
    king = favorite_with("pair")
    text = f"round: 1 | favorite: {king} | gift pile: {other} {better} 20 | perform: favorite R4 B4"
    assert policy_move(text, "finish") == f"keep {better}"


def blunders(text: str) -> set[str]:
    """What somebody new does, by many chances."""
    state = positions.parse_position(text)
    view, moves = JESTERS.view(state, state.turn), JESTERS.moves(state, state.turn)
    chosen = {PLAYER_MODEL.choose_with_blunders(view, moves, Random(seed)) for seed in range(100)}
    assert chosen <= {*moves}
    return set(map(JESTERS.format_move, chosen))


def test_somebody_new_never_overlooks_what_completes_the_task_at_once() -> None:
    assert blunders(f"hands: {PLUS_BLUE} 3 17 | board: {PAIR} 1 2 3 | perform: {PAIR} R4 B5") == {
        f"spend {PLUS_BLUE} 2 4"
    }
    assert blunders(f"hands: {PLUS_BLUE} | gifts: {TURN_BLUE} | board: {PAIR} 1 2 3 | perform: {PAIR} R3 B4") == {
        f"gift {TURN_BLUE} 2"
    }


def test_somebody_new_overlooks_two_changes_and_discards_any_card() -> None:
    one, other = card_with(bottom="±2 red"), card_with(bottom="±2 red", nth=1)
    found = blunders(f"hands: {one} {other} | board: {SIXES} 1 2 3 | perform: {SIXES} R4 R4")
    assert {f"reroll {one}", f"reroll {other}"} <= found
    assert any(move.startswith("spend") for move in found)


def test_somebody_new_is_hasty_but_tries_nothing_hopeless() -> None:
    assert len(blunders(f"dice: red blue green | board: {HATS} {SIXES} 35 31 | done: 0")) > 2
    assert blunders("dice: red blue | failures: 2 | board: 36 35 31 8 | done: 0") == {"pass"}
