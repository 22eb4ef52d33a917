"""Glimpse's twelve cards, each the number on it: the low ones are fools, the high ones wizards."""

from __future__ import annotations

DECK = range(1, 13)
HAND_SIZE = 3
"""How many cards everybody is dealt."""


def is_wizard(card: int) -> bool:
    """G1: from 7 on they are wizards."""
    return card > 6


def kind_name(wizard: bool) -> str:
    """The word for it: `wizard`, `fool`."""
    return "wizard" if wizard else "fool"
