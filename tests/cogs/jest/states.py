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
    """Every position of a random match with changes of mind, the last one included; they are not to be changed."""
    random = Random(seed)
    state = start_state(seats, seed)
    while decisions := JEST.decisions(state):
        yield state
        state = JEST.copy(state)
        seat = random.choice(list(decisions))
        JEST.play(state, seat, random.choice(JEST.moves(state, seat)))
    yield state


def start_state(seats: int, seed: int) -> State:
    """A match that begins."""
    return JEST.start(seats, Options(), Chance(f"{seed:032x}"))


def finished_state(seats: int, seed: int) -> State:
    """The end of a random match."""
    *_, last = match_positions(seats, seed)
    return last


def make_context(seats: int, names: tuple[str, ...] = NAMES, news: tuple[str, ...] = ()) -> Context:
    """A context with so many names."""
    return told_of(names[:seats], Options(), news)


def table_screen(state: State, given: Context) -> Screen:
    """The public table."""
    return GAME_UI.screen.table(JEST.view(state, None), given)


def hand_screen(state: State, seat: int, given: Context) -> Screen:
    """A seat's hand."""
    return GAME_UI.screen.hand(JEST.view(state, seat), JEST.decisions(state).get(seat), JEST.moves(state, seat), given)


def result_screen(state: State, given: Context) -> Screen:
    """The end of a match."""
    outcome = JEST.outcome(state)
    assert outcome is not None
    return GAME_UI.screen.result(JEST.view(state, None), outcome, given)


def screen_text(screen: Screen) -> str:
    """All that a screen says in words, alt text apart."""
    return "\n".join((*screen.above, *screen.below))
