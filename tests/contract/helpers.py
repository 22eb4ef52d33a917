"""A helper for every game: that of `tests/engines/<key>/helper.py`."""

from __future__ import annotations

from collections.abc import Mapping

from tests.contract.helper import Helper
from tests.games import GAMES, part

HELPERS: Mapping[str, Helper] = {key: part(key, f"tests.engines.{key}.helper").HELPER for key in GAMES}
STEPS = {key: helper for key, helper in HELPERS.items() if type(helper).taps is not Helper.taps}
"""Of the games of which a move may take more than two taps."""
