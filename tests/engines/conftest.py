"""For the tests of the engines: a store in memory; hypothesis tries the same examples, however slow the machine."""

from __future__ import annotations

import pytest
from hypothesis import settings

from engines.hosting.matches import Matches
from tests.engines.memory_matches import Clock, make_matches
from tests.engines.memory_store import MemoryStore

settings.register_profile("motley", deadline=None, derandomize=True)
settings.load_profile("motley")


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def matches(store: MemoryStore, clock: Clock) -> Matches:
    return make_matches(store, clock)
