"""Sets up logging. No hidden information of a match and no token is logged at any level."""

from __future__ import annotations

import json
import logging
import traceback
from datetime import UTC, datetime

import discord

from cogs.table.transport.log_context import current_log_context
from cogs.table.transport.network_errors import NETWORK_ERRORS, describe_error

OWN_LOGGERS = ("motley", "cogs", "engines", "storage", "thinking")


def set_up_logging(level: str, log_format: str) -> None:
    """Log to standard error: as text, or as one line of JSON per record."""
    discord.utils.setup_logging(level=logging.INFO)
    set_levels(level)
    for handler in logging.getLogger().handlers:
        handler.addFilter(redact_record)
        if log_format == "json":
            handler.setFormatter(JsonFormatter())


class JsonFormatter(logging.Formatter):
    """Formats a record as a line of JSON: time, level, logger, message, and the match and decision it is about."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        match, decision = current_log_context()
        entry: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        entry |= {"match": match} if match else {}
        entry |= {"decision": decision} if decision >= 0 else {}
        entry |= {"where": record.exc_text} if record.exc_text else {}
        return json.dumps(entry, ensure_ascii=False)


def set_levels(level: str) -> None:
    """Set the level. DEBUG applies only to Motley: the libraries would log whole requests and changes."""
    wanted = logging.getLevelNamesMapping()[level]
    logging.getLogger().setLevel(max(wanted, logging.INFO))
    for name in OWN_LOGGERS:
        logging.getLogger(name).setLevel(wanted)


def redact_record(record: logging.LogRecord) -> bool:
    """Remove what may contain a hand or a token: values in errors, and objects that asyncio prints."""
    if record.name == "asyncio":
        record.msg, record.args = _strip_objects(record.getMessage()), ()
    error = record.exc_info[1] if record.exc_info else None
    if error is not None:
        record.exc_info = None
        record.msg, record.args = f"{record.getMessage()} ({describe_error(error)})", ()
        away = isinstance(error, NETWORK_ERRORS)  # an unreachable Discord is no bug in this code
        record.exc_text = "" if away else "".join(traceback.format_tb(error.__traceback__))
    return True


def _strip_objects(message: str) -> str:
    """Strip objects from asyncio's messages, for example `Task exception was never retrieved`."""
    first, *_ = message.splitlines() or [""]
    if first.startswith("Executing <"):
        return f"A step of the event loop {first.rsplit('>', 1)[-1].strip()}"
    return first.split("<", 1)[0].rstrip()
