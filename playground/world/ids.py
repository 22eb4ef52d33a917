"""Snowflakes: fixed ones for guilds and people, increasing ones for everything else."""

from __future__ import annotations

from typing import Final

from playground.world.clock import Clock

EPOCH_MS: Final = 1_420_070_400_000
_MAX_DIGITS: Final = 20
_FIXED_BASE: Final = 1_200_000_000_000_000_000

APPLICATION: Final = _FIXED_BASE + 1
BOT: Final = APPLICATION
GUILD: Final = _FIXED_BASE + 100
BOT_ROLE: Final = _FIXED_BASE + 101
ADMIN_ROLE: Final = _FIXED_BASE + 102
GAMES_CHANNEL: Final = _FIXED_BASE + 201
LOUNGE_CHANNEL: Final = _FIXED_BASE + 202
NO_BOTS_CHANNEL: Final = _FIXED_BASE + 203
CELLAR_CHANNEL: Final = _FIXED_BASE + 204
NEWS_CHANNEL: Final = _FIXED_BASE + 205
SNUG_CHANNEL: Final = _FIXED_BASE + 206
ADA: Final = _FIXED_BASE + 301
BELA: Final = _FIXED_BASE + 302
CHIDI: Final = _FIXED_BASE + 303
DORA: Final = _FIXED_BASE + 304
EMIL: Final = _FIXED_BASE + 305
FUMI: Final = _FIXED_BASE + 306
GRETA: Final = _FIXED_BASE + 307

_SHARDS_BETWEEN_GUILDS: Final = 5
"""Distance in shards between two guilds: an odd number, so that as many guilds are on as many shards."""

DM_OFFSET: Final = 100
"""The offset from a person's id to their DM channel's, so that it also survives a restart."""


class SnowflakeGenerator:
    """Creates increasing ids that contain their time of creation."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = 0

    def next_id(self, *scope: object) -> int:
        """Return a new id, greater than every one before.

        `scope` says what it is for; a subclass may number each scope by itself, so that no id tells of other scopes.
        """
        milliseconds = int(self._clock.now() * 1000) - EPOCH_MS
        self._last = max(milliseconds << 22, self._last + 1)
        return self._last


def id_in_guild(home_id: int, guild_number: int) -> int:
    """Convert a fixed id of the first guild to that of another guild."""
    return home_id + (guild_number * _SHARDS_BETWEEN_GUILDS << 22)


def shard_of(guild_id: int, shard_count: int) -> int:
    """Return the shard that covers a guild; without a guild (0), the first one."""
    return (guild_id >> 22) % shard_count


def parse_snowflake(text: str) -> int | None:
    """Return the snowflake in a text of plain digits; None if it is not one."""
    plain = text.isascii() and text.isdigit()  # isdigit() alone accepts ², which is not a number
    return int(text) if plain and len(text) <= _MAX_DIGITS else None


def snowflake_time(snowflake: int) -> float:
    """Return when an id was created, in seconds since 1970."""
    return ((snowflake >> 22) + EPOCH_MS) / 1000
