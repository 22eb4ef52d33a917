"""The players that the learned one is measured against, for `bench.players.ladder`."""

from __future__ import annotations

from random import Random

from engines.wizard import WIZARD
from engines.wizard.model import Move
from engines.wizard.view import View
from players import legal_moves
from players.wizard import PLAYER_MODEL


def rule_of_thumb(view: View) -> Move:
    """Return the move of the rule of thumb, which plays in rounds that no network knows."""
    return PLAYER_MODEL.choose_by_rule(view, legal_moves(WIZARD, view), Random(0))
