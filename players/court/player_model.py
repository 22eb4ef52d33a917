"""What computers know of Jester's Court."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random

from engines.court import COURT
from engines.court.model import Move, State, View
from players.court.blunders import slip
from players.court.odds import Odds
from players.court.policy import decide, ranked
from players.player_model import Mind, Unit
from players.search import Budget

EFFORT = {2: 1.0, 3: 0.5, 4: 0.4}
"""By number of seats, which part of the simulations a decision gets: some 50 ms of them all."""


class CourtMind(Mind[State, Move, View]):
    """Races for banners, and hinders whoever is ahead."""

    game = COURT
    budget = Budget(240, candidates=6)  # four times as many were not shown to play better
    advice = Budget(2400, candidates=6)
    unit = Unit("win more in 100 matches", "wins more in 100 matches", 100)

    def choose(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """The policy."""
        return decide(view, _seat(view), view.hand)

    def slip(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """The policy of somebody who is new to the game."""
        return slip(view, _seat(view), rng)

    def candidates(self, view: View, moves: Sequence[Move], rng: Random) -> Sequence[Move]:
        """What the policy thinks of: of the Menhir's squares those alone that are in somebody's way."""
        return ranked(view, _seat(view), view.hand)

    def effort(self, view: View) -> float:
        """The more seats, the longer it takes until it is this one's turn again."""
        return EFFORT[len(view.mages)]

    def act(self, state: State, seat: int, rng: Random) -> Move:
        """The policy, without a view."""
        return decide(state, seat, state.hands[seat])

    def value(self, state: State, seat: int, rng: Random) -> float:
        """How likely the seat wins, when all have had their turns until it is in turn again."""
        while state.owed or state.phase != "over":
            due = state.owed[0].seat if state.owed else state.turn
            if due == seat and state.phase == "move" and not state.owed:
                break
            COURT.play(state, due, self.act(state, due, rng))
        return self.worth(state, seat)

    def worth(self, state: State, seat: int) -> float:
        """How likely the seat wins, by everybody's odds."""
        outcome = COURT.outcome(state)
        if outcome is not None:
            return (seat in outcome.winners) / len(outcome.winners)
        odds = Odds(state, begun=True)
        weights = [
            exp(odds.mine(each, state.mages[each], state.banners[each], state.health[each], state.hands[each]))
            for each in range(len(state.mages))
        ]
        return weights[seat] / sum(weights)


def _seat(view: View) -> int:
    assert view.seat is not None, "spectators decide nothing"
    return view.seat
