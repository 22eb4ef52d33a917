"""A match looked back at: which decisions, and what was known then."""

from __future__ import annotations

from random import Random

import pytest

from players.review import MoveRow, past_decisions, review_decision
from tests.contract.helper import GameHelper
from tests.contract.helpers import HELPERS
from tests.contract.walk import choose_move

EVERY = pytest.mark.parametrize("helper", HELPERS.values(), ids=list(HELPERS))
MOST = 60


@EVERY
def test_each_own_decision_is_seen_as_it_was(helper: GameHelper) -> None:
    """Those of others, those that a computer made instead, and those without a choice are left out."""
    game, rng, start = helper.game, Random(7), helper.starts()[0]
    state = helper.start_state(start)
    base, rows, wanted = game.checkpoint_adapter.dump_json(state).decode(), list[MoveRow](), []
    while game.decisions(state) and len(rows) < MOST:
        seat, move = choose_move(helper, state, rng)
        own = seat == 1 and rng.random() < 0.7
        if own and len(game.moves(state, seat)) > 1:
            wanted.append((len(rows) + 8, game.decisions(state)[seat], game.view(state, seat), game.format_move(move)))
        rows.append((len(rows) + 8, seat, game.format_move(move), own))
        game.play(state, seat, move)
    found = past_decisions(game, base, rows)
    assert wanted
    assert [(each.number, each.decision, each.view, each.notation) for each in found] == wanted


@EVERY
def test_the_cost_of_a_decision_is_the_same_every_time(helper: GameHelper) -> None:
    game, rng, start = helper.game, Random(7), helper.starts()[0]
    state = helper.start_state(start)
    base, rows = game.checkpoint_adapter.dump_json(state).decode(), list[MoveRow]()
    while game.decisions(state) and len(rows) < MOST // 4:
        seat, move = choose_move(helper, state, rng)
        rows.append((len(rows) + 1, seat, game.format_move(move), True))
        game.play(state, seat, move)
    for each in past_decisions(game, base, rows)[-2:]:
        one = review_decision(game, each, "seed", 0.01)
        assert one == review_decision(game, each, "seed", 0.01)
        assert game.format_move(one.compared_to) == each.notation
        assert (one.move == one.compared_to) == (one.gain == 0)
