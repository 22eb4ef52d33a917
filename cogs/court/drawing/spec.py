"""The values of the Court's picture. Squares are column + 22 × row; −1 is no square. Seats are in order."""

from __future__ import annotations

from dataclasses import dataclass

from cogs.pictures.spec import LobbyPicture, ResultBanner, SeatPlate

BOARD_SIDE = 22
CLOTH = "walnut"
"""The cloth of the table (`theme.CLOTHS`)."""


@dataclass(frozen=True, slots=True)
class CourtSign:
    """The sign of the game: a king, his Mage and the board."""


@dataclass(frozen=True, slots=True)
class CourtLobby(LobbyPicture):
    """The picture of a lobby of this game."""


@dataclass(frozen=True, slots=True)
class CourtMove:
    """A Mage's move towards a suit's edge, or over it if `end` is −1."""

    start: int
    end: int
    suit: str


@dataclass(frozen=True, slots=True)
class CourtWay:
    """A possible move of a seat's Mage, whether it brings a banner, and the card if several cards are drawn."""

    seat: int
    move: CourtMove
    banner: bool = False
    card: str = ""


@dataclass(frozen=True, slots=True)
class CourtBoard:
    """Everything on the board. Mages and Menhirs are by seat."""

    mages: tuple[int, ...]
    menhirs: tuple[int, ...]
    moves: tuple[CourtMove, ...] = ()  # the last moves, as arrows
    possible_moves: tuple[CourtWay, ...] = ()
    free: tuple[int, ...] = ()  # starting squares to choose from, with their names
    row: int = -1  # the chosen row, from 0
    you: int = -1  # the seat whose Mage has a ring
    claimed: tuple[str, ...] = ()  # suits whose edges bring this reader nothing more


@dataclass(frozen=True, slots=True)
class CourtCard:
    """A card of the hand, and what it does now: a few letters, or the banner that it brings.

    `mage` is the seat whose Mage it moves, if that is not the reader's own.
    """

    name: str
    text: str = ""
    banner: str = ""
    mage: int = -1
    idle: bool = False  # of no use now


@dataclass(frozen=True, slots=True)
class CourtRolls:
    """An attack: the attacker, the card, the die, and each defender's final die and whether it was hit."""

    seat: int
    card: str
    roll: int
    defences: tuple[tuple[int, int, bool], ...]


@dataclass(frozen=True, slots=True)
class CourtPicture:
    """The whole board with all pieces, beside it a plate per seat, and below these the hand or the last dice.

    A plate's marks are the claimed banners; its only line is the health, with the place in a result.
    """

    plates: tuple[SeatPlate, ...]
    board: CourtBoard
    note: str = ""  # the turn, and how many banners win
    hand: tuple[CourtCard, ...] = ()
    chosen: str = ""  # the framed card
    rolls: CourtRolls | None = None
    roll_off: tuple[int, ...] = ()  # by seat, the final die, until the first attack
    banner: ResultBanner | None = None
    small: bool = False  # for more controls below it
