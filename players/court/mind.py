"""What computers know of Jester's Court."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.court import COURT
from engines.court.model import Move, State, View
from players.court.policy import decide
from players.court.slips import slip
from players.mind import Mind


class CourtMind(Mind[State, Move, View]):
    """Races for banners, and hinders whoever is ahead."""

    game = COURT

    def choose(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """The policy."""
        assert view.seat is not None
        return decide(view, view.seat, view.hand)

    def slip(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """The policy of somebody who is new to the game."""
        assert view.seat is not None
        return slip(view, view.seat, rng)

    def act(self, state: State, seat: int, rng: Random) -> Move:
        """The policy, without a view."""
        return decide(state, seat, state.hands[seat])
