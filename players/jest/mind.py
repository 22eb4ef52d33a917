"""What computers know of Jest."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.jest.game import JEST_GAME
from engines.jest.model import Move, State, View
from players.jest.known import of_state, of_view
from players.jest.policy import chosen
from players.jest.slips import slipped
from players.mind import Mind


class JestMind(Mind[State, Move, View]):
    """Goes by what each card is worth to a Jest, by whose turn comes when, and by what the others want."""

    game = JEST_GAME

    def choose(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """By what the seat knows."""
        return chosen(of_view(view))

    def slip(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """As somebody new would."""
        return slipped(of_view(view), moves, rng)

    def act(self, state: State, seat: int, rng: Random) -> Move:
        """The same from a state, in a fifth of the time."""
        return chosen(of_state(state, seat))
