"""What a person is told of a search: a difference only if there surely is one, and what a move has cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from players import Advice, Budget, advise, policy_advice, review_move
from tests.players.urn_game import MOVES, UrnModel, UrnView


class HintingModel(UrnModel):
    hint_budget: ClassVar[Budget | None] = Budget(256)


def advice_for(means: Sequence[float], seed: int, own: float = 0.3, moves: Sequence[int] = MOVES) -> Advice[int]:
    return advise(HintingModel(means, luck=5, own=own), UrnView(), moves, str(seed))


def test_a_better_move_is_named_with_its_gain_and_the_move_it_beats() -> None:
    means = [0.0, 1.0, *[0.0] * 3, 4.0, 0.0, 0.0]
    for seed in range(20):
        found = advice_for(means, seed)
        assert (found.move, found.compared_to) == (5, 1)
        assert found.gain is not None
        assert 2 < found.gain < 4


def test_no_difference_is_told_if_luck_may_have_made_it() -> None:
    gains = [advice_for([0.0] * 8, seed, own=3).gain for seed in range(30)]
    assert gains.count(0.0) >= 26
    assert None not in gains


def test_the_same_seed_gives_the_same_advice_and_a_forced_move_or_the_policys_has_no_figures() -> None:
    assert advice_for([0.0, 0.2, *[0.1] * 6], 3) == advice_for([0.0, 0.2, *[0.1] * 6], 3)
    assert advice_for([0.0] * 8, 1, moves=(4,)) == Advice(4)
    player_model = HintingModel([0.0, 9.0], luck=1, own=0.1)
    assert policy_advice(player_model, UrnView(), (0, 1), "1") == Advice(0)
    assert not player_model.played


def test_a_move_has_cost_what_the_best_is_surely_ahead_of_it() -> None:
    player_model = HintingModel([0.0, 1.0, *[0.0] * 5, 5.0], luck=5, own=0.3)
    for seed in range(20):
        found = review_move(player_model, UrnView(), MOVES, 1, str(seed))
        assert (found.move, found.compared_to) == (7, 1)
        assert found.gain is not None
        assert 3 < found.gain < 5


def test_a_move_that_only_luck_preferred_is_not_called_better() -> None:
    player_model = HintingModel([0.0] * 8, luck=5, own=1)
    reviews = [review_move(player_model, UrnView(), MOVES, 3, str(seed)) for seed in range(100)]
    assert sum(each == Advice(3, 3, 0.0) for each in reviews) >= 95


def test_a_share_of_the_budget_costs_a_share() -> None:
    whole, part = (HintingModel([0.0] * 8, luck=1, own=1) for _ in range(2))
    review_move(whole, UrnView(), MOVES, 3, "1")
    review_move(part, UrnView(), MOVES, 3, "1", budget_share=0.25)
    assert len(part.played) < len(whole.played) / 2
