"""How a match that is only practice is marked wherever it is named."""

from __future__ import annotations

from engines.store.match_store import MatchInfo


def practice_mark(info: MatchInfo) -> str:
    """Return the mark that follows the title of the game; empty if the match counts."""
    return " (practice)" if info.practice else ""
