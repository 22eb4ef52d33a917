"""Decisions that everybody knows to have one legal move, and others that only look like them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from engines.kit.chance import Chance
from tests.games import GAMES
from tests.until_over import until_over

MATCHES = 30
CASES: Sequence[tuple[str, int, dict[str, Any], str, str]] = [
    ("wizard", 3, {"rounds": 2}, "play", "the last card of a hand"),
    ("wizard", 3, {"rounds": 1, "hook": 1}, "bid", "the last bid on one trick with the hook"),
    ("wizard", 3, {"rounds": 4, "carousel": True}, "pass", "the last card of a hand"),
    ("wizard", 3, {"rounds": 4, "weathervane": True}, "adjust", "the lowest or the highest bid"),
    ("jesters", 3, {}, "mark", "a single die"),
]


def count_decisions(key: str, seats: int, options: dict[str, Any], kind: str) -> Counter[tuple[bool, bool]]:
    """Decisions of a kind in random matches: whether there is one legal move, and whether it is said to be forced."""
    game, counted = GAMES[key], Counter[tuple[bool, bool]]()
    for seed in range(MATCHES):
        rng, state = Random(seed), game.start(seats, game.options(**options), Chance(f"{seed:032x}"))
        for _ in until_over(game, state):
            view = game.view(state, None)
            for seat, decision in game.decisions(state).items():
                if decision.kind == kind and decision.due:
                    counted[len(game.moves(state, seat)) == 1, game.is_forced(view, seat)] += 1
            seat = rng.choice([*game.decisions(state)])
            game.play(state, seat, rng.choice(game.moves(state, seat)))
    return counted


@pytest.mark.parametrize(("key", "seats", "options", "kind", "why"), CASES, ids=lambda each: str(each))
def test_a_decision_is_forced_if_everybody_knows_its_only_move(
    key: str, seats: int, options: dict[str, Any], kind: str, why: str
) -> None:
    counted = count_decisions(key, seats, options, kind)
    assert counted[True, True], f"never forced: {why}"
    assert counted[False, False], "there was never a choice"
    assert not counted[False, True], "what is forced leaves a choice"
