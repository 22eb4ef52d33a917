"""Jokers' computer players."""

from players.jokers.mind import JOKERS_MIND as MIND

__all__ = ["MIND"]
