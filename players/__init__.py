"""Computers that play: rules of thumb for each game, and one search for all. They see views, never a state.

`player(game, level)` is who takes a seat; `choose` is asked with the seat's view and its legal moves, and answers one
of them; `decided` needs the view alone. Nothing here knows of Discord, SQL or the clock.
"""

from __future__ import annotations

from engines.store.table_options import LEVELS, Level
from players.advice import Advice, advise, advised, cost, offhand
from players.levels import Player, anything, decided, legal, levels, player
from players.player_model import Mind, Unit
from players.search import Budget, Found, search

__all__ = [
    "LEVELS",
    "Advice",
    "Budget",
    "Found",
    "Level",
    "Mind",
    "Player",
    "Unit",
    "advise",
    "advised",
    "anything",
    "cost",
    "decided",
    "legal",
    "levels",
    "offhand",
    "player",
    "search",
]
