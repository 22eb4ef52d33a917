"""What counts as a refusal of the whole application, and what is still sent during one."""

from __future__ import annotations

from collections.abc import AsyncIterator

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from discord.http import Route
from yarl import URL

from cogs.table.transport.application_access import (
    BAN_WINDOW,
    CALM_SECONDS,
    LONGEST_BLOCK_PAUSE,
    MAX_REPLIES,
    ApplicationAccess,
)
from cogs.table.transport.network_errors import ApplicationBlocked, RequestsStopped, TokenRejected, is_transient
from tests.cogs.discord_errors import http_error
from tests.manual_time import SetClock

MESSAGES, REPLY = "channels/1/messages", "interactions/1/token/callback"
BLOCKED_JSON = '{"message": "You are being blocked from accessing our API temporarily", "code": 0}'
BLOCKED_PAGE = "<!DOCTYPE html><h1>Error 1015</h1>"
RATE_LIMIT = '{"message": "You are being rate limited.", "retry_after": 0.3, "global": false}'


class SetMonotonic(SetClock):
    def __init__(self) -> None:
        super().__init__()
        self.seconds = 0.0

    def monotonic(self) -> float:
        return self.seconds


class RefusingDiscord:
    """A server that gives the same answer to every request, and a session that asks it through the access."""

    def __init__(self) -> None:
        self.time = SetMonotonic()
        self.warnings: dict[str, str] = {}
        self.rejected: list[bool] = []
        self.access = ApplicationAccess(self.warnings, self.time, lambda: self.rejected.append(True))
        self.status, self.body, self.headers = 200, "{}", dict[str, str]()
        self.stopped: list[bool] = []
        self.access.on_stopped.append(lambda: self.stopped.append(True))

    async def answer(self, request: web.Request) -> web.Response:
        return web.Response(text=self.body, status=self.status, headers=self.headers)

    async def ask(self, path: str) -> int:
        url = URL(f"{Route.BASE}/{path}")
        self.access.require_open(url)
        traces = [self.access.trace_config()]
        async with aiohttp.ClientSession(trace_configs=traces) as session, session.get(url) as response:
            return response.status


@pytest.fixture
async def discord(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RefusingDiscord]:
    refusing, app = RefusingDiscord(), web.Application()
    app.router.add_get("/{path:.*}", refusing.answer)
    async with TestServer(app) as server:
        monkeypatch.setattr(Route, "BASE", str(server.make_url("/api")))
        yield refusing


@pytest.mark.parametrize("body", [BLOCKED_JSON, BLOCKED_PAGE, "", "[]", '"x"', '{"retry_after": null}'])
async def test_a_429_without_a_waiting_time_is_about_the_application(discord: RefusingDiscord, body: str) -> None:
    discord.status, discord.body = 429, body
    with pytest.raises(ApplicationBlocked) as caught:
        await discord.ask(MESSAGES)
    assert is_transient(caught.value)
    assert discord.stopped == [True]
    assert discord.warnings
    with pytest.raises(RequestsStopped) as stopped:
        await discord.ask(MESSAGES)
    assert is_transient(stopped.value)


async def test_a_rate_limit_does_not_count_as_a_block(discord: RefusingDiscord) -> None:
    discord.status, discord.body = 429, RATE_LIMIT
    assert await discord.ask(MESSAGES) == 429
    assert not discord.stopped


async def test_only_a_probe_and_a_few_replies_are_sent_meanwhile(discord: RefusingDiscord) -> None:
    discord.status, discord.body = 429, BLOCKED_JSON
    with pytest.raises(ApplicationBlocked):
        await discord.ask(MESSAGES)
    reply = URL(f"{Route.BASE}/{REPLY}")
    for _ in range(MAX_REPLIES):
        discord.access.require_open(reply)
    with pytest.raises(RequestsStopped):
        discord.access.require_open(reply)
    discord.time.seconds += BAN_WINDOW
    discord.access.require_open(reply)
    with discord.access.probing(), pytest.raises(ApplicationBlocked):
        await discord.ask(MESSAGES)
    discord.status = 200
    with discord.access.probing():
        assert await discord.ask(MESSAGES) == 200
    discord.access.resume()
    assert await discord.ask(MESSAGES) == 200


async def test_probes_become_rare_and_a_header_may_ask_for_more_patience(discord: RefusingDiscord) -> None:
    discord.status, discord.body = 429, BLOCKED_JSON
    assert discord.access.next_pause() is None
    with pytest.raises(ApplicationBlocked):
        await discord.ask(MESSAGES)
    pauses = [discord.access.next_pause() for _ in range(9)]
    assert pauses == [5, 10, 20, 40, 80, 160, 320, LONGEST_BLOCK_PAUSE, LONGEST_BLOCK_PAUSE]
    discord.access.resume()
    with pytest.raises(ApplicationBlocked):  # it was not really over
        await discord.ask(MESSAGES)
    assert discord.access.next_pause() == LONGEST_BLOCK_PAUSE
    discord.access.resume()
    discord.time.seconds += CALM_SECONDS + 1
    discord.headers = {"Retry-After": "90"}
    with pytest.raises(ApplicationBlocked):
        await discord.ask(MESSAGES)
    assert discord.access.next_pause() == 90


async def test_a_rejected_token_counts_once_a_probe_confirms_it(discord: RefusingDiscord) -> None:
    discord.status, discord.body = 401, '{"message": "401: Unauthorized", "code": 0}'
    with pytest.raises(TokenRejected) as caught:
        await discord.ask(MESSAGES)
    assert is_transient(caught.value), "no message is given up: it is valid again with the new token"
    assert not discord.access.is_token_rejected
    with discord.access.probing(), pytest.raises(TokenRejected):
        await discord.ask(MESSAGES)
    assert (discord.stopped, discord.rejected) == ([True], [True])
    assert discord.access.is_token_rejected


@pytest.mark.parametrize("status", [401, 403, 404])
async def test_an_interactions_token_is_its_own_affair(discord: RefusingDiscord, status: int) -> None:
    discord.status, discord.body = status, '{"message": "Invalid Webhook Token", "code": 50027}'
    assert await discord.ask(REPLY) == status
    assert await discord.ask("webhooks/1/token") == status
    assert not discord.stopped


def test_only_some_errors_may_pass() -> None:
    assert is_transient(http_error(401))
    assert not is_transient(http_error(401, 50027))
    assert not is_transient(http_error(403))
