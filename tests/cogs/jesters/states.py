"""Positions of Jesters to draw screens of."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import count
from random import Random

from cogs.jesters.game_ui import GAME_UI
from cogs.screens.screen import Context, Screen
from engines.jesters import JESTERS, prospects
from engines.jesters.model import FAVORITE_TARGET, Finish, Learn, Move, Options, Perform, State
from engines.jesters.view import View
from engines.kit.chance import Chance
from tests.contexts import make_context as told_of
from tests.engines.jesters.positions import completing_moves

NAMES = ("Ana\\_\\*", "李雷, 8 dice", "Cleo", "Dora")


def choose_helpful(state: State, rng: Random) -> Move:
    """Return a useful move: learn, perform with all dice, and use everything that helps."""
    view, moves = JESTERS.view(state, state.turn), JESTERS.moves(state, state.turn)
    if state.phase == "turn":
        return _choose_turn(state, view, rng)
    if state.phase == "attempt":
        if prospects.meets_requirement(view):
            return Finish() if rng.random() < 0.9 else rng.choice(moves)
        ways = completing_moves(view, moves)
        if ways and rng.random() < 0.7:
            return rng.choice(ways)
    return rng.choice(moves)


def _choose_turn(state: State, view: View, rng: Random) -> Move:
    moves = JESTERS.moves(state, state.turn)
    owned = view.dice[state.turn]
    if sum(owned) >= rng.randint(2, 6):
        targets = [*view.board, *([] if state.turn in view.done else [FAVORITE_TARGET] * 2)]
        if targets:
            return Perform(rng.choice(targets), owned)
    learns = [move for move in moves if isinstance(move, Learn)]
    return rng.choice(learns) if learns and rng.random() < 0.95 else moves[-1]


def match_positions(seats: int, seed: int) -> Iterator[State]:
    """Return all positions of a random match, including the last one. Callers must not change them."""
    rng = Random(seed)
    state = JESTERS.start(seats, Options(), Chance(f"{seed:032x}"))
    while JESTERS.decisions(state):
        yield state
        state = JESTERS.copy(state)
        JESTERS.play(state, state.turn, choose_helpful(state, rng))
    yield state


@cache
def whole_match(seats: int) -> tuple[State, ...]:
    """Return a random match of several rounds with every kind of decision. Callers must not change the states."""
    wanted = {"turn", "attempt", "mark", "keep", "over"}
    matches = (tuple(match_positions(seats, seed)) for seed in count(1))
    return next(match for match in matches if {state.phase for state in match} == wanted and match[-1].round > 1)


def finished_state(seats: int, seed: int) -> State:
    """Return the end of a random match."""
    *_, last = match_positions(seats, seed)
    return last


def make_context(seats: int, names: tuple[str, ...] = NAMES, news: tuple[str, ...] = ()) -> Context:
    """Return a context with this many names."""
    return told_of(names[:seats], Options(), news)


def hand_screen(state: State, seat: int, context: Context | None = None) -> Screen:
    """Return a seat's hand."""
    decision, moves = JESTERS.decisions(state).get(seat), JESTERS.moves(state, seat)
    return GAME_UI.screen.hand(JESTERS.view(state, seat), decision, moves, context or make_context(len(state.hands)))


def table_screen(state: State, context: Context | None = None) -> Screen:
    """Return the public table."""
    return GAME_UI.screen.table(JESTERS.view(state, None), context or make_context(len(state.hands)))


def result_screen(state: State, context: Context | None = None) -> Screen:
    """Return the table of a finished match."""
    outcome = JESTERS.outcome(state)
    assert outcome is not None
    return GAME_UI.screen.result(JESTERS.view(state, None), outcome, context or make_context(len(state.hands)))


def screen_text(screen: Screen) -> str:
    """Return all words of a screen, without the alt text."""
    return "\n".join((*screen.above, *screen.below)).replace("\N{NO-BREAK SPACE}", " ")
