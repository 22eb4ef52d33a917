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
from players.player_model import Mind, Unschooled
from players.search import Budget, search

T = TypeVar("T")
UNSCHOOLED = Budget(256)
SOME = "00" * 16  # a seed


@dataclass(frozen=True, slots=True)
class Player:
    """Who plays a seat: a mind, and how it uses it."""

    mind: Mind[Any, Any, Any]
    level: Level

    @property
    def budget(self) -> Budget | None:
        """What a decision may cost where it is searched, which takes longer than an event loop can wait; else None."""
        return self.mind.budget if self.level == "hard" else UNSCHOOLED if isinstance(self.mind, Unschooled) else None

    def choose(self, view: Any, moves: Sequence[Any], rng: Random) -> Any:
        """One of the seat's legal moves; the same for equal arguments and an equal state of `rng`."""
        if len(moves) == 1:
            return moves[0]
        if self.budget is not None:
            return search(self.mind, view, moves, rng, self.budget).move
        return self.mind.slip(view, moves, rng) if self.level == "easy" else self.mind.choose(view, moves, rng)

    def decide(self, view: Any, moves: Sequence[Any], seed: str) -> Any:
        """The same, with a seed instead of a source of chance."""
        return self.choose(view, moves, Random(seed))

    def offhand(self, view: Any, moves: Sequence[Any], seed: str) -> Any:
        """What it says at once, where it cannot search: the policy's move."""
        return self.mind.choose(view, moves, Random(seed))


def anything(moves: Sequence[T], seed: str) -> T:
    """Any of the moves; the same for the same seed."""
    return Random(seed).choice(moves)


def legal(game: AnyGame, view: Any) -> Sequence[Any]:
    """The moves of the view's seat, for whoever has that alone: the same in every world behind it, so found in one."""
    return game.moves(game.sample(view, Chance(SOME)), view.seat)


def decided(game: AnyGame, view: Any, level: Level, seed: str) -> str:
    """What a player of that level does at the view's seat, as it is written."""
    return game.write(player(game, level).decide(view, legal(game, view), seed))


def player(game: AnyGame, level: Level) -> Player:
    """Somebody of that level. ValueError: the game has none."""
    if level not in levels(game):
        raise ValueError(f"{game.title} has no computer player of level {level}.")
    return Player(mind_of(game), level)


def levels(game: AnyGame) -> tuple[Level, ...]:
    """The levels that a game has, from the weakest."""
    mind = mind_of(game)
    if isinstance(mind, Unschooled):
        return ("normal",)
    return LEVELS if mind.budget is not None else LEVELS[:2]


@cache
def mind_of(game: AnyGame) -> Mind[Any, Any, Any]:
    """What computers know of the game: `MIND` of its package here, if it has one; else its rules alone."""
    name = f"players.{game.key}"
    if importlib.util.find_spec(name) is None:
        return Unschooled(game)
    mind: Mind[Any, Any, Any] = importlib.import_module(name).MIND
    return mind
