"""Jokers: trade for a hand that is all sets and runs. Two players."""

from engines.jokers.game import JOKERS_GAME as JOKERS

__all__ = ["JOKERS"]
