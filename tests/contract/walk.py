"""Random matches to hold the laws against."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from tests.contract.helper import Helper, Start


def choose(helper: Helper, state: Any, rng: Random) -> tuple[int, Any]:
    """A seat that may act, most often one that the match waits for, and one of its moves."""
    decisions = helper.game.decisions(state)
    due = [seat for seat, decision in decisions.items() if decision.due]
    seat = rng.choice(due if due and rng.random() < 0.8 else list(decisions))
    return seat, rng.choice(helper.game.moves(state, seat))


def positions(helper: Helper, start: Start, share: float = 1.0) -> Iterator[Any]:
    """The states of a random match, as it goes on; of a share of them drawn at random, and of the last. Change none."""
    rng = Random(f"{start.seed} positions")
    state = helper.begin(start)
    while helper.game.decisions(state):
        if rng.random() < share:
            yield state
        seat, move = choose(helper, state, rng)
        helper.game.check(state, seat, move)
        helper.game.play(state, seat, move)
    yield state


def readers(start: Start) -> tuple[int | None, ...]:
    """Everybody who can look: the seats, and a spectator."""
    return (*range(start.seats), None)
