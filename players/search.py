"""One search for all games: flat Monte Carlo over common sampled worlds, the budget shared by sequential halving.

The policy's move stands unless another one is better in the same worlds by a standard error: a search that trusts
noise plays worse than the policy it began with. Halving as Karnin, Koren and Somekh describe it ("Almost Optimal
Exploration in Multi-Armed Bandits", 2013).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf, log2, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any, Generic

from players.player_model import M, Mind, S, V


@dataclass(frozen=True, slots=True)
class Budget:
    """What a decision may cost: simulations, the most candidates, and how sure a change of mind must be."""

    simulations: int
    candidates: int = 8
    errors: float = 1.0  # standard errors by which another move must be better than the policy's


@dataclass(frozen=True, slots=True)
class Found(Generic[M]):
    """What a search found: the move, by how much it is better than the next best, and that one (None: no other)."""

    move: M
    gain: float
    next: M | None
    doubt: float = 0.0  # the standard error of the gain
    ahead: float = 0.0  # by how much it is better than the move that stood before the search


@dataclass(slots=True)
class _Tried(Generic[M]):
    """A candidate, and what it was worth in the first so many worlds."""

    move: M
    worth: list[float]

    def ahead(self, other: _Tried[Any]) -> list[float]:
        """By how much it was better than the other, in the worlds that both were tried in."""
        return [mine - theirs for mine, theirs in zip(self.worth, other.worth, strict=False)]


def search(
    mind: Mind[S, M, V], view: V, moves: Sequence[M], rng: Random, budget: Budget, stands: M | None = None
) -> Found[M]:
    """The best of the candidates. Equal arguments and an equal `rng` find the same; the clock has no say.

    `stands` is the move that is left for a surely better one alone: the policy's, where none is given.
    """
    worthy = moves if len(moves) == 1 else mind.candidates(view, moves, rng)[: budget.candidates]
    if stands is not None:
        worthy = [stands, *(move for move in worthy if move != stands)]
    tried = [_Tried(move, []) for move in worthy]
    if len(tried) == 1:
        return Found(tried[0].move, 0.0, None)
    policy, left = tried[0], tried
    draw = mind.worlds(view, rng)
    worlds: list[tuple[S, int]] = []  # and the seed of what happens in each
    simulations, rounds = int(budget.simulations * mind.effort(view)), ceil(log2(len(tried)))
    for _ in range(rounds):
        for number in range(len(left[0].worth), len(left[0].worth) + max(2, simulations // rounds // len(left))):
            if number == len(worlds):
                worlds.append((draw(), rng.getrandbits(64)))
            for each in left:
                each.worth.append(_simulated(mind, *worlds[number], view, each.move))
        ranked = sorted(left, key=lambda each: -fmean(each.worth))
        left = ranked[: max(1, len(left) // 2)]
        if policy not in left:
            left.append(policy)
        if left == [policy]:
            break
    best = max(left, key=lambda each: _sureness(each, policy, budget.errors))
    others = [each for each in tried if each is not best]
    behind = {id(each): fmean(best.ahead(each)) for each in others}
    second = min(others, key=lambda each: behind[id(each)])
    ahead = 0.0 if best is policy else behind[id(policy)]
    return Found(best.move, behind[id(second)], second.move, _doubt(best.ahead(second)), ahead)


def _simulated(mind: Mind[S, M, V], world: S, seed: int, view: V, move: M) -> float:
    """What the move is worth to the seat of the view, in one world."""
    state, seat = mind.game.copy(world), _seat(view)
    mind.game.play(state, seat, move)
    return mind.value(state, seat, Random(seed))


def _sureness(each: _Tried[M], policy: _Tried[M], errors: float) -> float:
    """How far a candidate is surely ahead of the policy's move; the policy's own is 0, and a doubtful one less."""
    if each is policy:
        return 0.0
    ahead = each.ahead(policy)
    doubt = _doubt(ahead) * errors
    return mean - doubt if (mean := fmean(ahead)) > doubt else -inf


def _doubt(ahead: Sequence[float]) -> float:
    """The standard error of their mean."""
    return stdev(ahead) / sqrt(len(ahead)) if len(ahead) > 1 else inf


def _seat(view: Any) -> int:
    seat = view.seat
    if seat is None:
        raise ValueError("A spectator has nothing to choose.")
    return int(seat)
