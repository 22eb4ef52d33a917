"""A helper for every game: that of `tests/engines/<key>/helper.py`."""

from __future__ import annotations

from collections.abc import Mapping

from tests.contract.helper import GameHelper
from tests.games import GAMES, game_module

HELPERS: Mapping[str, GameHelper] = {key: game_module(key, f"tests.engines.{key}.helper").HELPER for key in GAMES}
STEP_HELPERS = {key: helper for key, helper in HELPERS.items() if type(helper).max_taps is not GameHelper.max_taps}
"""Helpers of the games in which a move may take more than two taps."""
