"""The page's HTTP API: it sends events, and receives actions and faults."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any, Final, TypedDict

from aiohttp import WSMsgType, web

from playground.page.frames import change_frame, emoji_ids, full_snapshot, interaction_frames
from playground.page.player_actions import ActRefused, PersonActions, interaction_status
from playground.simulation.faults import ContactStep, CountedFault
from playground.simulation.interactions import Interaction, InteractionKind
from playground.simulation.simulation import Simulation
from playground.world import ids
from playground.world.world import Channel, Json, Message

_MAX_WAITING_FRAMES: Final = 5000


class _RandomFaultArgs(TypedDict):
    percent: float
    count: int | None
    path: str
    seed: int


class PageApi:
    """Serves the page under /play."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._person_actions = PersonActions(simulation)
        self._listeners: set[asyncio.Queue[str | None]] = set()
        simulation.world.add_listener(self._send_world_change)
        simulation.interactions.on_change = self._send_interaction
        simulation.commands.on_change = self._send_commands
        simulation.emoji.on_change = self._send_emoji
        simulation.gateway.on_status = self.send_bot_status
        simulation.faults.on_use = self._send_faults
        simulation.request_log.on_entry = lambda entry: self._send_frame({"type": "request", "log": entry})

    def routes(self) -> list[web.RouteDef]:
        """Return the routes."""
        return [
            web.get("/play/events", self._serve_events),
            web.post("/play/act", self._serve_act),
            web.post("/play/fault", self._serve_fault),
            web.get("/play/requests", self._serve_requests),
            web.get("/play/snapshot", self._serve_snapshot),
        ]

    def send_bot_status(self) -> None:
        """Send the bot's status after it has connected, disconnected or started."""
        self._simulation.update_bot_ready()
        self._send_frame({"type": "bot", **self._simulation.status_object()})

    def close(self) -> None:
        """End the streams of all pages."""
        for queue in self._listeners:
            _end_stream(queue)

    async def _serve_events(self, request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse(heartbeat=30.0)
        await socket.prepare(request)
        queue: asyncio.Queue[str | None] = asyncio.Queue(_MAX_WAITING_FRAMES)
        queue.put_nowait(json.dumps(full_snapshot(self._simulation)))
        self._listeners.add(queue)
        writer = asyncio.create_task(_write_frames(socket, queue), name="page events")
        try:
            async for message in socket:
                if message.type is WSMsgType.ERROR:
                    break
        finally:
            self._listeners.discard(queue)
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)
        return socket

    async def _serve_act(self, request: web.Request) -> web.Response:
        action = await _read_json(request)
        if action is None:
            return _error_response(400, "That is not a JSON object.")
        try:
            done = self._person_actions.perform(action)
        except ActRefused as refused:
            return _error_response(409, str(refused))
        if not isinstance(done, Interaction):
            return web.json_response({"ok": True, **done})
        if done.kind is InteractionKind.AUTOCOMPLETE:
            await done.settled_event.wait()
            return web.json_response({"ok": True, "choices": done.choices, "responded": done.status == "answered"})
        return web.json_response(await _outcome_object(done, wait=bool(action.get("wait"))))

    async def _serve_fault(self, request: web.Request) -> web.Response:
        fault = await _read_json(request)
        if fault is None:
            return _error_response(400, "That is not a JSON object.")
        try:
            problem = self._start_fault(fault)
        except (KeyError, TypeError, ValueError, re.error) as error:
            return _error_response(400, f"That request is not well formed: {error!r}.")
        if problem:
            return _error_response(409, problem)
        self._send_faults()
        return web.json_response({"ok": True, "faults": self._simulation.faults.page_object()})

    def _start_fault(self, body: Json) -> str | None:
        faults = self._simulation.faults
        match body.get("kind"):
            case "server_errors":
                path, method = (str(body.get(name) or "") for name in ("path", "method"))
                faults.start_server_errors(int(body["count"]), int(body.get("status", 503)), path, method)
            case "slow":
                faults.slow_ms = max(0, int(body["ms"]))
            case kind if kind in set(CountedFault):
                faults.start_counted(CountedFault(kind), int(body["count"]))
            case "quarantine":
                faults.start_quarantine(int(body.get("first", 1)), ContactStep(body.get("step", "opening")))
            case "locked_answer":
                faults.set_locked_answer(int(body["code"]))
            case "cut_connections":
                faults.cut_connections(**_random_fault_args(body))
            case "lost_answers":
                faults.lose_answers(**_random_fault_args(body))
            case "doubled_events":
                faults.double_events(**_random_fault_args(body))
            case "late_events":
                faults.delay_events(**_random_fault_args(body))
            case "drop_gateway":
                self._simulation.gateway.drop_connections(_parse_shard(body))
            case "invalidate_session":
                self._simulation.gateway.invalidate_sessions(_parse_shard(body), resumable=bool(body.get("resumable")))
            case "restart_bot":
                if self._simulation.restart_bot is None:
                    return "The bot was not started from here, so it cannot be restarted from here."
                self._simulation.restart_bot()
            case "clear":
                faults.clear()
            case kind:
                return f"There is no fault {kind!r}."
        return None

    async def _serve_requests(self, request: web.Request) -> web.Response:
        since = ids.parse_snowflake(request.query.get("since", ""))
        return web.json_response({"requests": self._simulation.request_log.entries_since(since or 0)})

    async def _serve_snapshot(self, request: web.Request) -> web.Response:
        return web.json_response(full_snapshot(self._simulation))

    def _send_world_change(self, kind: str, subject: Message | Channel | None) -> None:
        self._send_frame(change_frame(self._simulation, kind, subject))

    def _send_faults(self) -> None:
        self._send_frame({"type": "faults", "faults": self._simulation.faults.page_object()})

    def _send_emoji(self) -> None:
        self._send_frame({"type": "emoji", "emoji": emoji_ids(self._simulation)})

    def _send_commands(self) -> None:
        self._simulation.update_bot_ready()
        self._send_frame({"type": "commands", "commands": self._simulation.commands.all_commands()})

    def _send_interaction(self, interaction: Interaction) -> None:
        if interaction.kind is not InteractionKind.AUTOCOMPLETE:
            for frame in interaction_frames(interaction):
                self._send_frame(frame)

    def _send_frame(self, frame: Json) -> None:
        if not self._listeners:
            return
        text = json.dumps(frame)
        for queue in list(self._listeners):
            if queue.full():  # the page no longer reads; it will reconnect and get a snapshot
                self._listeners.discard(queue)
                _end_stream(queue)
            else:
                queue.put_nowait(text)


