"""Screens that say a wrong thing for a move each. All are Wizard's otherwise."""

from __future__ import annotations

from typing import Any

from cogs.screens.screen import Context
from cogs.wizard.screen import WizardScreen
from engines.wizard.model import Bid, Move


class LongReason(WizardScreen):
    """It has more to say than a telephone shows."""

    def move_reason(self, view: Any, move: Move, context: Context) -> str:
        return (
            f"{super().move_reason(view, move, context)} {super().move_reason(view, move, context)} And so on, and on."
        )


class HalfReason(WizardScreen):
    """What it says has no end."""

    def move_reason(self, view: Any, move: Move, context: Context) -> str:
        return super().move_reason(view, move, context).rstrip(".")


class SomeReasons(WizardScreen):
    """Nobody has thought of bids."""

    def move_reason(self, view: Any, move: Move, context: Context) -> Any:
        return None if isinstance(move, Bid) else super().move_reason(view, move, context)


class FickleReason(WizardScreen):
    """It remembers what it has said, and says another thing the next time."""

    def __init__(self) -> None:
        self.reason_count = 0

    def move_reason(self, view: Any, move: Move, context: Context) -> str:
        self.reason_count += 1
        return f"This is reason {self.reason_count} for it."
