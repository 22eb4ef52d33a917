"""Databases from before due times and clocks."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from engines.store.table_options import TableOptions
from storage import Database, MatchStore, SurfaceStore
from storage.sqlite.file.schema import load_migrations
from tests.storage.sqlite.conftest import NOW


async def test_lobbies_of_before_there_were_due_times_still_close(path: Path) -> None:
    steps = load_migrations()
    old = [step for step in steps if step.number < 7]
    async with Database.open(path, clock=lambda: NOW, migrations=old):
        pass
    with closing(sqlite3.connect(path)) as raw, raw:
        columns = "match, game, rules, options, status, host, guild, channel, thread, revision, moves, votes, reason"
        for match, status in (("m1", "lobby"), ("m2", "running")):
            raw.execute(
                f"INSERT INTO matches ({columns}, created, changed) "
                f"VALUES ('{match}', 'wizard', 1, '{{}}', '{status}', 5, 1, 2, 0, 0, 0, '[]', '', 1000, 1000)"
            )
        raw.execute("INSERT INTO pings VALUES ('m2', 1, 7, 'nonce', 8, 9, 'sent')")
    async with Database.open(path, clock=lambda: NOW) as database:
        (due,), _ = await MatchStore(database).load_due(10**6)
        assert (due.kind, due.seat, due.decision, due.at) == ("expiry", -1, 0, 1000 + 24 * 60 * 60)
        running = await MatchStore(database).load_info("m2")
        assert running is not None
        assert running.house == TableOptions(clock=None, hints=True), "a match that is older than clocks has got one"
        (mention,) = await SurfaceStore(database).mentions("m2")
        assert (mention.seat, mention.message) == (1, 9)
