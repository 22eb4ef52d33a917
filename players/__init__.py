"""Computers that play: rules of thumb for each game, and one search for all. They see views, never a state.

`player(game, level)` is who takes a seat; `choose` is asked with the seat's view and its legal moves, and answers one
of them; `decided` needs the view alone. Nothing here knows of Discord, SQL or the clock.
"""

from __future__ import annotations

from engines.store.table_options import LEVELS, Level
from players.advice import Advice, advise, advise_on_view, policy_advice, review_move
from players.levels import Player, available_levels, choose_notation, legal_moves, make_player, random_move
from players.player_model import Budget, PlayerModel, ValueUnit
from players.search import SearchResult, search

__all__ = [
    "LEVELS",
    "Advice",
    "Budget",
    "Level",
    "Player",
    "PlayerModel",
    "SearchResult",
    "ValueUnit",
    "advise",
    "advise_on_view",
    "available_levels",
    "choose_notation",
    "legal_moves",
    "make_player",
    "policy_advice",
    "random_move",
    "review_move",
    "search",
]
