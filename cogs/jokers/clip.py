"""Jokers in clips: what matters."""

from __future__ import annotations

from collections.abc import Mapping

from cogs.features.clips.steps import ALWAYS, DETAIL, UNSEEN
from engines.jokers.model import (
    AnyEvent,
    CardDiscarded,
    CardsDrawn,
    CardsTraded,
    HandDealt,
    HandDeclared,
    RoundDealt,
    RoundScored,
    TurnEnded,
)

WEIGHTS: Mapping[type[AnyEvent], int] = {
    HandDeclared: ALWAYS,
    RoundScored: ALWAYS,
    CardsTraded: DETAIL,
    CardDiscarded: DETAIL,
    TurnEnded: UNSEEN,
    RoundDealt: UNSEEN,
    HandDealt: UNSEEN,
    CardsDrawn: UNSEEN,
}
"""How much the kinds of events matter, if not as usual, as the safety cards do."""
