"""Jokers' 54 cards: 0–51 as in engines.kit.cards, then the two jokers, alike. And hands as sets of bits."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from engines.kit.cards import Names, Special

JOKER = 52
DECK = (*range(52), JOKER, JOKER)
KINDS = 53
HAND = 8  # K2

NAMES = Names(Special("joker", "a joker"), like=("10H", "QS", "joker"))
name, card, spoken = NAMES.name, NAMES.card, NAMES.spoken

DEPTH = (*(card % 13 + 1 for card in range(52)), 13)
"""How deep into the discard pile a safety card reaches (K4): ace 1, 2 to 10, jack 11, queen 12, king and joker 13."""

# A hand is a set of bits, one a card; the jokers are counted above those. So a card comes and goes by adding and
# subtracting its ONE, and a suit is thirteen bits in a row, from the ace up.
ONE = tuple(1 << card for card in range(KINDS))
ALL = (*ONE[:52], 3 << 52)
SUITS = tuple(8191 << 13 * suit for suit in range(4))
CLUBS, DIAMONDS, HEARTS, SPADES = SUITS
RED, BLACK = DIAMONDS | HEARTS, CLUBS | SPADES


def hand(cards: Iterable[int]) -> int:
    """The hand of these cards."""
    return sum(map(ONE.__getitem__, cards))


def held(hand: int) -> tuple[int, ...]:
    """The cards of a hand, sorted."""
    return (
        _of_a_suit(hand & CLUBS)
        + _of_a_suit(hand & DIAMONDS)
        + _of_a_suit(hand & HEARTS)
        + _of_a_suit(hand & SPADES)
        + (JOKER,) * (hand >> JOKER)
    )


@cache
def _of_a_suit(hand: int) -> tuple[int, ...]:
    """The cards of a hand that are all of one suit; so there are not many such hands."""
    return tuple(card for card in range(JOKER) if hand & ONE[card])


def size(hand: int) -> int:
    """How many cards a hand has."""
    return (hand & ONE[JOKER] - 1).bit_count() + (hand >> JOKER)


def without(hand: int, card: int) -> int:
    """The hand less that card, if it is in there."""
    return hand - ONE[card] if hand & ALL[card] else hand


def one_colour(hand: int) -> bool:
    """Whether all cards are red, or all black; jokers count as either (K14)."""
    return not hand & RED or not hand & BLACK
