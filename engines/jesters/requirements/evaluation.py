"""Parses, formats and evaluates the requirements of Performances (S20): met or not, exact chances, and missing dice.

    sum >= 9            2 dice sum <= 6       3 dice >= 4
    pair                3 alike               pair and 3 alike
    run of 3            3 different           each 1/3 2/4 2/5 1/6

Each may also require one or two colours among the dice that meet it: `pair, one blue`, `3 alike, one red, one green`.
All dice count as meeting a sum of all dice.

A die is its colour, 0 to 3, and its face, 1 to 6.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Final, NamedTuple

from engines.jesters.requirements.forms import (
    HIGH_FACE,
    DifferentFaces,
    FaceSlots,
    Form,
    HighDice,
    MaxSum,
    MinSum,
    Run,
    SameFace,
    TwoGroups,
)
from engines.jesters.requirements.machine import MET_STATE, RequirementMachine
from engines.jesters.requirements.machine import Die as Die

COLOURS: Final = ("red", "blue", "green", "purple")
NUMBER_WORDS: Final = ("no", "one", "two", "three")
MAX_COLOURS: Final = 2
MAX_MACHINE_SIZE: Final = 100_000  # states and chances that a machine caches; a state takes some 300 bytes


class BadRequirement(ValueError):
    """A text is not a requirement. The message has the reason and the character, counted from 1."""

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
        return format_requirement(self)


class MissingDice(NamedTuple):
    """What dice lack: the fewest additional dice that could suffice, and the faces that the first of them may show.

    `points` is how far a sum is off; `colours` has the required dice, by colour, that were not rolled at all.
    """

    dice: int
    faces: tuple[int, ...]
    points: int
    colours: tuple[int, int, int, int]


def is_met(requirement: Requirement, dice: Iterable[Die]) -> bool:
    """Whether some of the dice meet it. Further dice do no harm."""
    return machine_for(requirement).state_after(dice) == MET_STATE


def success_chance(requirement: Requirement, colours: Iterable[int]) -> Fraction:
    """Return the exact chance that a roll of dice of these colours meets it."""
    roll = machine_for(requirement)
    return roll.chance_from(roll.start_state, roll.count_kinds(colours))


def reroll_chance(requirement: Requirement, dice: Sequence[Die], marked: Iterable[int]) -> Fraction:
    """Return the exact chance to meet it after rerolling the dice at the marked places, counted from 0."""
    roll, rerolled = machine_for(requirement), set(marked)
    dice_kept = [die for place, die in enumerate(dice) if place not in rerolled]
    return roll.chance_from(roll.state_after(dice_kept), roll.count_kinds(dice[place][0] for place in rerolled))


def missing_dice(requirement: Requirement, dice: Sequence[Die]) -> MissingDice | None:
    """Return what the dice lack to meet it, or None if they meet it."""
    roll = machine_for(requirement)
    state = roll.state_after(dice)
    if state == MET_STATE:
        return None
    number, faces = roll.shortest_completion(state)
    rolled = [colour for colour, _ in dice]
    red, blue, green, purple = (max(0, n - rolled.count(colour)) for colour, n in enumerate(requirement.colours))
    return MissingDice(number, faces, roll.points_off(state), (red, blue, green, purple))


def format_requirement(requirement: Requirement) -> str:
    """Return the requirement as text that `parse_requirement` accepts."""
    requirements = [f", {NUMBER_WORDS[n]} {COLOURS[colour]}" for colour, n in enumerate(requirement.colours) if n]
    return _form_text(requirement.form) + "".join(requirements)


@cache
def parse_requirement(text: str) -> Requirement:
    """Parse a requirement. Raises BadRequirement."""
    words = _WordReader(text)
    form = _parse_form(words)
    return Requirement(form, _parse_colours(words, form))


# --- text


def _form_text(form: Form) -> str:
    match form:
        case MinSum(least):
            return f"sum >= {least}"
        case MaxSum(count, most):
            return f"{count} dice sum <= {most}"
        case HighDice(count):
            return f"{count} dice >= {HIGH_FACE}"
        case SameFace(count):
            return _group_text(count)
        case TwoGroups(first, second):
            return f"{_group_text(first)} and {_group_text(second)}"
        case Run(length):
            return f"run of {length}"
        case DifferentFaces(count):
            return f"{count} different"
        case FaceSlots(slots):
            return " ".join(["each", *("/".join(map(str, slot)) for slot in slots)])
    raise TypeError(form)


def _group_text(count: int) -> str:
    return "pair" if count == 2 else f"{count} alike"


class _WordReader:
    """Reads the words of a text one by one, with their positions."""

    def __init__(self, text: str) -> None:
        found = list(re.finditer(r"\d+(?:/\d+)+|\d+|[A-Za-z]+|[<>]=|\S", text))
        self._words = [(word.group().lower(), word.start() + 1) for word in found]
        self._end = len(text.rstrip()) + 1

    @property
    def next_word(self) -> str:
        """The next word; empty at the end."""
        return self._words[0][0] if self._words else ""

    @property
    def position(self) -> int:
        """The position of the next word."""
        return self._words[0][1] if self._words else self._end

    def take_word(self) -> str:
        """Take the next word."""
        word = self.next_word
        del self._words[:1]
        return word

    def expect(self, *expected: str) -> str:
        """Take the next word, which must be one of these."""
        if self.next_word not in expected:
            raise self.refusal(f"expected {' or '.join(expected)}, not {self.next_word or 'the end'}")
        return self.take_word()

    def take_number(self, lowest: int, highest: int) -> int:
        """Take the next word, which must be a number within bounds."""
        word = self.next_word
        if not word.isdecimal() or not lowest <= int(word) <= highest:
            raise self.refusal(f"expected a number from {lowest} to {highest}, not {word or 'the end'}")
        return int(self.take_word())

    def refusal(self, reason: str) -> BadRequirement:
        """Return the error for the next word."""
        return BadRequirement(reason, self.position)


def _parse_form(words: _WordReader) -> Form:
    """Parse the form at the start of a text."""
    match words.next_word:
        case "sum":
            words.take_word()
            words.expect(">=")
            return MinSum(words.take_number(2, 36))
        case "run":
            words.take_word()
            words.expect("of")
            return Run(words.take_number(2, 6))
        case "each":
            words.take_word()
            return _parse_slots(words)
        case "pair":
            return _parse_groups(words)
        case word if word.isdecimal():
            return _parse_counted(words)
    raise words.refusal(f"expected sum, pair, run, each or a number of dice, not {words.next_word or 'the end'}")


def _parse_counted(words: _WordReader) -> Form:
    """Parse a form that begins with a number of dice."""
    place, count = words.position, words.take_number(2, 6)
    kind = words.expect("dice", "alike", "different")
    if kind == "different":
        return DifferentFaces(count)
    if kind == "alike":
        return _parse_groups(words, count, place)
    if words.expect("sum", ">=") == ">=":
        words.take_number(HIGH_FACE, HIGH_FACE)
        return HighDice(count)
    words.expect("<=")
    return MaxSum(count, words.take_number(count, 6 * count - 1))


def _parse_groups(words: _WordReader, first: int | None = None, place: int = 0) -> Form:
    """Parse one group, whose number may already be parsed, or two."""
    if first is None:
        first = _parse_group(words)
    elif first == 2:
        raise BadRequirement("two equal dice are called a pair", place)
    if words.next_word != "and":
        return SameFace(first)
    words.take_word()
    place, second = words.position, _parse_group(words)
    if second < first:
        raise BadRequirement("the smaller group must come first", place)
    return TwoGroups(first, second)


def _parse_group(words: _WordReader) -> int:
    """Parse a group of equal dice."""
    if words.next_word == "pair":
        words.take_word()
        return 2
    count = words.take_number(3, 6)
    words.expect("alike")
    return count


def _parse_slots(words: _WordReader) -> FaceSlots:
    """Parse the slots of `each`."""
    slots: list[tuple[int, ...]] = []
    while words.next_word[:1].isdecimal():
        faces = tuple(int(face) for face in words.next_word.split("/"))
        if not all(1 <= face <= 6 for face in faces) or list(faces) != sorted(set(faces)):
            raise words.refusal(f"a slot needs faces from 1 to 6, each once and in order, not {words.next_word}")
        words.take_word()
        slots.append(faces)
    if not 2 <= len(slots) <= 6:
        raise words.refusal("expected two to six slots")
    return FaceSlots(tuple(slots))


def _parse_colours(words: _WordReader, form: Form) -> tuple[int, int, int, int]:
    """Parse the required colours at the end of the text."""
    counts = [0, 0, 0, 0]
    while words.next_word:
        words.expect(",")
        number = NUMBER_WORDS.index(words.expect(*NUMBER_WORDS[1:]))
        place = words.position
        colour = COLOURS.index(words.expect(*COLOURS))
        if any(counts[colour:]):
            raise BadRequirement("name colours once each, in the order red, blue, green, purple", place)
        counts[colour] = number
        if sum(map(bool, counts)) > MAX_COLOURS:
            raise BadRequirement("at most two colours may be required", place)
        if sum(counts) > form.dice_needed:
            raise BadRequirement("it requires more dice of a colour than dice that meet it", place)
    red, blue, green, purple = counts
    return red, blue, green, purple


# --- machines


def machine_for(requirement: Requirement) -> RequirementMachine:
    """Return the cached machine for this requirement. A machine that has grown too large is replaced."""
    slot = _machine_slot(requirement)
    if slot[0].cache_size > MAX_MACHINE_SIZE:
        slot[0] = RequirementMachine(requirement.form, requirement.colours)
    return slot[0]


@cache
def _machine_slot(requirement: Requirement) -> list[RequirementMachine]:
    return [RequirementMachine(requirement.form, requirement.colours)]
