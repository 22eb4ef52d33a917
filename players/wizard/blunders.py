"""The policy with the blunders of a beginner at Wizard: it overbids, forgets, and plays at first sight."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.wizard.deck import SUIT, suit_to_follow
from engines.wizard.model import Bid, Move, NameTrump
from engines.wizard.moves import BID_MOVES, PLAY_MOVES
from engines.wizard.view import View
from players.wizard import rounds
from players.wizard.odds import TRICK_RANKS
from players.wizard.policy import Policy, legal_cards

OVERBID_CHANCE = 0.45  # one trick more than the hand is worth is bid
UNDERBID_CHANCE = 0.15  # one less
FIRST_SIGHT_CHANCE = 0.3  # a card is played without a thought of the tricks to come


class BlunderingPolicy:
    """The policy with wrong bids, cards at first sight, and no memory of earlier tricks, nor of suits shown void."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def choose_move(self, view: View, moves: Sequence[Move], rng: Random) -> Move:
        """Return one of the moves."""
        if view.phase == "trump":
            return NameTrump(rounds.choose_trump(view, view.hand, self._policy, rng))
        if view.phase == "bid":
            return self._blundered_bid(view, rng)
        if view.phase != "play":  # special cards confuse a beginner (W24, W25)
            return rng.choice(moves)
        table = rounds.make_round_table(view, (), suit_to_follow(view.trick))
        if rng.random() < FIRST_SIGHT_CHANCE:
            return PLAY_MOVES[_first_sight_card(table, view.hand)]
        return PLAY_MOVES[rounds.choose_card(table, view.hand, self._policy)]

    def _blundered_bid(self, view: View, rng: Random) -> Bid:
        table = rounds.make_round_table(view, (), suit_to_follow(view.trick))
        assert view.seat is not None
        tricks = rounds.choose_bid(table, view.seat, view.hand, self._policy)
        chance = rng.random()
        off = 1 if chance < OVERBID_CHANCE else -1 if chance < OVERBID_CHANCE + UNDERBID_CHANCE else 0
        wrong = min(max(tricks + off, 0), view.trick_count)
        return BID_MOVES[tricks if wrong == table.forbidden_bid else wrong]  # W12


def _first_sight_card(table: rounds.RoundTable, hand: Sequence[int]) -> int:
    """Return the strongest card if tricks are needed and it beats those on the table, otherwise the weakest.

    So it may waste a Wizard, or keep a high card that becomes a burden; but it never gives away a trick that it needs
    and can still take.
    """
    ranks = TRICK_RANKS[4 if table.trump is None else table.trump]

    def strength(card: int) -> tuple[int, int]:
        suit_led = SUIT[card] if table.follow is None else table.follow
        return ranks[4 if suit_led is None else suit_led][card], card % 13 or 13

    legal = legal_cards(hand, table.follow)
    strongest = max(legal, key=strength)
    to_beat = max([strength(card)[0] for card in table.trick], default=-1)
    is_needed = table.needs[table.turn] > 0
    return strongest if is_needed and strength(strongest)[0] > to_beat else min(legal, key=strength)
