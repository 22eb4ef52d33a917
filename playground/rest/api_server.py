"""Discord's side of the server: the REST root, the gateway's socket, attachments."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Mapping
from typing import Any, Final

from aiohttp import BodyPartReader, WSMsgType, web

from playground.rest.request import Answer, Call
from playground.rest.routes import Route, find_route, major_of
from playground.simulation.faults import RETRY_AFTER, Counted
from playground.simulation.rate_limits import Verdict
from playground.simulation.request_log import TO_SERVER
from playground.simulation.simulation import House
from playground.world import ids
from playground.world.errors import DiscordError, Refusal
from playground.world.messages import Upload

_log: Final = logging.getLogger(__name__)
# discord.py's heart thread notes when it sent a beat after sending it; an answer any quicker than a distant
# server's would come first, and be measured against the beat before.
_FAR_AWAY: Final = 0.05
_BARRED: Final = "<!DOCTYPE html><title>Access denied</title><h1>Error 1015</h1><p>You are being rate limited.</p>"
_NO_HEADERS: Final[Mapping[str, str]] = {}


class DiscordApi:
    """Answers the bot as Discord would."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._lines: set[_SocketLine] = set()

    def routes(self) -> list[web.RouteDef]:
        """REST under /api/v10, the gateway's socket, and the addresses of attachments."""
        return [
            web.route("*", "/api/v10{path:/.*}", self._rest),
            web.get("/gateway", self._gateway),
            web.get("/gateway/", self._gateway),
            web.get("/attachments/{channel}/{attachment}/{filename}", self._attachment),
        ]

    def close(self) -> None:
        """Hang up on the bot, as a server does that stops."""
        for line in list(self._lines):
            line.hang_up(1001)

    async def _rest(self, request: web.Request) -> web.Response:
        started = time.perf_counter()
        path = request.match_info["path"]
        payload: Any = None
        headers: Mapping[str, str] = _NO_HEADERS
        try:
            payload, uploads = await _read(request)
            if self._house.faults.slow_ms:
                await asyncio.sleep(self._house.faults.slow_ms / 1000)
            if self._house.faults.cuts_off(path):
                return self._cut(request, payload, started)
            self._break_down(request.method, path)
            route, args = self._find(request, path)
            headers = self._pace(route, args)
            query, gateway = dict(request.query), _gateway_at(request)
            call = Call(self._house, request.method, path, args, query, payload, uploads, gateway)
            answer = await route.handler(call)
        except Barred:
            self._note(request, payload, started, Answer(None, 429))
            return web.Response(status=429, text=_BARRED, content_type="text/html")
        except Refusal as refusal:
            answer = Answer(refusal.body, refusal.status)
            headers = getattr(refusal, "headers", headers)
            _log.log(_level(refusal.status), "%s %s is refused: %s", request.method, path, refusal.body)
        if self._house.faults.loses_answer(path):
            return self._cut(request, payload, started, answer)
        self._note(request, payload, started, answer)
        return _response(answer, headers)

    def _cut(self, request: web.Request, payload: Any, started: float, answer: Answer | None = None) -> web.Response:
        """Break the connection off; what is returned goes nowhere."""
        self._note(request, payload, started, answer or Answer(None, 0), cut="after" if answer else "before")
        if request.transport is not None:
            request.transport.close()
        return web.Response()

    def _note(self, request: web.Request, payload: Any, started: float, answer: Answer, cut: str = "") -> None:
        self._house.log.add(
            TO_SERVER,
            request.method,
            request.match_info["path"],
            status=answer.status,
            milliseconds=(time.perf_counter() - started) * 1000,
            body=payload,
            response=answer.body,
            process=self._process(request),
            cut=cut,
        )

    def _find(self, request: web.Request, path: str) -> tuple[Route, dict[str, str]]:
        found = find_route(request.method, path)
        if found is None:
            _log.error("The bot asked for a route the playground does not know: %s %s", request.method, path)
            raise Refusal(DiscordError.NO_ROUTE)
        if found[0].by_bot and request.headers.get("Authorization") != f"Bot {self._house.token}":
            raise Refusal(DiscordError.UNAUTHORIZED)
        return found

    def _break_down(self, method: str, path: str) -> None:
        status = self._house.faults.broken_status(method, path)
        if status is not None:
            broken = Refusal(DiscordError.SERVER_ERROR)
            broken.status, broken.body = status, {"message": f"{status}: a fault on demand", "code": 0}
            raise broken
        if self._house.faults.befalls(Counted.RATE_LIMIT):
            raise TooFast(Verdict(False, RETRY_AFTER, {}), "shared")
        if self._house.faults.befalls(Counted.BARE_RATE_LIMIT):
            raise Barred

    def _pace(self, route: Route, args: dict[str, str]) -> Mapping[str, str]:
        wait = self._house.pace.over_all() if route.by_bot else 0.0  # those of interactions do not count
        if wait:
            raise TooFast(Verdict(False, wait, {"X-RateLimit-Global": "true"}), "global")
        verdict = self._house.pace.request(f"{route.method} {route.path}", major_of(args), route.pace)
        if not verdict.allowed:
            raise TooFast(verdict, "user")
        return verdict.headers

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False, max_msg_size=1 << 20)
        await socket.prepare(request)
        line = _SocketLine(socket)
        self._lines.add(line)
        self._house.gateway.connected(line, self._process(request), _gateway_at(request))
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    await asyncio.sleep(_FAR_AWAY)
                    self._house.gateway.received(line, message.data)
        finally:
            self._lines.discard(line)
            self._house.gateway.disconnected(line, line.closed_with or socket.close_code)
            await line.stop()
        return socket

    def _process(self, request: web.Request) -> str:
        """Which of the bot's processes asks, by the door that it came in at; nothing where they share one."""
        door = request.transport.get_extra_info("sockname") if request.transport else None
        return self._house.doors.get(door[1], "") if door else ""

    async def _attachment(self, request: web.Request) -> web.Response:
        channel, attachment = (ids.number(request.match_info[name]) for name in ("channel", "attachment"))
        if channel is None or attachment is None:
            raise web.HTTPNotFound
        file = self._house.world.file(channel, attachment)
        if file is None or file.filename != request.match_info["filename"]:
            raise web.HTTPNotFound
        headers = {"Cache-Control": "private, max-age=86400, immutable", "X-Content-Type-Options": "nosniff"}
        return web.Response(body=file.data, content_type=file.content_type, headers=headers)


