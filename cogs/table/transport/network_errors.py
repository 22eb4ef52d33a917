"""What can go wrong between here and Discord: one named set, for every place that talks to it."""

from __future__ import annotations

import aiohttp
import discord

NETWORK_ERRORS = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError)
TOO_FAST = 40003  # direct messages are being opened too fast
TOO_FAST_WAIT = 60  # seconds; Discord says of no number of its own


def is_transient(error: BaseException) -> bool:
    """Whether the same request may be taken later: not what was asked was wrong, but Discord or the way to it."""
    if isinstance(error, discord.HTTPException):
        return error.status >= 500 or error.status == 429 or error.code == TOO_FAST
    return isinstance(error, NETWORK_ERRORS)


def retry_after(error: BaseException) -> float | None:
    """For how many seconds Discord asks us to leave something alone; None where it does not."""
    if isinstance(error, discord.RateLimited):
        return error.retry_after
    return TOO_FAST_WAIT if isinstance(error, discord.HTTPException) and error.code == TOO_FAST else None


def describe_error(error: BaseException) -> str:
    """The error for the log, without any value that it may carry."""
    if isinstance(error, discord.HTTPException):
        return f"{type(error).__name__} {error.status} {error.code}"
    return type(error).__name__
