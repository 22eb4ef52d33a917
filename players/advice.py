"""Hints and reviews from a search: the best move and its lead, or the cost of a move that was made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Generic

from engines.kit.contract import AnyGame
from players.levels import RULES_ONLY_BUDGET, legal_moves, player_model_of
from players.player_model import Budget, M, PlayerModel
from players.search import MoveValue, compare_moves, search

MIN_STANDARD_ERRORS = 2.0  # standard errors a difference must exceed before it is reported to a person


@dataclass(frozen=True, slots=True)
class Advice(Generic[M]):
    """A suggested move, the move it is compared with, and the lead over that in the player model's unit.

    `gain` is 0 if the search sees no difference. It is None without a search: there is nothing to compare, or only the
    policy was asked. `error` is the standard error of the lead.
    """

    move: M
    compared_to: M | None = None
    gain: float | None = None
    error: float = 0.0


def advise(
    model: PlayerModel[Any, Any, Any], view: Any, moves: Sequence[M], seed: str, budget: Budget | None = None
) -> Advice[M]:
    """Return a hint from what the seat knows. Equal arguments give equal hints; it takes a second at most.

    Half of the simulations choose the move, the other half give its lead over the next best in other worlds, because
    the worlds that chose a move overrate it.
    """
    half, rng = _half_of(budget or hint_budget(model)), Random(seed)
    found = search(model, view, moves, rng, half)
    if found.next_best is None:
        return Advice(found.move)
    return _compare_in_other_worlds(model, view, found.move, found.next_best, rng, half)


def policy_advice(model: PlayerModel[Any, Any, Any], view: Any, moves: Sequence[M], seed: str) -> Advice[M]:
    """Return the policy's hint at once, without figures."""
    return Advice(model.choose_move(view, moves, Random(seed)))


def review_move(
    model: PlayerModel[Any, Any, Any], view: Any, moves: Sequence[M], move_made: M, seed: str, budget_share: float = 1.0
) -> Advice[M]:
    """Return a clearly better move than the one that was made, which is `compared_to`; or that move if none is clearly
    better.

    The judgement uses what the seat knew then, with this share of a hint's budget, split as for a hint.
    """
    limits = hint_budget(model)
    half = _half_of(replace(limits, simulations=round(limits.simulations * budget_share)))
    rng = Random(seed)
    found = search(model, view, moves, rng, half, default_move=move_made)
    if found.move == move_made:
        return Advice(move_made, move_made, 0.0)
    better = _compare_in_other_worlds(model, view, found.move, move_made, rng, half)
    return better if better.gain and better.move == found.move else Advice(move_made, move_made, 0.0)


def _half_of(budget: Budget) -> Budget:
    return replace(budget, simulations=max(1, budget.simulations // 2))


def _compare_in_other_worlds(
    model: PlayerModel[Any, Any, Any], view: Any, move: M, other: M, rng: Random, budget: Budget
) -> Advice[M]:
    """Return which of two moves is clearly better in new worlds; the first one if neither is."""
    simulations = int(budget.simulations * model.simulation_share(view))
    best, worse = compare_moves(model, view, (move, other), rng, max(2, simulations // 2))
    if worse.behind <= MIN_STANDARD_ERRORS * worse.error:
        return Advice(move, other, 0.0, worse.error)
    return Advice(best.move, worse.move, worse.behind, worse.error)


def compare_on_view(game: AnyGame, view: Any, seed: str, simulations: int) -> list[MoveValue]:
    """Return all moves of the view's seat, the best first, each tried in the same sampled worlds."""
    moves = legal_moves(game, view)
    return compare_moves(player_model_of(game), view, moves, Random(seed), max(2, simulations // len(moves)))


def is_equal(value: MoveValue) -> bool:
    """Whether the search sees no certain difference between this move and the best one."""
    return value.behind <= MIN_STANDARD_ERRORS * value.error


def hint_budget(model: PlayerModel[Any, Any, Any]) -> Budget:
    """Return the budget of a hint. It exists even for games without *hard*."""
    return model.hint_budget or model.budget or RULES_ONLY_BUDGET


def advise_on_view(game: AnyGame, view: Any, seed: str) -> Advice[Any]:
    """Return a hint for the view's seat from the view alone."""
    return advise(player_model_of(game), view, legal_moves(game, view), seed)
