"""A seer: *hard* that sees all cards but those that nobody has seen. No inference can tell a player more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any

from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from players import Budget, PlayerModel, search


def unseen_shuffler(game: AnyGame) -> Callable[[Any], None] | None:
    """Return what shuffles the cards of a state that nobody has seen: `shuffle_unseen` in `unseen.py` of the game's
    package here. None if the game has none.
    """
    package = f"bench.players.{game.key}"
    if find_spec(package) is None or find_spec(f"{package}.unseen") is None:
        return None
    module = import_module(f"{package}.unseen")
    found: Callable[[Any], None] = module.shuffle_unseen
    return found


@dataclass(slots=True)
class Seer:
    """Plays what a search finds in worlds like the true state, each with the unseen cards in another order."""

    game: AnyGame
    model: PlayerModel[Any, Any, Any]
    budget: Budget
    shuffle: Callable[[Any], None]
    truth: Any = field(default=None, init=False)
    """The state of the match; to be set before each choice."""

    def choose_move(self, view: Any, moves: Sequence[Any], rng: Random) -> Any:
        """Choose one of the moves."""
        model = copy(self.model)
        model.world_sampler = self.world_sampler  # type: ignore[method-assign]  # for this one choice
        return search(model, view, moves, rng, self.budget).move

    def world_sampler(self, view: Any, rng: Random) -> Callable[[], Any]:
        """Return a sampler of such worlds."""
        truth = self.truth

        def draw_world() -> Any:
            world = self.game.copy(truth)
            world.chance = Chance(f"{rng.getrandbits(128):032x}")
            self.shuffle(world)
            return world

        return draw_world
