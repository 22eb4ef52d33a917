"""Planning a move ahead: what a game says about moves that a player marks before their turn comes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

M = TypeVar("M")
V = TypeVar("V")
CHANGED, ILLEGAL = "changed", "illegal"  # reasons of every game: the situation is another one; the move is not legal
TAKEN_BACK = "takenback"  # likewise: a move that the player knew when they planned was taken back


class Planning(ABC, Generic[M, V]):
    """The planning rules of a game. All methods get the view of the seat that plans, so they know nothing hidden.

    Conditions and reasons are short words without spaces, which the game's screen puts into sentences.
    """

    @abstractmethod
    def decision(self, view: V) -> int:
        """Return the number of the seat's next decision, or of the one that is open."""

    @abstractmethod
    def moves(self, view: V) -> Sequence[M]:
        """Return the moves that the seat can plan for its next decision. Empty in its own turn."""

    @abstractmethod
    def situation(self, view: V) -> str:
        """Return in short what every plan depends on, whatever its condition. If it changes, the plan is dropped."""

    @abstractmethod
    def conditions(self, view: V, move: M) -> Sequence[str]:
        """Return the conditions under which the seat can plan this move now, the usual one first."""

    @abstractmethod
    def failure(self, view: V, move: M, condition: str) -> str:
        """Return why the planned move will not or should not be made; empty as long as it may be."""


@runtime_checkable
class PlansMoves(Protocol):
    """What a game has if its players can mark moves ahead."""

    planning: Planning[Any, Any]


def planning_of(game: object) -> Planning[Any, Any] | None:
    """Return the planning rules of a game; None if its moves cannot be planned."""
    planning: Planning[Any, Any] | None = getattr(game, "planning", None)  # every page asks, and `isinstance` is slow
    return planning
