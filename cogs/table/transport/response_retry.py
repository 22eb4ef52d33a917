"""A first response, tried as long as Discord would take it: it may be out for a second, or its word be lost."""

from __future__ import annotations

import asyncio
from asyncio import sleep
from collections.abc import Awaitable, Callable
from typing import TypeVar

import discord

from cogs.table.transport.network_errors import NETWORK_ERRORS, is_transient

T = TypeVar("T")
MAX_TRIES = 8  # tries
TRY_SECONDS, TRY_GAP = 0.8, 0.4  # seconds that a hasty one may take, and from one to the next at least
HASTY_TRIES = (
    2  # tries: discord.py itself waits 1, then 3 seconds after an error; the next ones wait for a slow Discord
)
ALREADY_ANSWERED = 40060  # there is a first response


async def retry_response(respond: Callable[[bool], Awaitable[T]]) -> T | None:
    """What Discord made of it; None where it had taken an earlier try, and its word of that was lost.

    `respond` is told whether it was called before. Raises NETWORK, of the last try.
    """
    for number in range(MAX_TRIES):
        began = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(TRY_SECONDS if number < HASTY_TRIES else None):
                return await respond(number > 0)
        except NETWORK_ERRORS as error:
            if number and isinstance(error, discord.HTTPException) and error.code == ALREADY_ANSWERED:
                return None
            if not is_transient(error) or number == MAX_TRIES - 1:
                raise
        await sleep(max(0.0, began + TRY_GAP - asyncio.get_running_loop().time()))
    raise AssertionError("there is always a last try")
