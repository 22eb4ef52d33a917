"""discord.py reconnects soon after an outage, and not too often during a long one."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

import discord.client
import discord.http
import discord.shard
import pytest
from discord.backoff import ExponentialBackoff
from discord.http import Ratelimit

from cogs.table.transport import discord_internals
from cogs.table.transport.discord_internals import MAX_DELAY, SHORT_DELAY_TRIES, CancellableRatelimit, CappedBackoff


def test_pauses_grow_to_five_seconds_then_beyond_and_begin_again(monkeypatch: pytest.MonkeyPatch) -> None:
    patience = CappedBackoff()
    monkeypatch.setattr(patience, "_randfunc", lambda least, most: most)
    pauses = [patience.delay() for _ in range(SHORT_DELAY_TRIES + 5)]
    assert pauses[:4] == [2, 4, 5, 5]
    assert set(pauses[4:SHORT_DELAY_TRIES]) == {MAX_DELAY}
    assert sum(pauses) > 120
    assert pauses[SHORT_DELAY_TRIES:] == [discord_internals.MAX_LATER_DELAY] * 5
    now = patience._last_invocation
    monkeypatch.setattr("time.monotonic", lambda: now + 3600)
    assert patience.delay() == 2


def test_discord_py_uses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discord.client, "ExponentialBackoff", ExponentialBackoff)
    monkeypatch.setattr(discord.http, "Ratelimit", Ratelimit)
    discord_internals.install_backoff()
    assert vars(discord.http)["Ratelimit"] is CancellableRatelimit
    assert " Ratelimit(" in inspect.getsource(discord.http.HTTPClient.get_ratelimit)
    assert vars(discord.client)["ExponentialBackoff"] is CappedBackoff
    assert vars(discord.shard)["ExponentialBackoff"] is CappedBackoff
    assert "self._backoff: ExponentialBackoff = ExponentialBackoff()" in inspect.getsource(discord.shard.Shard)
    assert "backoff = ExponentialBackoff()" in inspect.getsource(discord.client.Client.connect)
    backoff: Any = vars(discord.client)["ExponentialBackoff"]()
    assert backoff.delay() <= 2


@pytest.mark.parametrize("left", [0.0, 0.05], ids=["with no limit known", "with a limit reached"])
async def test_a_request_that_is_cut_short_as_it_ends_holds_up_no_other(left: float) -> None:
    loop, turns = asyncio.get_running_loop(), CancellableRatelimit(None)

    async def request() -> None:
        async with turns:
            if left:  # as the response header says
                turns.remaining, turns.reset_after, turns.expires = 0, left, loop.time() + left

    first = asyncio.create_task(request())
    await asyncio.sleep(0)
    assert turns.outgoing == 0
    waits = asyncio.create_task(request())
    first.cancel()
    async with asyncio.timeout(60):
        await waits
    assert first.cancelled()
    assert turns.remaining == 1


async def test_a_closed_bot_announces_nothing() -> None:
    events = []
    bot = discord_internals.ClosableBot("!", intents=discord.Intents.none())

    @bot.event
    async def on_ready() -> None:
        events.append("ready")

    await bot._async_setup_hook()
    bot.dispatch("ready")
    await asyncio.sleep(0)
    assert events == ["ready"]
    await bot.close()
    bot.dispatch("ready")  # as discord.py does if it still waited for servers
    await asyncio.sleep(0)
    assert events == ["ready"]
