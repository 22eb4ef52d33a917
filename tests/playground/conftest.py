"""A running playground, the test bot on it, and people who play."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import pytest
import pytest_asyncio

from playground.page.client import PlaygroundClient
from playground.server import Playground
from tests.playground.discord_rest import RestClient
from tests.playground.jester_bot import JesterBot, use_api
from tests.playground.manual_clock import ManualClock


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest_asyncio.fixture
async def playground(clock: ManualClock) -> AsyncIterator[Playground]:
    """A playground without rate limits, which wait in real time."""
    async with Playground(clock=clock, rate_limited=False) as running:
        yield running


@pytest_asyncio.fixture
async def session(playground: Playground) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(playground.base_url) as session:
        yield session


@pytest_asyncio.fixture
async def rest(playground: Playground) -> AsyncIterator[RestClient]:
    async with RestClient.connect(playground) as rest:
        yield rest


@pytest_asyncio.fixture
async def page(playground: Playground) -> AsyncIterator[PlaygroundClient]:
    """A client with the page open, without a bot."""
    async with PlaygroundClient.connect(playground.base_url) as connected:
        yield connected


@pytest_asyncio.fixture
async def bot(playground: Playground) -> AsyncIterator[JesterBot]:
    use_api(playground.api_url, playground.gateway_url)
    async with JesterBot() as jester:
        running = asyncio.create_task(jester.start(playground.simulation.token))
        ready = asyncio.create_task(playground.simulation.bot_ready.wait())
        finished, _ = await asyncio.wait({running, ready}, timeout=10, return_when=asyncio.FIRST_COMPLETED)
        assert ready in finished, running
        yield jester
        await jester.close()
        await running


@pytest_asyncio.fixture
async def visitor(playground: Playground, bot: JesterBot) -> AsyncIterator[PlaygroundClient]:
    async with PlaygroundClient.connect(playground.base_url) as connected:
        await connected.wait_bot_ready()
        yield connected
