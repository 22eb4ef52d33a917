"""The mark of matches that are only practice, which stands beside the title of the game."""

from __future__ import annotations

from engines.store.match_store import MatchInfo


def practice_mark(info: MatchInfo) -> str:
    """Return the mark that follows the title of the game; empty if the match counts."""
    return " (practice)" if info.practice else ""
