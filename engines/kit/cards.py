"""Playing cards as small ints, and their names: 0–51 are suit × 13 + rank, with the ace as rank 0.

A game with special cards numbers them from 52 and names all its cards with `CardNames`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

from engines.kit.errors import IllegalMove

SUITS = "CDHS"
SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
_RANK_WORDS = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
_CARD_BY_NAME = {rank + suit: card for card, (suit, rank) in enumerate(product(SUITS, RANKS))}


def parse_card(name: str, examples: Sequence[str] = ("10H", "QS")) -> int:
    """Return the int of a name such as `10H` or `qs`. Raises ValueError with examples of the game's cards."""
    return _parse_card(_CARD_BY_NAME, name, examples)


def card_name(card: int) -> str:
    """Return the name of an int from 0 to 51: 22 is `10D`."""
    return RANKS[card % 13] + SUITS[card // 13]


def card_phrase(card: int) -> str:
    """Return the card as words: `the queen of hearts`."""
    rank = RANKS[card % 13]
    return f"the {_RANK_WORDS.get(rank, rank)} of {SUIT_WORDS[card // 13]}"


def parse_suit(text: str) -> int:
    """Return the suit for `H`, `hearts` or `Heart`. Raises ValueError."""
    word = text.strip().lower()
    for index, full in enumerate(SUIT_WORDS):
        if word and word in {full, full[:-1], full[0]}:
            return index
    raise ValueError(f"“{text.strip()[:20]}” is not a suit. Write clubs, diamonds, hearts or spades.")


def _parse_card(known: Mapping[str, int], text: str, examples: Sequence[str]) -> int:
    found = known.get(text.strip().upper())
    if found is None:
        raise ValueError(
            f"“{text.strip()[:20]}” is not a card. Write it like {', '.join(examples[:-1])} or {examples[-1]}."
        )
    return found


class SpecialCard(NamedTuple):
    """A special card of one game: its name in the notation, its name in a sentence, and other words for it."""

    name: str
    phrase: str
    aliases: tuple[str, ...] = ()


class CardNames:
    """The names of a game's kinds of cards: 0–51, and its special cards from 52.

    `examples` are the cards that an error message shows.
    """

    def __init__(self, *specials: SpecialCard, examples: Sequence[str]) -> None:
        self._examples = examples
        self._names = (*map(card_name, range(52)), *[special.name for special in specials])
        self._phrases = (*map(card_phrase, range(52)), *[special.phrase for special in specials])
        self._cards = _CARD_BY_NAME | {
            word.upper(): kind for kind, special in enumerate(specials, 52) for word in (special.name, *special.aliases)
        }

    def card_name(self, card: int) -> str:
        """Return the card's name in the notation: `10H`, `joker`."""
        return self._names[card]

    def parse_card(self, text: str) -> int:
        """Return the card for a name, in any case. Raises ValueError."""
        return _parse_card(self._cards, text, self._examples)

    def card_phrase(self, card: int) -> str:
        """Return the card as words: `the 10 of hearts`, `a joker`."""
        return self._phrases[card]

    def not_in_hand_error(self, card: int) -> IllegalMove:
        """Return the error for a card that is not in the hand or does not exist."""
        if not 0 <= card < len(self._phrases):
            return IllegalMove(None, "There is no such card.")
        return IllegalMove(None, f"You do not hold {self._phrases[card]}.")
