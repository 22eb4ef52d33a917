"""A process that is killed at any moment has stored every move that it acknowledged."""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

from storage import Database, MatchStore
from tests.storage.samples import query_rows

MATCHES = 8
SCRIPT = f"""
import asyncio, os, sys
from dataclasses import replace
from storage import Database, MatchStore
from tests.storage.samples import lobby_info, move_change, start_change

async def play(store, match):
    info = await store.load_info(match)
    if info is None:
        await store.insert(lobby_info(match), by=5)
        info = start_change(lobby_info(match)).info
        await store.commit(start_change(lobby_info(match)))
    while True:
        change = move_change(info)
        await store.commit(change)
        info = change.info
        os.write(1, f"{{match}} {{info.moves}}\\n".encode())

async def main():
    async with Database.open(sys.argv[1], clock=lambda: 7) as database:
        await asyncio.gather(*(play(MatchStore(database), f"m{{n}}") for n in range({MATCHES})))

asyncio.run(main())
"""


def kill_while_playing(path: Path, acknowledged: int) -> Counter[str]:
    """Kill a process after so many moves; return the last acknowledged move of each match."""
    last: Counter[str] = Counter()
    with subprocess.Popen([sys.executable, "-c", SCRIPT, path], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        for count, line in enumerate(process.stdout):
            if count == acknowledged:
                process.send_signal(signal.SIGKILL)
            if line.endswith(b"\n"):
                match, number = line.split()
                last[match.decode()] = int(number)
    assert process.returncode == -signal.SIGKILL
    return last


async def count_kept_moves(path: Path) -> Counter[str]:
    """Reopen the file; return the moves of each match, after checking that everything agrees."""
    async with Database.open(path, clock=lambda: 7) as database:
        store = MatchStore(database)
        assert await database.read(query_rows("PRAGMA integrity_check"), what="") == [("ok",)]
        assert await database.read(query_rows("PRAGMA foreign_key_check"), what="") == []
        found: Counter[str] = Counter()
        for info in await store.find():
            saved = await store.load(info.id)
            if saved is not None:
                assert [move.number for move in saved.moves] == list(range(1, info.moves + 1))
                assert saved.checkpoint == f'{{"n":{info.moves}}}'
                found[info.id] = info.moves
        return found


def test_no_acknowledged_move_is_lost_when_the_process_is_killed(tmp_path: Path) -> None:
    path, chance = tmp_path / "motley.db", random.Random(1)
    for _ in range(4):
        last = kill_while_playing(path, chance.randrange(20, 400))
        found = asyncio.run(count_kept_moves(path))
        assert len(last) > 1
        for match, number in last.items():
            assert number <= found[match] <= number + 1  # at most the one that was not yet answered
