"""Where discord.py would call Discord: the playground's simulation answers, in this process and without a network."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, Protocol

import discord
import pytest
from discord.http import Route
from discord.webhook.async_ import AsyncWebhookAdapter

from playground.limits import LIMITS, Request, SentFile
from playground.rest.answers import BotRequest, answer_request
from playground.simulation.simulation import Simulation
from playground.world.messages import Upload
from playground.world.world import Json

API_ROOT = "/api/v10"
LIMIT_CODES = frozenset(limit.code for limit in LIMITS)


class Line(Protocol):
    """What a client sends its requests with."""

    async def request(self, route: Route, **how: Any) -> Any: ...


def read_request(
    simulation: Simulation,
    route: Route,
    *,
    form: Sequence[Json] | None = None,
    multipart: Sequence[Json] | None = None,
    **rest: Any,
) -> BotRequest:
    """A request of discord.py's, as it would arrive."""
    body, uploads = _parse_form(form or multipart or (), rest.get("json") or rest.get("payload"))
    query = {name: str(value) for name, value in (rest.get("params") or {}).items()}
    path = route.url.partition(API_ROOT)[2]  # other tests may have changed where discord.py calls
    return BotRequest(route.method, path, body, query, uploads, f"Bot {simulation.token}")


def limits_request(request: BotRequest) -> Request:
    """The same request as the limits want it."""
    files = tuple(SentFile(each.field, each.filename, len(each.data)) for each in request.uploads)
    return Request(request.method, request.path, request.query, request.payload, files)


class InMemoryApi:
    """Answers requests. What is refused because it breaks a limit of Discord's is kept: it fails the test."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self.broken_limits: list[str] = []

    async def answer(self, request: BotRequest) -> tuple[int, Any]:
        """The status and the body of the answer."""
        answer = await answer_request(self._simulation, request)
        if answer.status >= 400 and answer.body["code"] in LIMIT_CODES:
            self.broken_limits.append(f"{request.method} {request.path}: {answer.body}")
        return answer.status, answer.body

    @staticmethod
    def read(status: int, body: Any) -> Any:
        """The body as discord.py would hand it on, or raise its exception."""
        if status >= 400:
            raise http_error(status, body)
        return None if body is None else copy_json(body)


def http_error(status: int, body: Json) -> discord.HTTPException:
    """The exception that discord.py raises for such an answer."""
    answer: Any = SimpleNamespace(status=status, reason="")
    kinds = {403: discord.Forbidden, 404: discord.NotFound}
    error = kinds.get(status, discord.HTTPException if status < 500 else discord.DiscordServerError)
    return error(answer, body)


def copy_json(value: Any) -> Any:
    """A copy that the bot may change, without what only tests look at."""
    return json.loads(json.dumps(value, default=lambda files: None))


def plug_in(client: discord.Client, line: Line) -> None:
    """Have a client send its requests by that line, also those that answer interactions."""
    setattr(client.http, "request", line.request)  # noqa: B010  # mypy lets nobody assign it
    setattr(client.http, "_HTTPClient__session", line)  # noqa: B010  # what answers to interactions are sent with


@contextmanager
def webhooks_by_line() -> Iterator[None]:
    """Answers to interactions go by the line of the bot that they belong to, not by the network."""

    async def request(adapter: Any, route: Route, session: Any, **how: Any) -> Any:
        return await session.request(route, **how)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(AsyncWebhookAdapter, "request", request)
        yield


def _parse_form(form: Sequence[Json], body: Any) -> tuple[Any, tuple[Upload, ...]]:
    files = [part for part in form if part["name"] != "payload_json"]
    for part in form:
        if part["name"] == "payload_json":
            body = json.loads(part["value"])
    return body, tuple(Upload(part["name"], part["filename"], part["value"].read()) for part in files)
