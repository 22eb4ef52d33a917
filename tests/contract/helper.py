"""What the laws need to know of a game that its rules say and its engine is not asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from cogs.screens.screen import Context
from engines.chance import Chance
from engines.game import AnyGame
from tests.fronts import SCREENS

WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight")
NAMES = ("Ana", "李雷", "Čeněk", "🧙 Dan", "E", "Fatima")


@dataclass(frozen=True, slots=True)
class Start:
    """A way to begin a match."""

    seats: int
    options: Any
    seed: str

    def __str__(self) -> str:
        return f"{self.seats} seats, {self.options}, seed {self.seed}"


@dataclass(frozen=True, slots=True)
class Plan:
    """A match by random seats to keep as a golden record."""

    seats: int
    options: Mapping[str, object] = field(default_factory=dict)


class Helper(ABC):
    """One game's part in the laws. `game` may be replaced by a broken one."""

    game: AnyGame

    def starts(self) -> Sequence[Start]:
        """Starts that lead everywhere in the rules; by default, every number of seats with the default options."""
        return [Start(seats, self.game.options(), f"{seats:032x}") for seats in self.game.seats]

    def plans(self) -> Mapping[str, Plan]:
        """The matches to keep as golden records, by name; by default, one for every number of seats."""
        return {WORDS[seats]: Plan(seats) for seats in self.game.seats}

    def begin(self, start: Start) -> Any:
        """The state at the first decision."""
        return self.game.start(start.seats, start.options, Chance(start.seed))

    @abstractmethod
    def vocabulary(self, seats: int) -> Sequence[Any]:
        """Every move that the game can ever express with so many seats, and some that are never legal."""

    @abstractmethod
    def named(self, move: Any) -> Sequence[int]:
        """The seats that a move names, which its notation writes as letters."""

    @abstractmethod
    def held(self, view: Any) -> Sequence[str]:
        """What the view's seat holds in its hand, each thing as the notation names it."""

    @abstractmethod
    def lacks(self, state: Any, seat: int, move: Any) -> bool:
        """Whether such a move, made at its moment, names what is not there or not the seat's own, or too little.

        It is then refused, and by no rule.
        """

    @abstractmethod
    def box(self, seats: int) -> Counter[Any]:
        """All pieces of a match of so many: cards, dice, tokens, whatever is dealt, drawn, taken and put back."""

    @abstractmethod
    def pieces(self, state: Any) -> Counter[Any]:
        """The pieces of that state, wherever they lie: always those of the box."""

    def canonical(self, move: Any) -> Any:
        """The move as `moves` would list it, where it lists one of several that are the same."""
        return move

    @abstractmethod
    def scramble(self, state: Any, seat: int | None, rng: Random) -> Any:
        """Another full state in which that seat (None: a spectator) knows exactly the same.

        Written from the rules, without the game's `sample` and `view`: whatever the rules hide from the seat is
        different where it can be.
        """

    def reveals(self, state: Any, seat: int | None, actor: int, move: Any) -> bool:
        """Whether this move shows that seat something that was hidden from it, apart from the move itself.

        A law holds that it is never said without need.
        """
        return False

    def draw_screens(self, start: Start, view: Any, decision: Any, moves: Sequence[Any]) -> object:
        """Everything that is drawn for the view's seat. Nothing until the game has its screen."""
        screen = SCREENS.get(self.game.key)
        if screen is None:
            return None
        context = Context(NAMES[: start.seats], start.options)
        if view.seat is None:
            return screen.table(view, context), screen.sheet(view, context)
        return screen.hand(view, decision, moves, context), screen.sheet(view, context)
