"""What a picture shows, as values: frozen, hashable, without anything that the reader may not see.

Each game has its own; what several of them draw alike stands here.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal

Spec = Hashable
"""A description of a picture, for whose type a layout is registered; equal ones give equal pictures."""


Tone = Literal["plain", "quiet", "gold", "good", "bad"]
"""How a word looks on a plate or a sheet; never all that tells it apart."""


@dataclass(frozen=True, slots=True)
class PlateLine:
    """A short line of a plate: at its left, and where there is something at its right."""

    text: str
    tone: Tone = "plain"
    right: str = ""
    right_tone: Tone = "quiet"


@dataclass(frozen=True, slots=True)
class SeatPlate:
    """What lies before a seat: its name (see `names.plate_names`), and two or three lines of it.

    `marks` are small signs of a game's own at the end of the first line, by its names for them.
    """

    seat: int
    name: str
    lines: tuple[PlateLine, ...]
    turn: bool = False  # framed: the match waits for this seat
    marks: tuple[str, ...] = ()
    computer: bool = False  # its token has a face: the computer plays there


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A line of a score sheet: what it is called, and for every seat a small note and a number."""

    name: str
    cells: tuple[tuple[str, str], ...]
    sums: tuple[str, ...] = ()  # what every seat has after it


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """A score sheet: a column a seat, a line a round, the totals, and the places once it is over."""

    rows: tuple[SheetRow, ...]
    totals: tuple[str, ...]
    places: tuple[int, ...] = ()
    note: str = "bid/took"  # what the small notes are
    names: tuple[str, ...] = ()  # of the seats, as on plates
