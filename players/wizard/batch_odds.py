"""The odds of the rule of thumb for many seats at once, in numpy.

Cards are suit × 13 + strength − 1 (2 to ace), 52 for Jesters and 53 for Wizards. A hand is a row of 54 counts. A suit
of 4 means none.
"""

from __future__ import annotations

from importlib import import_module
from math import exp
from os import environ
from typing import Any

from players.wizard.numbers import SpreadWeights, Weights, load_weights
from players.wizard.odds import LOG_TRICKS, logistic

environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a search uses one core, and its matrices are small
np: Any = import_module("numpy")
Array = Any

WEIGHTS: Weights = load_weights()
JESTER, WIZARD, KINDS, NO_SUIT = 52, 53, 54, 4
SUIT_OF = np.array([*(card // 13 for card in range(52)), NO_SUIT, NO_SUIT])
STRENGTH_OF = np.array([*(card % 13 + 1 for card in range(52)), 0, 14])
NAMES_BY_KIND = np.array([*range(52), *[JESTER] * 4, *[WIZARD] * 4])
TOP_RANK = 300


def higher_unseen(unseen: Array) -> Array:
    """Return, for each row of 52 flags, how many unseen cards of its suit are higher than each card."""
    by_suit = unseen.reshape(-1, 4, 13)
    return (by_suit.sum(axis=2, keepdims=True) - by_suit.cumsum(axis=2)).reshape(-1, 52)


def trick_chances(
    hand: Array,
    trump: Array,
    unseen: Array,
    wizards: Array,
    in_hands: Array,
    demand: Array,
    appetite: Array,
    tricks: int,
) -> Array:
    """Return each card's chance to take a future trick, for all 54 kinds."""
    rows, many = len(hand), LOG_TRICKS[tricks]
    out = in_hands * wizards
    higher = higher_unseen(unseen).reshape(rows, 4, 13)
    bare_row = trump == NO_SUIT

    def start(kind: Any) -> Array:
        return kind.base + kind.wizards * out + kind.demand * demand + kind.need * appetite + kind.tricks * many

    plain, bare, trumps = WEIGHTS.plain, WEIGHTS.bare, WEIGHTS.trump
    by_suit = unseen.reshape(rows, 4, 13).sum(axis=2)
    trumps_unseen = np.where(bare_row, 0.0, by_suit[np.arange(rows), np.minimum(trump, 3)])
    base = np.where(bare_row, start(bare), start(plain) + WEIGHTS.plain_trumps * in_hands * trumps_unseen)
    suit_slope = np.where(bare_row, bare.suit, plain.suit) * in_hands
    own_slope = np.where(bare_row, bare.own, plain.own)
    slope = np.where(bare_row, bare.higher, plain.higher) * in_hands
    lengths = hand[:, :52].reshape(rows, 4, 13).sum(axis=2)
    bases = base[:, None] + suit_slope[:, None] * by_suit + own_slope[:, None] * (lengths - 1)
    odds = bases[:, :, None] + slope[:, None, None] * higher
    at = np.nonzero(~bare_row)[0]
    odds[at, trump[at]] = start(trumps)[at, None] + (trumps.higher * in_hands)[at, None] * higher[at, trump[at]]
    chances = np.empty((rows, KINDS), np.float32)
    chances[:, :52] = (1.0 / (1.0 + np.exp(-odds))).reshape(rows, 52)
    chances[:, JESTER], chances[:, WIZARD] = logistic(WEIGHTS.jester), logistic(WEIGHTS.wizard)
    return chances


def expected_tricks(
    hand: Array, trump: Array, unseen: Array, wizards: Array, hidden: int, seats: int, size: int
) -> Array:
    """Return each card's chance before the bids. The expected tricks are their sum over the hand."""
    rows = len(hand)
    in_hands, demand, appetite = (
        np.full(rows, share, np.float32) for share in ((seats - 1) * size / hidden, (seats - 1) / seats, 1 / seats)
    )
    chances = trick_chances(hand, trump, unseen, wizards, in_hands, demand, appetite, size)
    appetite = (chances * hand).sum(axis=1) / size
    return trick_chances(hand, trump, unseen, wizards, in_hands, demand, appetite, size)


def take_chances(
    suit: Array,
    trump: Array,
    suit_led: Array,
    higher: Array,
    asked_unseen: Array,
    trump_unseen: Array,
    wizards: Array,
    missing: Array,
    keen: Array,
    shy: Array,
) -> Array:
    """Return the chance of the best card so far to take its trick, one value for each of the cards."""
    beating = higher + wizards
    void = missing**asked_unseen
    same = (trump == NO_SUIT) | (suit_led == NO_SUIT) | (suit_led == trump)
    power = np.where(
        same,
        beating,
        np.where(suit == trump, wizards + void * (beating - wizards), beating + void * trump_unseen),
    )
    can = 1.0 - missing**power
    return (1.0 - can * logistic(WEIGHTS.keen)) ** keen * (1.0 - can * logistic(WEIGHTS.shy)) ** shy


def bid_terms(off: Array, variance: Array, weights: SpreadWeights) -> tuple[Array, Array]:
    """Return the rule of thumb's chance to meet a bid and its mean miss, by the distance to the expected tricks."""
    spread = exp(weights.sure) + exp(weights.doubt) * variance
    square = off * off
    return np.exp(-square / (2 * spread)), np.sqrt(square + exp(WEIGHTS.miss) * spread)
