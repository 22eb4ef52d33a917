"""*Normal* makes any move that is about as good as its policy's, always the same by the same seed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from players import make_player
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.contract.walk import choose_move

WITH_MODEL = [helper for helper in HELPERS.values() if type(helper.player_model).__name__ != "RulesOnlyModel"]
SEEDS = 24
MOST = 400  # moves


def decisions_with_variety(helper: GameHelper) -> Iterator[tuple[Any, Any]]:
    """The views and moves of a random match where several moves are about as good."""
    game, rng = helper.game, Random(3)
    state = helper.start_state(helper.starts()[-1])
    for _ in range(MOST):
        if not game.decisions(state):
            return
        for seat in game.decisions(state):
            view, moves = game.view(state, seat), game.moves(state, seat)
            if len(helper.player_model.equal_moves(view, moves, Random(1))) > 1:
                yield view, moves
        game.play(state, *choose_move(helper, state, rng))


@pytest.mark.parametrize("helper", WITH_MODEL, ids=[helper.game.key for helper in WITH_MODEL])
def test_normal_makes_each_move_that_is_about_as_good_and_no_other(helper: GameHelper) -> None:
    model, normal, found = helper.player_model, make_player(helper.game, "normal"), 0
    for view, moves in decisions_with_variety(helper):
        equal = model.equal_moves(view, moves, Random(1))
        chosen = [normal.choose_with_seed(view, moves, f"{seed}") for seed in range(SEEDS)]
        assert chosen == [normal.choose_with_seed(view, moves, f"{seed}") for seed in range(SEEDS)]
        assert 1 < len({*chosen}) <= len(equal)
        assert {*chosen} <= {*equal}
        found += 1
        if found == 8:
            break
    assert found
