"""A file that is removed while in use: nothing is confirmed that would be lost, and the data is rescued."""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from engines.store.match_store import StoreFailure
from storage import Database, SurfaceStore
from tests.storage.sqlite.openings import query

HAPPENS: dict[str, Callable[[Path], object]] = {
    "removed": Path.unlink,
    "moved": lambda path: path.rename(path.with_suffix(".old")),
    "exchanged": lambda path: Path(shutil.copy(path, path.with_suffix(".new"))).replace(path),
    "log removed": lambda path: Path(f"{path}-wal").unlink(),
    "folder moved": lambda path: path.parent.rename(path.parent.with_name("elsewhere")),
}


@pytest.mark.parametrize("happens", HAPPENS.values(), ids=HAPPENS)
async def test_nothing_is_confirmed_and_all_there_was_is_rescued(
    tmp_path: Path, happens: Callable[[Path], object], caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "data" / "motley.db"
    async with Database.open(path, clock=lambda: 7) as database:
        surfaces = SurfaceStore(database)
        await surfaces.put_note("a", "b")
        happens(path)
        for _ in range(2):
            with pytest.raises(StoreFailure, match="could not be saved"):
                await surfaces.put_note("c", "d")
        assert await surfaces.read_note("c") is None
        assert await surfaces.read_note("a") == "b"
    messages = [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]
    assert sum("was removed or replaced while Motley was running" in each for each in messages) == 1
    rescued = path.with_name("motley-rescued-1970-01-01T00-00-07Z.db")
    assert sum(f"rescued to {rescued}" in each for each in messages) == 1
    assert query(rescued, "SELECT key FROM notes") == [("a",)]
    assert os.stat(rescued).st_mode & 0o777 == 0o600


async def test_it_goes_on_when_the_files_are_back(path: Path) -> None:
    async with Database.open(path, clock=lambda: 7) as database:
        HAPPENS["moved"](path)
        with pytest.raises(StoreFailure):
            await SurfaceStore(database).put_note("a", "b")
        path.with_suffix(".old").rename(path)
        await SurfaceStore(database).put_note("c", "d")
    assert query(path, "SELECT key FROM notes") == [("c",)]
