"""Positions of Wizard to draw screens of."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from cogs.screens.screen import Context, Screen
from engines.kit.chance import Chance
from engines.wizard import WIZARD
from engines.wizard.model import Options, State
from tests.contexts import make_context as told_of

NAMES = ("Ana\\_\\*", "李雷", "bid 3, took 1", "🧙 Dan 🃏", "E: 5", "No trump")
LONG_NAMES = tuple(letter + "\\_" * 31 for letter in "abcdef")  # 32 characters, escaped


def match_positions(seats: int, seed: int, rounds: int | None = None) -> Iterator[State]:
    """Return all positions of a random match, including the last one. Callers must not change them."""
    random = Random(seed)
    state = WIZARD.start(seats, Options(rounds), Chance(f"{seed:032x}"))
    while WIZARD.decisions(state):
        yield state
        state = WIZARD.copy(state)
        seat = next(iter(WIZARD.decisions(state)))
        WIZARD.play(state, seat, random.choice(WIZARD.moves(state, seat)))
    yield state


def finished_state(seats: int, seed: int, rounds: int | None = None) -> State:
    """Return the end of a random match."""
    *_, last = match_positions(seats, seed, rounds)
    return last


def sorted_hands(state: State) -> list[tuple[int, ...]]:
    """Return every seat's sorted cards."""
    return [WIZARD.view(state, seat).hand for seat in range(len(state.scores))]


def make_context(seats: int, names: tuple[str, ...] = NAMES, news: tuple[str, ...] = ()) -> Context:
    """Return a context with this many names."""
    return told_of(names[:seats], Options(), news)


def screen_text(screen: Screen) -> str:
    """Return all words of a screen, without the alt text."""
    return "\n".join((*screen.above, *screen.below))
