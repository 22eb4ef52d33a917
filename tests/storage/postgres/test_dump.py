"""A backup with PostgreSQL's own programs, as described in docs/operating.md."""

from __future__ import annotations

from storage.postgres import Database, MatchStore
from tests.cluster import Server
from tests.storage.samples import lobby_info, move_change, start_change


async def test_what_was_dumped_while_the_bot_runs_is_restored_as_it_was(postgres: Server, address: str) -> None:
    dump = str(postgres.folder / "motley.dump")
    async with Database.open(address, clock=lambda: 7) as database:
        matches = MatchStore(database)
        await matches.insert(lobby_info(name := "m\x00"), by=5)
        change = start_change(lobby_info(name))
        await matches.commit(change)
        postgres.run("pg_dump", "--format=custom", f"--file={dump}", address)
        saved = await matches.load(name)
        await matches.commit(move_change(change.info))
    postgres.run("pg_restore", "--clean", "--if-exists", "--no-owner", f"--dbname={address}", dump)
    async with Database.open(address, clock=lambda: 7) as database:
        assert await MatchStore(database).load(name) == saved
        await MatchStore(database).commit(move_change(change.info))
