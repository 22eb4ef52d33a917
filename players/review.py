"""A match looked back at: what somebody faced, from what they knew then, and what each of their moves has cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engines.kit.contract import AnyGame, Decision
from players.advice import Advice, cost
from players.levels import legal, mind_of

Row = tuple[int, str, bool]
"""A move of a match: the seat, the notation, and whether it is one to look back at."""


@dataclass(frozen=True, slots=True)
class Faced:
    """A decision as it was: all that its seat knew, and the notation of what was done."""

    number: int  # of the move in the match
    decision: Decision
    view: Any
    notation: str


def faced(game: AnyGame, base: str, first: int, rows: Sequence[Row]) -> list[Faced]:
    """The decisions to look back at, but for those in which there was nothing to choose.

    `base` is the checkpoint before the first row, which is that move of the match.
    """
    return list(_faced(game, game.checkpoints.validate_json(base), first, rows))


def _faced(game: AnyGame, state: Any, first: int, rows: Sequence[Row]) -> Iterator[Faced]:
    for number, (seat, notation, own) in enumerate(rows, first):
        if own and len(game.moves(state, seat)) > 1:
            yield Faced(number, game.decisions(state)[seat], game.view(state, seat), notation)
        game.play(state, seat, game.read(notation))


def costs(game: AnyGame, faced: Faced, seed: str, share: float) -> Advice[Any]:
    """What would have been better than what was done then, as `cost` has it."""
    made = game.read(faced.notation)
    return cost(mind_of(game), faced.view, legal(game, faced.view), made, seed, share)
