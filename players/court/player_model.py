"""The player model of Jester's Court."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.court import COURT
from engines.court.model import Move, State
from engines.court.view import View
from players.court.blunders import choose_with_blunders
from players.court.learned import Evaluator, best_learned, rank_learned
from players.court.policy import choose_move, equal_moves
from players.player_model import Budget, PlayerModel, ValueUnit

SIMULATION_SHARES = {2: 1.0, 3: 0.4, 4: 0.25}
"""By number of seats: the share of simulations for a decision. With each of them it takes some 30 ms."""


class CourtPlayerModel(PlayerModel[State, Move, View]):
    """Races for banners, and hinders the leader."""

    game = COURT
    budget = Budget(128, max_candidates=4)
    hint_budget = Budget(2400, max_candidates=6)
    unit = ValueUnit("more win in 100 matches", "more wins in 100 matches", 100)

    def choose_move(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """Return the policy's move."""
        return choose_move(view, _seat_of(view), view.hand)

    def equal_moves(self, view: View, moves: Sequence[Move], rng: Random) -> Sequence[Move]:
        """Return the policy's move, and others that are about as good."""
        return equal_moves(view, _seat_of(view), view.hand)

    def choose_with_blunders(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """Return the move of a beginner."""
        return choose_with_blunders(view, _seat_of(view), rng)

    def candidate_moves(self, view: View, moves: Sequence[Move], rng: Random) -> Sequence[Move]:
        """Return the moves that the network values, its best first. Of the Menhir's squares, only those that block
        somebody."""
        return rank_learned(view, _seat_of(view), view.hand)

    def simulation_share(self, view: View) -> float:
        """With more seats, it takes longer until this seat's next turn, so it gets fewer simulations."""
        return SIMULATION_SHARES[len(view.mages)]

    def choose_in_playout(self, state: State, seat: int, rng: Random) -> Move:
        """Return the policy's move without a view."""
        return choose_move(state, seat, state.hands[seat])

    def evaluate_by_playout(self, state: State, seat: int, rng: Random) -> float:
        """Return the seat's chance to win after everybody has played until its next turn: it by the network, which is
        a better player, and the others by the policy."""
        while state.owed or state.phase != "over":
            due = state.owed[0].seat if state.owed else state.turn
            if due == seat and state.phase == "move" and not state.owed:
                break
            own = due == seat
            move = best_learned(state, seat, state.hands[seat]) if own else self.choose_in_playout(state, due, rng)
            COURT.play(state, due, move)
        return self.evaluate_position(state, seat)

    def evaluate_position(self, state: State, seat: int) -> float:
        """Return the seat's chance to win, as the network sees it."""
        outcome = COURT.outcome(state)
        if outcome is not None:
            return (seat in outcome.winners) / len(outcome.winners)
        evaluator = Evaluator(state, seat, turn_started=True)
        return evaluator.chance(evaluator.table, tuple(state.hands[seat]))


def _seat_of(view: View) -> int:
    assert view.seat is not None, "spectators decide nothing"
    return view.seat
