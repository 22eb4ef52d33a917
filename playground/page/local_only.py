"""Restricts access to the bot and to pages from this machine, under whatever host name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web

_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})


@web.middleware
async def reject_foreign_requests(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Reject foreign requests before any route handles them, WebSockets included."""
    if not is_local_request(request.headers.get("Host", ""), request.headers.get("Origin")):
        return web.json_response({"error": "Only pages from this machine may do that."}, status=403)
    return await handler(request)


def is_local_request(host: str, origin: str | None) -> bool:
    """Return whether a request uses a loopback name and, if a page sent it, comes from the same origin."""
    try:
        named = urlsplit(f"//{host}").hostname
        asker = host if origin is None else urlsplit(origin).netloc
    except ValueError:
        return False
    return named in _LOOPBACK and asker == host
