"""A match looked back at: what somebody faced, from what they knew then, and what each of their moves has cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engines.kit.contract import AnyGame, Decision
from players.advice import Advice, review_move
from players.levels import legal_moves, player_model_of

MoveRow = tuple[int, str, bool]
"""A move of a match: the seat, the notation, and whether it is one to look back at."""


@dataclass(frozen=True, slots=True)
class PastDecision:
    """A decision as it was: all that its seat knew, and the notation of what was done."""

    number: int  # of the move in the match
    decision: Decision
    view: Any
    notation: str


def past_decisions(
    game: AnyGame, checkpoint_json: str, first_number: int, rows: Sequence[MoveRow]
) -> list[PastDecision]:
    """The decisions to look back at, but for those in which there was nothing to choose.

    `base` is the checkpoint before the first row, which is that move of the match.
    """
    return list(_iter_past_decisions(game, game.checkpoint_adapter.validate_json(checkpoint_json), first_number, rows))


def _iter_past_decisions(
    game: AnyGame, state: Any, first_number: int, rows: Sequence[MoveRow]
) -> Iterator[PastDecision]:
    for number, (seat, notation, own) in enumerate(rows, first_number):
        if own and len(game.moves(state, seat)) > 1:
            yield PastDecision(number, game.decisions(state)[seat], game.view(state, seat), notation)
        game.play(state, seat, game.parse_move(notation))


def review_decision(game: AnyGame, past_decision: PastDecision, seed: str, budget_share: float) -> Advice[Any]:
    """What would have been better than what was done then, as `cost` has it."""
    move_made = game.parse_move(past_decision.notation)
    return review_move(
        player_model_of(game), past_decision.view, legal_moves(game, past_decision.view), move_made, seed, budget_share
    )
