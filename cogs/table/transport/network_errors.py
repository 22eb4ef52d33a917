"""Network errors of requests to Discord, and which of them are transient."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import aiohttp
import discord

log = logging.getLogger(__name__)
NETWORK_ERRORS = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError)
NO_CHANNEL, NO_MESSAGE = 10003, 10008
UNKNOWN_CODES = {NO_CHANNEL, 10004, NO_MESSAGE}  # what a request is about is gone: the channel, server, or message
TOO_FAST = 40003  # the bot opens direct messages too fast
QUARANTINED = 20026  # the bot wrote to too many new people
TOO_FAST_WAIT = 60  # seconds; Discord gives no number
INVALID_INTERACTION_TOKEN = 50027  # with 401: the token of an interaction, not the bot's


class ApplicationRefusal(discord.HTTPException):
    """Discord refuses the whole application, whatever it requests."""


class ApplicationBlocked(ApplicationRefusal):
    """Discord, or a proxy in front of it, blocks the application's requests for some time."""

    @property
    def wait_seconds(self) -> float:
        """The seconds to wait at least, if the response has a header that says so; else 0."""
        header = self.response.headers.get("Retry-After", "")
        return float(header) if header.isdecimal() else 0.0


class TokenRejected(ApplicationRefusal):
    """Discord does not accept the bot's token (any more)."""


class RequestsStopped(aiohttp.ClientError):
    """A request was not sent, because Discord refuses the whole application at the moment."""


def is_transient(error: BaseException) -> bool:
    """Whether the same request may succeed later: the fault is with Discord or the network, not the request."""
    if isinstance(error, discord.HTTPException):
        is_token_void = error.status == 401 and error.code != INVALID_INTERACTION_TOKEN  # after a restart it is valid
        return error.status >= 500 or error.status == 429 or is_contact_refusal(error) or is_token_void
    return isinstance(error, NETWORK_ERRORS)


def retry_after(error: BaseException) -> float | None:
    """The seconds that Discord asks us to wait before a retry; None if it does not ask."""
    if isinstance(error, discord.RateLimited):
        return error.retry_after
    return TOO_FAST_WAIT if is_contact_refusal(error) else None


def is_contact_refusal(error: BaseException) -> bool:
    """Whether Discord refuses for a while to let the bot write to people for the first time."""
    return isinstance(error, discord.HTTPException) and error.code in (TOO_FAST, QUARANTINED)


def describe_error(error: BaseException) -> str:
    """The error for the log, without the values it may contain."""
    if isinstance(error, discord.HTTPException):
        return f"{type(error).__name__} {error.status} {error.code}"
    return type(error).__name__


@contextmanager
def ignore_refusal(log_text: str) -> Iterator[None]:
    """Log that Discord refuses a request for good, and go on. Raises transient errors, for a retry."""
    try:
        yield
    except discord.HTTPException as error:
        if is_transient(error):
            raise
        log.info("%s: %s", log_text, describe_error(error))
