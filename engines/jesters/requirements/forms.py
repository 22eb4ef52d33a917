"""The forms of a requirement (S20), and what each remembers of the dice rolled so far.

A form takes the dice in one at a time, in any order, and remembers no more of them than can still matter. So there are
few different states, which makes exact chances cheap. Where colours are asked for, those are numbered, and `asked` says
how many dice of each; a die is told by its `kind`, that number, or the next one if its colour is not asked for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import product

HIGH = 4  # the lowest of the faces "4 and above"

Counts = tuple[int, ...]  # of each colour asked for, no more than asked for; at the end of all dice, so far as needed
State = tuple[tuple[int, ...], ...]
Asked = tuple[int, ...]


class Form(ABC):
    """What dice must show. More dice never undo it, so what is met once stays met."""

    __slots__ = ()

    @property
    @abstractmethod
    def size(self) -> int:
        """How many dice meet it; of a sum of all dice, how many at the least."""

    @abstractmethod
    def start(self, asked: Asked) -> State:
        """The state before any die."""

    @abstractmethod
    def add(self, state: State, kind: int, face: int, asked: Asked) -> State:
        """The state with one more die."""

    @abstractmethod
    def met(self, state: State, asked: Asked) -> bool:
        """Whether some of the dice meet it, among them those asked for."""

    def twin(self, state: State) -> State:
        """One state for all that have the same chances."""
        return state

    def points_off(self, state: State) -> int:
        """How many points a sum is off; 0 where it is not points that are missing."""
        return 0


@dataclass(frozen=True, slots=True)
class Sum(Form):
    """The sum of all dice is at least that. State: the sum, no higher than needed; the dice."""

    least: int

    @property
    def size(self) -> int:
        return -(-self.least // 6)

    def start(self, asked: Asked) -> State:
        return ((0,), _none(asked))

    def add(self, state: State, kind: int, face: int, asked: Asked) -> State:
        return ((min(state[0][0] + face, self.least),), _plus(state[1], kind, asked, self.size))

    def met(self, state: State, asked: Asked) -> bool:
        return state[0][0] >= self.least and _covers(state[1], asked)

    def points_off(self, state: State) -> int:
        return self.least - state[0][0]


@dataclass(frozen=True, slots=True)
class Low(Form):
    """The sum of so many of the dice is at most that. State: the lowest faces asked for, and the lowest of the rest."""

    count: int
    most: int

    @property
    def size(self) -> int:
        return self.count

    def start(self, asked: Asked) -> State:
        return ((),) * (len(asked) + 1)

    def add(self, state: State, kind: int, face: int, asked: Asked) -> State:
        *fixed, free = state
        if kind < len(asked):
            *lowest, face = sorted((*fixed[kind], face))
            if len(lowest) < asked[kind]:
                lowest.append(face)
                return (*fixed[:kind], tuple(lowest), *fixed[kind + 1 :], free)
            fixed[kind] = tuple(lowest)
        return (*fixed, tuple(sorted((*free, face))[: self.count - sum(asked)]))

    def met(self, state: State, asked: Asked) -> bool:
        return self._complete(state) and sum(map(sum, state)) <= self.most

    def points_off(self, state: State) -> int:
        return max(0, sum(map(sum, state)) - self.most) if self._complete(state) else 0

    def _complete(self, state: State) -> bool:
        return sum(map(len, state)) == self.count


@dataclass(frozen=True, slots=True)
class High(Form):
    """So many of the dice show 4 or above. State: how many do."""

    count: int

    @property
    def size(self) -> int:
        return self.count

    def start(self, asked: Asked) -> State:
        return (_none(asked),)

    def add(self, state: State, kind: int, face: int, asked: Asked) -> State:
        return (_plus(state[0], kind, asked, self.count),) if face >= HIGH else state

    def met(self, state: State, asked: Asked) -> bool:
        return state[0][-1] >= self.count and _covers(state[0], asked)


class ByFace(Form):
    """A form that looks at how many dice show each face. State: the counts, face by face."""

    __slots__ = ()

    @abstractmethod
    def _most(self, face: int) -> int:
        """How many dice that show this face can matter."""

    def start(self, asked: Asked) -> State:
        return (_none(asked),) * 6

    def add(self, state: State, kind: int, face: int, asked: Asked) -> State:
        return (*state[: face - 1], _plus(state[face - 1], kind, asked, self._most(face)), *state[face:])


class AnyFace(ByFace):
    """A form for which all faces are worth the same, so that they may change places."""

    __slots__ = ()

    def twin(self, state: State) -> State:
        return tuple(sorted(state))


@dataclass(frozen=True, slots=True)
class Alike(AnyFace):
    """So many dice show the same face."""

    count: int

    @property
    def size(self) -> int:
        return self.count

    def _most(self, face: int) -> int:
        return self.count

    def met(self, state: State, asked: Asked) -> bool:
        return any(counts[-1] >= self.count and _covers(counts, asked) for counts in state)


@dataclass(frozen=True, slots=True)
class Groups(AnyFace):
    """Two groups of dice, no die in both, that are alike in themselves; both may show the same face."""

    first: int
    second: int

    @property
    def size(self) -> int:
        return self.first + self.second

    def _most(self, face: int) -> int:
        return self.first + self.second

    def met(self, state: State, asked: Asked) -> bool:
        return any(
            self._split(one, other, asked) if i != j else one[-1] >= self.size and _covers(one, asked)
            for (i, one), (j, other) in product(enumerate(state), repeat=2)
            if one[-1] >= self.first and other[-1] >= self.second
        )

    def _split(self, one: Counts, other: Counts, asked: Asked) -> bool:
        """Whether the dice asked for can be taken from the two faces, from neither more than its group has."""
        pairs = [(a, b, number) for a, b, number in zip(one, other, asked, strict=False)]
        if any(a + b < number for a, b, number in pairs):
            return False
        least = sum(max(0, number - b) for _, b, number in pairs)
        most = sum(min(a, number) for a, _, number in pairs)
        return max(least, sum(asked) - self.second) <= min(most, self.first)


@dataclass(frozen=True, slots=True)
class Run(ByFace):
    """So many dice show faces that follow one another."""

    length: int

    @property
    def size(self) -> int:
        return self.length

    def _most(self, face: int) -> int:
        return 1

    def twin(self, state: State) -> State:
        return min(state, state[::-1])

    def met(self, state: State, asked: Asked) -> bool:
        runs = (state[low : low + self.length] for low in range(7 - self.length))
        return any(all(counts[-1] for counts in run) and _one_a_face(run, asked) for run in runs)


@dataclass(frozen=True, slots=True)
class Different(AnyFace):
    """So many dice show different faces."""

    count: int

    @property
    def size(self) -> int:
        return self.count

    def _most(self, face: int) -> int:
        return 1

    def met(self, state: State, asked: Asked) -> bool:
        return sum(counts[-1] for counts in state) >= self.count and _one_a_face(state, asked)


@dataclass(frozen=True, slots=True)
class Each(ByFace):
    """A die for each slot, which names the faces it takes."""

    slots: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int:
        return len(self.slots)

    def _most(self, face: int) -> int:
        return sum(face in slot for slot in self.slots)

    def met(self, state: State, asked: Asked) -> bool:
        return _filled(self.slots, state, asked)


def _none(asked: Asked) -> Counts:
    return (0,) * (len(asked) + 1)


def _plus(counts: Counts, kind: int, asked: Asked, most: int) -> Counts:
    """The counts with one more die, if no more than `most` can matter."""
    if kind < len(asked) and counts[kind] < min(asked[kind], most):
        counts = (*counts[:kind], counts[kind] + 1, *counts[kind + 1 :])
    return (*counts[:-1], min(counts[-1] + 1, most))


def _less(counts: Counts, kind: int) -> Counts:
    """The counts with one fewer of that kind."""
    return (*counts[:kind], counts[kind] - 1, *counts[kind + 1 :])


def _covers(counts: Counts, asked: Asked) -> bool:
    """Whether there are all that are asked for."""
    return counts[:-1] == asked


def _one_a_face(faces: State, asked: Asked) -> bool:
    """Whether the dice asked for are there, each with a face of its own."""
    kind = next((kind for kind, number in enumerate(asked) if number), None)
    if kind is None:
        return True
    rest = _less((*asked, 0), kind)[:-1]
    return any(counts[kind] and _one_a_face(faces[:i] + faces[i + 1 :], rest) for i, counts in enumerate(faces))


def _filled(slots: tuple[tuple[int, ...], ...], faces: State, asked: Asked) -> bool:
    """Whether every slot finds a die of its own, the dice asked for among them."""
    if sum(asked) > len(slots):
        return False
    if not slots:
        return True
    rest = slots[1:]
    for face in slots[0]:
        counts = faces[face - 1]
        if not counts[-1]:
            continue
        fewer = _less(counts, len(asked))
        if _filled(rest, (*faces[: face - 1], fewer, *faces[face:]), asked):
            return True
        for kind, number in enumerate(asked):
            if number and counts[kind]:
                left = (*faces[: face - 1], _less(fewer, kind), *faces[face:])
                if _filled(rest, left, _less(asked, kind)):
                    return True
    return False
