"""Who plays Jester's Court."""

from __future__ import annotations

from players.court.player_model import CourtMind

__all__ = ["MIND"]

MIND = CourtMind()
