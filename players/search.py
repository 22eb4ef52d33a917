"""One search for all games: flat Monte Carlo over common sampled worlds, with the budget split by sequential halving.

The first candidate stands unless another is better in the same worlds by a standard error, because a search that
trusts noise plays worse than the policy that ranks them. For the same reason, what the policy expects of the moves
counts beside what the worlds show, each by its certainty. Halving follows Karnin, Koren and Somekh ("Almost Optimal
Exploration in Multi-Armed Bandits", 2013).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, hypot, inf, log2, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any, Generic, NamedTuple

from players.player_model import Budget, M, PlayerModel, S, V


@dataclass(frozen=True, slots=True)
class SearchResult(Generic[M]):
    """The result of a search: the move, its lead over the next best, and the next best (None: there is no other).

    The lead is that in the worlds that chose the move, so on average it is too large.
    """

    move: M
    gain: float
    next_best: M | None


@dataclass(slots=True)
class _Candidate(Generic[M]):
    """A candidate, and its values in the worlds tried so far, in order."""

    move: M
    values: list[float]
    expected: float | None = None  # what the policy expects

    def differences(self, other: _Candidate[Any]) -> list[float]:
        """Return how much better it was than the other, in the worlds in which both were tried."""
        return [mine - theirs for mine, theirs in zip(self.values, other.values, strict=False)]

    def is_hopeless(self, policy: _Candidate[Any], margin: float) -> bool:
        """Whether the policy expects it to fall so far behind its own move."""
        if self.expected is None or policy.expected is None:
            return False
        return policy.expected - self.expected > margin


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
    expected: Sequence[float | None] = model.expected_values(view, worthy) or [None] * len(worthy)
    tried = [_Candidate(move, [], value) for move, value in zip(worthy, expected, strict=True)]
    tried = [each for each in tried if not each.is_hopeless(tried[0], budget.margin)]
    if len(tried) == 1:
        return SearchResult(tried[0].move, 0.0, None)
    policy, remaining = tried[0], tried
    draw = model.world_sampler(view, rng)
    worlds: list[tuple[S, int]] = []  # and the seed of what happens in each
    simulations, rounds = int(budget.simulations * model.simulation_share(view)), ceil(log2(len(tried)))
    expectation_error = model.expectation_error(view)
    for _ in range(rounds):
        start = len(remaining[0].values)
        end = start + max(2, simulations // rounds // len(remaining))
        worlds += [(draw(), rng.getrandbits(64)) for _ in range(end - len(worlds))]
        found = model.evaluate_moves(view, [each.move for each in remaining], worlds[start:end])
        for each, values in zip(remaining, found, strict=True):
            each.values += values
        leads = {id(each): _lead(each, policy, expectation_error) for each in remaining}
        ranked = sorted(remaining, key=lambda each: -leads[id(each)].mean)
        remaining = ranked[: max(1, len(remaining) // 2)]
        if policy not in remaining:
            remaining.append(policy)
        if remaining == [policy]:
            break
    leads = {id(each): _lead(each, policy, expectation_error) for each in remaining}
    best = max(
        remaining, key=lambda each: 0.0 if each is policy else leads[id(each)].surely_ahead(budget.standard_errors)
    )
    others = [each for each in tried if each is not best]
    gains = {id(each): fmean(best.differences(each)) for each in others}
    second = min(others, key=lambda each: gains[id(each)])
    return SearchResult(best.move, gains[id(second)], second.move)


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
    found = model.evaluate_moves(view, moves, worlds)
    tried = [_Candidate(move, values) for move, values in zip(moves, found, strict=True)]
    ranked = sorted(tried, key=lambda each: -fmean(each.values))
    best = ranked[0]
    return [
        MoveValue(
            each.move,
            fmean(lead),
            0.0
            if each is best
            else hypot(_error_over_worlds(lead, worlds, model.alike_worlds), model.evaluation_error),
        )
        for each, lead in ((each, best.differences(each)) for each in ranked)
    ]


class _Lead(NamedTuple):
    """The lead of a candidate over the policy's move, and its standard error."""

    mean: float
    error: float

    def surely_ahead(self, standard_errors: float) -> float:
        """Return the certain part of it: nothing is worse than a doubtful lead."""
        doubt = self.error * standard_errors
        return self.mean - doubt if self.mean > doubt else -inf


def _lead(candidate: _Candidate[M], policy: _Candidate[M], expectation_error: float) -> _Lead:
    """Return the lead that the worlds show. If the policy expects another, each counts by its certainty."""
    if candidate is policy:
        return _Lead(0.0, 0.0)
    leads = candidate.differences(policy)
    mean, error = fmean(leads), _standard_error(leads)
    if candidate.expected is None or policy.expected is None:
        return _Lead(mean, error)
    trust = 1.0 if error == inf else error * error / (error * error + expectation_error * expectation_error)
    return _Lead(mean + trust * (candidate.expected - policy.expected - mean), sqrt(trust) * expectation_error)


def _standard_error(differences: Sequence[float]) -> float:
    """Return the standard error of their mean, as if no world were drawn twice."""
    return stdev(differences) / sqrt(len(differences)) if len(differences) > 1 else inf


def _error_over_worlds(differences: Sequence[float], worlds: Sequence[tuple[Any, int]], alike: int) -> float:
    """Return the standard error of their mean. Worlds that resemble each other count as one observation, and so does
    one that was drawn several times."""
    mean, sums = fmean(differences), defaultdict[int, float](float)
    for number, ((state, _), difference) in enumerate(zip(worlds, differences, strict=True)):
        sums[number // alike if alike > 1 else id(state)] += difference - mean
    if (count := len(sums)) < 2:
        return inf
    return sqrt(sum(each * each for each in sums.values()) * count / (count - 1)) / len(differences)
