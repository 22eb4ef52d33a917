"""Network errors of requests to Discord, and which of them are transient."""

from __future__ import annotations

import aiohttp
import discord

NETWORK_ERRORS = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError)
TOO_FAST = 40003  # the bot opens direct messages too fast
TOO_FAST_WAIT = 60  # seconds; Discord gives no number


def is_transient(error: BaseException) -> bool:
    """Whether the same request may succeed later: the fault is with Discord or the network, not the request."""
    if isinstance(error, discord.HTTPException):
        return error.status >= 500 or error.status == 429 or error.code == TOO_FAST
    return isinstance(error, NETWORK_ERRORS)


def retry_after(error: BaseException) -> float | None:
    """The seconds that Discord asks us to wait before a retry; None if it does not ask."""
    if isinstance(error, discord.RateLimited):
        return error.retry_after
    return TOO_FAST_WAIT if isinstance(error, discord.HTTPException) and error.code == TOO_FAST else None


def describe_error(error: BaseException) -> str:
    """The error for the log, without the values it may contain."""
    if isinstance(error, discord.HTTPException):
        return f"{type(error).__name__} {error.status} {error.code}"
    return type(error).__name__
