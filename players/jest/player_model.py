"""The player model of Jest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import ClassVar

from engines.jest import turn
from engines.jest.game import JEST_GAME
from engines.jest.model import Move, State
from engines.jest.view import View
from players.jest.blunders import choose_with_blunders
from players.jest.forecast import evaluate_standing
from players.jest.known import knowledge_from_state, knowledge_from_view
from players.jest.policy import choose_move, equal_moves
from players.jest.worlds import world_sampler
from players.player_model import Budget, PlayerModel, ValueUnit


class JestPlayerModel(PlayerModel[State, Move, View]):
    """Considers the value of each card for a Jest, the order of turns, and what the others want."""

    game = JEST_GAME
    budget: ClassVar[Budget | None] = Budget(260, max_candidates=8, standard_errors=0.7)
    hint_budget: ClassVar[Budget | None] = Budget(1920, max_candidates=8)
    alike_worlds: ClassVar[int] = 8
    unit = ValueUnit(note="a win counts as 20")

    def choose_move(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """Return the policy's move."""
        return choose_move(knowledge_from_view(view))

    def equal_moves(self, view: View, moves: Sequence[Move], rng: Random) -> Sequence[Move]:
        """Return the policy's move, and others that are about as good."""
        return equal_moves(knowledge_from_view(view))

    def choose_with_blunders(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """Return the move of a beginner."""
        return choose_with_blunders(knowledge_from_view(view), moves, rng)

    def choose_in_playout(self, state: State, seat: int, rng: Random) -> Move:
        """Return the policy's move from a state, five times as fast."""
        return choose_move(knowledge_from_state(state, seat))

    def world_sampler(self, view: View, rng: Random) -> Callable[[], State]:
        """Return a sampler of worlds in which the offers make sense."""
        return world_sampler(view, rng)

    def simulation_share(self, view: View) -> float:
        """Takes in the last round have short playouts; earlier ones continue further."""
        return 1.0 if view.phase == "offer" else 1.75 if view.deck == 0 else 0.75

    def evaluate_by_playout(self, state: State, seat: int, rng: Random) -> float:
        """Return the value at the end of the last round of the playout."""
        last = self.last_round(state)
        while state.phase != "over" and state.round <= last:
            actor = state.waiting[0]
            turn.play(state, actor, choose_move(knowledge_from_state(state, actor)))
        return evaluate_standing(state, seat)

    def last_round(self, state: State) -> int:
        """Return the last round of a playout: this one; after a take the next one, which gets its leftovers."""
        return state.round + bool(state.takes)
