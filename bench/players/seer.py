"""A seer: *hard* with all cards on the table but those still to be drawn. No inference can tell a player more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field
from random import Random
from typing import Any

from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from players import Budget, PlayerModel, search

DRAW_PILES = {"jest": "deck", "jokers": "draw"}
"""By game, the attribute of a state with the cards that nobody can know yet."""


@dataclass(slots=True)
class Seer:
    """Plays what a search finds in worlds like the true state, each with other cards to draw."""

    game: AnyGame
    model: PlayerModel[Any, Any, Any]
    budget: Budget
    truth: Any = field(default=None, init=False)
    """The state of the match; to be set before each choice."""

    def choose_move(self, view: Any, moves: Sequence[Any], rng: Random) -> Any:
        """Choose one of the moves."""
        model = copy(self.model)
        model.world_sampler = self.world_sampler  # type: ignore[method-assign]  # for this one choice
        return search(model, view, moves, rng, self.budget).move

    def world_sampler(self, view: Any, rng: Random) -> Callable[[], Any]:
        """Return a sampler of such worlds."""
        truth, pile = self.truth, DRAW_PILES[self.game.key]

        def draw_world() -> Any:
            world = self.game.copy(truth)
            world.chance = Chance(f"{rng.getrandbits(128):032x}")
            setattr(world, pile, world.chance.shuffle(getattr(world, pile)))
            return world

        return draw_world
