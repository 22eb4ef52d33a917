"""The computer players of Jokers."""

from players.jokers.player_model import JOKERS_PLAYER_MODEL as PLAYER_MODEL

__all__ = ["PLAYER_MODEL"]
