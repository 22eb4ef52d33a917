"""Notes of the bot's own about a match, read: one that is damaged counts as not there, which the log says."""

from __future__ import annotations

import logging
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

log = logging.getLogger(__name__)
T = TypeVar("T")


def understood(kind: TypeAdapter[T], key: str, kept: str | None, *, told: bool = False) -> T | None:
    """What such a note says; None where there is none, or it is damaged. `told`: the log has said so already."""
    if kept is None:
        return None
    try:
        return kind.validate_json(kept)
    except ValidationError:  # of which nothing is logged: it quotes the note
        if not told:
            log.warning("The note “%s” is damaged and counts as not there.", key)
        return None
