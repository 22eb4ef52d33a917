"""Positions of Jesters to draw screens of."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import count
from random import Random

from cogs.jesters.front import FRONT
from cogs.screens.screen import Context, Screen
from engines.jesters import JESTERS
from engines.jesters.model import FAVORITE, Finish, Learn, Move, Options, Perform, State, View
from engines.jesters.requirements import prospects
from engines.kit.chance import Chance
from tests.contexts import context as told_of
from tests.engines.jesters.positions import completing

NAMES = ("Ana\\_\\*", "李雷, 8 dice", "Cleo", "Dora")


def choose(state: State, rng: Random) -> Move:
    """A move that gets somewhere: learning, performing with all dice, and using whatever helps."""
    view, moves = JESTERS.view(state, state.turn), JESTERS.moves(state, state.turn)
    if state.phase == "turn":
        return _turn(state, view, rng)
    if state.phase == "attempt":
        if prospects.met(view):
            return Finish() if rng.random() < 0.9 else rng.choice(moves)
        ways = completing(view, moves)
        if ways and rng.random() < 0.7:
            return rng.choice(ways)
    return rng.choice(moves)


def _turn(state: State, view: View, rng: Random) -> Move:
    moves = JESTERS.moves(state, state.turn)
    owned = view.dice[state.turn]
    if sum(owned) >= rng.randint(2, 6):
        targets = [*view.board, *([] if state.turn in view.done else [FAVORITE] * 2)]
        if targets:
            return Perform(rng.choice(targets), owned)
    learns = [move for move in moves if isinstance(move, Learn)]
    return rng.choice(learns) if learns and rng.random() < 0.95 else moves[-1]


def positions(seats: int, seed: int) -> Iterator[State]:
    """Every position of a random match, the last one included; the states are not to be changed."""
    rng = Random(seed)
    state = JESTERS.start(seats, Options(), Chance(f"{seed:032x}"))
    while JESTERS.decisions(state):
        yield state
        state = JESTERS.copy(state)
        JESTERS.play(state, state.turn, choose(state, rng))
    yield state


@cache
def whole_match(seats: int) -> tuple[State, ...]:
    """A random match of several rounds with every kind of decision; the states are not to be changed."""
    wanted = {"turn", "attempt", "mark", "keep", "over"}
    matches = (tuple(positions(seats, seed)) for seed in count(1))
    return next(match for match in matches if {state.phase for state in match} == wanted and match[-1].round > 1)


def finished(seats: int, seed: int) -> State:
    """The end of a random match."""
    *_, last = positions(seats, seed)
    return last


def context(seats: int, names: tuple[str, ...] = NAMES, news: tuple[str, ...] = ()) -> Context:
    """A context with so many of these names."""
    return told_of(names[:seats], Options(), news)


def hand(state: State, seat: int, given: Context | None = None) -> Screen:
    """A seat's hand."""
    decision, moves = JESTERS.decisions(state).get(seat), JESTERS.moves(state, seat)
    return FRONT.screen.hand(JESTERS.view(state, seat), decision, moves, given or context(len(state.hands)))


def table(state: State, given: Context | None = None) -> Screen:
    """The public table."""
    return FRONT.screen.table(JESTERS.view(state, None), given or context(len(state.hands)))


def result(state: State, given: Context | None = None) -> Screen:
    """The table of a finished match."""
    outcome = JESTERS.outcome(state)
    assert outcome is not None
    return FRONT.screen.result(JESTERS.view(state, None), outcome, given or context(len(state.hands)))


def text(screen: Screen) -> str:
    """All that a screen says in words, alt text apart."""
    return "\n".join((*screen.above, *screen.below)).replace("\N{NO-BREAK SPACE}", " ")
