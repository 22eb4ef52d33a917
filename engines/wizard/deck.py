"""Wizard's sixty cards and the winner of a trick: 0–51 as in kit.cards, then four equal Jesters and Wizards each."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cache

from engines.kit.cards import CardNames, SpecialCard

JESTER, WIZARD = 52, 53
DECK = (*range(52), *[JESTER] * 4, *[WIZARD] * 4)
CARD_KINDS = 54

SUIT = tuple(card // 13 if card < 52 else None for card in range(CARD_KINDS))
STRENGTH = tuple(0 if card == JESTER else 14 if card == WIZARD else (card % 13) or 13 for card in range(CARD_KINDS))
"""Jester < 2 < … < A < Wizard."""

CARD_NAMES = CardNames(
    SpecialCard("jester", "a Jester", aliases=("jesters",)),
    SpecialCard("wizard", "a Wizard", aliases=("wizards",)),
    examples=("10H", "QS", "wizard", "jester"),
)
card_name, parse_card = CARD_NAMES.card_name, CARD_NAMES.parse_card


def has_suit(hand: list[int], suit: int) -> bool:
    """Whether a sorted hand has a card of the suit."""
    first = bisect_left(hand, 13 * suit)
    return first < len(hand) and hand[first] < 13 * suit + 13


def suit_to_follow(trick: Sequence[int]) -> int | None:
    """Return the suit that must be followed after these cards."""
    for card in trick:
        if card != JESTER:  # W6: the first card that is not a Jester decides; W8: later Wizards change nothing
            return SUIT[card]
    return None


def is_suit_open(trick: Sequence[int]) -> bool:
    """Whether the suit to follow is still open, because only Jesters were played so far (W6)."""
    return all(card == JESTER for card in trick)


def winning_index(trick: Sequence[int], trump: int | None) -> int:
    """Return the index of the winning card of a trick: 0 for the card led."""
    return highest_index(trick, trump, suit_to_follow(trick))


def highest_index(trick: Sequence[int], trump: int | None, follow: int | None) -> int:
    """Return the index of the winning card when the suit to follow is known."""
    ranked = trick_ranks(trump, follow)
    return trick.index(max(trick, key=ranked.__getitem__))  # W9: the first of equally high cards


@cache
def trick_ranks(trump: int | None, follow: int | None) -> tuple[int, ...]:
    """Return every card's rank in a trick, computed once."""
    return tuple(_trick_rank(card, trump, follow) for card in range(CARD_KINDS))


def _trick_rank(card: int, trump: int | None, follow: int | None) -> int:
    """Return a card's rank in a trick (W9): Wizards, trumps, the suit to follow, and 0 for Jesters and other suits.

    If no card ranks above 0, the trick has only Jesters, because any other first card is a Wizard or sets the suit to
    follow.
    """
    if card == WIZARD:
        return 300
    if SUIT[card] is None or SUIT[card] not in (trump, follow):
        return 0
    return (200 if SUIT[card] == trump else 100) + STRENGTH[card]
