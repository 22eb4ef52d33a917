"""Jester's Court, Suit Thyself!: move your Mage past all four edges of the board. Two to four players."""

from engines.court.game import COURT_GAME as COURT

__all__ = ["COURT"]
