"""Questions that spectators answer about what the seats will do, for fun: they change nothing in a match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from engines.kit.contract import Event

NOBODY = -1
"""The choice that stands for none of the seats."""


@dataclass(frozen=True, slots=True)
class GuessQuestion:
    """A question that spectators may answer now. `number` counts the questions of a match, from 1.

    `choices` are seats, perhaps with NOBODY. If `several` is true, any number of seats may be right, also none.
    """

    number: int
    choices: tuple[int, ...]
    several: bool = False

    def accepts(self, chosen: frozenset[int]) -> bool:
        """Whether somebody may guess this: one choice, or several seats if several may be right."""
        if not chosen or not chosen <= {*self.choices}:
            return False
        return len(chosen) == 1 or (self.several and NOBODY not in chosen)


def right_seats(seats: Iterable[int]) -> frozenset[int]:
    """Return the right choices if these are the right seats: NOBODY if there are none."""
    return frozenset(seats) or frozenset({NOBODY})


@runtime_checkable
class AsksGuesses(Protocol):
    """What a game implements so that spectators can guess."""

    def guess_question(self, view: Any, events: Sequence[Event]) -> GuessQuestion | None:
        """Return the question that spectators may answer now, from their view and all public events of the match.

        Each question is asked in one stretch of a match.
        """

    def guess_answers(self, events: Sequence[Event]) -> Mapping[int, frozenset[int]]:
        """Return the right choices of all questions that these public events have answered, by number."""
