"""Jesters' moves as lists that are not built, since there are thousands of ways to choose dice; and their notation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from engines.choices import Part, built
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
from engines.notation import NUMBER, Kind, Notation, Several, Verb, Words, number, verb

PASS, FINISH, ROLL, PAINT = Pass(), Finish(), Roll(), Paint()
MARKS = tuple(map(Mark, range(TECHNIQUES + 1)))
UNMARKS = tuple(map(Unmark, range(TECHNIQUES + 1)))
REROLLS = tuple(map(Reroll, range(len(JEST_CARDS) + 1)))


def made(make: Callable[..., Move], values: Sequence[tuple[Any, ...]]) -> Part[Move]:
    """Moves of one kind, each from its values."""
    return partial(_made, make, values), len(values)


def _made(make: Callable[..., Move], values: Sequence[tuple[Any, ...]], place: int) -> Move:
    return make(*values[place])


def performs(targets: Sequence[int], owned: Sequence[int]) -> Part[Move]:
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


LAST: Part[Move] = built((PASS,))


def _colour(word: str) -> int:
    colour = word.lower()
    if colour not in COLOURS:
        raise ValueError(f"“{colour[:20]}” is no colour: write {', '.join(COLOURS[:-1])} or {COLOURS[-1]}.")
    return COLOURS.index(colour)


COLOUR = Kind(_colour, COLOURS.__getitem__)


def _read_perform(words: Words) -> Perform:
    """What to perform, and the dice by colour: with a number where there are several."""
    what = words[0].lower() if words else ""
    target = FAVORITE if what == "favorite" else number(what)
    if target is None or (target == FAVORITE and what != "favorite"):
        raise ValueError(PERFORM)
    dice, times = [0, 0, 0, 0], None
    for word in words[1:]:
        found = number(word)
        if found is None:
            dice[_colour(word)] += 1 if times is None else times
        elif times is not None or not found:
            raise ValueError(PERFORM)
        times = found
    if times is not None or not any(dice):
        raise ValueError(PERFORM)
    return Perform(target, tuple(dice))


def _write_perform(move: Perform) -> list[str]:
    """`7 2 red blue`: a number only where it is needed, so that twenty dice fit in a control's id."""
    pairs = zip(move.dice, COLOURS, strict=True)
    dice = [name if number == 1 else f"{number} {name}" for number, name in pairs if number]
    return ["favorite" if move.target == FAVORITE else str(move.target), *dice]


def _read_gift(words: Words) -> UseGift:
    """A Gift, and the die or the colour that it asks for."""
    gift = number(words[0]) if words else None
    if gift is None or len(words) > 2:
        raise ValueError(GIFT)
    if len(words) == 1:
        return UseGift(gift)
    die = number(words[1])
    return UseGift(gift, colour=_colour(words[1])) if die is None else UseGift(gift, die=die)


def _write_gift(move: UseGift) -> list[str]:
    colour = [] if move.colour is None else [COLOURS[move.colour]]
    die = [] if move.die is None else [str(move.die)]
    return [str(move.gift), *colour, *die]


LEARN = "Name the Jest card by its number, and the colours where it says any: learn 12 red."
PERFORM = "Name what to perform, then your dice: perform 7 2 red blue, or perform favorite red."
SPEND = "Name the Jest card, the die and what it is to show: spend 12 3 5."
GIFT = "Name the Gift by its number, and the die or the colour that it asks for: gift 5, gift 5 3 or gift 5 red."
NOTATION = Notation[Move](
    "Jesters",
    verb("learn", Learn, NUMBER, Several(COLOUR, sort=True), said=LEARN),
    Verb("perform", Perform, _read_perform, _write_perform),
    verb("pass", Pass),
    verb("spend", Spend, NUMBER, NUMBER, NUMBER, said=SPEND),
    verb("reroll", Reroll, NUMBER, said="Name the Jest card by its number: reroll 12."),
    Verb("gift", UseGift, _read_gift, _write_gift),
    verb("mark", Mark, NUMBER, said="Name the die by its number: mark 3."),
    verb("unmark", Unmark, NUMBER, said="Name the die by its number: unmark 3."),
    verb("roll", Roll),
    verb("paint", Paint),
    verb("finish", Finish),
    verb("keep", Keep, NUMBER, said="Name the Gift by its number: keep 14."),
)
