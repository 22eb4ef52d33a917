"""Jesters' moves as lists that are not built, since there are thousands of ways to choose dice; and their notation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, overload

from engines.game import BadNotation
from engines.jesters.model import (
    FAVORITE,
    JEST_CARDS,
    TECHNIQUES,
    Finish,
    Keep,
    Learn,
    Mark,
    Move,
    Paint,
    Pass,
    Perform,
    Reroll,
    Roll,
    Spend,
    Unmark,
    UseGift,
)
from engines.jesters.requirements import COLOURS

PASS, FINISH, ROLL, PAINT = Pass(), Finish(), Roll(), Paint()
MARKS = tuple(map(Mark, range(TECHNIQUES + 1)))
UNMARKS = tuple(map(Unmark, range(TECHNIQUES + 1)))
REROLLS = tuple(map(Reroll, range(len(JEST_CARDS) + 1)))


Part = tuple[Callable[[int], Move], int]
"""Moves that are made when they are looked at: what makes one from its place, and how many there are."""


class Choices(Sequence[Move]):
    """Parts one after the other."""

    __slots__ = ("_length", "_parts")

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = parts
        self._length = sum([number for _, number in parts])

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | Sequence[Move]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(self._length)))
        place = index if index >= 0 else index + self._length
        if place >= 0:
            for make, number in self._parts:
                if place < number:
                    return make(place)
                place -= number
        raise IndexError(index)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


def listed(moves: Sequence[Move]) -> Part:
    """Moves that are there already, as a part of Choices."""
    return moves.__getitem__, len(moves)


def made(make: Callable[..., Move], values: Sequence[tuple[Any, ...]]) -> Part:
    """Moves of one kind, each from its values."""
    return partial(_made, make, values), len(values)


def _made(make: Callable[..., Move], values: Sequence[tuple[Any, ...]], place: int) -> Move:
    return make(*values[place])


def performs(targets: Sequence[int], owned: Sequence[int]) -> Part:
    """For each target every choice of one or more of the dice owned: the last colour's number changes first."""
    red, blue, green, purple = owned
    ways = (red + 1) * (blue + 1) * (green + 1) * (purple + 1) - 1
    return partial(_perform, targets, owned, ways), ways * len(targets)


def _perform(targets: Sequence[int], owned: Sequence[int], ways: int, place: int) -> Perform:
    """The place's target and choice of dice; the one of no die at all is left out."""
    target, place = divmod(place, ways)
    rest, purple = divmod(place + 1, owned[3] + 1)
    rest, green = divmod(rest, owned[2] + 1)
    red, blue = divmod(rest, owned[1] + 1)
    return Perform(targets[target], (red, blue, green, purple))


LAST: Part = listed((PASS,))


def write(move: Move) -> str:
    """`learn 12 red`, `perform 7 2 red blue`, `spend 12 3 5`, `reroll 12`, `gift 5 3`, `mark 3`, `roll`, `finish` …"""
    match move:
        case Learn(card, colours):
            return " ".join(("learn", str(card), *[COLOURS[colour] for colour in colours]))
        case Perform(target, dice):
            what = "favorite" if target == FAVORITE else str(target)
            return " ".join(("perform", what, *_counted(dice)))
        case Spend(card, die, face):
            return f"spend {card} {die} {face}"
        case UseGift(gift, die, colour):
            return f"gift {gift}" + _after(None if colour is None else COLOURS[colour]) + _after(die)
        case Reroll(number) | Mark(number) | Unmark(number) | Keep(number):
            return f"{type(move).__name__.lower()} {number}"
        case Pass() | Roll() | Paint() | Finish():
            return type(move).__name__.lower()


def read(text: str) -> Move:
    """The move behind a notation. Raises BadNotation."""
    verb, *words = text.lower().replace(",", " ").split() or [""]
    try:
        return _READERS[verb](words)
    except KeyError:
        raise BadNotation(f"“{text.strip()[:40]}” is no move of Jesters.") from None
    except ValueError as error:
        raise BadNotation(str(error)) from None


def _after(word: object) -> str:
    return "" if word is None else f" {word}"


def _counted(dice: Sequence[int]) -> list[str]:
    """`2 red`, `blue`: with a number where there are several, so that twenty dice fit in a control's id."""
    pairs = zip(dice, COLOURS, strict=True)
    return [name if number == 1 else f"{number} {name}" for number, name in pairs if number]


def _number(word: str) -> int | None:
    return int(word) if word.isascii() and word.isdigit() and len(word) <= 2 else None


def _numbers(words: list[str], wanted: int, said: str) -> list[int]:
    """So many numbers, and nothing else."""
    found = [number for word in words if (number := _number(word)) is not None]
    if len(words) != wanted or len(found) != wanted:
        raise ValueError(said)
    return found


def _colour(word: str) -> int:
    if word not in COLOURS:
        raise ValueError(f"“{word[:20]}” is no colour: write {', '.join(COLOURS[:-1])} or {COLOURS[-1]}.")
    return COLOURS.index(word)


def _learn(words: list[str]) -> Move:
    (card,) = _numbers(
        words[:1], 1, "Name the Jest card by its number, and the colours where it says any: learn 12 red."
    )
    return Learn(card, tuple(sorted(map(_colour, words[1:]))))


def _read_perform(words: list[str]) -> Move:
    said = "Name what to perform, then your dice: perform 7 2 red blue, or perform favorite red."
    target = FAVORITE if words[:1] == ["favorite"] else _numbers(words[:1], 1, said)[0]
    if target == FAVORITE and words[0] != "favorite":
        raise ValueError(said)
    dice, times = [0, 0, 0, 0], None
    for word in words[1:]:
        number = _number(word)
        if number is None:
            dice[_colour(word)] += 1 if times is None else times
        elif times is not None or not number:
            raise ValueError(said)
        times = number
    if times is not None or not any(dice):
        raise ValueError(said)
    return Perform(target, tuple(dice))


def _spend(words: list[str]) -> Move:
    card, die, face = _numbers(words, 3, "Name the Jest card, the die and what it is to show: spend 12 3 5.")
    return Spend(card, die, face)


def _gift(words: list[str]) -> Move:
    said = "Name the Gift by its number, and the die or the colour that it asks for: gift 5, gift 5 3 or gift 5 red."
    (gift,) = _numbers(words[:1], 1, said)
    match words[1:]:
        case []:
            return UseGift(gift)
        case [word] if (die := _number(word)) is not None:
            return UseGift(gift, die=die)
        case [word]:
            return UseGift(gift, colour=_colour(word))
    raise ValueError(said)


def _one(make: Callable[[int], Move], said: str) -> Callable[[list[str]], Move]:
    return lambda words: make(_numbers(words, 1, said)[0])


def _plain(move: Move) -> Callable[[list[str]], Move]:
    def reader(words: list[str]) -> Move:
        if words:
            raise ValueError(f"Nothing comes after “{write(move)}”.")
        return move

    return reader


_READERS: Mapping[str, Callable[[list[str]], Move]] = {
    "learn": _learn,
    "perform": _read_perform,
    "pass": _plain(PASS),
    "spend": _spend,
    "reroll": _one(Reroll, "Name the Jest card by its number: reroll 12."),
    "gift": _gift,
    "mark": _one(Mark, "Name the die by its number: mark 3."),
    "unmark": _one(Unmark, "Name the die by its number: unmark 3."),
    "roll": _plain(ROLL),
    "paint": _plain(PAINT),
    "finish": _plain(FINISH),
    "keep": _one(Keep, "Name the Gift by its number: keep 14."),
}
