"""Answers a request of the bot as Discord would, without a network: for the server, and for a bot in this process."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from playground.rest.request import ApiCall, ApiResponse
from playground.rest.routes import Route, find_route, major_parameter
from playground.simulation.faults import RETRY_AFTER, CountedFault
from playground.simulation.rate_limits import RateLimitResult
from playground.simulation.simulation import Simulation
from playground.world.errors import ApiRefusal, DiscordError
from playground.world.messages import Upload

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BotRequest:
    """A request as it arrives: `path` follows the root of the REST API, and `authorization` is that header."""

    method: str
    path: str
    payload: Any = None
    query: dict[str, str] = field(default_factory=dict)
    uploads: tuple[Upload, ...] = ()
    authorization: str = ""
    gateway_url: str = ""  # the gateway's address for this caller


class BlockedByProxy(Exception):
    """429 by a proxy in front of Discord: an HTML page without a waiting time."""


class RateLimited(ApiRefusal):
    """429: retry later."""

    def __init__(self, verdict: RateLimitResult, scope: str) -> None:
        super().__init__(DiscordError.RATE_LIMITED, retry_after=round(verdict.retry_after, 3))
        self.body["global"] = scope == "global"
        self.headers = verdict.headers | {
            "Retry-After": f"{verdict.retry_after:.3f}",
            "X-RateLimit-Scope": scope,
        }


async def answer_request(simulation: Simulation, request: BotRequest) -> ApiResponse:
    """Carry a request out, or refuse it, as Discord would. Raises BlockedByProxy."""
    headers: Mapping[str, str] = {}
    try:
        _raise_faults(simulation, request)
        route, args = _authorised_route(simulation, request)
        headers = _count_rate_limits(simulation, route, args)
        given = request.query, request.payload, request.uploads, request.gateway_url
        answer = await route.handler(ApiCall(simulation, request.method, request.path, args, *given))
    except ApiRefusal as refusal:
        return refused(request.method, request.path, refusal, headers)
    return ApiResponse(answer.body, answer.status, headers)


def refused(method: str, path: str, refusal: ApiRefusal, headers: Mapping[str, str]) -> ApiResponse:
    """Return the answer that refuses a request, and log it."""
    level = logging.DEBUG if refusal.status == 429 else logging.INFO
    _log.log(level, "%s %s was refused: %s", method, path, refusal.body)
    return ApiResponse(refusal.body, refusal.status, getattr(refusal, "headers", headers))


def _authorised_route(simulation: Simulation, request: BotRequest) -> tuple[Route, dict[str, str]]:
    found = find_route(request.method, request.path)
    if found is None:
        _log.error("The bot used a route that the playground does not implement: %s %s", request.method, request.path)
        raise ApiRefusal(DiscordError.NO_ROUTE)
    if found[0].needs_bot_token and request.authorization != f"Bot {simulation.token}":
        raise ApiRefusal(DiscordError.UNAUTHORIZED)
    return found


def _raise_faults(simulation: Simulation, request: BotRequest) -> None:
    status = simulation.faults.take_error_status(request.method, request.path)
    if status is not None:
        broken = ApiRefusal(DiscordError.SERVER_ERROR)
        broken.status, broken.body = status, {"message": f"{status}: a fault on demand", "code": 0}
        raise broken
    if simulation.faults.hits_request(CountedFault.RATE_LIMIT):
        raise RateLimited(RateLimitResult(False, RETRY_AFTER, {}), "shared")
    if simulation.faults.hits_request(CountedFault.BARE_RATE_LIMIT):
        raise BlockedByProxy
    if simulation.faults.hits_request(CountedFault.BLOCKED):
        raise ApiRefusal(DiscordError.BLOCKED)


def _count_rate_limits(simulation: Simulation, route: Route, args: dict[str, str]) -> Mapping[str, str]:
    # requests about interactions do not count
    wait = simulation.rate_limits.count_global() if route.needs_bot_token else 0.0
    if wait:
        raise RateLimited(RateLimitResult(False, wait, {"X-RateLimit-Global": "true"}), "global")
    verdict = simulation.rate_limits.count_request(
        f"{route.method} {route.path}", major_parameter(args), route.rate_limit
    )
    if not verdict.is_allowed:
        raise RateLimited(verdict, "user")
    return verdict.headers
