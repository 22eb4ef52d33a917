"""Parses the bot's stored notes about a match. A damaged note is logged and counts as missing."""

from __future__ import annotations

import logging
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

log = logging.getLogger(__name__)
T = TypeVar("T")


def parse_note(adapter: TypeAdapter[T], key: str, text: str | None, *, already_logged: bool = False) -> T | None:
    """Parse a note; None if it is missing or damaged. With `already_logged`, a damaged one is not logged again."""
    if text is None:
        return None
    try:
        return adapter.validate_json(text)
    except ValidationError:  # not logged, because it quotes the note
        if not already_logged:
            log.warning("The note “%s” is damaged and counts as missing.", key)
        return None
