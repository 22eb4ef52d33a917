"""What a search finds worth telling a person: the best move and by how much, or what a move that was made has cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Generic

from engines.kit.contract import AnyGame
from players.levels import UNSCHOOLED, legal, mind_of
from players.player_model import M, Mind
from players.search import Budget, search

SURE = 2.0  # standard errors by which a difference must be more than luck before a person is told of one


@dataclass(frozen=True, slots=True)
class Advice(Generic[M]):
    """A move to make, the next best, and by how much that is worse in the mind's unit.

    `gain` is 0 where the search sees no difference, None where it was not asked: there is nothing to compare with, or
    it is the policy's word alone.
    """

    move: M
    next: M | None = None
    gain: float | None = None


def advise(
    mind: Mind[Any, Any, Any], view: Any, moves: Sequence[M], seed: str, spend: Budget | None = None
) -> Advice[M]:
    """What to do, from what the seat knows. The same for equal arguments; takes a second at most."""
    found = search(mind, view, moves, Random(seed), spend or budget(mind))
    if found.next is None:
        return Advice(found.move)
    return Advice(found.move, found.next, found.gain if found.gain > SURE * found.doubt else 0.0)


def offhand(mind: Mind[Any, Any, Any], view: Any, moves: Sequence[M], seed: str) -> Advice[M]:
    """What the policy says at once, without figures."""
    return Advice(mind.choose(view, moves, Random(seed)))


def cost(mind: Mind[Any, Any, Any], view: Any, moves: Sequence[M], made: M, seed: str, share: float = 1.0) -> Advice[M]:
    """What would have been better than the move that was made, which is `next`; where nothing surely was, that itself.

    Judged from what the seat knew then, with that share of what a hint may spend.
    """
    most = budget(mind)
    spent = Budget(max(1, round(most.simulations * share)), most.candidates, SURE)
    found = search(mind, view, moves, Random(seed), spent, stands=made)
    return Advice(found.move, made, found.ahead)


def budget(mind: Mind[Any, Any, Any]) -> Budget:
    """What a hint may spend: also in a game that has no *hard*."""
    return mind.advice or mind.budget or UNSCHOOLED


def advised(game: AnyGame, view: Any, seed: str) -> Advice[Any]:
    """What to do at the view's seat, for whoever has that alone."""
    return advise(mind_of(game), view, legal(game, view), seed)
