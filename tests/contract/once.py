"""A screen that remembers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from cogs.screens.screen import Context, GameScreen, Screen
from engines.kit.contract import Decision

CACHE_SIZE = 4000


class CachedScreen:
    """A screen that draws a hand once, however often it is asked for: it is pure, and pages lead to pages."""

    def __init__(self, screen: GameScreen) -> None:
        self._screen = screen
        self._hands: dict[object, Screen] = {}

    @classmethod
    def wrap(cls, screen: GameScreen) -> GameScreen:
        return cast("GameScreen", cls(screen))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._screen, name)

    def hand(self, view: Any, decision: Decision | None, moves: Sequence[Any], context: Context) -> Screen:
        key = (view, decision, context)
        if key not in self._hands:
            if len(self._hands) >= CACHE_SIZE:
                self._hands.clear()
            self._hands[key] = self._screen.hand(view, decision, moves, context)
        return self._hands[key]


def uncached_screen(screen: GameScreen) -> GameScreen:
    """The screen itself, which draws everything again."""
    return screen._screen if isinstance(screen, CachedScreen) else screen
