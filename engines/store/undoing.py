"""Undos: the rows that take moves back, and what a match stores about requests. Both name seats, never people."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from pydantic import TypeAdapter

_ROW = re.compile(r"undo( only)? ([1-9][0-9]{0,5})")


@dataclass(frozen=True, slots=True)
class Undo:
    """A row among the moves: it takes back the move of that number and all later ones; `only`: that move alone."""

    move: int
    only: bool = False

    def __str__(self) -> str:
        return f"undo {'only ' if self.only else ''}{self.move}"


def parse_undo(notation: str) -> Undo | None:
    """Return what a row takes back; None if it is a move of the game."""
    found = _ROW.fullmatch(notation)
    return Undo(int(found[2]), found[1] is not None) if found else None


def moves_in_force(notations: Sequence[str], first: int = 1) -> list[int]:
    """Return the numbers of the moves that were not taken back, in order. `first` is the number of the first row.

    Raises ValueError with a sentence if a row takes back what is not in force.
    """
    found: list[int] = []
    for number, notation in enumerate(notations, first):
        undo = parse_undo(notation)
        if undo is None:
            found.append(number)
        elif undo.move not in found:
            raise ValueError(f"move {number} takes back move {undo.move}, which is not in force")
        else:
            place = found.index(undo.move)
            found[place:] = found[place + 1 :] if undo.only else []
    return found


@dataclass(frozen=True, slots=True)
class TableRequest:
    """A seat's request about the move of that number, for others to settle.

    `seats` have to agree, and `agreed` are those that did. It was made at the second `since` (0: an older version did
    not store that) and lapses at `until`. A request that has ended without success stays until the next move, so that
    its seat is told; `ended_by` is who refused it.
    """

    seat: int
    move: int
    until: int
    seats: tuple[int, ...] = ()
    agreed: tuple[int, ...] = ()
    ended: Literal["", "refused", "lapsed"] = ""
    ended_by: int = -1
    since: int = 0

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that still have to answer."""
        return () if self.ended else tuple(seat for seat in self.seats if seat not in self.agreed)


@dataclass(frozen=True, slots=True)
class ClockRest:
    """The seconds that a seat has for a decision of that number of the game, because it was open before."""

    seat: int
    number: int
    seconds: int


@dataclass(frozen=True, slots=True)
class UnchangedDecision:
    """A seat's decision of that number of the game that stayed open through an undo, and keeps its offset."""

    seat: int
    number: int
    offset: int


@dataclass(frozen=True, slots=True)
class Undoing:
    """What a match stores about undos besides their rows.

    `asked` are the moves about which each seat's player has asked, empty before the first request. `clocks` are the
    decisions whose deadline an undo restarted. `closed` are the questions that spectators can no longer
    answer, because they have seen the answer. `kept` are the decisions that the latest undo left as they were.
    """

    request: TableRequest | None = None
    asked: tuple[tuple[int, ...], ...] = ()
    clocks: tuple[ClockRest, ...] = ()
    closed: tuple[int, ...] = ()
    kept: tuple[UnchangedDecision, ...] = ()

    @property
    def open_request(self) -> TableRequest | None:
        """The request that waits for answers."""
        return self.request if self.request is not None and not self.request.ended else None

    def asked_by(self, seat: int) -> tuple[int, ...]:
        """Return the moves about which a seat's player has asked."""
        return self.asked[seat] if self.asked else ()

    def with_request(self, request: TableRequest, seats: int) -> Undoing:
        """Return them with a new request in a match of that many seats."""
        asked_moves = self.asked or ((),) * seats
        own = (*asked_moves[request.seat], request.move)
        return replace(
            self, request=request, asked=(*asked_moves[: request.seat], own, *asked_moves[request.seat + 1 :])
        )

    def clock_of(self, seat: int, number: int) -> ClockRest | None:
        """Return what is left for a decision whose deadline was restarted before."""
        return next((each for each in self.clocks if (each.seat, each.number) == (seat, number)), None)


NOTHING_UNDONE = Undoing()


@cache
def _adapter() -> TypeAdapter[Undoing]:  # most starts need none, and building it takes 10 ms
    return TypeAdapter(Undoing)


def format_undoing(undoing: Undoing) -> str:
    """Return them as the text that is stored; empty if there are none."""
    return "" if undoing == NOTHING_UNDONE else _adapter().dump_json(undoing, exclude_defaults=True).decode()


def parse_undoing(text: str, seats: int) -> Undoing | None:
    """Return them from the stored text; None if it cannot be read for that many seats."""
    try:
        found = _adapter().validate_json(text) if text else NOTHING_UNDONE
    except ValueError:
        return None
    request = found.request
    numbers = [*(() if request is None else (request.seat, *request.seats, *request.agreed))]
    numbers += [*(each.seat for each in found.clocks), *(each.seat for each in found.kept)]
    fits = len(found.asked) in (0, seats)
    return found if fits and all(0 <= seat < seats for seat in numbers) else None
