"""Glimpse: fools and wizards face down, and one card of your neighbour's that you have seen. Three or four players."""

from tests.example.engines.glimpse.game import GLIMPSE_GAME as GLIMPSE

__all__ = ["GLIMPSE"]
