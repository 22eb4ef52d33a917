"""What a Performance asks of the dice (S20): written, read, met or not, with which chance, and what is missing.

    sum >= 9            2 dice sum <= 6       3 dice >= 4
    pair                3 alike               pair and 3 alike
    run of 3            3 different           each 1/3 2/4 2/5 1/6

After any of them one or two colours may be asked of the dice that meet it: `pair, one blue`, `3 alike, one red, one
green`. A sum of all dice is met by all of them.

A die is its colour, 0 to 3, and its face, 1 to 6.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Final, NamedTuple

from engines.jesters.forms import HIGH, Alike, Different, Each, Form, Groups, High, Low, Run, State, Sum

COLOURS: Final = ("red", "blue", "green", "purple")
NUMBERS: Final = ("no", "one", "two", "three")
MOST_OF_A_COLOUR: Final = len(NUMBERS) - 1  # two players have no more
MOST_COLOURS: Final = 2

Die = tuple[int, int]


class BadRequirement(ValueError):
    """A text that is no requirement: why, and at which character, counted from 1."""

    def __init__(self, reason: str, position: int) -> None:
        super().__init__(f"{reason} (at character {position})")
        self.reason = reason
        self.position = position


@dataclass(frozen=True, slots=True)
class Requirement:
    """A form, and by colour how many of the dice that meet it must have that colour."""

    form: Form
    colours: tuple[int, int, int, int] = (0, 0, 0, 0)

    def __str__(self) -> str:
        return write(self)


class Missing(NamedTuple):
    """What dice lack: how many more dice would do, at best, and which faces the first of them may then show.

    `points` is how far a sum is off; `colours` has by colour the dice asked for that were not rolled in it at all.
    """

    dice: int
    faces: tuple[int, ...]
    points: int
    colours: tuple[int, int, int, int]


def met(requirement: Requirement, dice: Iterable[Die]) -> bool:
    """Whether some of the dice meet it; further dice do no harm."""
    machine = _machine(requirement)
    return machine.after(dice) == _MET


def chance(requirement: Requirement, colours: Iterable[int]) -> Fraction:
    """The exact chance that a roll of dice of these colours meets it."""
    machine = _machine(requirement)
    return _chance(requirement, machine.first, machine.kinds_of(colours))


def reroll_chance(requirement: Requirement, dice: Sequence[Die], marked: Iterable[int]) -> Fraction:
    """The exact chance that it is met once the dice at the marked places, counted from 0, are rolled again."""
    machine = _machine(requirement)
    again = set(marked)
    kept = [die for place, die in enumerate(dice) if place not in again]
    return _chance(requirement, machine.after(kept), machine.kinds_of(dice[place][0] for place in again))


def missing(requirement: Requirement, dice: Sequence[Die]) -> Missing | None:
    """What the dice lack to meet it; None where they do."""
    machine = _machine(requirement)
    state = machine.after(dice)
    if state == _MET:
        return None
    number, faces = machine.nearest(state)
    rolled = [colour for colour, _ in dice]
    red, blue, green, purple = (max(0, n - rolled.count(colour)) for colour, n in enumerate(requirement.colours))
    return Missing(number, faces, machine.points_off(state), (red, blue, green, purple))


def write(requirement: Requirement) -> str:
    """The requirement as text, which `read` reads."""
    asked = [f", {NUMBERS[n]} {COLOURS[colour]}" for colour, n in enumerate(requirement.colours) if n]
    return _form_text(requirement.form) + "".join(asked)


@cache
def read(text: str) -> Requirement:
    """The requirement behind a text. Raises BadRequirement."""
    words = _Words(text)
    form = _read_form(words)
    return Requirement(form, _read_colours(words, form))


# --- text


def _form_text(form: Form) -> str:
    match form:
        case Sum(least):
            return f"sum >= {least}"
        case Low(count, most):
            return f"{count} dice sum <= {most}"
        case High(count):
            return f"{count} dice >= {HIGH}"
        case Alike(count):
            return _group_text(count)
        case Groups(first, second):
            return f"{_group_text(first)} and {_group_text(second)}"
        case Run(length):
            return f"run of {length}"
        case Different(count):
            return f"{count} different"
        case Each(slots):
            return " ".join(["each", *("/".join(map(str, slot)) for slot in slots)])
    raise TypeError(form)


def _group_text(count: int) -> str:
    return "pair" if count == 2 else f"{count} alike"


class _Words:
    """The words of a text one by one, with their places."""

    def __init__(self, text: str) -> None:
        found = list(re.finditer(r"\d+(?:/\d+)+|\d+|[A-Za-z]+|[<>]=|\S", text))
        self._words = [(word.group().lower(), word.start() + 1) for word in found]
        self._end = len(text.rstrip()) + 1

    @property
    def next(self) -> str:
        """The next word; empty at the end."""
        return self._words[0][0] if self._words else ""

    @property
    def place(self) -> int:
        """Where the next word stands."""
        return self._words[0][1] if self._words else self._end

    def take(self) -> str:
        """Take the next word."""
        word = self.next
        del self._words[:1]
        return word

    def expect(self, *expected: str) -> str:
        """Take the next word, which must be one of these."""
        if self.next not in expected:
            raise self.error(f"expected {' or '.join(expected)}, not {self.next or 'the end'}")
        return self.take()

    def number(self, lowest: int, highest: int) -> int:
        """Take the next word, which must be a number within bounds."""
        word = self.next
        if not word.isdecimal() or not lowest <= int(word) <= highest:
            raise self.error(f"expected a number from {lowest} to {highest}, not {word or 'the end'}")
        return int(self.take())

    def error(self, reason: str) -> BadRequirement:
        """The refusal of the next word."""
        return BadRequirement(reason, self.place)


def _read_form(words: _Words) -> Form:
    """The form at the head of a text."""
    match words.next:
        case "sum":
            words.take()
            words.expect(">=")
            return Sum(words.number(2, 36))
        case "run":
            words.take()
            words.expect("of")
            return Run(words.number(2, 6))
        case "each":
            words.take()
            return _read_slots(words)
        case "pair":
            return _read_groups(words)
        case word if word.isdecimal():
            return _read_counted(words)
    raise words.error(f"expected sum, pair, run, each or a number of dice, not {words.next or 'the end'}")


def _read_counted(words: _Words) -> Form:
    """A form that begins with a number of dice."""
    place, count = words.place, words.number(2, 6)
    kind = words.expect("dice", "alike", "different")
    if kind == "different":
        return Different(count)
    if kind == "alike":
        return _read_groups(words, count, place)
    if words.expect("sum", ">=") == ">=":
        words.number(HIGH, HIGH)
        return High(count)
    words.expect("<=")
    return Low(count, words.number(count, 6 * count - 1))


def _read_groups(words: _Words, first: int | None = None, place: int = 0) -> Form:
    """One group, the number of which may be read already, or two."""
    if first is None:
        first = _read_group(words)
    elif first == 2:
        raise BadRequirement("two dice alike are called a pair", place)
    if words.next != "and":
        return Alike(first)
    words.take()
    place, second = words.place, _read_group(words)
    if second < first:
        raise BadRequirement("the smaller group comes first", place)
    return Groups(first, second)


def _read_group(words: _Words) -> int:
    """A group of dice that are alike."""
    if words.next == "pair":
        words.take()
        return 2
    count = words.number(3, 6)
    words.expect("alike")
    return count


def _read_slots(words: _Words) -> Each:
    """The slots of `each`."""
    slots: list[tuple[int, ...]] = []
    while words.next[:1].isdecimal():
        faces = tuple(int(face) for face in words.next.split("/"))
        if not all(1 <= face <= 6 for face in faces) or list(faces) != sorted(set(faces)):
            raise words.error(f"a slot names faces from 1 to 6, each once and in order, not {words.next}")
        words.take()
        slots.append(faces)
    if not 2 <= len(slots) <= 6:
        raise words.error("expected two to six slots")
    return Each(tuple(slots))


def _read_colours(words: _Words, form: Form) -> tuple[int, int, int, int]:
    """The colours asked for, to the end of the text."""
    asked = [0, 0, 0, 0]
    while words.next:
        words.expect(",")
        number = NUMBERS.index(words.expect(*NUMBERS[1:]))
        place = words.place
        colour = COLOURS.index(words.expect(*COLOURS))
        if any(asked[colour:]):
            raise BadRequirement("colours are named once each, in the order red, blue, green, purple", place)
        asked[colour] = number
        if sum(map(bool, asked)) > MOST_COLOURS:
            raise BadRequirement("no more than two colours are asked for", place)
        if sum(asked) > form.size:
            raise BadRequirement("more dice of a colour than dice that meet it", place)
    red, blue, green, purple = asked
    return red, blue, green, purple


# --- states


_MET: Final = 0  # the state of dice that meet it, in which they stay


class _Machine:
    """A requirement as a machine that takes dice one by one: its states are numbered, and found as they are needed."""

    def __init__(self, requirement: Requirement) -> None:
        named = [colour for colour in range(4) if requirement.colours[colour]]
        self._form = requirement.form
        self._asked = tuple(requirement.colours[colour] for colour in named)
        self._dice = 6 * len(named) + 6
        self._kinds = tuple(named.index(c) if c in named else len(named) for c in range(4))
        self._states: list[State] = [()]
        self._numbers: dict[State, int] = {}
        self._steps: list[list[int | None]] = [[_MET] * self._dice]
        self._twins: list[int | None] = [_MET]
        self._distances: dict[int, int] = {_MET: 0}
        self.first = self._number(self._form.start(self._asked))

    def after(self, dice: Iterable[Die]) -> int:
        """The state after these dice."""
        state = self.first
        for colour, face in dice:
            state = self.step(state, 6 * self._kinds[colour] + face - 1)
        return state

    def step(self, state: int, die: int) -> int:
        """The state after one more die: its kind times 6, and its face less 1."""
        found = self._steps[state][die]
        if found is None:
            kind, face = divmod(die, 6)
            found = self._steps[state][die] = self._number(
                self._form.add(self._states[state], kind, face + 1, self._asked)
            )
        return found

    def twin(self, state: int) -> int:
        """The one state that stands for all with the same chances."""
        found = self._twins[state]
        if found is None:
            found = self._twins[state] = self._number(self._form.twin(self._states[state]))
        return found

    def kinds_of(self, colours: Iterable[int]) -> tuple[int, ...]:
        """How many dice of these colours there are by kind."""
        counts = [0] * (len(self._asked) + 1)
        for colour in colours:
            counts[self._kinds[colour]] += 1
        return tuple(counts)

    def points_off(self, state: int) -> int:
        """How far a sum is off."""
        return self._form.points_off(self._states[state])

    def nearest(self, state: int) -> tuple[int, tuple[int, ...]]:
        """How many more dice would do, at best, and the faces that the first of them may show."""
        after = {die: self._distance(self.step(state, die)) for die in range(self._dice)}
        least = min(after.values())
        return least + 1, tuple(sorted({die % 6 + 1 for die, distance in after.items() if distance == least}))

    def _distance(self, state: int) -> int:
        """How many more dice would do, at best."""
        begin = self.twin(state)
        if begin not in self._distances:
            reached, number = {begin}, 0
            while _MET not in reached:
                reached = {self.twin(self.step(at, die)) for at in reached for die in range(self._dice)}
                number += 1
            self._distances[begin] = number
        return self._distances[begin]

    def _number(self, state: State) -> int:
        """The number of a state, a new one if need be."""
        if state not in self._numbers:
            if self._form.met(state, self._asked):
                return _MET
            self._numbers[state] = len(self._states)
            self._states.append(state)
            self._steps.append([None] * self._dice)
            self._twins.append(None)
        return self._numbers[state]


@cache
def _machine(requirement: Requirement) -> _Machine:
    return _Machine(requirement)


@lru_cache(maxsize=1 << 16)
def _chance(requirement: Requirement, state: int, kinds: tuple[int, ...]) -> Fraction:
    """The chance of meeting it from a state with so many dice of each kind to roll."""
    machine = _machine(requirement)
    ways = {machine.twin(state): 1}
    for kind, number in enumerate(kinds):
        for _ in range(number):
            after: dict[int, int] = {}
            for at, count in ways.items():
                for die in range(6 * kind, 6 * kind + 6):
                    to = machine.twin(machine.step(at, die))
                    after[to] = after.get(to, 0) + count
            ways = after
    return Fraction(ways.get(_MET, 0), 6 ** sum(kinds))
