"""A requirement as a machine that takes dice one by one, for chances that are exact (S20).

Its states are numbered, and found as they are needed. It may be asked from several threads at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from threading import Lock
from typing import Final

from engines.jesters.requirements.forms import Form, FormState

MET_STATE: Final = 0  # the state of dice that meet it, in which they stay

Die = tuple[int, int]
KindCounts = tuple[int, ...]  # how many dice of each kind: of the colours asked for, and of all others together


class RequirementMachine:
    """Takes dice for a form and the colours asked for."""

    def __init__(self, form: Form, colours: tuple[int, ...]) -> None:
        named = [colour for colour in range(4) if colours[colour]]
        self._form = form
        self._asked = tuple(colours[colour] for colour in named)
        self._die_count = 6 * len(named) + 6
        self._kinds = tuple(named.index(c) if c in named else len(named) for c in range(4))
        self._states: list[FormState] = [()]
        self._numbers: dict[FormState, int] = {}
        self._transitions: list[list[int | None]] = [[MET_STATE] * self._die_count]
        self._twins: list[int | None] = [MET_STATE]
        self._distances: dict[int, int] = {MET_STATE: 0}
        self._chances: dict[tuple[int, KindCounts], Fraction] = {}
        self._numbering_lock = Lock()
        self.start_state = self._state_number(form.start_state(self._asked))

    @property
    def cache_size(self) -> int:
        """How much it has found, and keeps."""
        return len(self._states) + len(self._chances)

    def state_after(self, dice: Iterable[Die]) -> int:
        """The state after these dice."""
        state = self.start_state
        for colour, face in dice:
            state = self.step(state, 6 * self._kinds[colour] + face - 1)
        return state

    def step(self, state: int, die: int) -> int:
        """The state after one more die: its kind times 6, and its face less 1."""
        found = self._transitions[state][die]
        if found is None:
            kind, face = divmod(die, 6)
            found = self._transitions[state][die] = self._state_number(
                self._form.add_die(self._states[state], kind, face + 1, self._asked)
            )
        return found

    def canonical_state(self, state: int) -> int:
        """The one state that stands for all with the same chances."""
        found = self._twins[state]
        if found is None:
            found = self._twins[state] = self._state_number(self._form.canonical_state(self._states[state]))
        return found

    def kind_of(self, colour: int) -> int:
        """The kind of a die of that colour."""
        return self._kinds[colour]

    def count_kinds(self, colours: Iterable[int]) -> KindCounts:
        """How many dice of these colours there are by kind."""
        counts = [0] * (len(self._asked) + 1)
        for colour in colours:
            counts[self._kinds[colour]] += 1
        return tuple(counts)

    def chance_from(self, state: int, kinds: KindCounts) -> Fraction:
        """The chance of meeting it from a state with so many dice of each kind to roll."""
        begin = self.canonical_state(state), kinds
        found = self._chances.get(begin)
        if found is None:
            found = self._chances[begin] = self._compute_chance(*begin)
        return found

    def points_off(self, state: int) -> int:
        """How far a sum is off."""
        return self._form.points_off(self._states[state])

    def shortest_completion(self, state: int) -> tuple[int, tuple[int, ...]]:
        """How many more dice would do, at best, and the faces that the first of them may show."""
        after = {die: self._dice_missing(self.step(state, die)) for die in range(self._die_count)}
        least = min(after.values())
        return least + 1, tuple(sorted({die % 6 + 1 for die, distance in after.items() if distance == least}))

    def _compute_chance(self, state: int, kinds: KindCounts) -> Fraction:
        ways = {state: 1}
        for kind, number in enumerate(kinds):
            for _ in range(number):
                after: dict[int, int] = {}
                for at, count in ways.items():
                    for die in range(6 * kind, 6 * kind + 6):
                        to = self.canonical_state(self.step(at, die))
                        after[to] = after.get(to, 0) + count
                ways = after
        return Fraction(ways.get(MET_STATE, 0), 6 ** sum(kinds))

    def _dice_missing(self, state: int) -> int:
        """How many more dice would do, at best."""
        begin = self.canonical_state(state)
        if begin not in self._distances:
            reached, number = {begin}, 0
            while MET_STATE not in reached:
                reached = {self.canonical_state(self.step(at, die)) for at in reached for die in range(self._die_count)}
                number += 1
            self._distances[begin] = number
        return self._distances[begin]

    def _state_number(self, state: FormState) -> int:
        """The number of a state, a new one if need be."""
        found = self._numbers.get(state)
        if found is None:
            if self._form.is_met(state, self._asked):
                return MET_STATE
            with self._numbering_lock:
                found = self._numbers.get(state)
                if found is None:
                    self._states.append(state)
                    self._transitions.append([None] * self._die_count)
                    self._twins.append(None)
                    found = self._numbers[state] = len(self._states) - 1
        return found
