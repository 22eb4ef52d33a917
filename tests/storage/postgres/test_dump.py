"""A backup with PostgreSQL's own programs, as described in docs/operating.md."""

from __future__ import annotations

from storage.postgres import Database, MatchStore
from tests.postgres_server import PostgresServer
from tests.storage.samples import move_change, start_running


async def test_a_dump_of_a_running_bot_is_restored_as_it_was(postgres: PostgresServer, address: str) -> None:
    dump = str(postgres.folder / "motley.dump")
    async with Database.open(address, clock=lambda: 7) as database:
        matches = MatchStore(database)
        info = await start_running(matches, name := "m\x00")
        postgres.run("pg_dump", "--format=custom", f"--file={dump}", address)
        saved = await matches.load(name)
        await matches.commit(move_change(info))
    postgres.run("pg_restore", "--clean", "--if-exists", "--no-owner", f"--dbname={address}", dump)
    async with Database.open(address, clock=lambda: 7) as database:
        assert await MatchStore(database).load(name) == saved
        await MatchStore(database).commit(move_change(info))
