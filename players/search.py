"""One search for all games: flat Monte Carlo over common sampled worlds, with the budget split by sequential halving.

The first candidate stands unless another is better in the same worlds by a standard error, because a search that
trusts noise plays worse than the policy that ranks them. Halving follows Karnin, Koren and Somekh ("Almost Optimal
Exploration in Multi-Armed Bandits", 2013).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, hypot, inf, log2, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any, Generic, NamedTuple

from players.player_model import Budget, M, PlayerModel, S, V


@dataclass(frozen=True, slots=True)
class SearchResult(Generic[M]):
    """The result of a search: the move, its lead over the next best, and the next best (None: there is no other)."""

    move: M
    gain: float
    next_best: M | None
    gain_error: float = 0.0  # the standard error of the gain
    gain_over_default: float = 0.0  # the lead over the move that stood before the search


@dataclass(slots=True)
class _Candidate(Generic[M]):
    """A candidate, and its values in the worlds tried so far, in order."""

    move: M
    values: list[float]

    def differences(self, other: _Candidate[Any]) -> list[float]:
        """Return how much better it was than the other, in the worlds in which both were tried."""
        return [mine - theirs for mine, theirs in zip(self.values, other.values, strict=False)]


def search(
    model: PlayerModel[S, M, V], view: V, moves: Sequence[M], rng: Random, budget: Budget, default_move: M | None = None
) -> SearchResult[M]:
    """Return the best of the candidates. Equal arguments and an equal `rng` give equal results; the clock plays no
    role.

    `default_move` is only replaced by a clearly better move. By default it is the first candidate.
    """
    worthy = moves if len(moves) == 1 else model.candidate_moves(view, moves, rng)[: budget.max_candidates]
    if default_move is not None:
        worthy = [default_move, *(move for move in worthy if move != default_move)]
    tried = [_Candidate(move, []) for move in worthy]
    if len(tried) == 1:
        return SearchResult(tried[0].move, 0.0, None)
    policy, remaining = tried[0], tried
    draw = model.world_sampler(view, rng)
    worlds: list[tuple[S, int]] = []  # and the seed of what happens in each
    simulations, rounds = int(budget.simulations * model.simulation_share(view)), ceil(log2(len(tried)))
    for _ in range(rounds):
        for number in range(
            len(remaining[0].values), len(remaining[0].values) + max(2, simulations // rounds // len(remaining))
        ):
            if number == len(worlds):
                worlds.append((draw(), rng.getrandbits(64)))
            for each in remaining:
                each.values.append(_simulate(model, *worlds[number], view, each.move))
        ranked = sorted(remaining, key=lambda each: -fmean(each.values))
        remaining = ranked[: max(1, len(remaining) // 2)]
        if policy not in remaining:
            remaining.append(policy)
        if remaining == [policy]:
            break
    best = max(remaining, key=lambda each: _sure_lead(each, policy, budget.standard_errors))
    others = [each for each in tried if each is not best]
    leads = {id(each): fmean(best.differences(each)) for each in others}
    second = min(others, key=lambda each: leads[id(each)])
    ahead = 0.0 if best is policy else leads[id(policy)]
    error = hypot(_standard_error(best.differences(second)), model.evaluation_error)
    return SearchResult(best.move, leads[id(second)], second.move, error, ahead)


class MoveValue(NamedTuple):
    """How far a move falls behind the best one, in the model's unit, with the standard error of that difference."""

    move: Any
    behind: float
    error: float


def compare_moves(
    model: PlayerModel[S, M, V], view: V, moves: Sequence[M], rng: Random, world_count: int
) -> list[MoveValue]:
    """Return all moves, the best first, each tried in the same sampled worlds with the same continuations."""
    draw = model.world_sampler(view, rng)
    worlds = [(draw(), rng.getrandbits(64)) for _ in range(world_count)]
    tried = [_Candidate(move, [_simulate(model, *world, view, move) for world in worlds]) for move in moves]
    ranked = sorted(tried, key=lambda each: -fmean(each.values))
    best = ranked[0]
    return [
        MoveValue(each.move, fmean(lead), 0.0 if each is best else hypot(_standard_error(lead), model.evaluation_error))
        for each, lead in ((each, best.differences(each)) for each in ranked)
    ]


def _simulate(model: PlayerModel[S, M, V], world: S, seed: int, view: V, move: M) -> float:
    """Return the value of a move for the view's seat in one world."""
    return model.evaluate_move(model.game.copy(world), _seat_of(view), move, Random(seed))


def _sure_lead(candidate: _Candidate[M], policy: _Candidate[M], standard_errors: float) -> float:
    """Return a candidate's certain lead over the policy's move: 0 for that move itself, less for doubtful ones."""
    if candidate is policy:
        return 0.0
    ahead = candidate.differences(policy)
    doubt = _standard_error(ahead) * standard_errors
    return mean - doubt if (mean := fmean(ahead)) > doubt else -inf


def _standard_error(differences: Sequence[float]) -> float:
    """Return the standard error of their mean."""
    return stdev(differences) / sqrt(len(differences)) if len(differences) > 1 else inf


def _seat_of(view: Any) -> int:
    seat = view.seat
    if seat is None:
        raise ValueError("A spectator has no decisions.")
    return int(seat)
