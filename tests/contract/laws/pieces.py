"""The law of pieces: what is in the box is on the table, no more and no less."""

from __future__ import annotations

from random import Random
from typing import Any

from engines.kit.chance import Chance
from tests.contract.helper import Helper, Start
from tests.contract.walk import positions, readers


def pieces_are_conserved(helper: Helper, start: Start) -> None:
    """Every state has all pieces of the box, each as often as there, and so has every sample of it."""
    game, rng = helper.game, Random(start.seed)
    for state in positions(helper, start):
        _all_there(helper, start, state)
        for seat in readers(start) if rng.random() < 0.06 else ():
            _all_there(helper, start, game.sample(game.view(state, seat), Chance(f"{rng.getrandbits(128):032x}")))


def _all_there(helper: Helper, start: Start, state: Any) -> None:
    box, found = helper.box(start.seats), helper.pieces(state)
    assert found == box, f"missing: {box - found}; too many: {found - box}"
