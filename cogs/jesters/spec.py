"""What Jesters's pictures show, as values: frozen, hashable, without names or anything that the reader may not see."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sign:
    """A die of a requirement and what it has to show (nothing: whatever), or without `die` a relation: `≥9`, `+`."""

    text: str
    colour: int = -1  # that is asked of it; -1: any
    die: bool = True


@dataclass(frozen=True, slots=True)
class Task:
    """A Performance or the Favorite: what it asks for, its symbols, the Fame it brings."""

    name: str
    signs: tuple[Sign, ...]
    symbols: tuple[int, ...]
    fame: str = ""  # none at the Favorite
    favorite: bool = False


@dataclass(frozen=True, slots=True)
class GiftFace:
    """A Gift: what it does (`opposite`, `recolour`, `extra`, `reroll`, `symbol`, `colour`), to or for which."""

    effect: str
    of: int
    symbol: int
    used: bool = False


@dataclass(frozen=True, slots=True)
class JestersSeat:
    """What lies before a seat of Jesters."""

    dice: tuple[int, ...]  # how many of each colour
    cards: int
    done: int  # completed Performances
    fame: int
    failures: int
    gifts: str  # how many are not used, of how many
    tag: str = ""
    turn: bool = False
    first: bool = False  # holds the first player card


@dataclass(frozen=True, slots=True)
class Majority:
    """A majority: what it is worth, its Favorite's symbols (none: not revealed), how many each seat has of them."""

    worth: str
    symbols: tuple[int, ...] = ()
    counts: tuple[int, ...] = ()
    now: bool = False  # it is this round's Favorite


@dataclass(frozen=True, slots=True)
class Roll:
    """A rolled die."""

    colour: int
    face: int
    marked: bool = False
    was: int | None = None  # its own colour, where that is another one


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt: who performs what, the dice in their order, and what to say beside them."""

    seat: int
    task: Task
    dice: tuple[Roll, ...]
    lines: tuple[str, ...]
    met: bool


@dataclass(frozen=True, slots=True)
class Stage:
    """Jesters' table: the open Performances or an attempt, the middle, failures, majorities, the seats."""

    title: str
    pile: str
    tasks: tuple[Task, ...]
    middle: tuple[int, ...]
    seats: tuple[JestersSeat, ...]
    majorities: tuple[Majority, ...]
    attempt: Attempt | None = None


@dataclass(frozen=True, slots=True)
class JestFace:
    """A Jest card: its number, the colours it teaches (-1: any), and how it changes a die of a colour (-1: any)."""

    number: int
    learn: tuple[int, ...]
    change: str  # `±2`, or `opposite`
    colour: int = -1
    dimmed: bool = False


@dataclass(frozen=True, slots=True)
class JestersHand:
    """A seat's Jest cards, its dice and its Gifts; above them its attempt, or the Gifts of which to keep one."""

    cards: tuple[JestFace, ...]
    dice: tuple[int, ...]  # how many of each colour
    gifts: tuple[GiftFace, ...]
    attempt: Attempt | None = None
    choice: tuple[GiftFace, ...] = ()


@dataclass(frozen=True, slots=True)
class JestersLine:
    """A line of the final scoring: its name, symbols that belong to it, and for every seat a count and its Fame."""

    name: str
    cells: tuple[tuple[str, str], ...]
    symbols: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class JestersSheet:
    """The final scoring: a line for each thing that scores, a column a seat."""

    lines: tuple[JestersLine, ...]
    totals: tuple[str, ...]
    places: tuple[int, ...]
