"""The levels, which differ by method: a policy with slips, the policy, a search."""

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
    """Who plays a seat: a mind, and how it uses it."""

    model: PlayerModel[Any, Any, Any]
    level: Level

    @property
    def budget(self) -> Budget | None:
        """What a decision may cost where it is searched, which takes longer than an event loop can wait; else None."""
        return (
            self.model.budget
            if self.level == "hard"
            else RULES_ONLY_BUDGET
            if isinstance(self.model, RulesOnlyModel)
            else None
        )

    def choose_move(self, view: Any, moves: Sequence[Any], rng: Random) -> Any:
        """One of the seat's legal moves; the same for equal arguments and an equal state of `rng`."""
        if len(moves) == 1:
            return moves[0]
        if self.budget is not None:
            return search(self.model, view, moves, rng, self.budget).move
        return (
            self.model.choose_with_blunders(view, moves, rng)
            if self.level == "easy"
            else self.model.choose_move(view, moves, rng)
        )

    def choose_with_seed(self, view: Any, moves: Sequence[Any], seed: str) -> Any:
        """The same, with a seed instead of a source of chance."""
        return self.choose_move(view, moves, Random(seed))

    def policy_move(self, view: Any, moves: Sequence[Any], seed: str) -> Any:
        """What it says at once, where it cannot search: the policy's move."""
        return self.model.choose_move(view, moves, Random(seed))


def random_move(moves: Sequence[T], seed: str) -> T:
    """Any of the moves; the same for the same seed."""
    return Random(seed).choice(moves)


def legal_moves(game: AnyGame, view: Any) -> Sequence[Any]:
    """The moves of the view's seat, for whoever has that alone: the same in every world behind it, so found in one."""
    return game.moves(game.sample(view, Chance(ANY_SEED)), view.seat)


def choose_notation(game: AnyGame, view: Any, level: Level, seed: str) -> str:
    """What a player of that level does at the view's seat, as it is written."""
    return game.format_move(make_player(game, level).choose_with_seed(view, legal_moves(game, view), seed))


def make_player(game: AnyGame, level: Level) -> Player:
    """Somebody of that level. ValueError: the game has none."""
    if level not in available_levels(game):
        raise ValueError(f"{game.title} has no computer player of level {level}.")
    return Player(player_model_of(game), level)


def available_levels(game: AnyGame) -> tuple[Level, ...]:
    """The levels that a game has, from the weakest."""
    model = player_model_of(game)
    if isinstance(model, RulesOnlyModel):
        return ("normal",)
    return LEVELS if model.budget is not None else LEVELS[:2]


@cache
def player_model_of(game: AnyGame) -> PlayerModel[Any, Any, Any]:
    """What computers know of the game: `MIND` of its package here, if it has one; else its rules alone."""
    name = f"players.{game.key}"
    if importlib.util.find_spec(name) is None:
        return RulesOnlyModel(game)
    model: PlayerModel[Any, Any, Any] = importlib.import_module(name).PLAYER_MODEL
    return model
