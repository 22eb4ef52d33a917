"""The column of the preferences that holds games: those whose rules were offered, and those whose lesson was."""

from __future__ import annotations

from typing import NamedTuple

from engines.store.surface_storage import Preferences

_LESSON = "lesson:"


class KnownGames(NamedTuple):
    """The keys of the games, as in `Preferences`."""

    met: frozenset[str]
    lessons: frozenset[str]


def format_known_games(preferences: Preferences) -> str:
    """Return the column's text: words in order, each a game's key, with `lesson:` before it for a lesson."""
    return " ".join(sorted(preferences.met | {f"{_LESSON}{key}" for key in preferences.lessons}))


def parse_known_games(text: str) -> KnownGames:
    """Return the games that the column's text names."""
    words = text.split()
    lessons = frozenset(word.removeprefix(_LESSON) for word in words if word.startswith(_LESSON))
    return KnownGames(frozenset(word for word in words if not word.startswith(_LESSON)), lessons)
