"""A seer: *hard* that sees all cards but those that nobody has seen. No inference can tell a player more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field
from random import Random
from typing import Any

from engines.jest import model as jest
from engines.jokers import model as jokers
from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from players import Budget, PlayerModel, search


def _shuffle_deck(state: jest.State) -> None:
    state.deck = state.chance.shuffle(state.deck)


def _shuffle_draw_pile(state: jokers.State) -> None:
    """Shuffle it together with the safety cards, which nobody knows before they are turned up (K2)."""
    down = [(seat, at) for seat, flags in enumerate(state.down) for at, flag in enumerate(flags) if flag]
    state.draw = state.chance.shuffle([*state.draw, *(state.safety[seat][at] for seat, at in down)])
    for seat, at in down:
        state.safety[seat][at] = state.draw.pop()


SHUFFLES: dict[str, Callable[[Any], None]] = {"jest": _shuffle_deck, "jokers": _shuffle_draw_pile}
"""By game, what shuffles the cards of a state that nobody has seen, by its own chance."""


@dataclass(slots=True)
class Seer:
    """Plays what a search finds in worlds like the true state, each with the unseen cards in another order."""

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
        truth, shuffle = self.truth, SHUFFLES[self.game.key]

        def draw_world() -> Any:
            world = self.game.copy(truth)
            world.chance = Chance(f"{rng.getrandbits(128):032x}")
            shuffle(world)
            return world

        return draw_world
