"""The levels of computer players, by method: a policy with blunders, the policy, a search."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, TypeVar

from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.store.table_options import LEVELS, Level
from players.player_model import Budget, PlayerModel, RulesOnlyModel
from players.search import search

T = TypeVar("T")
RULES_ONLY_BUDGET = Budget(256)
ANY_SEED = "00" * 16  # a seed


@dataclass(frozen=True, slots=True)
class Player:
    """A computer player: a player model, and how to use it."""

    model: PlayerModel[Any, Any, Any]
    level: Level

    @property
    def budget(self) -> Budget | None:
        """The budget of a decision if it is searched, which takes too long for an event loop; otherwise None."""
        return (
            self.model.budget
            if self.level == "hard"
            else RULES_ONLY_BUDGET
            if isinstance(self.model, RulesOnlyModel)
            else None
        )

    def choose_move(self, view: Any, moves: Sequence[Any], rng: Random) -> Any:
        """Return one of the seat's legal moves; the same for equal arguments and an equal state of `rng`."""
        if len(moves) == 1:
            return moves[0]
        if self.budget is not None and self.model.is_worth_searching(view):
            return search(self.model, view, moves, rng, self.budget).move
        return (
            self.model.choose_with_blunders(view, moves, rng)
            if self.level == "easy"
            else rng.choice(self.model.equal_moves(view, moves, rng))
        )

    def choose_with_seed(self, view: Any, moves: Sequence[Any], seed: str) -> Any:
        """Return the same with a seed instead of a random generator."""
        return self.choose_move(view, moves, Random(seed))

    def policy_move(self, view: Any, moves: Sequence[Any], seed: str) -> Any:
        """Return the policy's move at once, when a search is not possible."""
        return self.model.choose_move(view, moves, Random(seed))


def random_move(moves: Sequence[T], seed: str) -> T:
    """Return any of the moves; the same for the same seed."""
    return Random(seed).choice(moves)


def legal_moves(game: AnyGame, view: Any) -> Sequence[Any]:
    """Return the moves of the view's seat from the view alone: all worlds behind it allow the same moves."""
    return game.moves(game.sample(view, Chance(ANY_SEED)), view.seat)


def choose_notation(game: AnyGame, view: Any, level: Level, seed: str) -> str:
    """Return the notation of the move that a player of that level makes at the view's seat."""
    return game.format_move(make_player(game, level).choose_with_seed(view, legal_moves(game, view), seed))


def make_player(game: AnyGame, level: Level) -> Player:
    """Return a player of that level. Raises ValueError if the game has none."""
    if level not in available_levels(game):
        raise ValueError(f"{game.title} has no computer player of level {level}.")
    return Player(player_model_of(game), level)


def available_levels(game: AnyGame) -> tuple[Level, ...]:
    """Return the levels of a game, from the weakest."""
    model = player_model_of(game)
    if isinstance(model, RulesOnlyModel):
        return ("normal",)
    return LEVELS if model.budget is not None else LEVELS[:2]


@cache
def player_model_of(game: AnyGame) -> PlayerModel[Any, Any, Any]:
    """Return the game's player model: `PLAYER_MODEL` of its package here, or else a model that only has the rules."""
    name = f"players.{game.key}"
    if importlib.util.find_spec(name) is None:
        return RulesOnlyModel(game)
    model: PlayerModel[Any, Any, Any] = importlib.import_module(name).PLAYER_MODEL
    return model
