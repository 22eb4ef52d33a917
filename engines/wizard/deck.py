"""Wizard's cards and the winner of a trick: 0–51 as in kit.cards, four equal Jesters and Wizards, six special cards."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cache

from engines.kit.cards import CardNames, SpecialCard

JESTER, WIZARD = 52, 53
ELEPHANT, MOUSE, TRAPDOOR, CHAMELEON, CAROUSEL, WEATHERVANE = SPECIAL_CARDS = tuple(range(54, 60))
"""W20–W25: one of each, in the pack if the option of that name is on."""
DECK = (*range(52), *[JESTER] * 4, *[WIZARD] * 4)
CARD_KINDS = 60

SUIT = tuple(card // 13 if card < 52 else None for card in range(CARD_KINDS))
STRENGTH = (*((card % 13) or 13 for card in range(52)), 0, 14, 15, -1, 0, 0, 0, 0)
"""Mouse < Jester and the cards that rank as one < 2 < … < A < Wizard < Elephant."""
OPENS_TRICK = tuple(card not in (WIZARD, ELEPHANT) and SUIT[card] is None for card in range(CARD_KINDS))
"""W6, W20–W25: by card, whether it leaves the suit to follow open, as a Jester does."""

CARD_NAMES = CardNames(
    SpecialCard("jester", "a Jester", aliases=("jesters",)),
    SpecialCard("wizard", "a Wizard", aliases=("wizards",)),
    SpecialCard("elephant", "the Elephant"),
    SpecialCard("mouse", "the Mouse"),
    SpecialCard("trapdoor", "the Trapdoor"),
    SpecialCard("chameleon", "the Chameleon"),
    SpecialCard("carousel", "the Carousel"),
    SpecialCard("weathervane", "the Weathervane"),
    examples=("10H", "QS", "wizard", "jester"),
)
card_name, parse_card = CARD_NAMES.card_name, CARD_NAMES.parse_card


@cache
def pack(specials: tuple[int, ...]) -> tuple[int, ...]:
    """Return the sixty cards and these special ones."""
    return (*DECK, *specials)


def has_suit(hand: list[int], suit: int) -> bool:
    """Whether a sorted hand has a card of the suit."""
    first = bisect_left(hand, 13 * suit)
    return first < len(hand) and hand[first] < 13 * suit + 13


def suit_to_follow(trick: Sequence[int]) -> int | None:
    """Return the suit that must be followed after these cards."""
    for card in trick:
        if not OPENS_TRICK[card]:  # W6: the first card that is not a Jester decides; W8: later ones change nothing
            return SUIT[card]
    return None


def is_suit_open(trick: Sequence[int]) -> bool:
    """Whether the suit to follow is still open, because only Jesters were played so far (W6)."""
    return all(OPENS_TRICK[card] for card in trick)


def winning_index(trick: Sequence[int], trump: int | None) -> int:
    """Return the index of the winning card of a trick: 0 for the card led."""
    return highest_index(trick, trump, suit_to_follow(trick))


def highest_index(trick: Sequence[int], trump: int | None, follow: int | None) -> int:
    """Return the index of the winning card when the suit to follow is known."""
    ranked = trick_ranks(trump, follow)
    best = max(trick, key=ranked.__getitem__)
    if best == ELEPHANT and MOUSE in trick:
        best = MOUSE  # W21
    return trick.index(best)  # W9: the first of equally high cards


@cache
def trick_ranks(trump: int | None, follow: int | None) -> tuple[int, ...]:
    """Return every card's rank in a trick, computed once. The Mouse's is the one without the Elephant (W21)."""
    return tuple(_trick_rank(card, trump, follow) for card in range(CARD_KINDS))


def _trick_rank(card: int, trump: int | None, follow: int | None) -> int:
    """Return a card's rank in a trick (W9): Wizards, trumps, the suit to follow, and 0 for Jesters and other suits.

    If no card ranks above 0, the trick has only Jesters and the like, because any other first card is a Wizard or sets
    the suit to follow.
    """
    if card == WIZARD:
        return 300
    if card in (ELEPHANT, MOUSE):  # W20, W21
        return 400 if card == ELEPHANT else -1
    if SUIT[card] is None or SUIT[card] not in (trump, follow):
        return 0
    return (200 if SUIT[card] == trump else 100) + STRENGTH[card]
