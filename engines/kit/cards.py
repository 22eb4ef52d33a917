"""Playing cards as small ints, and their names: 0–51 are suit × 13 + rank, with the ace as rank 0.

A game whose deck has cards of its own counts them from 52 on and names all of them by `Names`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

from engines.kit.contract import IllegalMove

SUITS = "CDHS"
SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
_SPOKEN = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
_CARDS = {rank + suit: card for card, (suit, rank) in enumerate(product(SUITS, RANKS))}


def card(name: str, like: Sequence[str] = ("10H", "QS")) -> int:
    """The int of a name such as `10H` or `qs`. Raises ValueError, with how the game's cards are written."""
    return _card(_CARDS, name, like)


def name(card: int) -> str:
    """The name of an int from 0 to 51: 22 is `10D`."""
    return RANKS[card % 13] + SUITS[card // 13]


def spoken(card: int) -> str:
    """The card in a sentence: `the queen of hearts`."""
    rank = RANKS[card % 13]
    return f"the {_SPOKEN.get(rank, rank)} of {SUIT_WORDS[card // 13]}"


def suit(text: str) -> int:
    """The suit behind `H`, `hearts` or `Heart`. Raises ValueError."""
    word = text.strip().lower()
    for index, full in enumerate(SUIT_WORDS):
        if word and word in {full, full[:-1], full[0]}:
            return index
    raise ValueError(f"“{text.strip()[:20]}” is not a suit; write clubs, diamonds, hearts or spades.")


def _card(known: Mapping[str, int], text: str, like: Sequence[str]) -> int:
    found = known.get(text.strip().upper())
    if found is None:
        raise ValueError(f"“{text.strip()[:20]}” is not a card; write it like {', '.join(like[:-1])} or {like[-1]}.")
    return found


class Special(NamedTuple):
    """A card of one game: its name in the notation and in a sentence, and further words that are read as it."""

    name: str
    spoken: str
    also: tuple[str, ...] = ()


class Names:
    """The names of a game's kinds of cards: 0–51, and from 52 on its special ones.

    `like` are the cards by which a refusal shows how they are written.
    """

    def __init__(self, *specials: Special, like: Sequence[str]) -> None:
        self._like = like
        self._names = (*map(name, range(52)), *[special.name for special in specials])
        self._spoken = (*map(spoken, range(52)), *[special.spoken for special in specials])
        self._cards = _CARDS | {
            word.upper(): kind for kind, special in enumerate(specials, 52) for word in (special.name, *special.also)
        }

    def name(self, card: int) -> str:
        """The card's name in the notation: `10H`, `joker`."""
        return self._names[card]

    def card(self, text: str) -> int:
        """The card behind a name, in any case. Raises ValueError."""
        return _card(self._cards, text, self._like)

    def spoken(self, card: int) -> str:
        """The card in a sentence: `the 10 of hearts`, `a joker`."""
        return self._spoken[card]

    def not_held(self, card: int) -> IllegalMove:
        """What to say of a card that is not in the hand, or that there is not."""
        if not 0 <= card < len(self._spoken):
            return IllegalMove(None, "There is no such card.")
        return IllegalMove(None, f"You do not hold {self._spoken[card]}.")
