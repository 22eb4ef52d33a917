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
from functools import cache
from typing import Final, NamedTuple

from engines.jesters.requirements.forms import HIGH, Alike, Different, Each, Form, Groups, High, Low, Run, Sum
from engines.jesters.requirements.machine import MET, Machine
from engines.jesters.requirements.machine import Die as Die

COLOURS: Final = ("red", "blue", "green", "purple")
NUMBERS: Final = ("no", "one", "two", "three")
MOST_COLOURS: Final = 2
ROOM: Final = 100_000  # states and chances that a machine keeps; a state takes some 300 bytes


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
    return machine(requirement).after(dice) == MET


def chance(requirement: Requirement, colours: Iterable[int]) -> Fraction:
    """The exact chance that a roll of dice of these colours meets it."""
    roll = machine(requirement)
    return roll.chance(roll.first, roll.kinds_of(colours))


def reroll_chance(requirement: Requirement, dice: Sequence[Die], marked: Iterable[int]) -> Fraction:
    """The exact chance that it is met once the dice at the marked places, counted from 0, are rolled again."""
    roll, again = machine(requirement), set(marked)
    kept = [die for place, die in enumerate(dice) if place not in again]
    return roll.chance(roll.after(kept), roll.kinds_of(dice[place][0] for place in again))


def missing(requirement: Requirement, dice: Sequence[Die]) -> Missing | None:
    """What the dice lack to meet it; None where they do."""
    roll = machine(requirement)
    state = roll.after(dice)
    if state == MET:
        return None
    number, faces = roll.nearest(state)
    rolled = [colour for colour, _ in dice]
    red, blue, green, purple = (max(0, n - rolled.count(colour)) for colour, n in enumerate(requirement.colours))
    return Missing(number, faces, roll.points_off(state), (red, blue, green, purple))


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


# --- machines


def machine(requirement: Requirement) -> Machine:
    """What takes dice one by one for this requirement; a new one where the last has found too much to be kept."""
    kept = _machines(requirement)
    if kept[0].size > ROOM:
        kept[0] = Machine(requirement.form, requirement.colours)
    return kept[0]


@cache
def _machines(requirement: Requirement) -> list[Machine]:
    return [Machine(requirement.form, requirement.colours)]
