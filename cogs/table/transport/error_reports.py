"""Unexpected errors: into the log under a number, without any value that they may carry."""

from __future__ import annotations

import logging
import secrets
import traceback

from cogs.table.transport.network_errors import describe_error

log = logging.getLogger(__name__)


def report_unexpected(error: BaseException) -> str:
    """Log an error under a new id, without any values that it may carry, and the sentence that tells that id."""
    number = secrets.token_hex(3)
    frames = "".join(traceback.format_tb(error.__traceback__))
    log.error("Error %s: %s\n%s", number, describe_error(error), frames)
    return f"Something went wrong on my side (error {number}). Nothing that was confirmed is lost; please try again."