def _end_stream(queue: asyncio.Queue[str | None]) -> None:
    """End a stream; drop what is waiting if nobody reads it."""
    if queue.full():
        while not queue.empty():
            queue.get_nowait()
    queue.put_nowait(None)


async def _write_frames(socket: web.WebSocketResponse, queue: asyncio.Queue[str | None]) -> None:
    while (text := await queue.get()) is not None:
        await socket.send_str(text)
    await socket.close()


async def _outcome_object(interaction: Interaction, *, wait: bool) -> Json:
    body: Json = {"ok": True, "interaction_id": str(interaction.id)}
    if not wait:
        return body
    await interaction.settled_event.wait()
    body |= {"responded": interaction.status == "answered", "response_type": None, **interaction_status(interaction)}
    if interaction.callback is not None:
        body["response_type"] = int(interaction.callback)
    if interaction.original is not None:
        body["message"] = interaction.original.page_object()
    if interaction.modal is not None:
        body["modal"] = interaction.modal
    return body


async def _read_json(request: web.Request) -> Json | None:
    try:
        body: Any = await request.json()
    except (json.JSONDecodeError, UnicodeDecodeError):
        return None
    return body if isinstance(body, dict) else None


def _parse_shard(body: Json) -> int | None:
    """Return the shard to hit; None: all."""
    shard = body.get("shard")
    return None if shard is None else int(shard)


def _random_fault_args(body: Json) -> _RandomFaultArgs:
    count = body.get("count")
    return {
        "percent": float(body.get("percent", 100)),
        "count": None if count is None else max(0, int(count)),
        "path": str(body.get("path") or ""),
        "seed": int(body.get("seed", 0)),
    }


def _error_response(status: int, sentence: str) -> web.Response:
    return web.json_response({"error": sentence}, status=status)
