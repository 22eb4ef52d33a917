"""The Court's cards: 0–51 as in engines.kit.cards, plus identical Menhir cards. A deck has 54 cards."""

from __future__ import annotations

from functools import cache

from engines.kit.cards import CLUBS, DIAMONDS, HEARTS, SPADES, CardNames, SpecialCard

MENHIR = 52
DECK = (*range(52), MENHIR, MENHIR)
CARD_KINDS = 53
CARD_NAMES = CardNames(SpecialCard("menhir", "a Menhir card", aliases=("joker",)), examples=("10H", "QS", "menhir"))
card_name, parse_card, card_in_words = CARD_NAMES.card_name, CARD_NAMES.parse_card, CARD_NAMES.card_phrase

SUITS = (CLUBS, DIAMONDS, HEARTS, SPADES)
ACES = frozenset(range(0, 52, 13))
NUMBER_CARDS = frozenset(card for card in range(52) if 1 <= card % 13 <= 9)
COURT_CARDS = frozenset(card for card in range(52) if card % 13 >= 10)
JACK, QUEEN, KING = 10, 11, 12  # ranks

CARD_STEPS = (*(card % 13 + 1 if card in NUMBER_CARDS else 1 if card in COURT_CARDS else 0 for card in range(52)), 0)
"""How many squares a card moves a Mage (T4): 2 to 10 for number cards, one for court cards, none for others."""


def deck_count(seats: int) -> int:
    """Return the number of decks for this many players: one fewer than players."""
    return seats - 1


@cache
def full_pack(seats: int) -> tuple[int, ...]:
    """Return all cards of a match, sorted."""
    return tuple(sorted(DECK * deck_count(seats)))
