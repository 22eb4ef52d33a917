"""The values of Jesters' pictures: frozen, hashable, and free of secrets."""

from __future__ import annotations

from dataclasses import dataclass

from cogs.pictures.spec import LobbyPicture, SeatPlate

CLOTH = "violet"
"""The cloth of the table (`theme.CLOTHS`)."""

SYMBOL_NAMES = (
    "Mime",
    "Magic",
    "Juggling",
    "Music",
    "Satire",
    "Comedy",
    "Advice",
    "Bad News",
    "Drama",
    "Entertainment",
)
NO_SYMBOL = -1


@dataclass(frozen=True, slots=True)
class JestersSign:
    """The sign of the game: the jester with three dice."""


@dataclass(frozen=True, slots=True)
class JestersLobby(LobbyPicture):
    """The picture of a lobby of this game."""


@dataclass(frozen=True, slots=True)
class Sign:
    """A die of a requirement and its face (empty: any), or without `die` a relation: `≥9`, `+`."""

    text: str
    colour: int = -1  # the required colour; -1: any
    die: bool = True


@dataclass(frozen=True, slots=True)
class Task:
    """A Performance or the Favorite: its requirement, symbols and Fame."""

    name: str
    signs: tuple[Sign, ...]
    symbols: tuple[int, ...]
    fame: str = ""  # empty for the Favorite
    favorite: bool = False
    chance: str = ""  # the chance of the player's dice without changes
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class GiftFace:
    """A Gift: its effect (`opposite`, `recolour`, `extra`, `reroll`, `symbol`, `colour`) and its colour or symbol."""

    effect: str
    of: int
    symbol: int  # `NO_SYMBOL` if it does not matter now
    used: bool = False


@dataclass(frozen=True, slots=True)
class Majority:
    """A revealed majority: its worth, its Favorite's symbols, and how many of them each seat has."""

    worth: str
    symbols: tuple[int, ...]
    counts: tuple[int, ...]
    now: bool = False  # this round's Favorite


@dataclass(frozen=True, slots=True)
class Roll:
    """A rolled die."""

    colour: int
    face: int
    marked: bool = False
    was: int | None = None  # its own colour, if it was changed
    turn: int = 0  # while it rolls, the number of its picture, from 1


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt: the Performance, the dice in order, the text below, and a quieter text."""

    task: Task
    dice: tuple[Roll, ...]
    said: str
    quiet: str
    met: bool


@dataclass(frozen=True, slots=True)
class JestFace:
    """A Jest card: the colours it teaches (-1: any), and its change of a die of a colour (-1: any)."""

    learn: tuple[int, ...]
    change: str  # `±2`, or `turn`
    colour: int = -1


@dataclass(frozen=True, slots=True)
class Own:
    """The player's own Jest cards and Gifts."""

    cards: tuple[JestFace, ...]
    gifts: tuple[GiftFace, ...]


@dataclass(frozen=True, slots=True)
class Stage:
    """The table, or a hand with `own`: the seats, the open Performances or an attempt, majorities, the middle."""

    plates: tuple[SeatPlate, ...]
    tasks: tuple[Task, ...]
    middle: tuple[int, ...]
    majorities: tuple[Majority, ...]
    round: str  # shown with the middle
    attempt: Attempt | None = None
    own: Own | None = None
    choice: tuple[GiftFace, ...] = ()  # the Gifts to choose from

    @property
    def arts(self) -> tuple[int, ...]:
        """The symbols in the picture that have no name beside them, in order: all but those of the attempt."""
        own = self.own.gifts if self.own else ()
        gifts = [*own, *self.choice]
        found = {symbol for task in self.tasks for symbol in task.symbols}
        found |= {symbol for majority in self.majorities for symbol in majority.symbols}
        found |= {gift.symbol for gift in gifts} | {gift.of for gift in gifts if gift.effect == "symbol"}
        named = self.attempt.task.symbols if self.attempt else ()
        return tuple(sorted(found - {NO_SYMBOL} - set(named)))
