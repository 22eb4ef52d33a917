"""The computer players of Jester's Court."""

from __future__ import annotations

from players.court.player_model import CourtPlayerModel

__all__ = ["PLAYER_MODEL"]

PLAYER_MODEL = CourtPlayerModel()
