"""The learned policy: the bid or the card that the networks value most, and what a position is worth to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engines.wizard.deals import known_voids, read_past
from engines.wizard.deck import SUIT, suit_to_follow
from engines.wizard.house_rules import is_blind_round
from engines.wizard.model import Bid, Play, State
from engines.wizard.moves import BID_MOVES, PLAY_MOVES
from engines.wizard.turn import completed_trick
from engines.wizard.view import View
from players.wizard import rounds
from players.wizard.features import TAKES_LATER, TAKES_NOW, Choices, FeatureReader
from players.wizard.networks import VALUE_SCALE, NetworkPair, load_networks
from players.wizard.numbers import Weights
from players.wizard.policy import legal_cards


class ValuedMove(NamedTuple):
    """A move, and its value in points: the expected own ones less a part of the others' mean.

    Moves of one kind are as good as each other, such as neighbours of a suit.
    """

    move: Bid | Play
    value: float
    kind: tuple[object, ...]


class LearnedPolicy:
    """Values bids and cards in rounds that the networks know."""

    def __init__(self, weights: Weights) -> None:
        self._reader = FeatureReader(weights)

    def rank_moves(self, round: State | View, seat: int, hand: Sequence[int]) -> list[ValuedMove]:
        """Return the bids near the expected tricks, or the legal cards, the best first; none in other rounds.

        Of moves with equal values the first is the one that the game lists first.
        """
        networks = networks_for(round)
        if networks is None or round.phase not in ("bid", "play"):
            return []
        if round.phase == "play" and len(legal := legal_cards(hand, suit_to_follow(round.trick))) == 1:
            return [ValuedMove(PLAY_MOVES[legal[0]], 0.0, ())]  # most moves in a search are forced, so this saves time
        moves: Sequence[Bid | Play]
        if round.phase == "bid":
            choices = self.bid_choices(round, seat, hand)
            network, moves, bids = networks.bids, BID_MOVES, [bid for bid, _ in choices.moves]
        else:
            choices = self.card_choices(round, hand)
            network, moves, bids = networks.cards, PLAY_MOVES, [round.bids[seat] or 0] * len(choices.moves)
        values = network.values(choices, bids)
        ranked = [
            ValuedMove(moves[key], value / VALUE_SCALE, _kind_of(moves[key], features))
            for (key, features), value in zip(choices.moves, values, strict=True)
        ]
        ranked.sort(key=lambda each: -each.value)
        return ranked

    def bid_choices(self, round: State | View, seat: int, hand: Sequence[int]) -> Choices:
        """Describe the bids of the seat in turn."""
        table = rounds.make_round_table(round, (), None)
        return self._reader.bid_choices(table, hand, table.bids_before(seat), table.forbidden_bid)

    def card_choices(self, round: State | View, hand: Sequence[int]) -> Choices:
        """Describe the legal cards of the seat in turn."""
        if isinstance(round, View):
            fallen, voids = [card for trick in round.tricks for card in trick.cards], known_voids(round)
        else:
            tricks = [completed_trick(round, number)[:2] for number in range(len(round.takers))]
            fallen = round.fallen
            voids = read_past(len(round.scores), len(round.taken), [*tricks, (round.leader, tuple(round.trick))]).voids
        table = rounds.make_round_table(round, fallen, suit_to_follow(round.trick))
        return self._reader.card_choices(table, hand, voids)


def _kind_of(move: Bid | Play, features: Sequence[float]) -> tuple[object, ...]:
    """Return what moves of one kind share: cards have the same chances to take this trick and a later one."""
    return (move,) if isinstance(move, Bid) else (SUIT[move.card], features[TAKES_NOW], features[TAKES_LATER])


def networks_for(round: State | View) -> NetworkPair | None:
    """Return the networks for a decision, or None if they were not trained for its house rules.

    They know the sixty cards and open bids (W16, W17, W20–W25), and no bids of players who have not seen their hand
    (W18). A dummy hand counts as a seat (W19).
    """
    if round.specials or round.bidding == "late":
        return None
    if round.phase != "play" and (round.bidding != "open" or is_blind_round(round.blind, round.round)):
        return None
    return load_networks(len(round.taken))
