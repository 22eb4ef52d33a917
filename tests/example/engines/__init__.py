"""The example's registry of rules, like `engines/__init__.py` for the real games."""

from __future__ import annotations

from collections.abc import Mapping

from engines.kit.contract import AnyGame
from tests.example.engines.glimpse import GLIMPSE

GAMES: Mapping[str, AnyGame] = {game.key: game for game in (GLIMPSE,)}
