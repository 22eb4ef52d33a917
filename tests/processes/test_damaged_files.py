"""Database files with random bytes changed: each is refused in a sentence, or the bot starts with all that is whole.

MOTLEY_FILES says how many, MOTLEY_SEED repeats a run's choices.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engines import GAMES
from playground.page.client import PlaygroundClient
from playground.server import Playground
from tests.processes.bot_process import BotProcess
from tests.processes.bot_starts import starting_process
from tests.processes.playing import PlayedTable

SOAK = bool(os.environ.get("MOTLEY_SOAK"))
FILES = int(os.environ.get("MOTLEY_FILES", "450" if SOAK else "27"))
SHOWN = ("surfaces", "mentions", "inboxes", "preferences", "notes")
TABLES = ("matches", "seats", "states", "bases", "moves", "events", "history", "due", *SHOWN)
OF_A_MATCH = ("matches", "seats", "states", "bases", "moves")
TIMES = "due"  # if those are damaged a match is not as it was, and if they are past it goes on
PAGE = 4096

Files = dict[str, bytes]
Damage = Callable[[Path, Files, Random], Files]


# Ways to damage a file


def damage_rows(folder: Path, files: Files, rng: Random) -> Files:
    """Rows whose values are no more what they were, or that are gone; the file itself is in order."""
    path = write_files(folder / "rows.db", files)
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.text_factory = bytes
        raw.execute("PRAGMA ignore_check_constraints = 1")
        triggers = raw.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            raw.execute(f"DROP TRIGGER {name.decode()}")
        for _ in range(rng.choice((1, 1, 2, 5))):
            spoil_row(raw, rng)
        for _, sql in triggers:
            raw.execute(sql.decode())
    return {"": path.read_bytes()}


def spoil_row(raw: sqlite3.Connection, rng: Random) -> None:
    found = {name: [row[1].decode() for row in raw.execute(f"PRAGMA table_info({name})")] for name in TABLES}
    table, spoiled = rng.choice([(name, column) for name, columns in found.items() for column in columns])
    columns, rows = found[table], raw.execute(f"SELECT * FROM {table}").fetchall()
    if not rows:
        return
    row = rng.choice(rows)
    which = " AND ".join(f"{column} IS {sql_literal(value)}" for column, value in zip(columns, row, strict=True))
    if rng.random() < 0.15:
        raw.execute(f"DELETE FROM {table} WHERE {which}")
        return
    old = row[columns.index(spoiled)]
    number = rng.choice((0, -1, 1, 2**31, 2**63 - 1, -(2**63), rng.getrandbits(40)))
    new = number if isinstance(old, int) else scatter_bytes(old or b"[]", range(len(old or b"[]")), rng)
    if isinstance(new, bytes) and rng.random() < 0.3:
        new = rng.choice((b"", new[: len(new) // 2], b"[[[[", b"\xff\xfe", new * 3))
    try:
        raw.execute(f"UPDATE {table} SET {spoiled} = {sql_literal(new)} WHERE {which}")
    except sqlite3.IntegrityError:  # somebody else has that key
        return


def sql_literal(value: Any) -> str:
    if value is None:
        return "NULL"
    return str(value) if isinstance(value, int) else f"CAST(x'{value.hex()}' AS TEXT)"


def scatter_bytes(content: bytes, within: range, rng: Random) -> bytes:
    changed = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 3, 8, 40)) if within else 0):
        changed[rng.choice(within)] = rng.randrange(256)
    return bytes(changed)


def scatter(ending: str, choose_bytes: Callable[[int, Random], range]) -> Damage:
    def damage(folder: Path, files: Files, rng: Random) -> Files:
        return files | {ending: scatter_bytes(files[ending], choose_bytes(len(files[ending]), rng), rng)}

    return damage


def page_head(size: int, rng: Random) -> range:
    page = PAGE * rng.randrange(1, size // PAGE)
    return range(page, page + 40)


WAL = "the -wal of a bot that was killed"
WAYS: Mapping[str, Damage] = {
    "anywhere": scatter("", lambda size, rng: range(size)),
    "header": scatter("", lambda size, rng: range(100)),
    "rows": damage_rows,  # more than once: there is most to be found
    "head of a page": scatter("", page_head),
    "more rows": damage_rows,
    "layout": scatter("", lambda size, rng: range(100, PAGE)),
    WAL: scatter("-wal", lambda size, rng: range(size)),
    "cut off": lambda folder, files, rng: files | {"": files[""][: rng.randrange(len(files[""]))]},
    "rows again": damage_rows,
}


# Files


def read_files(path: Path, *endings: str) -> Files:
    return {ending: Path(f"{path}{ending}").read_bytes() for ending in endings}


def write_files(path: Path, files: Files) -> Path:
    """Write the files there, and nothing else beside them."""
    remove_database(path)
    for ending, content in files.items():
        Path(f"{path}{ending}").write_bytes(content)
    return path


def remove_database(path: Path) -> None:
    for ending in ("", "-wal", "-shm", "-journal", ".lock"):
        Path(f"{path}{ending}").unlink(missing_ok=True)


# What is whole


def match_rows(path: Path, like: dict[str, list[Any]] | None = None) -> dict[str, list[Any]]:
    """All that is kept of each match, as bytes; with `like`, of those alone that are as they were."""
    found: dict[str, list[Any]] = {}
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as raw:
            raw.text_factory = bytes
            for table in (*OF_A_MATCH, TIMES):
                for row in raw.execute(f"SELECT * FROM {table} ORDER BY 1, 2"):
                    match = row[0].decode(errors="replace") if isinstance(row[0], bytes) else str(row[0])
                    found.setdefault(match, []).append((table, row))
    except (sqlite3.Error, UnicodeError):
        return {}
    return found if like is None else {match: rows for match, rows in found.items() if like.get(match) == rows}


def rows_without_times(whole: dict[str, list[Any]]) -> dict[str, list[Any]]:
    return {match: [row for row in rows if row[0] != TIMES] for match, rows in whole.items()}


# The test


async def make_files(playground: Playground, visitor: PlaygroundClient, path: Path) -> Files:
    """The files of a bot that was killed: a match of every game, a lobby, one that is paused, one that is over."""
    bot = BotProcess(playground, path)
    await bot.start()
    await visitor.wait_bot_ready()
    finished_table = await PlayedTable.start_match(visitor, path, "wizard")
    while await finished_table.make_move():
        pass
    paused = await PlayedTable.start_match(visitor, path, "jest")
    await visitor.player("Chidi").run_command("motley leave", "games", match=paused.match)
    await PlayedTable.open_lobby(visitor, path, "jokers", "Dora")
    for game in GAMES:
        table = await PlayedTable.start_match(visitor, path, game)
        for _ in range(3):
            await table.make_move()
    await asyncio.sleep(1)
    await bot.kill(signal.SIGKILL)
    return read_files(path, "", "-wal")


def find_complaint(result: Any, before: dict[str, list[Any]], path: Path) -> str:
    entries = result["entries"]
    wrong = [each["text"] for each in entries if each["stack"] or "\n" in each["text"]]
    if wrong or result["status"] not in (0, 1):
        return f"{result['status']}: {wrong}"
    errors = [each["text"] for each in entries if each["level"] == "ERROR"]
    if result["status"] == 1:
        return "" if len(errors) == 1 and errors[0].endswith(".") else f"no sentence: {errors}"
    if not any(each["text"].startswith("Ready:") for each in entries):
        return "it ended without a word"
    after = rows_without_times(match_rows(path))
    for match, rows in rows_without_times(before).items():
        complaints = [each["text"] for each in entries if each["level"] in ("ERROR", "WARNING")]
        complaints_about_match = [text for text in complaints if f"Match {match} " in text]
        if after.get(match) != rows or complaints_about_match:
            return f"match {match} was whole: {complaints_about_match}"
    return ""


@pytest.mark.timeout(3000)
async def test_every_damaged_file_is_refused_or_started_with_what_is_whole(tmp_path: Path) -> None:
    seed = os.environ.get("MOTLEY_SEED", str(Random().randrange(10**6)))
    print(f"{FILES} files, MOTLEY_SEED={seed}")
    outcomes: Counter[str] = Counter()
    log = os.open(tmp_path / "log", os.O_CREAT | os.O_WRONLY)
    async with Playground(rate_limited=False) as playground, PlaygroundClient.connect(playground.base_url) as visitor:
        files = await make_files(playground, visitor, tmp_path / "motley.db")
        async with starting_process(playground, log) as start:
            sound = await start(MOTLEY_DATABASE=str(tmp_path / "motley.db"))
            assert sound["status"] == 0, sound
            assert "7 live matches checked" in [each["text"] for each in sound["entries"]]
            pristine, shown_files = match_rows(tmp_path / "motley.db"), read_files(tmp_path / "motley.db", "")
            for number in range(FILES):
                way, rng = [*WAYS][number % len(WAYS)], Random(f"{seed}-{number}")
                damaged = WAYS[way](tmp_path, files if way == WAL else shown_files, rng)
                before = match_rows(write_files(tmp_path / "copy.db", damaged), pristine)
                path = write_files(tmp_path / f"{number}.db", damaged)
                result = await start(MOTLEY_DATABASE=str(path))
                found = find_complaint(result, before, path)
                assert not found, (way, number, seed, found, (tmp_path / "log").read_text()[-2000:])
                outcomes[f"{way}: {'refused' if result['status'] else 'started'}"] += 1
                remove_database(path)
    os.close(log)
    print(dict(sorted(outcomes.items())))
    assert any("refused" in outcome for outcome in outcomes)
    assert any("started" in outcome for outcome in outcomes)
