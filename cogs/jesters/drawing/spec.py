"""What Jesters' pictures show, as values: frozen, hashable, without anything that the reader may not see."""

from __future__ import annotations

from dataclasses import dataclass

from cogs.pictures.spec import SeatPlate


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
    chance: str = ""  # that the reader's dice meet it without changes
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class GiftFace:
    """A Gift: what it does (`opposite`, `recolour`, `extra`, `reroll`, `symbol`, `colour`), to or for which."""

    effect: str
    of: int
    symbol: int
    used: bool = False


@dataclass(frozen=True, slots=True)
class Majority:
    """A majority that is revealed: what it is worth, its Favorite's symbols, how many each seat has of them."""

    worth: str
    symbols: tuple[int, ...]
    counts: tuple[int, ...]
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
    """An attempt: what is performed, the dice in their order, what to say below it, and what more quietly."""

    task: Task
    dice: tuple[Roll, ...]
    said: str
    quiet: str
    met: bool


@dataclass(frozen=True, slots=True)
class JestFace:
    """A Jest card: the colours it teaches (-1: any), and how it changes a die of a colour (-1: any)."""

    learn: tuple[int, ...]
    change: str  # `±2`, or `turn`
    colour: int = -1


@dataclass(frozen=True, slots=True)
class Own:
    """What the reader alone has before them: Jest cards and Gifts."""

    cards: tuple[JestFace, ...]
    gifts: tuple[GiftFace, ...]


@dataclass(frozen=True, slots=True)
class Stage:
    """Jesters' table, and with `own` a hand: the seats, the open Performances or an attempt, majorities, the middle."""

    plates: tuple[SeatPlate, ...]
    tasks: tuple[Task, ...]
    middle: tuple[int, ...]
    majorities: tuple[Majority, ...]
    round: str  # where it is told, with the middle
    attempt: Attempt | None = None
    own: Own | None = None
    choice: tuple[GiftFace, ...] = ()  # the Gifts of which one is to be kept
