"""The settings that a server's managers choose for its tables."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter
from typing import Any

from engines.store.server_settings import DEFAULT_SERVER_SETTINGS, ServerSettings
from storage.postgres.connection.connection import RawConnection
from storage.postgres.writing import stale_surfaces

_COLUMNS = "channels, threads, calls, computers, clock, own_lobbies, lobbies, own_tables, tables, presets"
_READ = f"SELECT {_COLUMNS} FROM servers WHERE guild = $1"
_PUT = f"""
INSERT INTO servers (guild, {_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
ON CONFLICT (guild) DO UPDATE SET channels = excluded.channels, threads = excluded.threads, calls = excluded.calls,
    computers = excluded.computers, clock = excluded.clock, own_lobbies = excluded.own_lobbies,
    lobbies = excluded.lobbies, own_tables = excluded.own_tables, tables = excluded.tables, presets = excluded.presets
"""
_values_between = attrgetter(*_COLUMNS.split(", ")[1:-1])
SERVER_LOCK = 0x6D73  # combined with a server's number: the lock for its settings and for counting its tables


async def lock_server(guild: int, raw: RawConnection) -> None:
    """Keep others from counting that server's tables or changing its settings until the transaction ends."""
    await raw.fetchval("SELECT pg_advisory_xact_lock(hashint8extended($1, $2))", guild, SERVER_LOCK)


async def read_settings(guild: int, raw: RawConnection) -> ServerSettings:
    """Return the settings of that server."""
    found = await raw.fetchrow(_READ, guild)
    return DEFAULT_SERVER_SETTINGS if found is None else _parse_settings(*found)


async def change_settings(
    guild: int, transform: Callable[[ServerSettings], ServerSettings], raw: RawConnection
) -> ServerSettings:
    """Change the settings under their lock; if its lobbies offer something else now, mark them as stale."""
    old = await read_settings(guild, raw)
    new = transform(old)
    channels, presets = " ".join(map(str, sorted(new.channels))), json.dumps(dict(new.presets))
    await raw.execute(_PUT, guild, channels, *_values_between(new), presets)
    if (new.computers, new.presets) != (old.computers, old.presets):
        await stale_surfaces.notify_lobbies(raw, guild)
    return new


def _parse_settings(channels: str, *rest: Any) -> ServerSettings:
    *others, presets = rest
    settings = ServerSettings(frozenset(map(int, channels.split())), *others)
    return replace(settings, presets=tuple(sorted(json.loads(presets).items())))
