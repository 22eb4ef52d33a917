"""The settings that a server's managers choose for its tables."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from engines.store.server_settings import DEFAULT_SERVER_SETTINGS, ServerSettings
from storage.shared.server_rows import parse_settings, settings_row
from storage.shared.table_sql import put_sql
from storage.shared.tables import SERVERS, quote_columns
from storage.sqlite import stale_surfaces
from storage.sqlite.rows import mark

_READ = f"SELECT {quote_columns(SERVERS.columns)} FROM servers WHERE guild = ?"
_PUT = mark(put_sql(SERVERS))


def read_settings(guild: int, raw: sqlite3.Connection) -> ServerSettings:
    """Return the settings of that server."""
    found = raw.execute(_READ, (guild,)).fetchone()
    return DEFAULT_SERVER_SETTINGS if found is None else parse_settings(found)


def change_settings(
    guild: int, transform: Callable[[ServerSettings], ServerSettings], raw: sqlite3.Connection
) -> ServerSettings:
    """Change the settings; if its lobbies offer something else now, mark them as stale."""
    old = read_settings(guild, raw)
    new = transform(old)
    raw.execute(_PUT, settings_row(guild, new))
    if (new.computers, new.presets) != (old.computers, old.presets):
        stale_surfaces.mark_server_lobbies(raw, guild)
    return new