class Barred(Exception):
    """429 by what stands before Discord: a page in HTML, with no word of how long."""


class TooFast(Refusal):
    """429: come again later."""

    def __init__(self, verdict: Verdict, scope: str) -> None:
        super().__init__(DiscordError.RATE_LIMITED, retry_after=round(verdict.retry_after, 3))
        self.body["global"] = scope == "global"
        self.headers = verdict.headers | {
            "Retry-After": f"{verdict.retry_after:.3f}",
            "X-RateLimit-Scope": scope,
        }


class _SocketLine:
    """A gateway connection; frames wait in a queue so that nobody who sends has to."""

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self._socket = socket
        self._frames: asyncio.Queue[str | int] = asyncio.Queue()
        self._writer = asyncio.create_task(self._write(), name="gateway line")
        self.closed_with: int | None = None

    def send(self, frame: str) -> None:
        self._frames.put_nowait(frame)

    def hang_up(self, code: int) -> None:
        self._frames.put_nowait(code)

    async def stop(self) -> None:
        self._writer.cancel()
        await asyncio.gather(self._writer, return_exceptions=True)

    async def _write(self) -> None:
        while isinstance(frame := await self._frames.get(), str):
            await self._socket.send_str(frame)
        self.closed_with = 4000
        await self._socket.close(code=frame)


def _gateway_at(request: web.Request) -> str:
    """The gateway's address, by the same door."""
    return f"ws://{request.host}/gateway"


def _level(status: int) -> int:
    return logging.DEBUG if status == 429 else logging.INFO


def _response(answer: Answer, headers: Mapping[str, str]) -> web.Response:
    made = {"Via": "1.1 playground", **headers}
    if answer.body is None:
        return web.Response(status=answer.status, headers=made)
    # discord.py takes an answer for JSON only when its type is this exactly, without a charset.
    body = json.dumps(answer.body).encode()
    return web.Response(body=body, status=answer.status, headers={**made, "Content-Type": "application/json"})


async def _read(request: web.Request) -> tuple[Any, tuple[Upload, ...]]:
    if request.headers.get("Content-Type", "").startswith("multipart/"):  # aiohttp's own reading of it is slow
        return await _read_form(request)
    text = await request.read()
    if not text:
        return None, ()
    return _parse(text), ()


async def _read_form(request: web.Request) -> tuple[Any, tuple[Upload, ...]]:
    payload: Any = None
    uploads: list[Upload] = []
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            continue
        data = bytes(await part.read())
        if part.name == "payload_json":
            payload = _parse(data)
        elif part.filename is not None:
            uploads.append(Upload(part.name or "", part.filename, data))
    return payload, tuple(uploads)


def _parse(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise Refusal(DiscordError.INVALID_JSON) from error
