"""A requirement as a state machine that takes dice one by one, for exact chances (S20).

States are numbered and computed on demand. It is safe to use from several threads.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from threading import Lock
from typing import Final

from engines.jesters.requirements.forms import Form, FormState

MET_STATE: Final = 0  # the final state of dice that meet the requirement

Die = tuple[int, int]
KindCounts = tuple[int, ...]  # the number of dice of each kind: each required colour, and all others together


class RequirementMachine:
    """A state machine for a form and the required colours."""

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
        """The number of cached states and chances."""
        return len(self._states) + len(self._chances)

    def state_after(self, dice: Iterable[Die]) -> int:
        """Return the state after these dice."""
        state = self.start_state
        for colour, face in dice:
            state = self.step(state, 6 * self._kinds[colour] + face - 1)
        return state

    def step(self, state: int, die: int) -> int:
        """Return the state after one more die: its kind times 6, plus its face minus 1."""
        found = self._transitions[state][die]
        if found is None:
            kind, face = divmod(die, 6)
            found = self._transitions[state][die] = self._state_number(
                self._form.add_die(self._states[state], kind, face + 1, self._asked)
            )
        return found

    def canonical_state(self, state: int) -> int:
        """Return the state that stands for all states with the same chances."""
        found = self._twins[state]
        if found is None:
            found = self._twins[state] = self._state_number(self._form.canonical_state(self._states[state]))
        return found

    def kind_of(self, colour: int) -> int:
        """Return the kind of a die of that colour."""
        return self._kinds[colour]

    def count_kinds(self, colours: Iterable[int]) -> KindCounts:
        """Return the number of dice of these colours by kind."""
        counts = [0] * (len(self._asked) + 1)
        for colour in colours:
            counts[self._kinds[colour]] += 1
        return tuple(counts)

    def chance_from(self, state: int, kinds: KindCounts) -> Fraction:
        """Return the chance to meet the requirement from a state, with this many dice of each kind to roll."""
        begin = self.canonical_state(state), kinds
        found = self._chances.get(begin)
        if found is None:
            found = self._chances[begin] = self._compute_chance(*begin)
        return found

    def points_off(self, state: int) -> int:
        """Return how far a sum is off."""
        return self._form.points_off(self._states[state])

    def shortest_completion(self, state: int) -> tuple[int, tuple[int, ...]]:
        """Return the fewest additional dice that could suffice, and the faces that the first of them may show."""
        after = {die: self._dice_missing(self.step(state, die)) for die in range(self._die_count)}
        least = min(after.values())
        return least + 1, tuple(sorted({die % 6 + 1 for die, distance in after.items() if distance == least}))

    def _compute_chance(self, state: int, kinds: KindCounts) -> Fraction:
        counts = {state: 1}
        for kind, number in enumerate(kinds):
            for _ in range(number):
                after: dict[int, int] = {}
                for at, count in counts.items():
                    for die in range(6 * kind, 6 * kind + 6):
                        to = self.canonical_state(self.step(at, die))
                        after[to] = after.get(to, 0) + count
                counts = after
        return Fraction(counts.get(MET_STATE, 0), 6 ** sum(kinds))

    def _dice_missing(self, state: int) -> int:
        """Return the fewest additional dice that could suffice."""
        begin = self.canonical_state(state)
        if begin not in self._distances:
            reached, number = {begin}, 0
            while MET_STATE not in reached:
                reached = {self.canonical_state(self.step(at, die)) for at in reached for die in range(self._die_count)}
                number += 1
            self._distances[begin] = number
        return self._distances[begin]

    def _state_number(self, state: FormState) -> int:
        """Return the number of a state, creating one if needed."""
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
