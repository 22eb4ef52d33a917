"""Who may come in: this machine's own pages and the bot. No page of another site, whatever name leads it here."""

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
    """Turn strangers away before any route is asked, WebSockets included."""
    if not is_local_request(request.headers.get("Host", ""), request.headers.get("Origin")):
        return web.json_response({"error": "Only this machine's own pages may ask."}, status=403)
    return await handler(request)


def is_local_request(host: str, origin: str | None) -> bool:
    """Whether a request came to a loopback name and, if a page sent it, from a page of the same origin."""
    try:
        named = urlsplit(f"//{host}").hostname
        asker = host if origin is None else urlsplit(origin).netloc
    except ValueError:
        return False
    return named in _LOOPBACK and asker == host
