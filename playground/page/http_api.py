"""The page's own HTTP API: events out, acts and faults in."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any, Final, TypedDict

from aiohttp import WSMsgType, web

from playground.page.frames import change_frame, interaction_frames, snapshot
from playground.page.player_actions import ActRefused, Stage, outcome
from playground.simulation.faults import Counted
from playground.simulation.interactions import Interaction, Kind
from playground.simulation.simulation import House
from playground.world import ids
from playground.world.world import Channel, Json, Message

_MAX_WAITING_FRAMES: Final = 5000


class _Cuts(TypedDict):
    percent: float
    count: int | None
    path: str
    seed: int


class PageApi:
    """Serves the page under /play."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._stage = Stage(house)
        self._listeners: set[asyncio.Queue[str | None]] = set()
        house.world.watch(self._world_changed)
        house.interactions.on_change = self._interaction_changed
        house.commands.on_change = self._commands_changed
        house.gateway.on_status = self.bot_changed
        house.faults.on_use = self._faults_changed
        house.log.on_entry = lambda entry: self._tell({"type": "request", "log": entry})

    def routes(self) -> list[web.RouteDef]:
        """The routes."""
        return [
            web.get("/play/events", self._events),
            web.post("/play/act", self._act),
            web.post("/play/fault", self._fault),
            web.get("/play/requests", self._requests),
            web.get("/play/snapshot", self._snapshot),
        ]

    def bot_changed(self) -> None:
        """The bot has come, gone or is being started."""
        self._house.note_readiness()
        self._tell({"type": "bot", **self._house.bot_there()})

    def close(self) -> None:
        """End every page's stream."""
        for queue in self._listeners:
            _end(queue)

    async def _events(self, request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse(heartbeat=30.0)
        await socket.prepare(request)
        queue: asyncio.Queue[str | None] = asyncio.Queue(_MAX_WAITING_FRAMES)
        queue.put_nowait(json.dumps(snapshot(self._house)))
        self._listeners.add(queue)
        writer = asyncio.create_task(_write(socket, queue), name="page events")
        try:
            async for message in socket:
                if message.type is WSMsgType.ERROR:
                    break
        finally:
            self._listeners.discard(queue)
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)
        return socket

    async def _act(self, request: web.Request) -> web.Response:
        asked = await _json(request)
        if asked is None:
            return _error(400, "That is not a JSON object.")
        try:
            done = self._stage.act(asked)
        except ActRefused as refused:
            return _error(409, str(refused))
        if not isinstance(done, Interaction):
            return web.json_response({"ok": True, **done})
        if done.kind is Kind.AUTOCOMPLETE:
            await done.settled.wait()
            return web.json_response({"ok": True, "choices": done.choices, "responded": done.status == "answered"})
        return web.json_response(await _outcome(done, wait=bool(asked.get("wait"))))

    async def _fault(self, request: web.Request) -> web.Response:
        asked = await _json(request)
        if asked is None:
            return _error(400, "That is not a JSON object.")
        try:
            problem = self._make_fault(asked)
        except (KeyError, TypeError, ValueError, re.error) as error:
            return _error(400, f"That request is not well formed: {error!r}.")
        if problem:
            return _error(409, problem)
        self._faults_changed()
        return web.json_response({"ok": True, "faults": self._house.faults.page_object()})

    def _make_fault(self, asked: Json) -> str | None:
        faults = self._house.faults
        match asked.get("kind"):
            case "server_errors":
                path, method = (str(asked.get(name) or "") for name in ("path", "method"))
                faults.break_down(int(asked["count"]), int(asked.get("status", 503)), path, method)
            case "slow":
                faults.slow_ms = max(0, int(asked["ms"]))
            case kind if kind in set(Counted):
                faults.begin(Counted(kind), int(asked["count"]))
            case "locked_answer":
                faults.answer_locked(int(asked["code"]))
            case "cut_connections":
                faults.cut_connections(**_cuts(asked))
            case "lost_answers":
                faults.lose_answers(**_cuts(asked))
            case "doubled_events":
                faults.double_events(**_cuts(asked))
            case "late_events":
                faults.delay_events(**_cuts(asked))
            case "drop_gateway":
                self._house.gateway.drop(_shard(asked))
            case "invalidate_session":
                self._house.gateway.invalidate(_shard(asked), resumable=bool(asked.get("resumable")))
            case "restart_bot":
                if self._house.restart_bot is None:
                    return "The bot was not started from here, so it cannot be restarted from here."
                self._house.restart_bot()
            case "clear":
                faults.clear()
            case kind:
                return f"There is no fault {kind!r}."
        return None

    async def _requests(self, request: web.Request) -> web.Response:
        since = ids.number(request.query.get("since", ""))
        return web.json_response({"requests": self._house.log.since(since or 0)})

    async def _snapshot(self, request: web.Request) -> web.Response:
        return web.json_response(snapshot(self._house))

    def _world_changed(self, kind: str, subject: Message | Channel | None) -> None:
        self._tell(change_frame(self._house, kind, subject))

    def _faults_changed(self) -> None:
        self._tell({"type": "faults", "faults": self._house.faults.page_object()})

    def _commands_changed(self) -> None:
        self._house.note_readiness()
        self._tell({"type": "commands", "commands": self._house.commands.all()})

    def _interaction_changed(self, interaction: Interaction) -> None:
        if interaction.kind is not Kind.AUTOCOMPLETE:
            for frame in interaction_frames(interaction):
                self._tell(frame)

    def _tell(self, frame: Json) -> None:
        if not self._listeners:
            return
        text = json.dumps(frame)
        for queue in list(self._listeners):
            if queue.full():  # A page that no longer reads; it will connect again and start from a snapshot.
                self._listeners.discard(queue)
                _end(queue)
            else:
                queue.put_nowait(text)


def _end(queue: asyncio.Queue[str | None]) -> None:
    """Nothing comes any more; where nobody reads, not even what is waiting."""
    if queue.full():
        while not queue.empty():
            queue.get_nowait()
    queue.put_nowait(None)


async def _write(socket: web.WebSocketResponse, queue: asyncio.Queue[str | None]) -> None:
    while (text := await queue.get()) is not None:
        await socket.send_str(text)
    await socket.close()


async def _outcome(interaction: Interaction, *, wait: bool) -> Json:
    made: Json = {"ok": True, "interaction_id": str(interaction.id)}
    if not wait:
        return made
    await interaction.settled.wait()
    made |= {"responded": interaction.status == "answered", "response_type": None, **outcome(interaction)}
    if interaction.callback is not None:
        made["response_type"] = int(interaction.callback)
    if interaction.original is not None:
        made["message"] = interaction.original.page_object()
    if interaction.modal is not None:
        made["modal"] = interaction.modal
    return made


async def _json(request: web.Request) -> Json | None:
    try:
        asked: Any = await request.json()
    except (json.JSONDecodeError, UnicodeDecodeError):
        return None
    return asked if isinstance(asked, dict) else None


def _shard(asked: Json) -> int | None:
    """The one that is to be hit; None: all."""
    shard = asked.get("shard")
    return None if shard is None else int(shard)


def _cuts(asked: Json) -> _Cuts:
    count = asked.get("count")
    return {
        "percent": float(asked.get("percent", 100)),
        "count": None if count is None else max(0, int(count)),
        "path": str(asked.get("path") or ""),
        "seed": int(asked.get("seed", 0)),
    }


def _error(status: int, sentence: str) -> web.Response:
    return web.json_response({"error": sentence}, status=status)
