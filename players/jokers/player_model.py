"""What computers know of Jokers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from engines.jokers import JOKERS
from engines.jokers.model import Move, State, View
from engines.jokers.turn import play
from players.jokers import blunders, policy
from players.jokers.choices import choices
from players.jokers.seen import of_state, of_view
from players.jokers.worlds import worlds
from players.player_model import Mind, Unit
from players.search import Budget


class JokersMind(Mind[State, Move, View]):
    """Plans for melds, worth what they were found to be worth."""

    game = JOKERS
    budget = Budget(128, candidates=6)
    advice = Budget(320, candidates=6)
    unit = Unit()

    def choose(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """The policy."""
        return policy.move(of_view(view))

    def slip(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """The policy, with slips."""
        return blunders.slipped(of_view(view), rng)

    def candidates(self, view: View, moves: Sequence[Move], rng: Random) -> Sequence[Move]:
        """The policy's move, and others that might be better."""
        return choices(of_view(view))

    def worlds(self, view: View, rng: Random) -> Callable[[], State]:
        """Worlds in which the other hand is about as good as hands are by then."""
        return worlds(view, rng)

    def act(self, state: State, seat: int, rng: Random) -> Move:
        """The policy, straight from the state."""
        return policy.move(of_state(state, seat))

    def value(self, state: State, seat: int, rng: Random) -> float:
        """Points ahead when this round is over."""
        while not self.settled(state):
            play(state, state.turn, policy.move(of_state(state, state.turn)))
        return self.worth(state, seat)

    def settled(self, state: State) -> bool:
        """At the end, or where a round has only been dealt."""
        return state.phase == "over" or not (
            state.discard or state.still or not state.idle or state.declared is not None
        )

    def worth(self, state: State, seat: int) -> float:
        """Points ahead."""
        return state.scores[seat] - state.scores[1 - seat]


JOKERS_MIND = JokersMind()
