"""`Matches` is put together from parts: small classes over one editor, none of which inherits from another."""

from __future__ import annotations

from pkgutil import iter_modules

import pytest

from engines.hosting import matches
from engines.hosting.matches import Matches
from tests.engines.memory_store import MemoryStore

MOST = 30  # public names of one object
ALL = Matches(MemoryStore(), {}, lambda: 0, features=())
PARTS = {name: part for name, part in vars(ALL).items() if type(part).__module__.startswith("engines.hosting")}


@pytest.mark.parametrize("part", [ALL, *PARTS.values()], ids=["matches", *PARTS])
def test_a_part_is_small_and_inherits_from_no_other(part: object) -> None:
    assert type(part).__mro__ == (type(part), object)
    assert len([name for name in dir(part) if not name.startswith("_")]) <= MOST


def test_every_module_of_the_package_is_a_part() -> None:
    modules = {f"{matches.__name__}.{module.name}" for module in iter_modules(matches.__path__)}
    assert modules == {type(part).__module__ for part in PARTS.values()} & modules
