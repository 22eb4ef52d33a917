"""Every game's package has the same names for the same things, and says in which order to read them."""

from __future__ import annotations

import ast
import re
from importlib.resources import files

import pytest

from tests.games import GAMES

SAME = ["model", "moves", "check", "turn", "view", "sample", "game"]
"""What every game has, in this order; its pieces come before, and what else it needs where it belongs."""


def module_docstrings(key: str) -> dict[str, str]:
    """What every module of the game's package says of itself, by name."""
    folder = files(type(GAMES[key]).__module__.rpartition(".")[0])
    found = [path for path in folder.iterdir() if path.name.endswith(".py")]
    return {
        path.name.removesuffix(".py"): ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "" for path in found
    }


def reading_order(key: str) -> list[str]:
    return re.findall(r"^ {4}(\w+) {2,}\S", module_docstrings(key)["__init__"], re.MULTILINE)


@pytest.mark.parametrize("key", GAMES)
def test_the_package_lists_every_module_of_it_once_in_reading_order(key: str) -> None:
    assert sorted([*reading_order(key), "__init__"]) == sorted(module_docstrings(key))


@pytest.mark.parametrize("key", GAMES)
def test_common_modules_have_the_same_names_and_order_in_every_game(key: str) -> None:
    order = reading_order(key)
    assert [name for name in order if name in SAME] == SAME
    assert order[0] in ("deck", "model")


@pytest.mark.parametrize("key", GAMES)
def test_every_module_says_what_it_holds(key: str) -> None:
    assert not [name for name, docstring in module_docstrings(key).items() if not re.match(r"[A-Z].{20,}", docstring)]
