"""What those who manage a server have chosen for its tables."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from operator import attrgetter
from typing import Any

from engines.store.server_settings import UNTOUCHED, Server
from storage.sqlite import stale_surfaces

_COLUMNS = "channels, threads, calls, computers, clock, own_lobbies, lobbies, own_tables, tables"
_PUT = f"INSERT OR REPLACE INTO servers (guild, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_rest = attrgetter(*_COLUMNS.split(", ")[1:])


def read(guild: int, raw: sqlite3.Connection) -> Server:
    """The settings of that server."""
    found = raw.execute(f"SELECT {_COLUMNS} FROM servers WHERE guild = ?", (guild,)).fetchone()
    return UNTOUCHED if found is None else _server(*found)


def change(guild: int, changed: Callable[[Server], Server], raw: sqlite3.Connection) -> Server:
    """Change them; where its lobbies offer something else from then on, they are to be shown anew."""
    old = read(guild, raw)
    new = changed(old)
    raw.execute(_PUT, (guild, " ".join(map(str, sorted(new.channels))), *_rest(new)))
    if new.computers != old.computers:
        stale_surfaces.mark_lobbies(raw, guild)
    return new


def _server(channels: str, threads: int, calls: int, computers: int, *rest: Any) -> Server:
    return Server(frozenset(map(int, channels.split())), bool(threads), bool(calls), bool(computers), *rest)
