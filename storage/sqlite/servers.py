"""The settings that a server's managers choose for its tables."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter
from typing import Any

from engines.store.server_settings import DEFAULT_SERVER_SETTINGS, ServerSettings
from storage.sqlite import stale_surfaces

_COLUMNS = "channels, threads, calls, computers, clock, own_lobbies, lobbies, own_tables, tables, presets"
_PUT = f"INSERT OR REPLACE INTO servers (guild, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_values_between = attrgetter(*_COLUMNS.split(", ")[1:-1])


def read_settings(guild: int, raw: sqlite3.Connection) -> ServerSettings:
    """Return the settings of that server."""
    found = raw.execute(f"SELECT {_COLUMNS} FROM servers WHERE guild = ?", (guild,)).fetchone()
    return DEFAULT_SERVER_SETTINGS if found is None else _parse_settings(*found)


def change_settings(
    guild: int, transform: Callable[[ServerSettings], ServerSettings], raw: sqlite3.Connection
) -> ServerSettings:
    """Change the settings; if its lobbies offer something else now, mark them as stale."""
    old = read_settings(guild, raw)
    new = transform(old)
    channels, presets = " ".join(map(str, sorted(new.channels))), json.dumps(dict(new.presets))
    raw.execute(_PUT, (guild, channels, *_values_between(new), presets))
    if (new.computers, new.presets) != (old.computers, old.presets):
        stale_surfaces.mark_server_lobbies(raw, guild)
    return new


def _parse_settings(channels: str, threads: int, calls: int, computers: int, *rest: Any) -> ServerSettings:
    *limits, presets = rest
    settings = ServerSettings(
        frozenset(map(int, channels.split())), bool(threads), bool(calls), bool(computers), *limits
    )
    return replace(settings, presets=tuple(sorted(json.loads(presets).items())))
