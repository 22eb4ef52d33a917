"""What computers know of Jesters."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.jesters import JESTERS
from engines.jesters.model import Move, State, View
from players.jesters import attempts, blunders, horizon, plans, policy
from players.jesters.numbers import numbers
from players.jesters.seen import from_state, from_view
from players.player_model import Mind, Unit
from players.search import Budget


class JestersMind(Mind[State, Move, View]):
    """Plans by what tasks, dice and Jest cards are worth."""

    game = JESTERS
    budget = None  # searching was ahead of the policy in the mean, but within what luck can do
    advice = Budget(256, candidates=6)
    unit = Unit("Fame more", "Fame more")

    def choose(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """The policy."""
        return policy.choose(from_view(view))

    def slip(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """The policy of somebody new to the game."""
        return blunders.slip(from_view(view), rng)

    def act(self, state: State, seat: int, rng: Random) -> Move:
        """The policy, without a view or a list of moves."""
        return policy.choose(from_state(state, seat))

    def candidates(self, view: View, moves: Sequence[Move], rng: Random) -> Sequence[Move]:
        """The policy's move, and what else it thinks nearly as good, from the best on."""
        seen = from_view(view)
        first = policy.choose(seen)
        found: Sequence[plans.Plan | attempts.Way] = ()
        if view.phase == "turn":
            found = plans.plans(seen)
        elif view.phase == "attempt":
            found = attempts.ways(seen)
        elif view.phase == "keep":
            return [first, *(move for move in moves if move != first)]
        near = [each.move for each in found if each.worth >= found[0].worth - numbers().near]
        return list(dict.fromkeys([first, *near]))

    def value(self, state: State, seat: int, rng: Random) -> float:
        """What it is worth by the end of the round."""
        return horizon.value(state, seat, rng)
