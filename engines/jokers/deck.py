"""Jokers' 54 cards: 0–51 as in engines.kit.cards, then the two jokers, alike. And hands as sets of bits."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from engines.kit.cards import CardNames, SpecialCard

JOKER = 52
DECK = (*range(52), JOKER, JOKER)
CARD_KINDS = 53
HAND_SIZE = 8  # K2

CARD_NAMES = CardNames(SpecialCard("joker", "a joker"), examples=("10H", "QS", "joker"))
card_name, parse_card, card_in_words = CARD_NAMES.card_name, CARD_NAMES.parse_card, CARD_NAMES.card_phrase

SAFETY_DEPTH = (*(card % 13 + 1 for card in range(52)), 13)
"""How deep into the discard pile a safety card reaches (K4): ace 1, 2 to 10, jack 11, queen 12, king and joker 13."""

# A hand is a set of bits, one a card; the jokers are counted above those. So a card comes and goes by adding and
# subtracting its ONE, and a suit is thirteen bits in a row, from the ace up.
CARD_BIT = tuple(1 << card for card in range(CARD_KINDS))
CARD_MASK = (*CARD_BIT[:52], 3 << 52)
SUIT_MASKS = tuple(8191 << 13 * suit for suit in range(4))
CLUBS, DIAMONDS, HEARTS, SPADES = SUIT_MASKS
RED, BLACK = DIAMONDS | HEARTS, CLUBS | SPADES


def make_hand(cards: Iterable[int]) -> int:
    """The hand of these cards."""
    return sum(map(CARD_BIT.__getitem__, cards))


def hand_cards(hand: int) -> tuple[int, ...]:
    """The cards of a hand, sorted."""
    return (
        _suit_cards(hand & CLUBS)
        + _suit_cards(hand & DIAMONDS)
        + _suit_cards(hand & HEARTS)
        + _suit_cards(hand & SPADES)
        + (JOKER,) * (hand >> JOKER)
    )


@cache
def _suit_cards(hand: int) -> tuple[int, ...]:
    """The cards of a hand that are all of one suit; so there are not many such hands."""
    return tuple(card for card in range(JOKER) if hand & CARD_BIT[card])


def hand_size(hand: int) -> int:
    """How many cards a hand has."""
    return (hand & CARD_BIT[JOKER] - 1).bit_count() + (hand >> JOKER)


def remove_card(hand: int, card: int) -> int:
    """The hand less that card, if it is in there."""
    return hand - CARD_BIT[card] if hand & CARD_MASK[card] else hand


def is_one_colour(hand: int) -> bool:
    """Whether all cards are red, or all black; jokers count as either (K14)."""
    return not hand & RED or not hand & BLACK
