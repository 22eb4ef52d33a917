"""Jesters: learn Techniques, roll them, and complete Performances. Two to four players."""

from engines.jesters.game import JESTERS_GAME as JESTERS

__all__ = ["JESTERS"]
