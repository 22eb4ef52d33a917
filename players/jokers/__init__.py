"""Jokers' computer players."""

from players.jokers.player_model import JOKERS_MIND as MIND

__all__ = ["MIND"]
