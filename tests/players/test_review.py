"""A match looked back at: which decisions, and what was known then."""

from __future__ import annotations

from random import Random

import pytest

from players.review import Row, costs, faced
from tests.contract.helper import Helper
from tests.contract.helpers import HELPERS
from tests.contract.walk import choose

EVERY = pytest.mark.parametrize("helper", HELPERS.values(), ids=list(HELPERS))
MOST = 60


@EVERY
def test_each_own_decision_is_seen_as_it_was(helper: Helper) -> None:
    """Those of others, those that a computer made instead, and those without a choice are left out."""
    game, rng, start = helper.game, Random(7), helper.starts()[0]
    state = helper.begin(start)
    base, rows, wanted = game.checkpoints.dump_json(state).decode(), list[Row](), []
    while game.decisions(state) and len(rows) < MOST:
        seat, move = choose(helper, state, rng)
        own = seat == 1 and rng.random() < 0.7
        if own and len(game.moves(state, seat)) > 1:
            wanted.append((len(rows) + 8, game.decisions(state)[seat], game.view(state, seat), game.write(move)))
        rows.append((seat, game.write(move), own))
        game.play(state, seat, move)
    found = faced(game, base, 8, rows)
    assert wanted
    assert [(each.number, each.decision, each.view, each.notation) for each in found] == wanted


@EVERY
def test_what_a_decision_has_cost_is_the_same_every_time(helper: Helper) -> None:
    game, rng, start = helper.game, Random(7), helper.starts()[0]
    state = helper.begin(start)
    base, rows = game.checkpoints.dump_json(state).decode(), list[Row]()
    while game.decisions(state) and len(rows) < MOST // 4:
        seat, move = choose(helper, state, rng)
        rows.append((seat, game.write(move), True))
        game.play(state, seat, move)
    for each in faced(game, base, 1, rows)[-2:]:
        one = costs(game, each, "seed", 0.01)
        assert one == costs(game, each, "seed", 0.01)
        assert game.write(one.next) == each.notation
        assert (one.move == one.next) == (one.gain == 0)
