"""Plain requests to the playground's REST API, as a bot's library would send them."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Self

import aiohttp

from playground.server import Playground
from playground.simulation.interactions import Interaction, InteractionKind
from playground.world import ids

GAMES_PATH = f"/channels/{ids.GAMES_CHANNEL}"
MESSAGES_PATH = f"{GAMES_PATH}/messages"
COMMANDS_PATH = f"/applications/{ids.APPLICATION}/commands"
EMOJI_PATH = f"/applications/{ids.APPLICATION}/emojis"
Files = Sequence[tuple[str, bytes]]


@dataclass(frozen=True)
class RestResponse:
    status: int
    body: Any
    headers: Mapping[str, str]

    @property
    def status_and_code(self) -> tuple[int, int]:
        return self.status, self.body["code"]


class RestClient:
    """Sends requests with the bot's token, or with another."""

    def __init__(self, playground: Playground, session: aiohttp.ClientSession) -> None:
        self.simulation = playground.simulation
        self._api_url = playground.api_url
        self._session = session

    @classmethod
    @asynccontextmanager
    async def connect(cls, playground: Playground) -> AsyncIterator[Self]:
        async with aiohttp.ClientSession() as session:
            yield cls(playground, session)

    async def send_request(
        self, method: str, path: str, payload: Any = None, *, query: Any = None, files: Files = (), token: str = ""
    ) -> RestResponse:
        headers = {"Authorization": f"Bot {token or self.simulation.token}"}
        body: Any = None
        if files:
            body = aiohttp.FormData(quote_fields=False)
            body.add_field("payload_json", json.dumps(payload))
            for number, (name, data) in enumerate(files):
                body.add_field(f"files[{number}]", io.BytesIO(data), filename=name)
        elif payload is not None:
            body = json.dumps(payload)
            headers["Content-Type"] = "application/json"
        url = self._api_url + path
        async with self._session.request(method, url, data=body, headers=headers, params=query) as answer:
            text = await answer.text()
            return RestResponse(answer.status, json.loads(text) if text else None, answer.headers)

    async def post_message(self, content: str = "Hello", channel: int = ids.GAMES_CHANNEL) -> str:
        answer = await self.send_request("POST", f"/channels/{channel}/messages", {"content": content})
        assert answer.status == 200, answer
        return str(answer.body["id"])

    def start_interaction(self, kind: InteractionKind = InteractionKind.COMMAND, person: int = ids.ADA) -> Interaction:
        """Start an interaction in #games; only the test will answer it."""
        channel = self.simulation.world.channels[ids.GAMES_CHANNEL]
        return self.simulation.interactions.start_interaction(kind, person, channel, {"name": "try"})

    async def respond_first(self, interaction: Interaction, kind: int, data: Any = None) -> RestResponse:
        path = f"/interactions/{interaction.id}/{interaction.token}/callback"
        return await self.send_request("POST", path, {"type": kind, "data": data}, query={"with_response": "1"})

    async def send_by_token(
        self, method: str, interaction: Interaction, tail: str = "", payload: Any = None
    ) -> RestResponse:
        return await self.send_request(method, f"/webhooks/{ids.APPLICATION}/{interaction.token}{tail}", payload)
