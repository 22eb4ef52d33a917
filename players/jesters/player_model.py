"""The player model of Jesters."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.jesters import JESTERS, turn
from engines.jesters.model import Move, State
from engines.jesters.view import View
from players.jesters import blunders, learned, policy
from players.jesters.seat_knowledge import knowledge_from_state, knowledge_from_view
from players.player_model import Budget, PlayerModel, ValueUnit

WORTHY_FAME = 2.5  # how far the value of a move may be behind the best one if it is to be compared with it


class JestersPlayerModel(PlayerModel[State, Move, View]):
    """Plans by the values of tasks, dice and Jest cards. *Hard* has learned what a position is worth after its turn.

    What follows the dice of this turn is in the network, so *hard* takes the first candidate without playing on.
    """

    game = JESTERS
    budget = Budget(1, max_candidates=1)
    hint_budget = Budget(192, max_candidates=4)
    unit = ValueUnit("more Fame", "more Fame")
    evaluation_error = 0.4  # of the network

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
        """Return the learned policy's move and its close alternatives, best first."""
        knowledge = knowledge_from_view(view)
        first = learned.choose_move(knowledge)
        if view.phase == "mark":
            return [first]
        found = learned.rank_moves(knowledge)
        return [first, *(each.move for each in found[1:] if each.value >= found[0].value - WORTHY_FAME)]

    def evaluate_move(self, state: State, seat: int, move: Move, rng: Random) -> float:
        """Return the value that the network sees at the end of the seat's turn, which the learned policy plays."""
        while True:
            after = learned.knowledge_after_turn(knowledge_from_state(state, seat), move)
            turn.play(state, seat, move)
            if state.final is not None:
                return learned.final_value(state.final.totals, seat)
            if after is not None and state.phase != "keep":
                return learned.position_value(after)
            move = learned.choose_move(knowledge_from_state(state, seat))
