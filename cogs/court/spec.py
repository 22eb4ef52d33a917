"""What a picture of the Court shows. Squares are column + 22 × row; −1 is no square."""

from __future__ import annotations

from dataclasses import dataclass

SIDE = 22


@dataclass(frozen=True, slots=True)
class CourtMove:
    """A Mage on its way towards a suit's edge, or (`end` −1) beyond it."""

    start: int
    end: int
    suit: str


@dataclass(frozen=True, slots=True)
class CourtEnd:
    """Where a card would take a Mage; its rank, and whether that brings a banner."""

    text: str
    way: CourtMove
    gold: bool = False


@dataclass(frozen=True, slots=True)
class CourtBoard:
    """All that is on the board. Mages and Menhirs by seat."""

    mages: tuple[int, ...]
    menhirs: tuple[int, ...]
    moves: tuple[CourtMove, ...] = ()  # the last ones, as arrows
    ends: tuple[CourtEnd, ...] = ()  # what could be, as marks
    free: tuple[int, ...] = ()  # squares to choose from
    column: int = -1  # the column that is chosen
    you: int = -1  # whose Mage is ringed


@dataclass(frozen=True, slots=True)
class CourtSeat:
    """What lies before a seat: the letters of its banners' suits, and where its Mage and its Menhir are."""

    health: int
    banners: str
    cards: int
    mage: str
    menhir: str
    tag: str = ""  # what the seat is to do now, or its place
    lit: bool = False  # framed in gold


@dataclass(frozen=True, slots=True)
class CourtRolls:
    """The dice of an attack: whose, the card, the die, and for each defender the dice and whether it was hit."""

    seat: int
    card: str
    roll: int
    defences: tuple[tuple[int, tuple[int, ...], bool], ...]


@dataclass(frozen=True, slots=True)
class CourtTable:
    """The seats above, the whole board, the last attack's dice below."""

    seats: tuple[CourtSeat, ...]
    board: CourtBoard
    notes: tuple[str, ...] = ()  # two short lines
    rolls: CourtRolls | None = None
    roll_off: tuple[tuple[int, ...], ...] = ()  # by seat, as long as there was no attack


@dataclass(frozen=True, slots=True)
class CourtHand:
    """A hand with its seat's health and banners, and the part of the board that matters to it, beside the whole.

    A card is its name, and whether it is of no use now. `around` are squares that are to be seen.
    """

    cards: tuple[tuple[str, bool], ...]
    health: int
    banners: str
    goal: int  # how many banners win
    board: CourtBoard
    around: tuple[int, ...] = ()
    whole: bool = False  # the whole board as large as it goes
