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
    """Every position of a random match, the last one included; the states are not to be changed."""
    random = Random(seed)
    state = WIZARD.start(seats, Options(rounds), Chance(f"{seed:032x}"))
    while WIZARD.decisions(state):
        yield state
        state = WIZARD.copy(state)
        seat = next(iter(WIZARD.decisions(state)))
        WIZARD.play(state, seat, random.choice(WIZARD.moves(state, seat)))
    yield state


def finished_state(seats: int, seed: int, rounds: int | None = None) -> State:
    """The end of a random match."""
    *_, last = match_positions(seats, seed, rounds)
    return last


def sorted_hands(state: State) -> list[tuple[int, ...]]:
    """Every seat's cards, sorted."""
    return [WIZARD.view(state, seat).hand for seat in range(len(state.scores))]


def make_context(seats: int, names: tuple[str, ...] = NAMES, news: tuple[str, ...] = ()) -> Context:
    """A context with so many names."""
    return told_of(names[:seats], Options(), news)


def screen_text(screen: Screen) -> str:
    """All that a screen says in words, alt text apart."""
    return "\n".join((*screen.above, *screen.below))
