"""Playing cards as small ints, and their names: 0–51 are suit × 13 + rank, with the ace as rank 0.

A game whose deck has cards of its own counts them from 52 on and names all of them by `Names`.
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
    """The int of a name such as `10H` or `qs`. Raises ValueError, with how the game's cards are written."""
    return _parse_card(_CARD_BY_NAME, name, examples)


def card_name(card: int) -> str:
    """The name of an int from 0 to 51: 22 is `10D`."""
    return RANKS[card % 13] + SUITS[card // 13]


def card_phrase(card: int) -> str:
    """The card in a sentence: `the queen of hearts`."""
    rank = RANKS[card % 13]
    return f"the {_RANK_WORDS.get(rank, rank)} of {SUIT_WORDS[card // 13]}"


def parse_suit(text: str) -> int:
    """The suit behind `H`, `hearts` or `Heart`. Raises ValueError."""
    word = text.strip().lower()
    for index, full in enumerate(SUIT_WORDS):
        if word and word in {full, full[:-1], full[0]}:
            return index
    raise ValueError(f"“{text.strip()[:20]}” is not a suit; write clubs, diamonds, hearts or spades.")


def _parse_card(known: Mapping[str, int], text: str, examples: Sequence[str]) -> int:
    found = known.get(text.strip().upper())
    if found is None:
        raise ValueError(
            f"“{text.strip()[:20]}” is not a card; write it like {', '.join(examples[:-1])} or {examples[-1]}."
        )
    return found


class SpecialCard(NamedTuple):
    """A card of one game: its name in the notation and in a sentence, and further words that are read as it."""

    name: str
    phrase: str
    aliases: tuple[str, ...] = ()


class CardNames:
    """The names of a game's kinds of cards: 0–51, and from 52 on its special ones.

    `like` are the cards by which a refusal shows how they are written.
    """

    def __init__(self, *specials: SpecialCard, examples: Sequence[str]) -> None:
        self._examples = examples
        self._names = (*map(card_name, range(52)), *[special.name for special in specials])
        self._phrases = (*map(card_phrase, range(52)), *[special.phrase for special in specials])
        self._cards = _CARD_BY_NAME | {
            word.upper(): kind for kind, special in enumerate(specials, 52) for word in (special.name, *special.aliases)
        }

    def card_name(self, card: int) -> str:
        """The card's name in the notation: `10H`, `joker`."""
        return self._names[card]

    def parse_card(self, text: str) -> int:
        """The card behind a name, in any case. Raises ValueError."""
        return _parse_card(self._cards, text, self._examples)

    def card_phrase(self, card: int) -> str:
        """The card in a sentence: `the 10 of hearts`, `a joker`."""
        return self._phrases[card]

    def not_in_hand_error(self, card: int) -> IllegalMove:
        """What to say of a card that is not in the hand, or that there is not."""
        if not 0 <= card < len(self._phrases):
            return IllegalMove(None, "There is no such card.")
        return IllegalMove(None, f"You do not hold {self._phrases[card]}.")
