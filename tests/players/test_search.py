"""The one search: it finds what is better in the sampled worlds, and keeps the policy's move if it is not sure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from random import Random
from typing import Any

import pytest

from players import Budget, Player, search
from players.search import compare_moves
from tests.players.urn_game import MOVES, UrnModel, UrnView

BUDGET = Budget(256)


def search_urns(player_model: UrnModel, seed: int, budget: Budget = BUDGET, moves: Sequence[int] = MOVES) -> Any:
    return search(player_model, UrnView(), moves, Random(seed), budget)


@pytest.mark.parametrize("best", [1, 5, 7])
def test_the_best_is_found_though_worlds_differ_far_more_than_moves(best: int) -> None:
    means = [3.0 if move == best else 0.0 for move in MOVES]
    right = [search_urns(UrnModel(means, luck=50, own=0.3), seed) for seed in range(20)]
    assert all(each.move == best and 2 < each.gain < 4 for each in right)


def test_the_policys_move_stands_if_nothing_is_surely_better_or_all_is_worse() -> None:
    player_model, sure = UrnModel([0.0] * 8, luck=5, own=1), Budget(256, standard_errors=3.0)
    assert sum(search_urns(player_model, seed, sure).move == 0 for seed in range(30)) >= 28
    assert all(search_urns(UrnModel([1.0, *[0.0] * 7], luck=5, own=0.2), seed).move == 0 for seed in range(20))


def test_as_many_simulations_as_the_budget_has() -> None:
    for simulations in (64, 256):
        player_model = UrnModel([0.0, 0.1, *[0.2] * 6], luck=1, own=1)
        search_urns(player_model, 1, Budget(simulations))
        assert simulations * 0.6 <= len(player_model.played) <= simulations * 1.3


def test_most_simulations_go_to_what_looks_best() -> None:
    player_model = UrnModel([0.0, 5.0, *[-5.0] * 6], luck=1, own=0.1)
    search_urns(player_model, 1)
    assert player_model.played.count(1) > 4 * player_model.played.count(7) > 0
    assert player_model.played.count(0) == player_model.played.count(1), (
        "the policy's move is compared in the same worlds"
    )


def test_equal_chances_find_the_same() -> None:
    player_model = UrnModel([0.0, 0.1, *[0.2] * 6], luck=1, own=1)
    assert search_urns(player_model, 3) == search_urns(player_model, 3)
    assert len({search_urns(player_model, seed).gain for seed in range(5)}) == 5


def test_a_forced_move_is_not_searched_and_a_spectator_has_none() -> None:
    player_model = UrnModel([0.0] * 8, luck=1, own=1)
    result = search_urns(player_model, 1, moves=(4,))
    assert (result.move, result.next_best, player_model.played) == (4, None, [])
    with pytest.raises(ValueError, match="spectator"):
        search(player_model, UrnView(None), MOVES, Random(1), BUDGET)


def test_no_more_candidates_than_the_budget_allows() -> None:
    player_model = UrnModel([*[0.0] * 7, 9.0], luck=1, own=0.1)
    assert search_urns(player_model, 1, Budget(256, max_candidates=4)).move < 4


class RoughModel(UrnModel):
    evaluation_error = 4.0


def test_moves_with_equal_evaluations_stay_doubtful_after_any_number_of_simulations() -> None:
    means = [3.0, *[0.0] * 7]
    best, *others = compare_moves(UrnModel(means, luck=1, own=0.01), UrnView(), MOVES, Random(1), 8)
    assert all(0 < each.error < 0.1 for each in others)
    best, *others = compare_moves(RoughModel(means, luck=1, own=0.01), UrnView(), MOVES, Random(1), 8)
    assert best.error == 0
    assert all(4 <= each.error < 4.1 for each in others)


class RepeatingModel(UrnModel):
    """Draws from only twelve worlds, in each of which an urn is always worth the same."""

    def world_sampler(self, view: UrnView, rng: Random) -> Callable[[], list[float]]:
        worlds = [[rng.gauss(0, self.luck)] for _ in range(12)]
        return lambda: rng.choice(worlds)

    def evaluate_by_playout(self, state: list[float], seat: int, rng: Random) -> float:
        luck, move = state
        return luck + self.means[int(move)] + Random(f"{luck} {move}").gauss(0, self.own)


class WalkingModel(UrnModel):
    """Draws nearly the same world several times before it goes on."""

    def world_sampler(self, view: UrnView, rng: Random) -> Callable[[], list[float]]:
        drawn = (luck for _ in count() for luck in [rng.gauss(0, self.luck)] * 6)
        return lambda: [next(drawn)]

    evaluate_by_playout = RepeatingModel.evaluate_by_playout


class KnownWalkModel(WalkingModel):
    alike_worlds = 12


def test_worlds_that_resemble_each_other_make_a_difference_no_surer() -> None:
    def right(kind: type[UrnModel]) -> int:
        worse = [
            compare_moves(kind([0.0] * 8, luck=1, own=5), UrnView(), (0, 1), Random(seed), 480)[-1]
            for seed in range(60)
        ]
        return sum(each.behind <= 2 * each.error for each in worse)

    assert right(KnownWalkModel) >= 52
    assert right(WalkingModel) <= 45


def test_a_world_that_is_drawn_again_makes_a_difference_no_surer() -> None:
    player_model = RepeatingModel([0.0] * 8, luck=1, own=5)
    worse = [compare_moves(player_model, UrnView(), (0, 1), Random(seed), 500)[-1] for seed in range(60)]
    assert sum(each.behind <= 2 * each.error for each in worse) >= 50
    assert all(0.5 < each.error < 4 for each in worse)


class ExpectingModel(UrnModel):
    def expectation_error(self, view: UrnView) -> float:
        return 1.0


def test_the_expectation_of_the_policy_counts_by_its_certainty() -> None:
    expected = [0.0, -2.0, *[-9.0] * 6]
    doubtful = ExpectingModel([0.0, 2.0, *[-9.0] * 6], luck=1, own=40, expected=expected)
    assert [search_urns(doubtful, seed, Budget(256, standard_errors=0)).move for seed in range(20)].count(0) >= 18
    sure = ExpectingModel([0.0, 2.0, *[-9.0] * 6], luck=1, own=0.1, expected=expected)
    assert all(search_urns(sure, seed, Budget(256, standard_errors=0)).move == 1 for seed in range(20))
    assert search_urns(sure, 1, Budget(4, standard_errors=3)).move == 1


def test_moves_of_which_the_policy_expects_too_little_are_not_tried() -> None:
    player_model = ExpectingModel([0.0, 0.0, 0.0, *[9.0] * 5], luck=1, own=1, expected=[0, -4, -6, *[-9] * 5])
    search_urns(player_model, 1, Budget(64, margin=5.0))
    assert set(player_model.played) == {0, 1}
    assert search_urns(player_model, 1, Budget(64, margin=3.0)).next_best is None


class RestfulModel(UrnModel):
    budget = Budget(16)

    def is_worth_searching(self, view: UrnView) -> bool:
        return view.seat == 1


def test_hard_makes_the_policys_move_if_a_search_is_not_worth_it() -> None:
    player_model = RestfulModel([0.0, 9.0, *[0.0] * 6], luck=1, own=0.1)
    hard = Player(player_model, "hard")
    assert hard.choose_move(UrnView(), MOVES, Random(1)) == 0
    assert player_model.played == []
    assert hard.choose_move(UrnView(1), MOVES, Random(1)) == 1
