"""How a game's screen words planned moves."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class WordsPlans(Protocol):
    """What the screen of a game implements whose players can mark moves ahead."""

    def plan_label(self, move: Any) -> str:
        """Return a move as a list of moves to plan names it."""
        ...

    def condition_text(self, condition: str) -> str:
        """Return a condition of a planned move in a few words, to follow its name: `if hearts ♥ are led`."""
        ...

    def dropped_text(self, reason: str) -> str:
        """Return in a sentence that a planned move was dropped, and why."""
        ...
