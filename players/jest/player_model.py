"""What computers know of Jest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import ClassVar

from engines.jest import turn
from engines.jest.game import JEST_GAME
from engines.jest.model import Move, State, View
from players.jest.blunders import slipped
from players.jest.forecast import standing
from players.jest.known import of_state, of_view
from players.jest.policy import chosen
from players.jest.worlds import likely
from players.player_model import Mind, Unit
from players.search import Budget


class JestMind(Mind[State, Move, View]):
    """Goes by what each card is worth to a Jest, by whose turn comes when, and by what the others want."""

    game = JEST_GAME
    budget: ClassVar[Budget | None] = Budget(300, candidates=8, errors=0.7)
    advice: ClassVar[Budget | None] = Budget(1920, candidates=8)
    unit = Unit("point more (a win counts as 20)", "points more (a win counts as 20)")

    def choose(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """By what the seat knows."""
        return chosen(of_view(view))

    def slip(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """As somebody new would."""
        return slipped(of_view(view), moves, rng)

    def act(self, state: State, seat: int, rng: Random) -> Move:
        """The same from a state, in a fifth of the time."""
        return chosen(of_state(state, seat))

    def worlds(self, view: View, rng: Random) -> Callable[[], State]:
        """Worlds in which the offers make sense."""
        return likely(view, rng)

    def effort(self, view: View) -> float:
        """Takes of the last round are soon played out; before it they are followed further."""
        return 1.0 if view.phase == "offer" else 1.75 if view.deck == 0 else 0.75

    def value(self, state: State, seat: int, rng: Random) -> float:
        """How the match stands when this round is over; after a take, when another one is, which it leaves cards to."""
        last = state.round + bool(state.takes)
        while state.phase != "over" and state.round <= last:
            who = state.waiting[0]
            turn.play(state, who, chosen(of_state(state, who)))
        return standing(state, seat)
