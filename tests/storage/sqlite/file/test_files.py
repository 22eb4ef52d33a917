"""The database file and its neighbours: only files are accepted, and only the owner can read them."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from storage import Database, SurfaceStore
from storage.sqlite.file.files import LOCK_TIMEOUT, lock_file
from storage.sqlite.read_only_copy import is_in_use
from tests.storage.samples import drop_privileges
from tests.storage.sqlite.openings import run_open_and_close, run_open_refused


@pytest.mark.timeout(20)
def test_a_path_that_is_no_file_is_refused(tmp_path: Path) -> None:
    folder, pipe, link, other, data = (
        tmp_path / name for name in ("folder.db", "pipe.db", "link.db", "other.db", "data")
    )
    folder.mkdir()
    os.mkfifo(pipe)
    for one, target in ((link, other), (other, link), (data, data)):
        one.symlink_to(target)
    (tmp_path / "file").touch()
    for path, reason in (
        (folder, "is a folder. Set a file"),
        (pipe, "is not a regular file"),
        (link, "is a link that leads back to itself"),
        (data / "motley.db", "is a link that leads back to itself"),
        (tmp_path / "file" / "motley.db", "cannot be opened or created"),
    ):
        assert reason in run_open_refused(path)
    assert {each.name for each in tmp_path.iterdir()} == {"folder.db", "pipe.db", "link.db", "other.db", "data", "file"}


def test_a_link_to_a_file_that_is_not_there_yet_makes_it(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "motley.db")
    run_open_and_close(tmp_path / "link.db")
    assert (tmp_path / "motley.db").is_file()


# Permissions


def file_modes(folder: Path) -> dict[str, int]:
    """Return what others may do with each file in a folder, and with the folder."""
    return {each.name: each.stat().st_mode & 0o777 for each in (folder, *folder.iterdir())}


async def test_files_that_are_made_are_readable_by_their_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "some" / "data"
    before = os.umask(0)
    try:
        async with Database.open(folder / "motley.db", clock=lambda: 7) as database:
            await SurfaceStore(database).put_note("a", "b")
            modes = file_modes(folder)
    finally:
        os.umask(before)
    assert modes.pop("data") == 0o700
    assert set(modes) == {"motley.db", "motley.db-wal", "motley.db-shm", "motley.db.lock"}
    assert set(modes.values()) == {0o600}


async def test_a_file_that_was_open_to_others_is_closed_to_them(path: Path) -> None:
    async with Database.open(path, clock=lambda: 7) as database:
        await SurfaceStore(database).put_note("a", "b")
        left = {file: file.read_bytes() for file in path.parent.iterdir()}
    for file, content in left.items():  # as after a crash
        file.write_bytes(content)
        file.chmod(0o666)
    async with Database.open(path, clock=lambda: 7) as database:
        assert await SurfaceStore(database).read_note("a") == "b"
        modes = file_modes(path.parent)
    del modes[path.parent.name]
    assert list(modes.values()) == [0o600] * 4


def test_a_file_that_is_refused_keeps_its_mode(path: Path) -> None:
    path.write_text("a shopping list, and a long one, too\n" * 100)
    path.chmod(0o644)
    run_open_refused(path)
    assert path.stat().st_mode & 0o777 == 0o644


def test_a_file_of_somebody_else_is_used_and_complained_of(open_folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = open_folder / "motley.db"
    run_open_and_close(path)
    for name in (path, open_folder / "motley.db.lock"):
        name.chmod(0o666)
    open_folder.chmod(0o777)
    with drop_privileges():
        run_open_and_close(path)
    assert ("motley.db is readable by others" in caplog.text) is (os.geteuid() == 0)


def test_a_look_whether_a_bot_runs_keeps_nobody_from_starting(path: Path) -> None:
    """`python -m motley backup` does this, maybe at the very moment of a start."""
    run_open_and_close(path)
    looking, looked = threading.Event(), threading.Event()

    def snapshot() -> None:
        with lock_file(path):
            looking.set()
            looked.wait(LOCK_TIMEOUT / 2)

    thread = threading.Thread(target=snapshot)
    thread.start()
    looking.wait()
    run_open_and_close(path)
    looked.set()
    thread.join()
    assert not is_in_use(path)


async def test_a_running_bot_is_found_at_once(path: Path) -> None:
    async with Database.open(path, clock=lambda: 7):
        start = time.monotonic()
        assert is_in_use(path)
        assert time.monotonic() - start < LOCK_TIMEOUT / 2
