"""The forms of a requirement (S20), and what each remembers of the dice rolled so far.

A form takes dice one at a time, in any order, and remembers only what can still matter. This gives few different
states, which makes exact chances cheap. Required colours are numbered, and `required` says how many dice of each are
required. The `kind` of a die is the number of its colour, or the next number for colours that are not required.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import product

HIGH_FACE = 4  # the lowest face of "4 and above"

# Of each required colour, up to the required number; at the end all dice, up to the needed number.
Counts = tuple[int, ...]
FormState = tuple[tuple[int, ...], ...]
AskedCounts = tuple[int, ...]


class Form(ABC):
    """What dice must show. More dice never undo it, so a form that is met stays met."""

    __slots__ = ()

    @property
    @abstractmethod
    def dice_needed(self) -> int:
        """Return the number of dice that meet it; for a sum of all dice, the minimum number."""

    @abstractmethod
    def start_state(self, required: AskedCounts) -> FormState:
        """Return the state before any die."""

    @abstractmethod
    def add_die(self, state: FormState, kind: int, face: int, required: AskedCounts) -> FormState:
        """Return the state with one more die."""

    @abstractmethod
    def is_met(self, state: FormState, required: AskedCounts) -> bool:
        """Whether some of the dice meet it, including the required colours."""

    def canonical_state(self, state: FormState) -> FormState:
        """Return one state that stands for all states with the same chances."""
        return state

    def points_off(self, state: FormState) -> int:
        """Return how many points a sum is off; 0 if something else is missing."""
        return 0


@dataclass(frozen=True, slots=True)
class MinSum(Form):
    """The sum of all dice has a minimum. State: the sum, up to the minimum; the dice."""

    least: int

    @property
    def dice_needed(self) -> int:
        return -(-self.least // 6)

    def start_state(self, required: AskedCounts) -> FormState:
        return ((0,), _zero_counts(required))

    def add_die(self, state: FormState, kind: int, face: int, required: AskedCounts) -> FormState:
        return ((min(state[0][0] + face, self.least),), _add_to_counts(state[1], kind, required, self.dice_needed))

    def is_met(self, state: FormState, required: AskedCounts) -> bool:
        return state[0][0] >= self.least and _covers(state[1], required)

    def points_off(self, state: FormState) -> int:
        return self.least - state[0][0]


@dataclass(frozen=True, slots=True)
class MaxSum(Form):
    """The sum of this many dice has a maximum. State: the lowest faces of required colours, and the lowest others."""

    count: int
    most: int

    @property
    def dice_needed(self) -> int:
        return self.count

    def start_state(self, required: AskedCounts) -> FormState:
        return ((),) * (len(required) + 1)

    def add_die(self, state: FormState, kind: int, face: int, required: AskedCounts) -> FormState:
        *fixed, free = state
        if kind < len(required):
            *lowest, face = sorted((*fixed[kind], face))
            if len(lowest) < required[kind]:
                lowest.append(face)
                return (*fixed[:kind], tuple(lowest), *fixed[kind + 1 :], free)
            fixed[kind] = tuple(lowest)
        return (*fixed, tuple(sorted((*free, face))[: self.count - sum(required)]))

    def is_met(self, state: FormState, required: AskedCounts) -> bool:
        return self._is_complete(state) and sum(map(sum, state)) <= self.most

    def points_off(self, state: FormState) -> int:
        return max(0, sum(map(sum, state)) - self.most) if self._is_complete(state) else 0

    def _is_complete(self, state: FormState) -> bool:
        return sum(map(len, state)) == self.count


@dataclass(frozen=True, slots=True)
class HighDice(Form):
    """This many dice show 4 or above. State: how many do."""

    count: int

    @property
    def dice_needed(self) -> int:
        return self.count

    def start_state(self, required: AskedCounts) -> FormState:
        return (_zero_counts(required),)

    def add_die(self, state: FormState, kind: int, face: int, required: AskedCounts) -> FormState:
        return (_add_to_counts(state[0], kind, required, self.count),) if face >= HIGH_FACE else state

    def is_met(self, state: FormState, required: AskedCounts) -> bool:
        return state[0][-1] >= self.count and _covers(state[0], required)


class ByFace(Form):
    """A form that counts the dice of each face. State: the counts, face by face."""

    __slots__ = ()

    @abstractmethod
    def _max_useful(self, face: int) -> int:
        """Return how many dice of this face can matter."""

    def start_state(self, required: AskedCounts) -> FormState:
        return (_zero_counts(required),) * 6

    def add_die(self, state: FormState, kind: int, face: int, required: AskedCounts) -> FormState:
        return (
            *state[: face - 1],
            _add_to_counts(state[face - 1], kind, required, self._max_useful(face)),
            *state[face:],
        )


class AnyFace(ByFace):
    """A form for which all faces are equivalent, so that they may be swapped."""

    __slots__ = ()

    def canonical_state(self, state: FormState) -> FormState:
        return tuple(sorted(state))


@dataclass(frozen=True, slots=True)
class SameFace(AnyFace):
    """This many dice show the same face."""

    count: int

    @property
    def dice_needed(self) -> int:
        return self.count

    def _max_useful(self, face: int) -> int:
        return self.count

    def is_met(self, state: FormState, required: AskedCounts) -> bool:
        return any(counts[-1] >= self.count and _covers(counts, required) for counts in state)


@dataclass(frozen=True, slots=True)
class TwoGroups(AnyFace):
    """Two disjoint groups of equal dice. Both groups may show the same face."""

    first: int
    second: int

    @property
    def dice_needed(self) -> int:
        return self.first + self.second

    def _max_useful(self, face: int) -> int:
        return self.first + self.second

    def is_met(self, state: FormState, required: AskedCounts) -> bool:
        return any(
            self._can_split(one, other, required) if i != j else one[-1] >= self.dice_needed and _covers(one, required)
            for (i, one), (j, other) in product(enumerate(state), repeat=2)
            if one[-1] >= self.first and other[-1] >= self.second
        )

    def _can_split(self, one: Counts, other: Counts, required: AskedCounts) -> bool:
        """Whether the required dice can come from the two faces, with no more from each than its group has."""
        pairs = [(a, b, number) for a, b, number in zip(one, other, required, strict=False)]
        if any(a + b < number for a, b, number in pairs):
            return False
        least = sum(max(0, number - b) for _, b, number in pairs)
        most = sum(min(a, number) for a, _, number in pairs)
        return max(least, sum(required) - self.second) <= min(most, self.first)


@dataclass(frozen=True, slots=True)
class Run(ByFace):
    """This many dice show consecutive faces."""

    length: int

    @property
    def dice_needed(self) -> int:
        return self.length

    def _max_useful(self, face: int) -> int:
        return 1

    def canonical_state(self, state: FormState) -> FormState:
        return min(state, state[::-1])

    def is_met(self, state: FormState, required: AskedCounts) -> bool:
        runs = (state[low : low + self.length] for low in range(7 - self.length))
        return any(all(counts[-1] for counts in run) and _fits_distinct_faces(run, required) for run in runs)


@dataclass(frozen=True, slots=True)
class DifferentFaces(AnyFace):
    """This many dice show different faces."""

    count: int

    @property
    def dice_needed(self) -> int:
        return self.count

    def _max_useful(self, face: int) -> int:
        return 1

    def is_met(self, state: FormState, required: AskedCounts) -> bool:
        return sum(counts[-1] for counts in state) >= self.count and _fits_distinct_faces(state, required)


@dataclass(frozen=True, slots=True)
class FaceSlots(ByFace):
    """One die for each slot, which lists the faces it accepts."""

    slots: tuple[tuple[int, ...], ...]

    @property
    def dice_needed(self) -> int:
        return len(self.slots)

    def _max_useful(self, face: int) -> int:
        return sum(face in slot for slot in self.slots)

    def is_met(self, state: FormState, required: AskedCounts) -> bool:
        return _can_fill(self.slots, state, required)


def _zero_counts(required: AskedCounts) -> Counts:
    return (0,) * (len(required) + 1)


def _add_to_counts(counts: Counts, kind: int, required: AskedCounts, most: int) -> Counts:
    """Return the counts with one more die, up to the `most` that can matter."""
    if kind < len(required) and counts[kind] < min(required[kind], most):
        counts = (*counts[:kind], counts[kind] + 1, *counts[kind + 1 :])
    return (*counts[:-1], min(counts[-1] + 1, most))


def _remove_from_counts(counts: Counts, kind: int) -> Counts:
    """Return the counts with one fewer of that kind."""
    return (*counts[:kind], counts[kind] - 1, *counts[kind + 1 :])


def _covers(counts: Counts, required: AskedCounts) -> bool:
    """Whether all required dice are there."""
    return counts[:-1] == required


def _fits_distinct_faces(faces: FormState, required: AskedCounts) -> bool:
    """Whether the required dice are there, each with a different face."""
    kind = next((kind for kind, number in enumerate(required) if number), None)
    if kind is None:
        return True
    rest = _remove_from_counts((*required, 0), kind)[:-1]
    return any(
        counts[kind] and _fits_distinct_faces(faces[:i] + faces[i + 1 :], rest) for i, counts in enumerate(faces)
    )


def _can_fill(slots: tuple[tuple[int, ...], ...], faces: FormState, required: AskedCounts) -> bool:
    """Whether every slot gets its own die, including the required dice."""
    if sum(required) > len(slots):
        return False
    if not slots:
        return True
    rest = slots[1:]
    for face in slots[0]:
        counts = faces[face - 1]
        if not counts[-1]:
            continue
        fewer = _remove_from_counts(counts, len(required))
        if _can_fill(rest, (*faces[: face - 1], fewer, *faces[face:]), required):
            return True
        for kind, number in enumerate(required):
            if number and counts[kind]:
                left = (*faces[: face - 1], _remove_from_counts(fewer, kind), *faces[face:])
                if _can_fill(rest, left, _remove_from_counts(required, kind)):
                    return True
    return False
