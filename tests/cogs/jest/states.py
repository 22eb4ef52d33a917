"""Positions of Jest to draw screens of."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from cogs.jest.game_ui import GAME_UI
from cogs.screens.screen import Context, Screen
from engines.jest import JEST
from engines.jest.model import Options, State
from engines.kit.chance import Chance
from tests.contexts import make_context as told_of

NAMES = ("Ana\\_\\*", "李雷", "has chosen. Jest: 1 card", "🧙 Dan 🃏")


def match_positions(seats: int, seed: int) -> Iterator[State]:
    """Return all positions of a random match with changed offers. Callers must not change them."""
    random = Random(seed)
    state = start_state(seats, seed)
    while decisions := JEST.decisions(state):
        yield state
        state = JEST.copy(state)
        seat = random.choice(list(decisions))
        JEST.play(state, seat, random.choice(JEST.moves(state, seat)))
    yield state


def start_state(seats: int, seed: int) -> State:
    """Return a new match."""
    return JEST.start(seats, Options(), Chance(f"{seed:032x}"))


def finished_state(seats: int, seed: int) -> State:
    """Return the end of a random match."""
    *_, last = match_positions(seats, seed)
    return last


def make_context(seats: int, names: tuple[str, ...] = NAMES, news: tuple[str, ...] = ()) -> Context:
    """Return a context with this many names."""
    return told_of(names[:seats], Options(), news)


def table_screen(state: State, given: Context) -> Screen:
    """Return the public table."""
    return GAME_UI.screen.table(JEST.view(state, None), given)


def hand_screen(state: State, seat: int, given: Context) -> Screen:
    """Return a seat's hand."""
    return GAME_UI.screen.hand(JEST.view(state, seat), JEST.decisions(state).get(seat), JEST.moves(state, seat), given)


def result_screen(state: State, given: Context) -> Screen:
    """Return the end of a match."""
    outcome = JEST.outcome(state)
    assert outcome is not None
    return GAME_UI.screen.result(JEST.view(state, None), outcome, given)


def screen_text(screen: Screen) -> str:
    """Return all words of a screen, without the alt text."""
    return "\n".join((*screen.above, *screen.below))
