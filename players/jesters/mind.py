"""What computers know of Jesters."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.jesters import JESTERS
from engines.jesters.model import Move, State, View
from players.jesters import policy, slips
from players.jesters.seen import from_state, from_view
from players.mind import Mind


class JestersMind(Mind[State, Move, View]):
    """Plans by what tasks, dice and Jest cards are worth."""

    game = JESTERS

    def choose(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """The policy."""
        return policy.choose(from_view(view))

    def slip(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """The policy of somebody new to the game."""
        return slips.slip(from_view(view), rng)

    def act(self, state: State, seat: int, rng: Random) -> Move:
        """The policy, without a view or a list of moves."""
        return policy.choose(from_state(state, seat))
