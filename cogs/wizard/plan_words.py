"""Cards that are planned ahead, in words: their conditions, and why they are cancelled."""

from __future__ import annotations

from cogs.screens import words
from engines.features.plans.planning import CHANGED, ILLEGAL, TAKEN_BACK
from engines.kit.cards import SUITS
from engines.wizard.planning import ANY, ENOUGH, LEADS, NEED, NO_SUIT

_CONDITIONS = {ANY: "whatever happens", NEED: "if you need the trick"}
_REASONS = {
    ENOUGH: "you need no more tricks",
    NO_SUIT: "no suit was led before you",
    LEADS: "you lead this trick",
    CHANGED: "the trump suit or the round has changed",
    ILLEGAL: "it cannot be played",
    TAKEN_BACK: "a move was taken back",
}


def condition_text(condition: str) -> str:
    """Return a condition in a few words: `if hearts ♥ are led`."""
    if condition in SUITS:
        return f"if {words.suit_text(SUITS.index(condition))} are led"
    return _CONDITIONS.get(condition, condition)


def dropped_text(reason: str) -> str:
    """Return why a planned card was dropped: `Your planned card was cancelled: spades ♠ were led.`"""
    if reason in SUITS:
        why = f"{words.suit_text(SUITS.index(reason))} were led"
    else:
        why = _REASONS.get(reason, _REASONS[ILLEGAL])
    return f"Your planned card was cancelled: {why}."
