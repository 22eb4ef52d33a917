"""Screens of any game's positions, and how tests read their words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from cogs.screens.screen import Button, Buttons, Context, Control, Screen, Step, Steps
from cogs.table.game_ui import GameUI
from engines.kit.contract import AnyGame
from tests import contexts
from tests.until_over import until_over

Kind = TypeVar("Kind")


class ScreenBench:
    """The screens of a game's positions, drawn for people with the given names unless a call names others."""

    context_for = staticmethod(contexts.make_context)

    def __init__(
        self, ui: GameUI, names: Sequence[str], seats_of: Callable[[Any], int] = lambda state: len(state.hands)
    ) -> None:
        self._ui, self._names, self._seats_of = ui, names, seats_of

    def context(self, seats: int, names: Sequence[str] = (), sentences: Sequence[str] = ()) -> Context:
        return ScreenBench.context_for((names or self._names)[:seats], self._ui.game.options(), sentences)

    def hand(self, state: Any, seat: int, names: Sequence[str] = (), sentences: Sequence[str] = ()) -> Screen:
        game, context = self._ui.game, self.context(self._seats_of(state), names, sentences)
        decision, moves = game.decisions(state).get(seat), game.moves(state, seat)
        return self._ui.screen.hand(game.view(state, seat), decision, moves, context)

    def table(self, state: Any, names: Sequence[str] = ()) -> Screen:
        return self._ui.screen.table(self._ui.game.view(state, None), self.context(self._seats_of(state), names))

    def sheet(self, state: Any, names: Sequence[str] = ()) -> Screen:
        return self._ui.screen.sheet(self._ui.game.view(state, None), self.context(self._seats_of(state), names))

    def result(self, state: Any, names: Sequence[str] = (), sentences: Sequence[str] = ()) -> Screen:
        outcome, context = self._ui.game.outcome(state), self.context(self._seats_of(state), names, sentences)
        assert outcome is not None
        return self._ui.screen.result(self._ui.game.view(state, None), outcome, context)

    def turn_prompts(self, states: Iterable[Any]) -> set[str]:
        """Return what the match is said to wait for in these positions."""
        game, screen = self._ui.game, self._ui.screen
        due = ((state, *each) for state in states for each in game.decisions(state).items())
        return {screen.turn_prompt(game.view(state, seat), decision) for state, seat, decision in due}


def walk_positions(game: AnyGame, state: Any, choose: Callable[[Any], tuple[int, Any]]) -> Iterator[Any]:
    """Return all positions of a match, including the last one. Callers must not change them."""
    state = game.copy(state)
    for _ in until_over(game, state):
        yield game.copy(state)
        seat, move = choose(state)
        game.play(state, seat, move)
    yield state


def screen_text(screen: Screen) -> str:
    """Return all words of a screen, without the alt text."""
    return "\n".join((*screen.above, *screen.below))


def find_lines(words: str, pattern: str) -> list[tuple[str, ...]]:
    """Return the groups of all lines that match as a whole."""
    return [match.groups() for match in re.finditer(f"^{pattern}$", words, re.MULTILINE)]


def seat_pattern(names: Sequence[str]) -> str:
    """Return a pattern with one group for a seat as words name it: its letter, and its player's name."""
    seats = "|".join(re.escape(f"{letter} {name}") for letter, name in zip("ABCDEF", names, strict=False))
    return rf"({seats})(?: \(you\))?"


def spec_of(screen: Screen | Step, kind: type[Kind]) -> Kind:
    """Return the values of the picture of a screen or a step."""
    assert screen.picture is not None
    assert isinstance(screen.picture.spec, kind)
    return screen.picture.spec


def walk_controls(controls: Sequence[Control]) -> Iterator[Control]:
    for control in controls:
        yield control
        for step in control.steps if isinstance(control, Steps) else ():
            yield from walk_controls(step.controls)


def walk_steps(controls: Sequence[Control]) -> Iterator[Step]:
    return (step for control in walk_controls(controls) if isinstance(control, Steps) for step in control.steps)


def walk_buttons(controls: Sequence[Control]) -> list[Button]:
    return [button for control in walk_controls(controls) if isinstance(control, Buttons) for button in control.buttons]


def parse_number(text: str) -> int:
    return int(text.replace("−", "-"))


def plain_number(points: int) -> str:
    return str(points).replace("-", "−")
