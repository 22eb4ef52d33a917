"""The player model of Jesters."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.jesters import JESTERS
from engines.jesters.model import Move, State
from engines.jesters.view import View
from players.jesters import attempts, blunders, horizon, plans, policy
from players.jesters.numbers import load_weights
from players.jesters.seat_knowledge import knowledge_from_state, knowledge_from_view
from players.player_model import Budget, PlayerModel, ValueUnit


class JestersPlayerModel(PlayerModel[State, Move, View]):
    """Plans by the values of tasks, dice and Jest cards."""

    game = JESTERS
    budget = None  # searching was ahead of the policy on average, but not significantly
    hint_budget = Budget(256, max_candidates=6)
    unit = ValueUnit("Fame more", "Fame more")

    def choose_move(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """Return the policy's move."""
        return policy.choose_move(knowledge_from_view(view))

    def equal_moves(self, view: View, moves: Sequence[Move], rng: Random) -> Sequence[Move]:
        """Return the policy's move, and others that are about as good."""
        return policy.equal_moves(knowledge_from_view(view))

    def choose_with_blunders(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """Return the move of a beginner."""
        return blunders.choose_with_blunders(knowledge_from_view(view), rng)

    def choose_in_playout(self, state: State, seat: int, rng: Random) -> Move:
        """Return the policy's move without a view or a list of moves."""
        return policy.choose_move(knowledge_from_state(state, seat))

    def candidate_moves(self, view: View, moves: Sequence[Move], rng: Random) -> Sequence[Move]:
        """Return the policy's move and its close alternatives, best first."""
        seen = knowledge_from_view(view)
        first = policy.choose_move(seen)
        found: Sequence[plans.Plan | attempts.MoveValue] = ()
        if view.phase == "turn":
            found = plans.ranked_plans(seen)
        elif view.phase == "attempt":
            found = attempts.move_values(seen)
        elif view.phase == "keep":
            return [first, *(move for move in moves if move != first)]
        near = [each.move for each in found if each.value >= found[0].value - load_weights().near]
        return list(dict.fromkeys([first, *near]))

    def evaluate_by_playout(self, state: State, seat: int, rng: Random) -> float:
        """Return the value at the end of the round."""
        return horizon.evaluate_to_round_end(state, seat, rng)
