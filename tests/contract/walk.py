"""Random matches to hold the laws against."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from tests.contract.helper import GameHelper, MatchStart
from tests.until_over import until_over


def choose_move(helper: GameHelper, state: Any, rng: Random) -> tuple[int, Any]:
    """A seat that may act, most often one that the match waits for, and one of its moves."""
    decisions = helper.game.decisions(state)
    due = [seat for seat, decision in decisions.items() if decision.due]
    seat = rng.choice(due if due and rng.random() < 0.8 else list(decisions))
    return seat, rng.choice(helper.game.moves(state, seat))


def random_positions(helper: GameHelper, start: MatchStart, share: float = 1.0) -> Iterator[Any]:
    """The states of a random match, as it goes on; of a share of them drawn at random, and of the last. Change none."""
    rng = Random(f"{start.seed} positions")
    state = helper.start_state(start)
    for _ in until_over(helper.game, state):
        if rng.random() < share:
            yield state
        seat, move = choose_move(helper, state, rng)
        helper.game.check(state, seat, move)
        helper.game.play(state, seat, move)
    yield state


def all_readers(start: MatchStart) -> tuple[int | None, ...]:
    """Everybody who can look: the seats, and a spectator."""
    return (*range(start.seats), None)
