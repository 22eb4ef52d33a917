"""What the networks of the learned policy get to see: a seat's knowledge, and each of its moves, in numbers.

`players/wizard/batch_features.py` computes the same for many seats at once; `bench.players.wizard.check` compares them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt
from typing import NamedTuple

from engines.wizard.deck import DECK, JESTER, STRENGTH, SUIT, WIZARD, highest_index
from players.wizard.numbers import SpreadWeights, Weights
from players.wizard.odds import (
    ALL_CARDS,
    CARD_BIT,
    HIGHER_CARDS,
    LOG_TRICKS,
    SUIT_MASKS,
    TOP_RANK,
    TRICK_RANKS,
    make_trick_chances,
)
from players.wizard.policy import legal_cards, make_take_chance
from players.wizard.rounds import RoundTable, unseen_wizards

TAKES_NOW, TAKES_LATER = 0, 2
"""Where a card's description has its chances to take the trick, and a later one."""
HIGH_CHANCE, LOW_CHANCE = 0.8, 0.15  # of a card to take a trick


class Choices(NamedTuple):
    """What describes the seat, and its moves: each with the card or the bid, and what describes it."""

    seat: list[float]
    moves: list[tuple[int, list[float]]]


class FeatureReader:
    """Describes decisions, with the odds of the rule of thumb."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._trick_chances = make_trick_chances(weights)
        self._take_chance = make_take_chance(weights)

    def bid_choices(
        self, table: RoundTable, hand: Sequence[int], bids_made: Sequence[float], forbidden: int | None
    ) -> Choices:
        """Describe the bids near the expected tricks, except the forbidden one (W12). `bids_made` are those before."""
        weights, trump, size, seats, place = self._weights, table.trump, len(hand), len(table.taken), len(bids_made)
        unseen = ALL_CARDS
        for each in hand:
            unseen &= ~CARD_BIT[each]
        hidden, wizards = len(DECK) - size, 4 - hand.count(WIZARD)
        own_wizards = 4 - wizards
        if table.turned is not None:
            hidden -= 1
            unseen &= ~CARD_BIT[table.turned]
            wizards -= table.turned == WIZARD
        in_hands, demand = (seats - 1) * size / hidden, (seats - 1) / seats
        chances = self._trick_chances(hand, trump, unseen, wizards, in_hands, demand, 1 / seats, size)
        chances = self._trick_chances(hand, trump, unseen, wizards, in_hands, demand, sum(chances) / size, size)
        mean, variance = sum(chances), sum([each - each * each for each in chances])
        bid_sum, share = sum(bids_made), size / seats
        target = weights.bid_base + weights.bid_hand * mean + weights.bid_tricks * LOG_TRICKS[size]
        target += weights.bid_others * (bid_sum - place * share) if place else weights.bid_lead
        ranks_by_suit = [{STRENGTH[card] for card in hand if SUIT[card] == suit} for suit in range(4)]
        trumps = ranks_by_suit[trump] if trump is not None else set()
        plain = [
            (8 * len(cards) + 4 * (13 in cards) + 2 * (12 in cards) + (11 in cards), cards)
            for suit, cards in enumerate(ranks_by_suit)
            if suit != trump
        ]
        plain.sort(key=lambda each: -each[0])
        by_suit: list[float] = []
        for _, cards in plain:
            by_suit += len(cards) / 5, 13 in cards, 12 in cards, 11 in cards, sum([card < 7 for card in cards]) / 4
        by_suit += [0.0] * (20 - len(by_suit))
        high, low = sum([each > HIGH_CHANCE for each in chances]), sum([each < LOW_CHANCE for each in chances])
        seat = [
            min(mean, 8.0) / 4,
            min(variance, 4.0),
            max(-1.0, min(target, 8.0)) / 4,
            mean / size,
            size / 10,
            1 / size,
            size == 1,
            in_hands,
            trump is None,
            place == 0,
            place == seats - 1,
            place / (seats - 1),
            _clip(bid_sum - place * share, 4) / 3,
            _clip((size - bid_sum) / size, 1),
            max(-1.0, min((size - bid_sum) / (seats - place), 4.0)) / 4,
            own_wizards / 2,
            hand.count(JESTER) / 2,
            wizards / 4,
            *[strength in trumps for strength in range(1, 14)],
            len(trumps) / size,
            *by_suit,
            high / 4,
            low / 4,
            (size - high - low) / 4,
            sum([not cards for _, cards in plain]) * bool(trumps) / 3,
        ]
        low_bid = int(mean) - 2
        bids = [bid for bid in range(max(0, low_bid), min(size, low_bid + 5) + 1) if bid != forbidden]
        values = []
        for bid in bids:
            chance, miss = _bid_terms(bid - target, variance, weights.bid, weights.miss)
            values.append((20 + 10 * bid) * chance - 10 * miss)
        best = max(values)
        moves = [
            (
                bid,
                [
                    bid / 5,
                    bid / size,
                    _clip(bid - mean, 3) / 2,
                    min((bid - mean) * (bid - mean), 9.0) / 4,
                    _clip(bid - target, 3) / 2,
                    _clip(value, 100) / 50,
                    max(value - best, -100.0) / 50,
                    bid == 0,
                    bid == size,
                    _clip((bid_sum + bid - size) / size, 1),
                    _clip(bid_sum + bid - share * (place + 1), 4) / 3,
                ],
            )
            for bid, value in zip(bids, values, strict=True)
        ]
        return Choices(seat, moves)

    def card_choices(self, table: RoundTable, hand: Sequence[int], voids: Sequence[set[int]]) -> Choices:
        """Describe the legal cards of the seat in turn. `voids` are the suits that each place is known not to have."""
        weights, trump, follow, trick, size = self._weights, table.trump, table.follow, table.trick, len(hand)
        seats, own, played = len(table.taken), table.turn, len(table.trick)
        after, bid = seats - 1 - played, table.bids[own] or 0
        later = [(own + 1 + number) % seats for number in range(after)]
        needs = table.needs
        need = needs[own]
        keen = sum([needs[place] > 0 for place in later])
        shy = after - keen
        wanted = sum([each for place, each in enumerate(needs) if each > 0 and place != own])
        demand = wanted / size
        unseen = ALL_CARDS & ~table.open_cards
        for card in hand:
            unseen &= ~CARD_BIT[card]
        wizards, hidden = unseen_wizards(table, hand), len(DECK) - table.open_count - size
        in_hands = min(1.0, (seats - 1) * (size - 1) / (hidden - after)) if hidden > after else 0.0
        missing = 1.0 - size / hidden if hidden > size else 0.0
        chances = self._trick_chances(hand, trump, unseen, wizards, in_hands, demand, need / size, size - 1)
        off, variance = need - sum(chances), sum([each - each * each for each in chances])
        unseen_by_suit = [(unseen & mask).bit_count() for mask in SUIT_MASKS]
        trumps_unseen = 0 if trump is None else unseen_by_suit[trump]
        lengths = [0, 0, 0, 0]
        for card in hand:
            if card < JESTER:
                lengths[card // 13] += 1
        ranks = TRICK_RANKS[4 if trump is None else trump]
        best = max([ranks[4 if follow is None else follow][card] for card in trick], default=-1)
        free = follow is None and best < TOP_RANK
        winner_need = needs[(own - played + highest_index(trick, trump, follow)) % seats] if trick else 0
        high, low = sum([each > HIGH_CHANCE for each in chances]), sum([each < LOW_CHANCE for each in chances])
        later_voids = [sum([suit in voids[place] for place in later]) / (seats - 1) for suit in range(4)]
        seat = [
            max(-3.0, min(need, 8.0)) / 4,
            need == 0,
            need < 0,
            need == 1,
            max(-1.0, min(need / size, 1.2)),
            need == size,
            size / 10,
            1 / size,
            bid / 5,
            _clip(off, 4) / 2,
            min(variance, 4.0),
            min(demand, 2.0),
            _clip((wanted + max(need, 0) - size) / size, 1.5),
            after / (seats - 1),
            played == 0,
            after == 0,
            keen / (seats - 1),
            shy / (seats - 1),
            winner_need > 0,
            winner_need == 0 and played > 0,
            best >= TOP_RANK,
            200 <= best < TOP_RANK,
            free,
            follow is not None and lengths[follow] > 0,
            wizards / 4,
            in_hands,
            trump is None,
            trumps_unseen * in_hands / 8,
            hand.count(WIZARD) / 2,
            hand.count(JESTER) / 2,
            0 if trump is None else lengths[trump] / size,
            high / size,
            low / size,
            (size - high - low) / size,
            max(chances),
            min(chances),
            _clip(needs[(own + 1) % seats], 3) / 3,
            0 if follow is None else later_voids[follow],
            0 if trump is None else later_voids[trump],
            _clip(max([needs[place] for place in later], default=0) / size, 1),
            sum([each == 0 for place, each in enumerate(needs) if place != own]) / (seats - 1),
            sum([each < 0 for place, each in enumerate(needs) if place != own]) / (seats - 1),
            winner_need < 0,
        ]
        found = []
        for card in legal_cards(hand, follow):
            suit = SUIT[card]
            suit_led = suit if free else follow
            rank = ranks[4 if suit_led is None else suit_led][card]
            wins = rank > best and rank > 0
            if not wins:
                now = 0.0
            elif card == WIZARD or not after:
                now = 1.0
            else:
                now = self._take_chance(card, trump, suit_led, unseen, wizards, missing, keen, shy)
            chance = chances[hand.index(card)]
            left, spread = off + chance, variance - chance + chance * chance
            met_lost, miss_lost = _bid_terms(left, spread, weights.play, weights.miss)
            met_won, miss_won = _bid_terms(left - 1.0, spread, weights.play, weights.miss)
            met_share = (1.0 - now) * met_lost + now * met_won
            miss = (1.0 - now) * miss_lost + now * miss_won
            found.append(
                (card, suit, wins, now, chance, left, met_share, miss, (20 + 10 * bid) * met_share - 10 * miss)
            )
        best_value = max([each[-1] for each in found])
        most, least = max([each[4] for each in found]), min([each[4] for each in found])
        moves = []
        for card, suit, wins, now, chance, left, met_share, miss, value in found:
            above = (unseen & HIGHER_CARDS[card]).bit_count()
            is_trump, length = suit is not None and suit == trump, 0 if suit is None else lengths[suit]
            below = 0 if suit is None else unseen_by_suit[suit] - above
            moves.append(
                (
                    card,
                    [
                        now,
                        wins,
                        chance,
                        card == WIZARD,
                        card == JESTER,
                        is_trump,
                        suit is not None and not is_trump,
                        STRENGTH[card] / 14,
                        above * in_hands / 6,
                        below * in_hands / 6,
                        0 if suit is None else (length - 1) / 4,
                        length == 1 and not is_trump,
                        _clip(left, 4) / 2,
                        _clip(left - now, 4) / 2,
                        _clip(value, 150) / 50,
                        max(value - best_value, -100.0) / 50,
                        now if need > 0 else 0.0,
                        chance - most,
                        chance - least,
                        suit is not None and not above,
                        later_voids[suit] if free and suit is not None else 0,
                        met_share,
                        min(miss, 4.0),
                    ],
                )
            )
        return Choices(seat, moves)


def _bid_terms(off: float, variance: float, weights: SpreadWeights, miss: float) -> tuple[float, float]:
    """Return the rule of thumb's chance to meet a bid, and by how much it is missed on average."""
    spread = exp(weights.sure) + exp(weights.doubt) * variance
    square = off * off
    return exp(-square / (2 * spread)), sqrt(square + exp(miss) * spread)


def _clip(value: float, limit: float) -> float:
    return max(-limit, min(value, limit))
