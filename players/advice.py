"""What a search finds worth telling a person: the best move and by how much, or what a move that was made has cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Generic

from engines.kit.contract import AnyGame
from players.levels import RULES_ONLY_BUDGET, legal_moves, player_model_of
from players.player_model import Budget, M, PlayerModel
from players.search import search

MIN_STANDARD_ERRORS = 2.0  # standard errors by which a difference must be more than luck before a person is told of one


@dataclass(frozen=True, slots=True)
class Advice(Generic[M]):
    """A move to make, the next best, and by how much that is worse in the mind's unit.

    `gain` is 0 where the search sees no difference, None where it was not asked: there is nothing to compare with, or
    it is the policy's word alone.
    """

    move: M
    compared_to: M | None = None
    gain: float | None = None


def advise(
    model: PlayerModel[Any, Any, Any], view: Any, moves: Sequence[M], seed: str, budget: Budget | None = None
) -> Advice[M]:
    """What to do, from what the seat knows. The same for equal arguments; takes a second at most."""
    found = search(model, view, moves, Random(seed), budget or hint_budget(model))
    if found.next_best is None:
        return Advice(found.move)
    return Advice(
        found.move, found.next_best, found.gain if found.gain > MIN_STANDARD_ERRORS * found.gain_error else 0.0
    )


def policy_advice(model: PlayerModel[Any, Any, Any], view: Any, moves: Sequence[M], seed: str) -> Advice[M]:
    """What the policy says at once, without figures."""
    return Advice(model.choose_move(view, moves, Random(seed)))


def review_move(
    model: PlayerModel[Any, Any, Any], view: Any, moves: Sequence[M], move_made: M, seed: str, budget_share: float = 1.0
) -> Advice[M]:
    """What would have been better than the move that was made, which is `next`; where nothing surely was, that itself.

    Judged from what the seat knew then, with that share of what a hint may spend.
    """
    hint_limits = hint_budget(model)
    review_limits = Budget(
        max(1, round(hint_limits.simulations * budget_share)), hint_limits.max_candidates, MIN_STANDARD_ERRORS
    )
    found = search(model, view, moves, Random(seed), review_limits, default_move=move_made)
    return Advice(found.move, move_made, found.gain_over_default)


def hint_budget(model: PlayerModel[Any, Any, Any]) -> Budget:
    """What a hint may spend: also in a game that has no *hard*."""
    return model.hint_budget or model.budget or RULES_ONLY_BUDGET


def advise_on_view(game: AnyGame, view: Any, seed: str) -> Advice[Any]:
    """What to do at the view's seat, for whoever has that alone."""
    return advise(player_model_of(game), view, legal_moves(game, view), seed)
