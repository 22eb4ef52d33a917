"""The games that all tests are held against: those that can be played, and the example, which tests alone register.

The example lies in `tests/example/` as if that were the root of a project. Where a game lies is asked of its class, so
that nothing here or in the tests makes a difference between the two.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType

import engines
from engines.kit.contract import AnyGame
from tests.example import engines as example_engines

ROOT = Path(__file__).resolve().parents[1]
GAMES: Mapping[str, AnyGame] = {**engines.GAMES, **example_engines.GAMES}


def game_root(key: str) -> Path:
    return ROOT.joinpath(*_module_prefix(key).split(".")[:-1])


def game_test_folder(key: str) -> Path:
    return game_root(key) / "tests" / "engines" / key


def game_module(key: str, module: str) -> ModuleType:
    """A module of a game by its name in that tree, such as `tests.engines.<key>.helper`."""
    return import_module(f"{_module_prefix(key)}{module}")


def _module_prefix(key: str) -> str:
    before, _, _ = type(GAMES[key]).__module__.rpartition(f"engines.{key}.")
    return before
