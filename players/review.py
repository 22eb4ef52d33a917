"""Reviews a finished match: each decision, what its seat knew then, and what the move has cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engines.kit.contract import AnyGame, Decision
from players.advice import Advice, review_move
from players.levels import legal_moves, player_model_of

MoveRow = tuple[int, int, str, bool]
"""A move of a match: its number, the seat, the notation, and whether it should be reviewed."""


@dataclass(frozen=True, slots=True)
class PastDecision:
    """A past decision: everything its seat knew, and the notation of the move."""

    number: int  # the number of the move in the match
    decision: Decision
    view: Any
    notation: str


def past_decisions(game: AnyGame, checkpoint_json: str, rows: Sequence[MoveRow]) -> list[PastDecision]:
    """Return the decisions to review, without those that had only one choice.

    `base` is the checkpoint before the first row.
    """
    return list(_iter_past_decisions(game, game.checkpoint_adapter.validate_json(checkpoint_json), rows))


def _iter_past_decisions(game: AnyGame, state: Any, rows: Sequence[MoveRow]) -> Iterator[PastDecision]:
    for number, seat, notation, own in rows:
        if own and len(game.moves(state, seat)) > 1:
            yield PastDecision(number, game.decisions(state)[seat], game.view(state, seat), notation)
        game.play(state, seat, game.parse_move(notation))


def review_decision(game: AnyGame, past_decision: PastDecision, seed: str, budget_share: float) -> Advice[Any]:
    """Return a clearly better move for a past decision, if there is one. See `review_move`."""
    move_made = game.parse_move(past_decision.notation)
    return review_move(
        player_model_of(game), past_decision.view, legal_moves(game, past_decision.view), move_made, seed, budget_share
    )
