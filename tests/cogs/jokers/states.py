"""Positions of Jokers to draw screens of."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from cogs.jokers.front import FRONT
from cogs.screens.screen import Context, Screen
from engines.jokers import JOKERS
from engines.jokers.model import Options, State
from engines.kit.chance import Chance
from tests.contexts import context as told_of
from tests.engines.jokers.positions import choose

NAMES = ("Ana\\_\\*", "李雷, 8 cards")


def positions(seed: int, rounds: int = 2, purpose: float = 0.6) -> Iterator[State]:
    """Every position of a random match, the last one included; the states are not to be changed."""
    rng = Random(seed)
    state = JOKERS.start(2, Options(rounds), Chance(f"{seed:032x}"))
    while JOKERS.decisions(state):
        yield state
        state = JOKERS.copy(state)
        JOKERS.play(state, state.turn, choose(state, rng, purpose))
    yield state


def finished(seed: int, rounds: int = 2, purpose: float = 0.6) -> State:
    """The end of a random match."""
    *_, last = positions(seed, rounds, purpose)
    return last


def context(names: tuple[str, ...] = NAMES, news: tuple[str, ...] = ()) -> Context:
    """A context with these names."""
    return told_of(names, Options(), news)


def hand(state: State, seat: int, given: Context | None = None) -> Screen:
    """A seat's hand."""
    decision, moves = JOKERS.decisions(state).get(seat), JOKERS.moves(state, seat)
    return FRONT.screen.hand(JOKERS.view(state, seat), decision, moves, given or context())


def table(state: State, given: Context | None = None) -> Screen:
    """The public table."""
    return FRONT.screen.table(JOKERS.view(state, None), given or context())


def text(screen: Screen) -> str:
    """All that a screen says in words, alt text apart."""
    return "\n".join((*screen.above, *screen.below))
