"""The policy with the blunders of a beginner at Wizard."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.wizard.deck import suit_to_follow
from engines.wizard.model import Bid, Move, NameTrump
from engines.wizard.moves import BID_MOVES, PLAY_MOVES
from engines.wizard.view import View
from players.wizard import rounds
from players.wizard.policy import Policy

WRONG_BID_CHANCE = 0.65  # the share of bids that are off by one
RASH_CARD_CHANCE = 0.3  # the share of cards that are played without thinking


class BlunderingPolicy:
    """The policy with bids off by one, rash cards, and no memory of earlier tricks."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def choose_move(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """Return one of the moves."""
        if view.phase == "trump":
            return NameTrump(rounds.choose_trump(view, view.hand, self._policy, rng))
        if view.phase == "bid":
            return self._blundered_bid(view, rng)
        if view.phase != "play" or rng.random() < RASH_CARD_CHANCE:  # special cards confuse a beginner (W24, W25)
            return rng.choice(moves)
        return PLAY_MOVES[rounds.choose_card(self._table_without_past(view), view.hand, self._policy)]

    def _blundered_bid(self, view: View, rng: Random) -> Bid:
        table = self._table_without_past(view)
        assert view.seat is not None
        tricks = rounds.choose_bid(table, view.seat, view.hand, self._policy)
        if rng.random() < WRONG_BID_CHANCE:
            wrong = min(max(tricks + rng.choice((-1, 1)), 0), view.trick_count)
            tricks = tricks if wrong == table.forbidden_bid else wrong  # W12
        return BID_MOVES[tricks]

    def _table_without_past(self, view: View) -> rounds.RoundTable:
        """Return the table without the completed tricks."""
        return rounds.make_round_table(view, (), suit_to_follow(view.trick))
