"""Wizard's sixty cards and what a trick says: 0–51 as in engines.cards, then the Jesters and the Wizards, all alike."""

from __future__ import annotations

from collections.abc import Sequence

from engines import cards

JESTER, WIZARD = 52, 53
DECK = (*range(52), *[JESTER] * 4, *[WIZARD] * 4)
KINDS = 54

SUIT = tuple(card // 13 if card < 52 else None for card in range(KINDS))
STRENGTH = tuple(0 if card == JESTER else 14 if card == WIZARD else (card % 13) or 13 for card in range(KINDS))
"""Jester < 2 < … < A < Wizard."""

_SPECIAL = {JESTER: "jester", WIZARD: "wizard"}
_READ = {"jester": JESTER, "jesters": JESTER, "wizard": WIZARD, "wizards": WIZARD}


def name(card: int) -> str:
    """The card's name in the notation: `10H`, `wizard`."""
    return _SPECIAL.get(card) or cards.name(card)


def card(text: str) -> int:
    """The card behind a name. Raises ValueError."""
    special = _READ.get(text.strip().lower())
    return cards.card(text) if special is None else special


def spoken(card: int) -> str:
    """The card in a sentence: `the 10 of hearts`, `a Wizard`."""
    if card in _SPECIAL:
        return "a " + _SPECIAL[card].capitalize()
    words = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}
    rank = cards.RANKS[card % 13]
    return f"the {words.get(rank, rank)} of {cards.SUIT_WORDS[card // 13]}"


def suit_to_follow(trick: Sequence[int]) -> int | None:
    """The suit that a trick so far asks for."""
    for card in trick:
        if card != JESTER:  # W6: the first card that is not a Jester decides; W8: later Wizards change nothing
            return SUIT[card]
    return None


def winner(trick: Sequence[int], trump: int | None) -> int:
    """Which card of a full trick takes it: 0 for the one led."""
    if WIZARD in trick:
        return trick.index(WIZARD)  # W9: the first Wizard
    followed = suit_to_follow(trick)
    best, at = -1, 0  # W9: where only Jesters fell, the first of them
    for i, card in enumerate(trick):
        suit = SUIT[card]
        if suit is None or suit not in (trump, followed):
            continue
        strength = STRENGTH[card] + (100 if suit == trump else 0)
        if strength > best:
            best, at = strength, i
    return at
