"""Positions of Jokers to draw screens of."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from cogs.jokers.game_ui import GAME_UI
from cogs.screens.screen import Context, Screen
from engines.jokers import JOKERS
from engines.jokers.model import Options, State
from engines.kit.chance import Chance
from tests.contexts import make_context as told_of
from tests.engines.jokers.positions import choose_purposeful

NAMES = ("Ana\\_\\*", "李雷, 8 cards")


def match_positions(seed: int, rounds: int = 2, purpose: float = 0.6) -> Iterator[State]:
    """Return all positions of a random match, including the last one. Callers must not change them."""
    rng = Random(seed)
    state = JOKERS.start(2, Options(rounds), Chance(f"{seed:032x}"))
    while JOKERS.decisions(state):
        yield state
        state = JOKERS.copy(state)
        JOKERS.play(state, state.turn, choose_purposeful(state, rng, purpose))
    yield state


def finished_state(seed: int, rounds: int = 2, purpose: float = 0.6) -> State:
    """Return the end of a random match."""
    *_, last = match_positions(seed, rounds, purpose)
    return last


def make_context(names: tuple[str, ...] = NAMES, news: tuple[str, ...] = ()) -> Context:
    """Return a context with these names."""
    return told_of(names, Options(), news)


def hand_screen(state: State, seat: int, context: Context | None = None) -> Screen:
    """Return a seat's hand."""
    decision, moves = JOKERS.decisions(state).get(seat), JOKERS.moves(state, seat)
    return GAME_UI.screen.hand(JOKERS.view(state, seat), decision, moves, context or make_context())


def table_screen(state: State, context: Context | None = None) -> Screen:
    """Return the public table."""
    return GAME_UI.screen.table(JOKERS.view(state, None), context or make_context())


def screen_text(screen: Screen) -> str:
    """Return all words of a screen, without the alt text."""
    return "\n".join((*screen.above, *screen.below))
