"""What Jesters' search looks at, and what a position is worth to it."""

from __future__ import annotations

from random import Random

import pytest

from engines.jesters import JESTERS
from engines.jesters.model import Finish, Keep, Move, State
from players.jesters import PLAYER_MODEL
from players.jesters.horizon import round_in_progress
from tests.engines.jesters.positions import parse_position, play_moves


def evaluate_state(state: State, seat: int = 0) -> float:
    return PLAYER_MODEL.evaluate_by_playout(JESTERS.copy(state), seat, Random(1))


def test_a_match_that_is_over_is_worth_its_fame() -> None:
    state = parse_position("round: 3 | placed: 2 3 | completed: 36 38 / 1 | failures: 0 2 3 | passed: 1")
    play_moves(state, "pass")
    assert state.final is not None
    assert [evaluate_state(state, seat) for seat in range(3)] == list(state.final.totals)


def test_each_of_these_is_worth_something() -> None:
    plain, *others = (
        evaluate_state(parse_position(f"passed: 0 | completed: {more}"))
        for more in (
            "1 | hands: 5",
            "1 2 | hands: 5",
            "1 | hands: 5 6",
            "1 | hands: 5 | gifts: 25",
            "1 | hands: 5 | failures: 1",
        )
    )
    assert [other > plain for other in others] == [True, True, True, False]
    assert others[-1] < plain


def test_symbols_that_count_are_worth_more() -> None:
    counting = parse_position("round: 3 | passed: 0 | completed: 1 | placed: 1 4 | favorite: 2")
    idle = parse_position("round: 3 | passed: 0 | completed: 1 | placed: 2 3 | favorite: 5")
    assert evaluate_state(counting) > evaluate_state(idle) + 1


def test_who_may_go_on_plays_on() -> None:
    text = "dice: 2 red 2 blue | hands: 5 6 7 8 | board: 14 8 6 10"
    assert evaluate_state(parse_position(text)) > evaluate_state(parse_position(f"passed: 0 | {text}")) + 1


@pytest.mark.parametrize(
    ("text", "moves", "number"),
    [
        ("round: 2 | placed: 2 | hands: 5 / 6 / 7", ["learn 5 red"], 2),
        ("round: 2 | placed: 2 | hands: 5 / 6 / 7", ["pass"], 2),
        ("round: 2 | placed: 2 | hands: 5 / 6 / 7 | passed: 1 2", ["pass"], 2),
        ("round: 1 | hands: 5 / 6 / 7 | passed: 1 2", ["pass"], 1),
        ("round: 2 | placed: 2 | board: 14 1 2 3 | perform: 14 R1 B2", ["finish"], 2),
    ],
)
def test_the_round_that_was_moved_in_is_known_afterwards(text: str, moves: list[str], number: int) -> None:
    state = parse_position(text)
    play_moves(state, *moves)
    assert round_in_progress(state) == number


def candidate_moves(state: State) -> list[Move]:
    view, moves = JESTERS.view(state, state.turn), JESTERS.moves(state, state.turn)
    found = list(PLAYER_MODEL.candidate_moves(view, moves, Random(1)))
    assert found[0] == PLAYER_MODEL.choose_move(view, moves, Random(1))
    assert len(set(found)) == len(found) < 40
    for move in found:
        JESTERS.check(state, state.turn, move)
    return found


def test_a_few_moves_of_thousands_are_looked_at() -> None:
    state = parse_position("seats: 4 | dice: 4 red 4 blue 4 green 4 purple | hands: 5 6 13 14 9")
    assert len(JESTERS.moves(state, 0)) > 3000
    assert 1 < len(candidate_moves(state)) < 20


def test_what_is_done_is_not_searched_and_a_choice_of_gifts_is() -> None:
    state = parse_position("board: 14 1 2 3 | perform: 14 R4 B4")
    assert candidate_moves(state) == [Finish()]
    state = parse_position("favorite: 4 | gift pile: 1 25 3 | perform: favorite R4 B4")
    play_moves(state, "finish")
    assert set(candidate_moves(state)) == {Keep(1), Keep(25)}
