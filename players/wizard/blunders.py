"""The slips of somebody who is new to Wizard."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.wizard.deck import suit_to_follow
from engines.wizard.model import Bid, Move, View
from engines.wizard.moves import BIDS, PLAYS, TRUMPS
from players.wizard import rounds
from players.wizard.policy import Policy

WRONG_BIDS = 0.65  # the part of the bids that are off by one
RASH_CARDS = 0.3  # the part of the cards that are played without a thought


class Slips:
    """The policy, but with bids off by one, cards played rashly, and no memory of the tricks before."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def move(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """One of the moves."""
        if view.phase == "trump":
            return TRUMPS[self._policy.trump(view.hand, view.seats)]
        if view.phase == "bid":
            return self._bid(view, rng)
        if rng.random() < RASH_CARDS:
            return rng.choice(moves)
        return PLAYS[rounds.card(self._remembered(view), view.hand, self._policy)]

    def _bid(self, view: View, rng: Random) -> Bid:
        tricks = rounds.bid(self._remembered(view), view.hand, self._policy)
        if rng.random() < WRONG_BIDS:
            tricks += rng.choice((-1, 1))
        return BIDS[min(max(tricks, 0), view.round)]

    def _remembered(self, view: View) -> rounds.Table:
        """The table without the tricks that are over."""
        return rounds.table(view, (), suit_to_follow(view.trick))
