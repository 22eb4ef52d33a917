"""Snowflakes: the fixed ones of the guild and its people, and ever-growing ones for the rest."""

from __future__ import annotations

from typing import Final

from playground.world.clock import Clock

EPOCH_MS: Final = 1_420_070_400_000
_DIGITS: Final = 20
_FIXED: Final = 1_200_000_000_000_000_000

APPLICATION: Final = _FIXED + 1
BOT: Final = APPLICATION
GUILD: Final = _FIXED + 100
BOT_ROLE: Final = _FIXED + 101
ADMIN_ROLE: Final = _FIXED + 102
GAMES: Final = _FIXED + 201
LOUNGE: Final = _FIXED + 202
NO_BOTS: Final = _FIXED + 203
CELLAR: Final = _FIXED + 204
NEWS: Final = _FIXED + 205
SNUG: Final = _FIXED + 206
ADA: Final = _FIXED + 301
BELA: Final = _FIXED + 302
CHIDI: Final = _FIXED + 303
DORA: Final = _FIXED + 304
EMIL: Final = _FIXED + 305
FUMI: Final = _FIXED + 306
GRETA: Final = _FIXED + 307

_APART: Final = 5
"""How many shards lie between one guild and the next: an odd number, so that as many guilds are on as many shards."""

DM_OFFSET: Final = 100
"""A person's DM channel with the bot is their id plus this, so that it too survives a restart."""


class Snowflakes:
    """Gives out ids that hold the time of their making and always grow."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = 0

    def next(self) -> int:
        """A new id, greater than every one before."""
        milliseconds = int(self._clock.now() * 1000) - EPOCH_MS
        self._last = max(milliseconds << 22, self._last + 1)
        return self._last


def elsewhere(fixed: int, guild: int) -> int:
    """What a fixed id of the first guild, number 0, is in the guild of that number."""
    return fixed + (guild * _APART << 22)


def shard_of(guild_id: int, count: int) -> int:
    """Which of so many shards is told of a guild; of what is in none (0), the first."""
    return (guild_id >> 22) % count


def number(text: str) -> int | None:
    """The snowflake that a text is, of plain digits; None when it is none."""
    plain = text.isascii() and text.isdigit()  # isdigit() alone is true of ², which is no number
    return int(text) if plain and len(text) <= _DIGITS else None


def made_at(snowflake: int) -> float:
    """When an id was made, in seconds since 1970."""
    return ((snowflake >> 22) + EPOCH_MS) / 1000
