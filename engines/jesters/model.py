"""The types of Jesters: options, state, view, moves and the final scoring. Events are in engines.jesters.events.

Performances (1–38), Favorites (1–5), Jest cards (1–50) and Gifts (1–25) are numbered as in components.catalogue.
Colours are 0–3: red, blue, green, purple. The dice of an attempt count from 1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from engines.kit.chance import Chance

PERFORMANCES, FAVORITES, JEST_CARDS, GIFTS = range(1, 39), range(1, 6), range(1, 51), range(1, 26)
TECHNIQUE_COUNT = 20
FAVORITE_TARGET = 0  # the target of an attempt at the Favorite, in place of a Performance's number
ROUNDS = 3
OUT_FAILURES = 3  # failures that put a seat out of play (S11)

Phase = Literal["turn", "attempt", "mark", "keep", "over"]
"""The start of a turn; dice are rolled; dice are being marked; one of two Gifts is to be kept; the end."""


@dataclass(frozen=True, slots=True)
class Options:
    """Jesters has no options."""


class Die(NamedTuple):
    """A rolled Technique: its true colour, its colour in this attempt (S22), and its face."""

    own: int
    colour: int
    face: int


class Attempt(NamedTuple):
    """The dice on the table while a seat performs.

    `target` is a Performance or FAVORITE. While dice are marked, `marking` is the Gift that needs it, or 0 for a Jest
    card's reroll, and `marked` are the numbers of the dice, sorted.
    """

    target: int
    dice: tuple[Die, ...]
    marking: int | None
    marked: tuple[int, ...]


class Majority(NamedTuple):
    """A scored majority place (S16): its Favorite, its two numbers, and by seat the matching symbols and the Fame."""

    favorite: int
    most: int
    second: int
    counts: tuple[int, ...]
    fame: tuple[int, ...]


class FinalScoring(NamedTuple):
    """The final scoring (S16–S19) by seat, part by part in scoring order.

    `gift_counts` and `cards` (Jest cards in hand) break ties.
    """

    majorities: tuple[Majority, ...]
    track: tuple[int, ...]
    first: tuple[int, ...]
    performances: tuple[int, ...]
    gifts: tuple[int, ...]
    totals: tuple[int, ...]
    gift_counts: tuple[int, ...]
    cards: tuple[int, ...]


@dataclass(slots=True)
class State:
    """A whole match of Jesters. The top of a pile is last."""

    chance: Chance
    first: int  # who has the first player card
    turn: int
    round: int = 1
    phase: Phase = "turn"
    dice: list[list[int]] = field(default_factory=list)  # by seat and colour, including those being rolled
    middle: list[int] = field(default_factory=list)  # by colour
    hands: list[list[int]] = field(default_factory=list)  # sorted
    draw: list[int] = field(default_factory=list)
    discard: list[int] = field(default_factory=list)
    packs: list[int] = field(default_factory=list)  # by Jest card minus 1: the refill that it last went into
    refills: int = 0  # of the draw pile
    favorites: list[int] = field(default_factory=list)  # the pile of Favorites
    favorite: int = 0
    placed: list[int] = field(default_factory=list)  # the Favorites at the majority places
    pile: list[int] = field(default_factory=list)  # the pile of Performances
    board: list[int] = field(default_factory=list)  # the open Performances
    completed: list[list[int]] = field(default_factory=list)  # by seat
    gift_pile: list[int] = field(default_factory=list)
    under: list[tuple[int, ...]] = field(default_factory=list)  # by place from the pile's bottom, who knows the Gift
    gifts: list[list[int]] = field(default_factory=list)  # by seat
    used: list[int] = field(default_factory=list)  # the Gifts used in this round, sorted
    drawn: list[int] = field(default_factory=list)  # the two Gifts to choose from
    drawn_known: list[tuple[int, ...]] = field(default_factory=list)  # who knows each of them
    failures: list[int] = field(default_factory=list)
    fame: list[int] = field(default_factory=list)  # the Fame that Gifts gave
    passed: list[int] = field(default_factory=list)  # in this round, in order
    done: list[int] = field(default_factory=list)  # who completed this round's Favorite
    # The current attempt; empty if there is none.
    target: int | None = None
    own: list[int] = field(default_factory=list)  # the dice's true colours
    colours: list[int] = field(default_factory=list)  # their colours in this attempt
    faces: list[int] = field(default_factory=list)
    marking: int | None = None
    marked: list[int] = field(default_factory=list)
    final: FinalScoring | None = None
    numbers: list[int] = field(default_factory=list)  # moves made by each seat


@dataclass(frozen=True, slots=True)
class Learn:
    """Discard a Jest card and take the Techniques of its top half. `colours` are those chosen for "any" (S6)."""

    card: int
    colours: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Perform:
    """Roll this many of one's Techniques, by colour, for a Performance or the FAVORITE (S7)."""

    target: int
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """Return all Techniques and leave this round (S12)."""


@dataclass(frozen=True, slots=True)
class Spend:
    """Discard a Jest card for its bottom half, which makes the die show this face (S7, S8)."""

    card: int
    die: int
    face: int


@dataclass(frozen=True, slots=True)
class Reroll:
    """Discard any Jest card to reroll dice, which are marked next (S7)."""

    card: int


@dataclass(frozen=True, slots=True)
class UseGift:
    """Use a Gift (S22): with the die to turn, with the extra Technique's colour, or followed by marking dice."""

    gift: int
    die: int | None = None
    colour: int | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """Mark a die to reroll it or to change its colour."""

    die: int


@dataclass(frozen=True, slots=True)
class Unmark:
    """Remove a mark."""

    die: int


@dataclass(frozen=True, slots=True)
class Roll:
    """Reroll the marked dice."""


@dataclass(frozen=True, slots=True)
class Paint:
    """Change the colour of the marked dice."""


@dataclass(frozen=True, slots=True)
class Finish:
    """End the attempt: a success if the dice meet the requirement, otherwise a failure (S7)."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep one of the two Gifts drawn; the other goes under the pile (S10)."""

    gift: int


Move = Learn | Perform | Pass | Spend | Reroll | UseGift | Mark | Unmark | Roll | Paint | Finish | Keep
