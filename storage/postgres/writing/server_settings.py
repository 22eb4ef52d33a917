"""What those who manage a server have chosen for its tables."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from engines.store.server_settings import UNTOUCHED, Server
from storage.postgres.connection.connection import Raw
from storage.postgres.writing import stale_surfaces

_COLUMNS = "channels, threads, calls, computers, clock, own_lobbies, lobbies, own_tables, tables"
_READ = f"SELECT {_COLUMNS} FROM servers WHERE guild = $1"
_PUT = f"""
INSERT INTO servers (guild, {_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (guild) DO UPDATE SET channels = excluded.channels, threads = excluded.threads, calls = excluded.calls,
    computers = excluded.computers, clock = excluded.clock, own_lobbies = excluded.own_lobbies,
    lobbies = excluded.lobbies, own_tables = excluded.own_tables, tables = excluded.tables
"""
_rest = attrgetter(*_COLUMNS.split(", ")[1:])
LOCK = 0x6D73  # with a server's number: the lock under which it is changed, and under which its tables are counted


async def lock(guild: int, raw: Raw) -> None:
    """Until the transaction ends nobody else counts that server's tables, or changes its settings."""
    await raw.fetchval("SELECT pg_advisory_xact_lock(hashint8extended($1, $2))", guild, LOCK)


async def read(guild: int, raw: Raw) -> Server:
    """The settings of that server."""
    found = await raw.fetchrow(_READ, guild)
    return UNTOUCHED if found is None else _server(*found)


async def change(guild: int, changed: Callable[[Server], Server], raw: Raw) -> Server:
    """Change them, under their lock; where its lobbies offer something else from then on, they are to be shown anew."""
    old = await read(guild, raw)
    new = changed(old)
    await raw.execute(_PUT, guild, " ".join(map(str, sorted(new.channels))), *_rest(new))
    if new.computers != old.computers:
        await stale_surfaces.call_lobbies(raw, guild)
    return new


def _server(channels: str, *rest: Any) -> Server:
    return Server(frozenset(map(int, channels.split())), *rest)
