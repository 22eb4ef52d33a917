"""Names of people, made safe to stand in a message; and of games."""

from __future__ import annotations

import unicodedata

import discord

from engines import GAMES

LONGEST = 32
_ISOLATE, _RELEASE = "\u2068", "\u2069"  # keeps right-to-left names from turning the line around


def clean(name: str, longest: int = LONGEST, instead: str = "Somebody") -> str:
    """A display name without control, format and line characters, and not too long; `instead` where nothing is left."""
    kept = "".join(c for c in name if unicodedata.category(c) not in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
    return " ".join(kept.split())[:longest].strip() or instead


def shown(name: str) -> str:
    """A cleaned name as it may stand in markdown: no formatting, no links, no mentions."""
    escaped = discord.utils.escape_mentions(discord.utils.escape_markdown(name, ignore_links=False))
    turned = any(unicodedata.bidirectional(c) in {"R", "AL"} for c in name)
    return f"{_ISOLATE}{escaped}{_RELEASE}" if turned else escaped


def game_title(key: str) -> str:
    """What a match's game is called, also where a newer version of the bot has begun it."""
    return GAMES[key].title if key in GAMES else "a game that I do not know yet"


def listed(names: list[str]) -> str:
    """`Ada`, `Ada and Bela`, `Ada, Bela and Chidi`."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
