"""The write-ahead log after a crash: a missing end is accepted, earlier damage is refused."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from storage import Database, SurfaceStore
from tests.storage.sqlite.openings import query, run_open_and_close, run_open_refused

Files = dict[str, bytes]
PAGE, HEADER, FRAME = 4096, 32, 24
WRITES = 12


@pytest.fixture(scope="module")
def crashed(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The files that a crash leaves after some writes."""
    path = tmp_path_factory.mktemp("crashed") / "motley.db"

    async def write() -> Files:
        async with Database.open(path, clock=lambda: 7) as database:
            for number in range(WRITES):
                await SurfaceStore(database).put_note(f"note {number}", "x" * 3000)
            return read_files(path)

    return asyncio.run(write())


def read_files(path: Path) -> Files:
    return {ending: Path(f"{path}{ending}").read_bytes() for ending in ("", "-wal")}


def write_files(path: Path, files: Files) -> None:
    for ending, content in files.items():
        Path(f"{path}{ending}").write_bytes(content)


def count_opened(path: Path, files: Files) -> int:
    """Open the database as those files have it; return the number of its notes."""
    write_files(path, files)
    run_open_and_close(path)
    return len(query(path, "SELECT * FROM notes"))


def flip_byte(log: bytes, at: int) -> bytes:
    return log[:at] + bytes([log[at] ^ 0x41]) + log[at + 1 :]


def test_a_file_that_a_crash_left_is_read_to_its_end(path: Path, crashed: Files) -> None:
    assert count_opened(path, crashed) == WRITES
    damaged = flip_byte(crashed["-wal"], len(crashed["-wal"]) - 100) + bytes(3 * (PAGE + FRAME))
    assert count_opened(path, crashed | {"-wal": damaged}) == WRITES - 1, "what was being written is no damage"


@pytest.mark.parametrize("seed", range(12))
def test_a_log_that_breaks_off_is_read_as_far_as_it_goes(path: Path, crashed: Files, seed: int) -> None:
    end = Random(seed).randrange(len(crashed["-wal"]))
    assert count_opened(path, crashed | {"-wal": crashed["-wal"][:end]}) <= WRITES


@pytest.mark.parametrize("at", [0, 3, 9, 17, 22, 25, 31])
def test_a_log_whose_head_is_damaged_is_refused_and_left_alone(path: Path, crashed: Files, at: int) -> None:
    damaged = crashed | {"-wal": flip_byte(crashed["-wal"], at)}
    write_files(path, damaged)
    assert "motley.db-wal, the newest part" in run_open_refused(path)
    assert read_files(path) == damaged


@pytest.mark.parametrize("seed", range(12))
def test_a_log_that_is_damaged_before_its_end_is_refused(path: Path, crashed: Files, seed: int) -> None:
    last = len(crashed["-wal"]) - 8 * (PAGE + FRAME)
    write_files(path, crashed | {"-wal": flip_byte(crashed["-wal"], Random(seed).randrange(HEADER, last))})
    assert "motley.db-wal, the newest part" in run_open_refused(path)


def test_old_frames_of_the_log_are_no_damage(path: Path) -> None:
    run_open_and_close(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        for number in range(9):
            raw.execute("INSERT INTO notes VALUES (?, ?)", (f"old {number}", "x" * 3000))
        raw.execute("PRAGMA wal_checkpoint(RESTART)")
        raw.execute("INSERT INTO notes VALUES ('new', '')")
        files = read_files(path)
    assert len(files["-wal"]) > 9 * PAGE
    assert count_opened(path, files) == 10


def test_a_log_without_anything_in_it_is_none(path: Path) -> None:
    for log in (b"", bytes(HEADER), bytes(HEADER + FRAME + PAGE)):
        assert count_opened(path, {"-wal": log}) == 0
