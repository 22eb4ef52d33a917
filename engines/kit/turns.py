"""Whose turn it is: the decision that a match waits for, and what is said to whoever is not asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Protocol

from engines.kit.contract import Decision
from engines.kit.errors import IllegalMove

NO_DECISIONS: Mapping[int, Decision] = MappingProxyType({})


class HasPhase(Protocol):
    """A state whose `phase` is `over` when the game is."""

    @property
    def phase(self) -> str: ...


class TurnState(HasPhase, Protocol):
    """A state of which one seat is in `turn`; `numbers` counts the moves that each has made."""

    @property
    def turn(self) -> int: ...
    @property
    def numbers(self) -> Sequence[int]: ...


def decision_in_turn(state: TurnState) -> Mapping[int, Decision]:
    """The decision of the seat in turn, of the kind that the phase is called; nobody's when the game is over."""
    return (
        NO_DECISIONS if state.phase == "over" else single_decision(state.turn, state.phase, state.numbers[state.turn])
    )


@cache
def single_decision(seat: int, kind: str, number: int) -> Mapping[int, Decision]:
    """That one seat decides. There are few such, and they come again and again."""
    return MappingProxyType({seat: Decision(kind, number)})


def out_of_turn_error(state: HasPhase) -> IllegalMove:
    """What to say to a seat that is not asked, and to anybody after the end: no rule is cited for that."""
    return IllegalMove(None, "The game is over." if state.phase == "over" else "It is not your turn.")
