"""Specs: frozen, hashable descriptions of pictures, without anything that the reader must not see.

Each game has its own specs; the shared ones are here.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Literal

Spec = Hashable
"""A description of a picture. A layout is registered for its type; equal specs give equal pictures."""


Tone = Literal["plain", "quiet", "gold", "good", "bad"]
"""The colour of a word on a plate or sheet. Colour is never the only difference between two words."""


@dataclass(frozen=True, slots=True)
class PlateLine:
    """A short line of a plate: a text on the left, and optionally one on the right."""

    text: str
    tone: Tone = "plain"
    right: str = ""
    right_tone: Tone = "quiet"


@dataclass(frozen=True, slots=True)
class SeatPlate:
    """The plate of a seat: its name (see `typeface.plate_names`), and two or three lines.

    `marks` names the game's own small marks at the end of the first line.
    """

    seat: int
    name: str
    lines: tuple[PlateLine, ...]
    turn: bool = False  # gets a gold frame: the match waits for this seat
    marks: tuple[str, ...] = ()
    computer: bool = False  # a computer plays there: its token has a face


@dataclass(frozen=True, slots=True)
class LobbyPicture:
    """The picture of a lobby: what the game is, and its seats, taken and free. Short plain texts.

    Each game has a subclass, whose layout knows its figure and its cloth (`lobby_picture.py`).
    """

    title: str
    like: str  # what players do, in a sentence
    players: str  # `3–6 players`
    length: str  # `about 25 min`
    learning: str  # `easy`
    effort: int  # how hard it is to learn: 1 to 3
    seats: tuple[SeatPlate, ...]  # those that are taken, with one line each
    needed: int  # free seats that are needed before the start
    open: int  # further free seats


@dataclass(frozen=True, slots=True)
class ResultBanner:
    """What stands above a result: who won, how, and one moment of the match. Short plain texts."""

    winners: tuple[int, ...]  # seats
    title: str  # `Ada wins`
    how: str
    moment: str = ""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A line of a score sheet: its name, and a small note and a number for every seat."""

    name: str
    cells: tuple[tuple[str, str], ...]
    sums: tuple[str, ...] = ()  # every seat's sum after this line


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """A score sheet: one column per seat, one line per round, the totals, and the places after the match."""

    rows: tuple[SheetRow, ...]
    totals: tuple[str, ...]
    places: tuple[int, ...] = ()
    note: str = "bid/took"  # the heading that explains the small notes
    names: tuple[str, ...] = ()  # names of the seats, as on plates
    banner: ResultBanner | None = None
    cloth: str = "green"  # below the paper, and of the banner (`theme.CLOTHS`)


@dataclass(frozen=True, slots=True)
class SignStrip:
    """The signs of several games side by side, as their specs."""

    signs: tuple[Spec, ...]


@dataclass(frozen=True, slots=True)
class FinishedImage:
    """A picture that is drawn already: the bytes of its file, and a digest that differs if they do."""

    digest: str
    content: bytes = field(repr=False, compare=False)
