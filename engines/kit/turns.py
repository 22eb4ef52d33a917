"""Helpers for games in which one seat at a time has the turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Protocol

from engines.kit.contract import Decision
from engines.kit.errors import IllegalMove

NO_DECISIONS: Mapping[int, Decision] = MappingProxyType({})


class HasPhase(Protocol):
    """A state whose `phase` is `over` when the game is over."""

    @property
    def phase(self) -> str: ...


class TurnState(HasPhase, Protocol):
    """A state with one seat in `turn`; `numbers` counts the moves of each seat."""

    @property
    def turn(self) -> int: ...
    @property
    def numbers(self) -> Sequence[int]: ...


def decision_in_turn(state: TurnState) -> Mapping[int, Decision]:
    """Return the decision of the seat in turn, named after the phase. Empty when the game is over."""
    return (
        NO_DECISIONS if state.phase == "over" else single_decision(state.turn, state.phase, state.numbers[state.turn])
    )


@cache
def single_decision(seat: int, kind: str, number: int) -> Mapping[int, Decision]:
    """Return the decisions when only one seat decides. Cached, because there are few and they recur."""
    return MappingProxyType({seat: Decision(kind, number)})


def out_of_turn_error(state: HasPhase) -> IllegalMove:
    """Return the error for a seat that is not in turn, or for anyone after the end. It cites no rule."""
    return IllegalMove(None, "The game is over." if state.phase == "over" else "It is not your turn.")
