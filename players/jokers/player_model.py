"""The player model of Jokers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from engines.jokers import JOKERS
from engines.jokers.model import Move, State
from engines.jokers.turn import play
from engines.jokers.view import View
from players.jokers import blunders, policy
from players.jokers.choices import candidate_moves
from players.jokers.seen import knowledge_from_state, knowledge_from_view
from players.jokers.worlds import world_sampler
from players.player_model import Budget, PlayerModel, ValueUnit

SHORT_DRAW_PILE = 18  # with more cards left to draw, playouts take longer, so a decision gets fewer


class JokersPlayerModel(PlayerModel[State, Move, View]):
    """Plans melds by their tuned values."""

    game = JOKERS
    budget = Budget(128, max_candidates=6)
    hint_budget = Budget(400, max_candidates=6)
    unit = ValueUnit()

    def choose_move(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """Return the policy's move."""
        return policy.choose_move(knowledge_from_view(view))

    def equal_moves(self, view: View, moves: Sequence[Move], rng: Random) -> Sequence[Move]:
        """Return the policy's move, and others that are about as good."""
        return policy.equal_moves(knowledge_from_view(view))

    def choose_with_blunders(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """Return the policy's move, with blunders."""
        return blunders.choose_with_blunders(knowledge_from_view(view), rng)

    def candidate_moves(self, view: View, moves: Sequence[Move], rng: Random) -> Sequence[Move]:
        """Return the policy's move, and others that might be better."""
        return candidate_moves(knowledge_from_view(view))

    def world_sampler(self, view: View, rng: Random) -> Callable[[], State]:
        """Return a sampler of worlds in which the other hand is about as good as is usual by then."""
        return world_sampler(view, rng)

    def simulation_share(self, view: View) -> float:
        """Return fewer simulations for a large draw pile, so that decisions take about as long."""
        return min(1.0, SHORT_DRAW_PILE / max(1, view.draw))

    def choose_in_playout(self, state: State, seat: int, rng: Random) -> Move:
        """Return the policy's move from the state."""
        return policy.choose_move(knowledge_from_state(state, seat))

    def evaluate_by_playout(self, state: State, seat: int, rng: Random) -> float:
        """Return the lead in points at the end of this round."""
        while not self.is_playout_over(state):
            play(state, state.turn, policy.choose_move(knowledge_from_state(state, state.turn)))
        return self.evaluate_position(state, seat)

    def is_playout_over(self, state: State) -> bool:
        """Whether the match is over, or a new round has just been dealt."""
        return state.phase == "over" or not (
            state.discard or state.still or not state.idle or state.declared is not None
        )

    def evaluate_position(self, state: State, seat: int) -> float:
        """Return the lead in points."""
        return state.scores[seat] - state.scores[1 - seat]


JOKERS_PLAYER_MODEL = JokersPlayerModel()
