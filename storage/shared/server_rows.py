"""Converts the settings of servers to and from rows; the columns are the same in every kind of storage."""

from __future__ import annotations

import json
from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from engines.store.server_settings import ServerSettings
from storage.shared.tables import SERVERS

_PLAIN_COLUMNS = tuple(column for column in SERVERS.columns if column not in ("guild", "channels", "presets"))
_plain_values = attrgetter(*_PLAIN_COLUMNS)


def settings_row(guild: int, settings: ServerSettings) -> tuple[object, ...]:
    """Return the settings of a server."""
    return SERVERS.row(
        guild=guild,
        channels=" ".join(map(str, sorted(settings.channels))),
        presets=json.dumps(dict(settings.presets)),
        **dict(zip(_PLAIN_COLUMNS, _plain_values(settings), strict=True)),
    )


def parse_settings(row: Sequence[Any]) -> ServerSettings:
    """Build the settings from the row of a server."""
    stored = dict(zip(SERVERS.columns, row, strict=True))
    del stored["guild"]
    stored |= {
        "channels": frozenset(map(int, stored["channels"].split())),
        "presets": tuple(sorted(json.loads(stored["presets"]).items())),
    }
    for column in SERVERS.boolean_columns:
        stored[column] = bool(stored[column])
    return ServerSettings(**stored)
