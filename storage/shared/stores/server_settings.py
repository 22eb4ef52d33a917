"""The settings that a server's managers choose for its tables."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

from engines.store.server_settings import DEFAULT_SERVER_SETTINGS, ServerSettings
from storage.shared.stores.statements import Dialect, SharedStore, Statements
from storage.shared.tables import SERVERS, put_sql, quote_columns

_READ = f"SELECT {quote_columns(SERVERS.columns)} FROM servers WHERE guild = $1"
_PUT = put_sql(SERVERS)
_PLAIN_COLUMNS = tuple(column for column in SERVERS.columns if column not in ("guild", "channels", "presets"))
_plain_values = attrgetter(*_PLAIN_COLUMNS)


class ServerSettingsStore(SharedStore):
    """The part of the match store that keeps the settings of servers."""

    async def server_settings(self, guild: int) -> ServerSettings:
        """Return a server's settings for its tables."""
        rows = await self._fetch("settings of a server", _READ, guild)
        return _parse_settings(rows[0]) if rows else DEFAULT_SERVER_SETTINGS

    async def change_server_settings(
        self, guild: int, change: Callable[[ServerSettings], ServerSettings]
    ) -> ServerSettings:
        """Change a server's settings and return the new ones; concurrent changes all count.

        If its lobbies offer something else now, mark them as stale.
        """

        async def write(raw: Statements) -> ServerSettings:
            found = await raw.fetchrow(_READ, guild)
            old = DEFAULT_SERVER_SETTINGS if found is None else _parse_settings(found)
            new = change(old)
            await raw.execute(_PUT, *_settings_row(guild, new))
            if (new.computers, new.presets) != (old.computers, old.presets):
                await raw.execute(self._dialect.mark_lobbies, guild)
            return new

        return await self._write(
            write, "settings of a server", find=partial(_lobbies, self._dialect, guild), guild=guild
        )


async def _lobbies(dialect: Dialect, guild: int, raw: Statements) -> list[str]:
    found = await raw.fetch(
        f"SELECT match FROM matches {dialect.lobbies_by_guild} WHERE guild = $1 AND status = 'lobby'", guild
    )
    return [row[0] for row in found]


def _settings_row(guild: int, settings: ServerSettings) -> tuple[object, ...]:
    return SERVERS.row(
        guild=guild,
        channels=" ".join(map(str, sorted(settings.channels))),
        presets=json.dumps(dict(settings.presets)),
        **dict(zip(_PLAIN_COLUMNS, _plain_values(settings), strict=True)),
    )


def _parse_settings(row: Sequence[Any]) -> ServerSettings:
    stored = dict(zip(SERVERS.columns, row, strict=True))
    del stored["guild"]
    stored |= {
        "channels": frozenset(map(int, stored["channels"].split())),
        "presets": tuple(sorted(json.loads(stored["presets"]).items())),
    }
    for column in SERVERS.boolean_columns:
        stored[column] = bool(stored[column])
    return ServerSettings(**stored)
