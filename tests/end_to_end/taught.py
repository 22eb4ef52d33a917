"""What simcord does not know of Discord, taught to its route table before any test; like world.py, inside simcord."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

from simcord.backend import Backend, errors
from simcord.http import router
from simcord.http._helpers import message_response
from simcord.http.router import Handler, RequestContext

Lesson = Callable[[Handler, RequestContext], Any]
NONCE_SECONDS = 300.0  # "some minutes", says Discord

_sent: WeakKeyDictionary[Backend, dict[str, tuple[int, int, float]]] = WeakKeyDictionary()


def teach() -> None:
    """Put every lesson around the route it is about."""
    for (method, template), lesson in LESSONS.items():
        routes, path = router._ROUTES[method], template.strip("/").split("/")
        found = [number for number, (known, _) in enumerate(routes) if known == path]
        assert len(found) == 1, f"simcord has changed: there is no one route {method} {template} to teach"
        routes[found[0]] = (path, partial(lesson, routes[found[0]][1]))


def send_once(send: Handler, ctx: RequestContext) -> Any:
    """A nonce sends once, whatever the channel: then it answers with that message, or 10008 when that is gone."""
    nonce = ctx.body().get("nonce")
    if nonce is None:
        return send(ctx)
    sent, now = _sent.setdefault(ctx.backend, {}), ctx.backend.clock.elapsed
    channel, message, until = sent.get(str(nonce), (0, 0, -1.0))
    if now <= until and ctx.body().get("enforce_nonce"):
        stands = ctx.backend.messages.get(channel, {}).get(message)
        if stands is None:
            raise errors.unknown_message()
        return message_response(ctx, stands)
    answer = send(ctx)
    if now > until:
        sent[str(nonce)] = (int(answer["channel_id"]), int(answer["id"]), now + NONCE_SECONDS)
    return answer


LESSONS: dict[tuple[str, str], Lesson] = {
    ("POST", "/channels/{channel_id}/messages"): send_once,
}
