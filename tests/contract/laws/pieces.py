"""The law of pieces: what is in the box is on the table, no more and no less."""

from __future__ import annotations

from random import Random
from typing import Any

from engines.kit.chance import Chance
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.walk import all_readers, random_positions


def pieces_are_conserved(helper: GameHelper, start: MatchStart) -> None:
    """Every state has all pieces of the box, each as often as there, and so has every sample of it."""
    game, rng = helper.game, Random(start.seed)
    for state in random_positions(helper, start):
        _check_all_pieces(helper, start, state)
        for seat in all_readers(start) if rng.random() < 0.06 else ():
            _check_all_pieces(
                helper, start, game.sample(game.view(state, seat), Chance(f"{rng.getrandbits(128):032x}"))
            )


def _check_all_pieces(helper: GameHelper, start: MatchStart, state: Any) -> None:
    box, found = helper.box_pieces(start.seats), helper.state_pieces(state)
    assert found == box, f"missing: {box - found}; too many: {found - box}"
