"""What computers know of Jest."""

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
from players.jest.policy import choose_move
from players.jest.worlds import world_sampler
from players.player_model import Budget, PlayerModel, ValueUnit


class JestPlayerModel(PlayerModel[State, Move, View]):
    """Goes by what each card is worth to a Jest, by whose turn comes when, and by what the others want."""

    game = JEST_GAME
    budget: ClassVar[Budget | None] = Budget(300, max_candidates=8, standard_errors=0.7)
    hint_budget: ClassVar[Budget | None] = Budget(1920, max_candidates=8)
    unit = ValueUnit("point more (a win counts as 20)", "points more (a win counts as 20)")

    def choose_move(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """By what the seat knows."""
        return choose_move(knowledge_from_view(view))

    def choose_with_blunders(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """As somebody new would."""
        return choose_with_blunders(knowledge_from_view(view), moves, rng)

    def choose_in_playout(self, state: State, seat: int, rng: Random) -> Move:
        """The same from a state, in a fifth of the time."""
        return choose_move(knowledge_from_state(state, seat))

    def world_sampler(self, view: View, rng: Random) -> Callable[[], State]:
        """Worlds in which the offers make sense."""
        return world_sampler(view, rng)

    def simulation_share(self, view: View) -> float:
        """Takes of the last round are soon played out; before it they are followed further."""
        return 1.0 if view.phase == "offer" else 1.75 if view.deck == 0 else 0.75

    def evaluate_by_playout(self, state: State, seat: int, rng: Random) -> float:
        """How the match stands when this round is over; after a take, when another one is, which it leaves cards to."""
        last = state.round + bool(state.takes)
        while state.phase != "over" and state.round <= last:
            who = state.waiting[0]
            turn.play(state, who, choose_move(knowledge_from_state(state, who)))
        return evaluate_standing(state, seat)
