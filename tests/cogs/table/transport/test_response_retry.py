"""First responses are retried while Discord would accept them, and no longer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import aiohttp
import discord
import pytest

from cogs.table.transport import interaction_response
from cogs.table.transport.interaction_response import ALREADY_ANSWERED, FIRST_TIMEOUT, MAX_TRIES, retry_response
from tests.cogs.discord_errors import http_error
from tests.faults.skipped_time import run_skipping

PASSING = [http_error(503), http_error(429), aiohttp.ServerDisconnectedError(), TimeoutError()]


def attempt_with(*outcomes: Exception | str) -> tuple[list[bool], Callable[[bool], Awaitable[str]]]:
    """A list of what each try received, and a responder with these outcomes in order."""
    calls: list[bool] = []

    async def respond(is_repeated: bool) -> str:
        calls.append(is_repeated)
        outcome = outcomes[len(calls) - 1]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return calls, respond


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interaction_response, "TRY_GAP", 0)


@pytest.mark.parametrize("error", PASSING, ids=str)
async def test_it_is_tried_until_discord_takes_it(error: Exception) -> None:
    calls, respond = attempt_with(error, error, error, "taken")
    assert await retry_response(respond) == "taken"
    assert calls == [False, True, True, True]


async def test_a_click_that_a_lost_try_answered_counts_as_answered() -> None:
    _, respond = attempt_with(aiohttp.ServerDisconnectedError(), http_error(400, ALREADY_ANSWERED))
    assert await retry_response(respond) is None


@pytest.mark.parametrize(("status", "code"), [(400, ALREADY_ANSWERED), (404, 10062), (400, 50035)])
async def test_a_request_that_discord_refuses_is_tried_once(status: int, code: int) -> None:
    calls, respond = attempt_with(http_error(status, code))
    with pytest.raises(discord.HTTPException):
        await retry_response(respond)
    assert calls == [False]


async def test_there_is_a_last_try() -> None:
    calls, respond = attempt_with(*[http_error(503)] * MAX_TRIES)
    with pytest.raises(discord.HTTPException):
        await retry_response(respond)
    assert len(calls) == MAX_TRIES


def test_one_that_hangs_makes_way_for_the_next_in_time() -> None:
    async def respond(is_repeated: bool) -> float:
        if not is_repeated:
            await asyncio.sleep(60)
        return asyncio.get_running_loop().time()

    taken = run_skipping(lambda: retry_response(respond))
    assert taken is not None
    assert taken < 1


def test_a_discord_that_takes_two_seconds_for_everything_is_understood() -> None:
    async def respond(is_repeated: bool) -> str:
        await asyncio.sleep(2)
        if is_repeated:
            raise http_error(400, ALREADY_ANSWERED)
        return "taken by the first, for which nobody has waited"

    async def ask() -> float:
        async with asyncio.timeout(FIRST_TIMEOUT):
            assert await retry_response(respond) is None
        return asyncio.get_running_loop().time()

    assert run_skipping(ask) < FIRST_TIMEOUT
