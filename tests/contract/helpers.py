"""A helper for every game: that of `tests/engines/<key>/helper.py`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from engines import GAMES
from tests.contract.helper import Helper

HELPERS: Mapping[str, Helper] = {key: import_module(f"tests.engines.{key}.helper").HELPER for key in GAMES}
