"""An open database in a folder of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from storage import Database, MatchStore, SurfaceStore

NOW = 1_800_000_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "motley.db"


@pytest.fixture
async def database(path: Path) -> AsyncIterator[Database]:
    async with Database.open(path, clock=lambda: NOW + 0.7, patience=0.1) as database:
        yield database


@pytest.fixture
def matches(database: Database) -> MatchStore:
    return MatchStore(database)


@pytest.fixture
def surfaces(database: Database) -> SurfaceStore:
    return SurfaceStore(database)
