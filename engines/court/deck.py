"""The Court's cards: 0–51 as in engines.kit.cards, and the Menhir cards, all alike; a deck is 54 of them."""

from __future__ import annotations

from functools import cache

from engines.kit.cards import CLUBS, DIAMONDS, HEARTS, SPADES, Names, Special

MENHIR = 52
DECK = (*range(52), MENHIR, MENHIR)
KINDS = 53
NAMES = Names(Special("menhir", "a Menhir card", also=("joker",)), like=("10H", "QS", "menhir"))
name, card, spoken = NAMES.name, NAMES.card, NAMES.spoken

SUITS = (CLUBS, DIAMONDS, HEARTS, SPADES)
ACES = frozenset(range(0, 52, 13))
NUMBERS = frozenset(card for card in range(52) if 1 <= card % 13 <= 9)
COURTS = frozenset(card for card in range(52) if card % 13 >= 10)
JACK, QUEEN, KING = 10, 11, 12  # ranks

STEPS = (*(card % 13 + 1 if card in NUMBERS else 1 if card in COURTS else 0 for card in range(52)), 0)
"""How many squares a card moves a Mage (T4): 2 to 10 as many as it says, a court card one, the others none."""


def decks(seats: int) -> int:
    """How many decks so many players use: one less than there are of them."""
    return seats - 1


@cache
def pack(seats: int) -> tuple[int, ...]:
    """All cards of a match, sorted."""
    return tuple(sorted(DECK * decks(seats)))
