"""Jest's seventeen cards: hearts A–4 are 0–3, diamonds 4–7, clubs 8–11, spades 12–15, and the Joker is 16.

A Jest is a set of bits, one per card (`ONE`).
"""

from __future__ import annotations

from collections.abc import Iterable

from engines.kit import cards

JOKER = 16
DECK = range(17)
SUITS = (cards.HEARTS, cards.DIAMONDS, cards.CLUBS, cards.SPADES)
"""From the weakest to the strongest."""

SUIT = tuple(SUITS[card // 4] if card != JOKER else None for card in DECK)
VALUE = tuple(card % 4 + 1 if card != JOKER else 0 for card in DECK)
"""Face values in an offer (J5), where an Ace counts 1."""
RANKING = tuple(VALUE[card] * 5 + card // 4 for card in DECK)  # 5, because the Joker counts as its own suit
"""Higher for a higher face value, then for a stronger suit (J5). No two cards rank alike."""

CARD_BIT = tuple(1 << card for card in DECK)
PLAYING_CARD = tuple(None if suit is None else suit * 13 + VALUE[card] - 1 for card, suit in enumerate(SUIT))
"""The same cards as in engines.kit.cards."""
NAME_EXAMPLES = ("4H", "AS", "joker")
_CARDS_BY_PLAYING_CARD = {playing: card for card, playing in enumerate(PLAYING_CARD)}


def card_name(card: int) -> str:
    """Return the card's name in the notation: `3S`, `joker`."""
    playing = PLAYING_CARD[card]
    return "joker" if playing is None else cards.card_name(playing)


def parse_card(text: str) -> int:
    """Return the card for a name. Raises ValueError."""
    if text.strip().lower() == "joker":
        return JOKER
    playing = cards.parse_card(text, NAME_EXAMPLES)
    if playing not in _CARDS_BY_PLAYING_CARD:
        raise ValueError("Jest has only aces, 2s, 3s and 4s, and the Joker.")
    return _CARDS_BY_PLAYING_CARD[playing]


def make_jest(cards: Iterable[int]) -> int:
    """Return the Jest of these cards."""
    return sum(map(CARD_BIT.__getitem__, cards))


def jest_cards(jest: int) -> tuple[int, ...]:
    """Return the cards of a Jest, sorted."""
    return _RED[jest & 255] + _BLACK[jest >> 8]


def _cards_of_bits(bits: int, first: int) -> tuple[int, ...]:
    return tuple(first + place for place in range(9) if bits >> place & 1)


_RED = tuple(_cards_of_bits(bits, 0) for bits in range(256))
_BLACK = tuple(_cards_of_bits(bits, 8) for bits in range(512))  # and the Joker
