"""Computer players: a policy for each game, and one search for all games. They see views, never states.

`make_player(game, level)` returns a player. Its `choose_move` takes the seat's view and legal moves and returns one of
the moves; `choose_notation` needs only the view. Nothing here depends on Discord, SQL or the clock.
"""

from __future__ import annotations

from engines.store.table_options import LEVELS, Level
from players.advice import Advice, advise, advise_on_view, compare_on_view, is_equal, policy_advice, review_move
from players.levels import Player, available_levels, choose_notation, legal_moves, make_player, random_move
from players.player_model import Budget, PlayerModel, ValueUnit
from players.search import MoveValue, SearchResult, search

__all__ = [
    "LEVELS",
    "Advice",
    "Budget",
    "Level",
    "MoveValue",
    "Player",
    "PlayerModel",
    "SearchResult",
    "ValueUnit",
    "advise",
    "advise_on_view",
    "available_levels",
    "choose_notation",
    "compare_on_view",
    "is_equal",
    "legal_moves",
    "make_player",
    "policy_advice",
    "random_move",
    "review_move",
    "search",
]
