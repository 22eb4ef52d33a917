"""Notes of the bot's own about a match, read: one that is damaged counts as not there, which the log says."""

from __future__ import annotations

import logging
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

log = logging.getLogger(__name__)
T = TypeVar("T")


def parse_note(adapter: TypeAdapter[T], key: str, text: str | None, *, already_logged: bool = False) -> T | None:
    """What such a note says; None where there is none, or it is damaged. `told`: the log has said so already."""
    if text is None:
        return None
    try:
        return adapter.validate_json(text)
    except ValidationError:  # of which nothing is logged: it quotes the note
        if not already_logged:
            log.warning("The note “%s” is damaged and counts as not there.", key)
        return None
