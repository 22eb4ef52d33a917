"""An open database in its own folder, with commits that really reach the disk."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from storage import Database, MatchStore, SurfaceStore
from storage.sqlite.file import connection
from tests.disk import REAL_SET_UP

NOW = 1_800_000_000


@pytest.fixture(autouse=True)
def synced_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sync commits to the disk, as the bot does."""
    monkeypatch.setattr(connection, "set_up_connection", REAL_SET_UP)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "motley.db"


@pytest.fixture
async def database(path: Path) -> AsyncIterator[Database]:
    async with Database.open(path, clock=lambda: NOW + 0.7, lock_timeout=0.1) as database:
        yield database


@pytest.fixture
def matches(database: Database) -> MatchStore:
    return MatchStore(database)


@pytest.fixture
def surfaces(database: Database) -> SurfaceStore:
    return SurfaceStore(database)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other users can reach, unlike pytest's."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)
