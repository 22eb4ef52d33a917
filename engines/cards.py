"""Playing cards as small ints, and their names: 0–51 are suit × 13 + rank, with the ace as rank 0."""

from __future__ import annotations

from collections.abc import Sequence

SUITS = "CDHS"
SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)


def card(name: str, like: Sequence[str] = ("10H", "QS")) -> int:
    """The int of a name such as `10H` or `qs`. Raises ValueError, with how the game's cards are written."""
    text = name.strip().upper()
    rank, suit = text[:-1], text[-1:]
    if rank not in RANKS or not suit or suit not in SUITS:
        raise ValueError(f"“{name.strip()[:20]}” is not a card; write it like {', '.join(like[:-1])} or {like[-1]}.")
    return SUITS.index(suit) * 13 + RANKS.index(rank)


def name(card: int) -> str:
    """The name of an int from 0 to 51: 22 is `10D`."""
    return RANKS[card % 13] + SUITS[card // 13]


def suit(text: str) -> int:
    """The suit behind `H`, `hearts` or `Heart`. Raises ValueError."""
    word = text.strip().lower()
    for index, full in enumerate(SUIT_WORDS):
        if word and word in {full, full[:-1], full[0]}:
            return index
    raise ValueError(f"“{text.strip()[:20]}” is not a suit; write clubs, diamonds, hearts or spades.")
