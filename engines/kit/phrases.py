"""Words for what a move revealed."""

from __future__ import annotations

from collections.abc import Iterable


def join_phrases(phrases: Iterable[str]) -> str:
    """Return one or more phrases as a list in a sentence: `the 2 of clubs, a joker and the ace of hearts`."""
    *others, last = phrases
    return f"{', '.join(others)} and {last}" if others else last
