"""A game of one move whose worth is known, for tests of the search and of what is made of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import cast

from engines.kit.contract import AnyGame
from players import PlayerModel

MOVES = tuple(range(8))


@dataclass(frozen=True)
class UrnView:
    seat: int | None = 0


class UrnGame:
    """A game of one move: an urn is named, and what is drawn from it is what the move was worth."""

    def copy(self, state: list[float]) -> list[float]:
        return state.copy()

    def play(self, state: list[float], seat: int, move: int) -> None:
        state.append(move)


class UrnModel(PlayerModel[list[float], int, UrnView]):
    """Its policy is urn 0. Urn m is worth `means[m]`, give or take luck that all urns of a world share, and more."""

    game = cast("AnyGame", UrnGame())

    def __init__(
        self, means: Sequence[float], luck: float, own: float, expected: Sequence[float] | None = None
    ) -> None:
        self.means, self.luck, self.own, self.expected = means, luck, own, expected
        self.played: list[int] = []

    def choose_move(self, view: UrnView, moves: Sequence[int], rng: Random) -> int:
        return moves[0]

    def choose_with_blunders(self, view: UrnView, moves: Sequence[int], rng: Random) -> int:
        return moves[-1]

    def candidate_moves(self, view: UrnView, moves: Sequence[int], rng: Random) -> Sequence[int]:
        return moves if len(moves) > 1 else ()

    def expected_values(self, view: UrnView, moves: Sequence[int]) -> Sequence[float] | None:
        return self.expected and [self.expected[move] for move in moves]

    def world_sampler(self, view: UrnView, rng: Random) -> Callable[[], list[float]]:
        return lambda: [rng.gauss(0, self.luck)]

    def evaluate_by_playout(self, state: list[float], seat: int, rng: Random) -> float:
        luck, move = state
        self.played.append(int(move))
        return luck + self.means[int(move)] + rng.gauss(0, self.own) * (1 + move)
