"""Glimpse's twelve cards, represented by their numbers. Low cards are fools, high cards wizards."""

from __future__ import annotations

DECK = range(1, 13)
HAND_SIZE = 3
"""The number of cards that each player is dealt."""


def is_wizard(card: int) -> bool:
    """Return whether a card is a wizard: numbers from 7 (G1)."""
    return card > 6


def kind_name(wizard: bool) -> str:
    """Return the name of a kind: `wizard`, `fool`."""
    return "wizard" if wizard else "fool"
