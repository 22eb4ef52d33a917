"""What computers know of a game: rules of thumb, the worlds behind a view, and what a position is worth."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Generic, NamedTuple, TypeVar

from engines.kit.chance import Chance
from engines.kit.contract import AnyGame

S = TypeVar("S")  # the full state of a sampled world
M = TypeVar("M")  # a move
V = TypeVar("V")  # what a seat may know

MAX_PLAYOUT_MOVES = 400  # moves after which a playout is cut off


@dataclass(frozen=True, slots=True)
class Budget:
    """What a decision may cost: simulations, the most candidates, and how sure a change of mind must be."""

    simulations: int
    max_candidates: int = 8
    standard_errors: float = 1.0  # standard errors by which another move must be better than the policy's


class ValueUnit(NamedTuple):
    """What positions are worth, in words that people understand: `About 3 points more than with …`."""

    singular: str = "point more"
    plural: str = "points more"
    scale: float = 1.0  # how many of them a worth of 1 is


class PlayerModel(ABC, Generic[S, M, V]):
    """One stateless object a game. All that it reads is a view, in playouts the world that was sampled behind one.

    In a playout each seat's move, too, is found from what that seat knows there alone: a policy that peeked would think
    better of its chances than they are. `moves` are the seat's legal moves as the game lists them, never empty. Equal
    arguments and an equal state of `rng` give equal answers.
    """

    game: AnyGame
    budget: ClassVar[Budget | None] = None
    """What *hard* may spend on a decision; None where searching is not shown to play better than the policy."""
    hint_budget: ClassVar[Budget | None] = None
    """What a hint may spend where that is not as much as *hard* does."""
    unit: ClassVar[ValueUnit] = ValueUnit(
        "time more in 100 ahead of another player", "times more in 100 ahead of another player", 50
    )
    """What `value` counts."""

    @abstractmethod
    def choose_move(self, view: V, moves: Sequence[M], rng: Random) -> M:
        """The policy: the move that rules of thumb prefer, whatever happened before. At most 2 ms."""

    @abstractmethod
    def choose_with_blunders(self, view: V, moves: Sequence[M], rng: Random) -> M:
        """The policy with the slips that a person makes who is new to the game."""

    def candidate_moves(self, view: V, moves: Sequence[M], rng: Random) -> Sequence[M]:
        """The moves worth a search, the policy's first, none twice."""
        first = self.choose_move(view, moves, rng)
        return [first, *(move for move in moves if move != first)]

    def simulation_share(self, view: V) -> float:
        """Which part of the simulations this decision gets: less than 1 where each costs more than elsewhere."""
        return 1.0

    def world_sampler(self, view: V, rng: Random) -> Callable[[], S]:
        """Makes full states that could lie behind the view, a new one with each call."""
        draw = self.game.sampler(view)
        return lambda: draw(Chance(f"{rng.getrandbits(128):032x}"))

    def choose_in_playout(self, state: S, seat: int, rng: Random) -> M:
        """The policy's move for a seat in a playout: what `choose` says to that seat's view."""
        return self.choose_move(self.game.view(state, seat), self.game.moves(state, seat), rng)

    def evaluate_by_playout(self, state: S, seat: int, rng: Random) -> float:
        """What a position is worth to a seat, played on by the policy to a near horizon; may change the state.

        In a unit of the game's own, such as points ahead of the others; more is better.
        """
        game = self.game
        for _ in range(MAX_PLAYOUT_MOVES):
            due = [each for each, decision in game.decisions(state).items() if decision.due]
            if not due or self.is_playout_over(state):
                break
            game.play(state, due[0], self.choose_in_playout(state, due[0], rng))
        return self.evaluate_position(state, seat)

    def is_playout_over(self, state: S) -> bool:
        """Whether a playout may end here, because what follows is beyond what this decision is about."""
        return False

    def evaluate_position(self, state: S, seat: int) -> float:
        """What a position is worth to a seat where a playout ends."""
        outcome = self.game.outcome(state)
        if outcome is None:
            return 0.0
        others = [place for each, place in enumerate(outcome.places) if each != seat]
        return sum((place > outcome.places[seat]) - (place < outcome.places[seat]) for place in others) / len(others)


class RulesOnlyModel(PlayerModel[S, M, V]):
    """For a game of which computers know its rules alone: any move is as good as another, until it is searched."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def choose_move(self, view: V, moves: Sequence[M], rng: Random) -> M:
        """Any move."""
        return rng.choice(moves)

    def choose_with_blunders(self, view: V, moves: Sequence[M], rng: Random) -> M:
        """Any move."""
        return rng.choice(moves)
