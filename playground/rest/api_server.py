"""Discord's side of the server: the REST root, the gateway's WebSocket, attachments."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any, Final

from aiohttp import BodyPartReader, WSMsgType, web

from playground.rest.answers import BlockedByProxy, BotRequest, answer_request, refused
from playground.rest.request import ApiResponse
from playground.simulation.request_log import TO_SERVER
from playground.simulation.simulation import Simulation
from playground.world import ids
from playground.world.errors import ApiRefusal, DiscordError
from playground.world.messages import Upload

# discord.py's heartbeat thread notes the time of a beat only after sending it. A faster answer than a distant server's
# would arrive first and be measured against the beat before.
_NETWORK_DELAY: Final = 0.05
_BLOCKED_PAGE: Final = (
    "<!DOCTYPE html><title>Access denied</title><h1>Error 1015</h1><p>You are being rate limited.</p>"
)


class DiscordApi:
    """Answers the bot as Discord would."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._transports: set[_WebSocketTransport] = set()

    def routes(self) -> list[web.RouteDef]:
        """Return the routes of REST under /api/v10, the gateway's WebSocket, and attachments."""
        return [
            web.route("*", "/api/v10{path:/.*}", self._serve_rest),
            web.get("/gateway", self._serve_gateway),
            web.get("/gateway/", self._serve_gateway),
            web.get("/attachments/{channel}/{attachment}/{filename}", self._serve_attachment),
        ]

    def close(self) -> None:
        """Close the bot's connections, as a stopping server does."""
        for line in list(self._transports):
            line.hang_up(1001)

    async def _serve_rest(self, request: web.Request) -> web.Response:
        started = time.perf_counter()
        path = request.match_info["path"]
        payload: Any = None
        try:
            payload, uploads = await _read_body(request)
            if self._simulation.faults.slow_ms:
                await asyncio.sleep(self._simulation.faults.slow_ms / 1000)
            if self._simulation.faults.breaks_connection(path):
                return self._break_connection(request, payload, started)
            token, gateway = request.headers.get("Authorization", ""), _gateway_url(request)
            bot_request = BotRequest(request.method, path, payload, dict(request.query), uploads, token, gateway)
            answer = await answer_request(self._simulation, bot_request)
        except BlockedByProxy:
            self._log_request(request, payload, started, ApiResponse(None, 429))
            return web.Response(status=429, text=_BLOCKED_PAGE, content_type="text/html")
        except ApiRefusal as refusal:  # of a body that is no JSON
            answer = refused(request.method, path, refusal, {})
        if self._simulation.faults.loses_answer(path):
            return self._break_connection(request, payload, started, answer)
        self._log_request(request, payload, started, answer)
        return _make_response(answer)

    def _break_connection(
        self, request: web.Request, payload: Any, started: float, answer: ApiResponse | None = None
    ) -> web.Response:
        """Break the connection; the returned response goes nowhere."""
        self._log_request(
            request, payload, started, answer or ApiResponse(None, 0), cut="after" if answer else "before"
        )
        if request.transport is not None:
            request.transport.close()
        return web.Response()

    def _log_request(
        self, request: web.Request, payload: Any, started: float, answer: ApiResponse, cut: str = ""
    ) -> None:
        self._simulation.request_log.add_entry(
            TO_SERVER,
            request.method,
            request.match_info["path"],
            status=answer.status,
            milliseconds=(time.perf_counter() - started) * 1000,
            body=payload,
            response=answer.body,
            process=self._process_of(request),
            cut=cut,
        )

    async def _serve_gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(compress=False, max_msg_size=1 << 20)
        await socket.prepare(request)
        line = _WebSocketTransport(socket)
        self._transports.add(line)
        self._simulation.gateway.open_connection(line, self._process_of(request), _gateway_url(request))
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    await asyncio.sleep(_NETWORK_DELAY)
                    self._simulation.gateway.handle_frame(line, message.data)
        finally:
            self._transports.discard(line)
            self._simulation.gateway.close_connection(line, line.close_code or socket.close_code)
            await line.stop()
        return socket

    def _process_of(self, request: web.Request) -> str:
        """Return which of the bot's processes sent this, by its port; '' if they share one."""
        door = request.transport.get_extra_info("sockname") if request.transport else None
        return self._simulation.process_by_port.get(door[1], "") if door else ""

    async def _serve_attachment(self, request: web.Request) -> web.Response:
        channel, attachment = (ids.parse_snowflake(request.match_info[name]) for name in ("channel", "attachment"))
        if channel is None or attachment is None:
            raise web.HTTPNotFound
        file = self._simulation.world.find_file(channel, attachment)
        if file is None or file.filename != request.match_info["filename"]:
            raise web.HTTPNotFound
        headers = {"Cache-Control": "private, max-age=86400, immutable", "X-Content-Type-Options": "nosniff"}
        return web.Response(body=file.data, content_type=file.content_type, headers=headers)


class _WebSocketTransport:
    """A gateway connection; frames go into a queue so that senders never wait."""

    def __init__(self, socket: web.WebSocketResponse) -> None:
        self._socket = socket
        self._frames: asyncio.Queue[str | int] = asyncio.Queue()
        self._writer = asyncio.create_task(self._write_frames(), name="gateway line")
        self.close_code: int | None = None

    def send(self, frame: str) -> None:
        self._frames.put_nowait(frame)

    def hang_up(self, code: int) -> None:
        self._frames.put_nowait(code)

    async def stop(self) -> None:
        self._writer.cancel()
        await asyncio.gather(self._writer, return_exceptions=True)

    async def _write_frames(self) -> None:
        while isinstance(frame := await self._frames.get(), str):
            await self._socket.send_str(frame)
        self.close_code = 4000
        await self._socket.close(code=frame)


def _gateway_url(request: web.Request) -> str:
    """Return the gateway's address on the same port."""
    return f"ws://{request.host}/gateway"


def _make_response(answer: ApiResponse) -> web.Response:
    headers = {"Via": "1.1 playground", **answer.headers}
    if answer.body is None:
        return web.Response(status=answer.status, headers=headers)
    # discord.py accepts an answer as JSON only with exactly this type, without a charset.
    body = json.dumps(answer.body).encode()
    return web.Response(body=body, status=answer.status, headers={**headers, "Content-Type": "application/json"})


async def _read_body(request: web.Request) -> tuple[Any, tuple[Upload, ...]]:
    if request.headers.get("Content-Type", "").startswith("multipart/"):  # aiohttp's own multipart parser is slow
        return await _read_form(request)
    text = await request.read()
    if not text:
        return None, ()
    return _parse_json(text), ()


async def _read_form(request: web.Request) -> tuple[Any, tuple[Upload, ...]]:
    payload: Any = None
    uploads: list[Upload] = []
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            continue
        data = bytes(await part.read())
        if part.name == "payload_json":
            payload = _parse_json(data)
        elif part.filename is not None:
            uploads.append(Upload(part.name or "", part.filename, data))
    return payload, tuple(uploads)


def _parse_json(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ApiRefusal(DiscordError.INVALID_JSON) from error
