"""Texts that people write in a form, cleaned for storing."""

from __future__ import annotations

from cogs.table.wording.player_names import clean_name


def clean_text(text: str) -> str:
    """Return a typed text without invisible characters, needless spaces and empty lines; empty if nothing is left."""
    lines = (clean_name(line, len(line), fallback="") for line in text.splitlines())
    return "\n".join(filter(None, lines))
