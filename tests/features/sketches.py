"""Throw-away features that need what the registered ones do not: rows of a deal, of a server, and of two people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engines.hosting.feature import OVER, Feature
from engines.hosting.match import MatchSnapshot
from engines.store.match_store import Change
from engines.store.rows import AddRow, Person, Rows, RowTable, RowWrite, Second


@dataclass(frozen=True, slots=True)
class Attempt:
    """A person's only attempt at the deal of a day, and what became of it; `about` is its match, which it outlives."""

    deal: str
    user: int
    name: str
    about: str
    points: int
    at: Second


ATTEMPTS = RowTable("attempts", Attempt, key=2, forgotten_people="replace")


class DailyDeal(Feature):
    """One attempt a person at a deal, written with the last move."""

    name = "dailydeal"
    tables = (ATTEMPTS,)
    reacts_to = frozenset({OVER})

    def react(self, before: MatchSnapshot, change: Change, state: Any) -> Iterable[RowWrite]:
        """Write the attempt of each player."""
        outcome = before.game.outcome(state)
        assert outcome is not None
        rows = (
            Attempt("2026-11-29", seat.user, seat.name, change.info.id, points, Second(change.info.changed))
            for seat, points in zip(change.info.seats, outcome.points, strict=True)
            if seat.owner_plays
        )
        return [AddRow(ATTEMPTS, row) for row in rows]


@dataclass(frozen=True, slots=True)
class Night:
    """A night of tables that a server has announced: it starts by itself."""

    guild: int
    number: int
    title: str
    channels: tuple[int, ...]
    is_open: bool
    at: Second
    starts: Second


@dataclass(frozen=True, slots=True)
class NightGuest:
    """Somebody who comes to a night."""

    guild: int
    number: int
    user: int


NIGHTS = RowTable("nights", Night, key=2, searched=("starts",))
NIGHT_GUESTS = RowTable("night_guests", NightGuest, key=3)


class Nights(Feature):
    """Nights of tables."""

    name = "nights"
    tables = (NIGHTS, NIGHT_GUESTS)


@dataclass(frozen=True, slots=True)
class Avoided:
    """Somebody whom a person never wants to sit with."""

    user: int
    other: Person


AVOIDED = RowTable("avoided", Avoided, key=2)


class NeverSeat(Feature):
    """Refuses that somebody joins a table of a person who avoids them."""

    name = "neverseat"
    tables = (AVOIDED,)
    guards = frozenset({"join"})

    def guard(self, before: MatchSnapshot, change: Change, rows: Rows) -> str:
        """Refuse it without a hint at who avoids whom."""
        people = {seat.user for seat in change.info.seats}
        avoids = any({row.user, row.other} <= people for row in rows.of(AVOIDED))
        return "You cannot join this table." if avoids else ""


@dataclass(frozen=True, slots=True)
class Heard:
    """Something that belongs to nobody, and is kept for a week."""

    number: int
    text: str
    at: Second


HEARD = RowTable("heard", Heard, key=1, seen="nobody", keep_days=7)


class Rumours(Feature):
    """Rows of the owner."""

    name = "rumours"
    tables = (HEARD,)


SKETCHES: Sequence[Feature] = (DailyDeal(), Nights(), NeverSeat(), Rumours())
NASTY = "'; DROP TABLE matches; -- \\ \x00 🃏 ‮ \n%s {0} $1 ?1 :name"
SAMPLES: dict[str, tuple[Any, ...]] = {
    "attempts": (Attempt("2026-11-29", 5, NASTY, "m1", -(2**62), Second(1_700_000_000)),),
    "nights": (
        Night(1, 1, NASTY, (2**62, 3), True, Second(1_700_000_000), Second(1_900_000_000)),
        Night(1, 2, "It starts whenever its host says so.", (), False, Second(1_700_000_000), Second(0)),
    ),
    "night_guests": (NightGuest(1, 1, 5), NightGuest(1, 1, 6)),
    "avoided": (Avoided(5, Person(6)), Avoided(7, Person(5))),
    "heard": (Heard(1, NASTY, Second(1_700_000_000)),),
}
