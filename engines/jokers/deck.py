"""Jokers' 54 cards: 0–51 as in engines.kit.cards, plus two identical jokers. Hands are sets of bits."""

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
"""How deep a safety card reaches into the discard pile (K4): ace 1, 2 to 10, jack 11, queen 12, king and joker 13."""

# A hand is a set of bits, one per card; the jokers are counted in the bits above. Adding or subtracting ONE adds or
# removes a card, and a suit is thirteen consecutive bits, from the ace up.
CARD_BIT = tuple(1 << card for card in range(CARD_KINDS))
CARD_MASK = (*CARD_BIT[:52], 3 << 52)
SUIT_MASKS = tuple(8191 << 13 * suit for suit in range(4))
CLUBS, DIAMONDS, HEARTS, SPADES = SUIT_MASKS
RED, BLACK = DIAMONDS | HEARTS, CLUBS | SPADES


def make_hand(cards: Iterable[int]) -> int:
    """Return the hand of these cards."""
    return sum(map(CARD_BIT.__getitem__, cards))


def hand_cards(hand: int) -> tuple[int, ...]:
    """Return the cards of a hand, sorted."""
    return (
        _suit_cards(hand & CLUBS)
        + _suit_cards(hand & DIAMONDS)
        + _suit_cards(hand & HEARTS)
        + _suit_cards(hand & SPADES)
        + (JOKER,) * (hand >> JOKER)
    )


@cache
def _suit_cards(hand: int) -> tuple[int, ...]:
    """Return the cards of a single-suit hand. There are few such hands."""
    return tuple(card for card in range(JOKER) if hand & CARD_BIT[card])


def hand_size(hand: int) -> int:
    """Return the number of cards in a hand."""
    return (hand & CARD_BIT[JOKER] - 1).bit_count() + (hand >> JOKER)


def remove_card(hand: int, card: int) -> int:
    """Return the hand without that card, if it has it."""
    return hand - CARD_BIT[card] if hand & CARD_MASK[card] else hand


def is_one_colour(hand: int) -> bool:
    """Whether all cards are red, or all black. Jokers count as either (K14)."""
    return not hand & RED or not hand & BLACK
