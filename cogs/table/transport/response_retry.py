"""Retries the first response to an interaction, while Discord would still accept it."""

from __future__ import annotations

import asyncio
from asyncio import sleep
from collections.abc import Awaitable, Callable
from typing import TypeVar

import discord

from cogs.table.transport.network_errors import NETWORK_ERRORS, is_transient

T = TypeVar("T")
MAX_TRIES = 8
TRY_SECONDS, TRY_GAP = 0.8, 0.4  # seconds: the timeout of a hasty try, and the shortest time from one try to the next
HASTY_TRIES = 2  # tries with a timeout: discord.py itself waits 1, then 3 seconds after an error; later tries have none
ALREADY_ANSWERED = 40060  # the interaction has a first response


async def retry_response(respond: Callable[[bool], Awaitable[T]]) -> T | None:
    """Respond, with retries. Returns Discord's answer; None if an earlier try succeeded but its answer was lost.

    `respond` receives whether this is a retry. Raises the network error of the last try.
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
    raise AssertionError("the last try returns or raises")
