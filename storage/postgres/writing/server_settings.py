"""The settings that a server's managers choose for its tables."""

from __future__ import annotations

from collections.abc import Callable

from engines.store.server_settings import DEFAULT_SERVER_SETTINGS, ServerSettings
from storage.postgres.connection.connection import RawConnection
from storage.postgres.writing import stale_surfaces
from storage.shared.server_rows import parse_settings, settings_row
from storage.shared.table_sql import put_sql
from storage.shared.tables import SERVERS, quote_columns

_READ = f"SELECT {quote_columns(SERVERS.columns)} FROM servers WHERE guild = $1"
_PUT = put_sql(SERVERS)
SERVER_LOCK = 0x6D73  # combined with a server's number: the lock for its settings and for counting its tables
HOST_LOCK = 0x6D74  # combined with a person's number: the lock for counting the tables that they host


async def lock_server(guild: int, raw: RawConnection) -> None:
    """Keep others from counting that server's tables or changing its settings until the transaction ends."""
    await raw.fetchval("SELECT pg_advisory_xact_lock(hashint8extended($1, $2))", guild, SERVER_LOCK)


async def lock_host(user: int, raw: RawConnection) -> None:
    """Keep others from counting the tables that a person hosts until the transaction ends."""
    await raw.fetchval("SELECT pg_advisory_xact_lock(hashint8extended($1, $2))", user, HOST_LOCK)


async def read_settings(guild: int, raw: RawConnection) -> ServerSettings:
    """Return the settings of that server."""
    found = await raw.fetchrow(_READ, guild)
    return DEFAULT_SERVER_SETTINGS if found is None else parse_settings(tuple(found))


async def change_settings(
    guild: int, transform: Callable[[ServerSettings], ServerSettings], raw: RawConnection
) -> ServerSettings:
    """Change the settings under their lock; if its lobbies offer something else now, mark them as stale."""
    old = await read_settings(guild, raw)
    new = transform(old)
    await raw.execute(_PUT, *settings_row(guild, new))
    if (new.computers, new.presets) != (old.computers, old.presets):
        await stale_surfaces.notify_lobbies(raw, guild)
    return new
