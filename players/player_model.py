"""The contract of player models: a game's policy, its sampled worlds, and its evaluations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from random import Random
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from engines.kit.chance import Chance
from engines.kit.contract import AnyGame

S = TypeVar("S")  # the full state of a sampled world
M = TypeVar("M")  # a move
V = TypeVar("V")  # what a seat may know

MAX_PLAYOUT_MOVES = 400  # moves after which a playout is cut off


@dataclass(frozen=True, slots=True)
class Budget:
    """The budget of a decision: simulations, the most candidates, and the certainty needed to overrule the policy."""

    simulations: int
    max_candidates: int = 8
    standard_errors: float = 1.0  # standard errors by which another move must beat the policy's
    margin: float = inf  # moves are not tried if the policy expects more than that from its own


class ValueUnit(NamedTuple):
    """The unit of values, in words: `About 3 points more than with …`."""

    singular: str = "point more"
    plural: str = "points more"
    scale: float = 1.0  # how many units a value of 1 is
    note: str = ""  # what else the unit counts, for brackets


class PlayerModel(ABC, Generic[S, M, V]):
    """A stateless object for each game. It reads only views and, in playouts, the world that was sampled behind one.

    In a playout, each seat's move depends only on what that seat knows there: a policy that peeked would overestimate
    its chances. `moves` are the seat's legal moves as the game lists them, never empty. Equal arguments and an equal
    state of `rng` give equal results.
    """

    game: AnyGame
    budget: ClassVar[Budget | None] = None
    """The budget of *hard* for a decision; None if searching is not shown to beat the policy."""
    hint_budget: ClassVar[Budget | None] = None
    """The budget of a hint if it differs from that of *hard*."""
    unit: ClassVar[ValueUnit] = ValueUnit("more player beaten in 100 matches", "more players beaten in 100 matches", 50)
    """The unit of `evaluate_by_playout`."""
    evaluation_error: ClassVar[float] = 0.0
    """The standard error of a difference between values that remains after any number of simulations."""
    alike_worlds: ClassVar[int] = 1
    """How many worlds resemble each other if they are drawn one after the other, as in a walk."""

    @abstractmethod
    def choose_move(self, view: V, moves: Sequence[M], rng: Random) -> M:
        """Return the policy's move, which depends only on the present view. Takes at most 2 ms."""

    @abstractmethod
    def choose_with_blunders(self, view: V, moves: Sequence[M], rng: Random) -> M:
        """Return the policy's move with the blunders of a beginner."""

    def equal_moves(self, view: V, moves: Sequence[M], rng: Random) -> Sequence[M]:
        """Return the policy's move first, and any others that are about as good to it, none twice.

        *Normal* makes any one of them. Playouts keep to the first, because they have to be fast.
        """
        return (self.choose_move(view, moves, rng),)

    def candidate_moves(self, view: V, moves: Sequence[M], rng: Random) -> Sequence[M]:
        """Return the moves worth searching, none twice. The first, by default the policy's, stands unless another is
        clearly better."""
        first = self.choose_move(view, moves, rng)
        return [first, *(move for move in moves if move != first)]

    def expected_values(self, view: V, moves: Sequence[M]) -> Sequence[float] | None:
        """Return what the policy expects of these moves before any search; None if it does not expect anything."""
        return None

    def expectation_error(self, view: V) -> float:
        """Return the standard error of a difference between such values."""
        return 0.0

    def is_worth_searching(self, view: V) -> bool:
        """Whether *hard* searches for a move; if not, it makes the policy's. Hints search in any case."""
        return True

    def simulation_share(self, view: V) -> float:
        """Return the share of the simulations for this decision: below 1 if each costs more than usual."""
        return 1.0

    def world_sampler(self, view: V, rng: Random) -> Callable[[], S]:
        """Return a sampler of full states that could lie behind the view.

        A world that it draws several times is the same object each time, because it tells nothing new then. Nobody
        changes the states.
        """
        draw = self.game.sampler(view)
        return lambda: draw(Chance(f"{rng.getrandbits(128):032x}"))

    def choose_in_playout(self, state: S, seat: int, rng: Random) -> M:
        """Return the policy's move for a seat in a playout: the same as `choose_move` returns for that seat's view."""
        return self.choose_move(self.game.view(state, seat), self.game.moves(state, seat), rng)

    def evaluate_move(self, state: S, seat: int, move: M, rng: Random) -> float:
        """Return the value of a move in a world, for the seat that makes it. May change the state."""
        self.game.play(state, seat, move)
        return self.evaluate_by_playout(state, seat, rng)

    def evaluate_by_playout(self, state: S, seat: int, rng: Random) -> float:
        """Return the value of a position for a seat, after the policy has played on to a near horizon. May change the
        state.

        The unit is the game's own, such as points ahead of the others; more is better.
        """
        game = self.game
        for _ in range(MAX_PLAYOUT_MOVES):
            due = [each for each, decision in game.decisions(state).items() if decision.due]
            if not due or self.is_playout_over(state):
                break
            game.play(state, due[0], self.choose_in_playout(state, due[0], rng))
        return self.evaluate_position(state, seat)

    def evaluate_moves(self, view: V, moves: Sequence[M], worlds: Sequence[tuple[S, int]]) -> list[list[float]]:
        """Return, by move, the values of the view's seat after it, one for each of the worlds, which stay as they are.

        Each world has the seed of what happens in it.
        """
        return [[self._simulate(view, move, *world) for world in worlds] for move in moves]

    def _simulate(self, view: V, move: M, world: S, seed: int) -> float:
        return self.evaluate_move(self.game.copy(world), seat_of(view), move, Random(seed))

    def is_playout_over(self, state: S) -> bool:
        """Whether a playout may end here, because what follows no longer concerns this decision."""
        return False

    def evaluate_position(self, state: S, seat: int) -> float:
        """Return the value of a position for a seat at the end of a playout."""
        outcome = self.game.outcome(state)
        if outcome is None:
            return 0.0
        others = [place for each, place in enumerate(outcome.places) if each != seat]
        return sum((place > outcome.places[seat]) - (place < outcome.places[seat]) for place in others) / len(others)


def seat_of(view: Any) -> int:
    """Return the seat that a view belongs to. Raises ValueError for that of a spectator."""
    seat: int | None = view.seat
    if seat is None:
        raise ValueError("A spectator has no decisions.")
    return seat


class RulesOnlyModel(PlayerModel[S, M, V]):
    """A model for games without a policy: all moves are equal until they are searched."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def choose_move(self, view: V, moves: Sequence[M], rng: Random) -> M:
        """Return any move."""
        return rng.choice(moves)

    def choose_with_blunders(self, view: V, moves: Sequence[M], rng: Random) -> M:
        """Return any move."""
        return rng.choice(moves)
