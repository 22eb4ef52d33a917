"""Screens that say a wrong thing for a move each. All are Wizard's otherwise."""

from __future__ import annotations

from typing import Any

from cogs.screens.screen import Context
from cogs.wizard.screen import WizardScreen
from engines.wizard.model import Bid, Move


class LongReason(WizardScreen):
    """It has more to say than a telephone shows."""

    def reason(self, view: Any, move: Move, context: Context) -> str:
        return f"{super().reason(view, move, context)} {super().reason(view, move, context)} And so on, and on."


class HalfReason(WizardScreen):
    """What it says has no end."""

    def reason(self, view: Any, move: Move, context: Context) -> str:
        return super().reason(view, move, context).rstrip(".")


class SomeReasons(WizardScreen):
    """Nobody has thought of bids."""

    def reason(self, view: Any, move: Move, context: Context) -> Any:
        return None if isinstance(move, Bid) else super().reason(view, move, context)


class FickleReason(WizardScreen):
    """It remembers what it has said, and says another thing the next time."""

    def __init__(self) -> None:
        self.said = 0

    def reason(self, view: Any, move: Move, context: Context) -> str:
        self.said += 1
        return f"This is reason {self.said} for it."
