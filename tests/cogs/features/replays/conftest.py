"""Fixtures for finished matches in a store in memory."""

from __future__ import annotations

import pytest

from engines.hosting.matches import Matches
from tests.engines.memory_matches import Clock, make_matches
from tests.engines.memory_store import MemoryStore


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def matches(store: MemoryStore) -> Matches:
    return make_matches(store, Clock())
