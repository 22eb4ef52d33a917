"""Logs unexpected errors under an id, without the values they may contain."""

from __future__ import annotations

import logging
import secrets
import traceback

from cogs.table.transport.network_errors import describe_error

log = logging.getLogger(__name__)


def report_unexpected(error: BaseException) -> str:
    """Log an error under a new id, without the values it may contain. Returns a sentence for players with the id."""
    number = secrets.token_hex(3)
    frames = "".join(traceback.format_tb(error.__traceback__))
    log.error("Error %s: %s\n%s", number, describe_error(error), frames)
    return f"Something went wrong on my side (error {number}). Everything you confirmed is saved. Please try again."
