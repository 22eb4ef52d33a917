"""The learned policy: the bid or the card whose network promises most points."""

from __future__ import annotations

from collections.abc import Sequence

from engines.wizard.deals import known_voids
from engines.wizard.deck import suit_to_follow
from engines.wizard.house_rules import is_blind_round
from engines.wizard.model import Move
from engines.wizard.moves import BID_MOVES, PLAY_MOVES
from engines.wizard.view import View
from players.wizard import rounds
from players.wizard.features import Choices, FeatureReader
from players.wizard.networks import Network, NetworkPair, load_networks
from players.wizard.numbers import Weights


class LearnedPolicy:
    """Chooses bids and cards from a view, if the networks know its kind of round."""

    def __init__(self, weights: Weights) -> None:
        self._reader = FeatureReader(weights)

    def choose_move(self, view: View) -> Move | None:
        """Return a bid or a card; None in other decisions, and under house rules for which no network was trained."""
        networks = _networks_for(view)
        if networks is None:
            return None
        if view.phase == "bid":
            return BID_MOVES[_best(networks.bids, self.bid_choices(view), None)]
        if view.phase == "play":
            assert view.seat is not None
            return PLAY_MOVES[_best(networks.cards, self.card_choices(view), view.bids[view.seat])]
        return None

    def bid_choices(self, view: View) -> Choices:
        """Describe the bids of the seat in turn."""
        assert view.seat is not None
        table = rounds.make_round_table(view, (), None)
        return self._reader.bid_choices(table, view.hand, table.bids_before(view.seat), table.forbidden_bid)

    def card_choices(self, view: View) -> Choices:
        """Describe the legal cards of the seat in turn."""
        fallen = [card for trick in view.tricks for card in trick.cards]
        table = rounds.make_round_table(view, fallen, suit_to_follow(view.trick))
        return self._reader.card_choices(table, view.hand, known_voids(view))


def _networks_for(view: View) -> NetworkPair | None:
    """Return the networks for a round with open bids, seen hands and sixty cards; None for others (W16–W25)."""
    if view.bidding != "open" or view.specials or is_blind_round(view.blind, view.round) or view.places != view.seats:
        return None
    return load_networks(view.seats)


def _best(network: Network, choices: Choices, bid: int | None) -> int:
    """Return the card or bid of the greatest value, the first of equal ones."""
    keys = [key for key, _ in choices.moves]
    if len(keys) == 1:
        return keys[0]
    bids: Sequence[int] = keys if bid is None else [bid] * len(keys)
    values = network.values(choices, bids)
    return keys[values.index(max(values))]
