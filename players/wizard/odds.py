"""Estimates the chances of cards to take tricks. Suits are sets of bits: bit c is card c of 0 to 51."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, log, sqrt

from engines.wizard.deck import CARD_KINDS, ELEPHANT, JESTER, MOUSE, STRENGTH, SUIT, TRAPDOOR, WIZARD, trick_ranks
from players.wizard.numbers import SpreadWeights, Weights

ALL_CARDS = (1 << 52) - 1
SUIT_MASKS = tuple(0x1FFF << 13 * suit for suit in range(4))
CARD_BIT = tuple(1 << card if card < 52 else 0 for card in range(CARD_KINDS))
HIGHER_CARDS = tuple(
    sum(1 << other for other in range(52) if SUIT[other] == SUIT[card] and STRENGTH[other] > STRENGTH[card])
    for card in range(CARD_KINDS)
)
"""By card: the higher ones of its suit."""
TRICK_RANKS = tuple(tuple(trick_ranks(trump, follow) for follow in (*range(4), None)) for trump in (*range(4), None))
"""By trump and the suit to follow (4 or −1 if there is none): every card's rank in a trick."""
CAUGHT_RANK, VANISHED_RANK = 500, 1000
"""The rank of the Mouse in a trick with the Elephant, and one that no card beats, because nobody takes the trick."""
TOP_RANK = TRICK_RANKS[0][0][WIZARD]
"""The rank that no card of the sixty beats."""
ELEPHANT_CHANCE, MOUSE_CHANCE, TRAPDOOR_CHANCE = 0.97, 0.02, 0.0
"""How likely these cards take a trick that is to come."""


def _rerank(changes: dict[int, int]) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return the ranks by trump and suit to follow, with other ranks for some cards."""
    return tuple(
        tuple(tuple(changes.get(card, rank) for card, rank in enumerate(ranks)) for ranks in by_suit)
        for by_suit in TRICK_RANKS
    )


RANKS_BESIDE = (TRICK_RANKS, _rerank({ELEPHANT: -1}), _rerank({MOUSE: CAUGHT_RANK}))
"""The same beside neither, beside the Mouse, and beside the Elephant (W21)."""
LOG_TRICKS = tuple(log(tricks) if tricks else 0.0 for tricks in range(21))

TrickChances = Callable[[Sequence[int], int | None, int, int, float, float, float, int], list[float]]
BidValue = Callable[[float, float, int], float]


def logistic(odds: float) -> float:
    """Return the probability for these log-odds."""
    return 1.0 / (1.0 + exp(-odds))


def make_trick_chances(weights: Weights) -> TrickChances:
    """Return a function that gives each card's chance to take a future trick.

    It takes the sorted hand, the trump, the suits' unseen cards, the number of unseen Wizards, the share of all unseen
    cards that the others have, the tricks that the others and the hand's owner still want, as fractions of the tricks
    to come, and the number of tricks to come.
    """
    jester = logistic(weights.jester)
    specials = [jester] * CARD_KINDS
    specials[WIZARD] = logistic(weights.wizard)
    specials[ELEPHANT], specials[MOUSE], specials[TRAPDOOR] = ELEPHANT_CHANCE, MOUSE_CHANCE, TRAPDOOR_CHANCE
    plain, bare, trumps = weights.plain, weights.bare, weights.trump
    trumps_out = weights.plain_trumps

    def trick_chances(
        hand: Sequence[int],
        trump: int | None,
        unseen: int,
        wizards: int,
        in_hands: float,
        demand: float,
        appetite: float,
        tricks: int,
    ) -> list[float]:
        out, many = in_hands * wizards, LOG_TRICKS[tricks]
        kind = bare if trump is None else plain
        start = kind.base + kind.wizards * out + kind.demand * demand + kind.need * appetite + kind.tricks * many
        slope, suit_slope, own_slope = kind.higher * in_hands, kind.suit * in_hands, kind.own
        trump_base = trump_slope = 0.0
        if trump is not None:
            start += trumps_out * in_hands * (unseen & SUIT_MASKS[trump]).bit_count()
            kind = trumps
            trump_base = (
                kind.base + kind.wizards * out + kind.demand * demand + kind.need * appetite + kind.tricks * many
            )
            trump_slope = kind.higher * in_hands
        lengths = [0, 0, 0, 0]
        for card in hand:
            if card < 52:
                lengths[card // 13] += 1
        chances = []
        last, base = -1, 0.0
        for card in hand:
            if card >= JESTER:
                chances.append(specials[card])
                continue
            suit = card // 13
            if suit == trump:
                odds = trump_base + trump_slope * (unseen & HIGHER_CARDS[card]).bit_count()
            else:
                if suit != last:
                    last = suit
                    base = (
                        start + suit_slope * (unseen & SUIT_MASKS[suit]).bit_count() + own_slope * (lengths[suit] - 1)
                    )
                odds = base + slope * (unseen & HIGHER_CARDS[card]).bit_count()
            chances.append(1.0 / (1.0 + exp(-odds)))
        return chances

    return trick_chances


def make_bid_value(spread_weights: SpreadWeights, miss: float) -> BidValue:
    """Return a function that gives the points of a bid, from its distance to the expected tricks and their variance."""

    sure, doubt, missed = exp(spread_weights.sure), exp(spread_weights.doubt), exp(miss)

    def bid_value(off: float, variance: float, bid: int) -> float:
        spread = sure + doubt * variance
        square = off * off
        return (20 + 10 * bid) * exp(-square / (2 * spread)) - 10 * sqrt(square + missed * spread)

    return bid_value
