"""What computers know of Jokers."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.jokers import JOKERS
from engines.jokers.model import Move, State, View
from players.jokers import policy, slips
from players.jokers.seen import of_state, of_view
from players.mind import Mind


class JokersMind(Mind[State, Move, View]):
    """Plans for melds, worth what they were found to be worth."""

    game = JOKERS

    def choose(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """The policy."""
        return policy.move(of_view(view))

    def slip(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """The policy, with slips."""
        return slips.slipped(of_view(view), rng)

    def act(self, state: State, seat: int, rng: Random) -> Move:
        """The policy, straight from the state."""
        return policy.move(of_state(state, seat))


JOKERS_MIND = JokersMind()
