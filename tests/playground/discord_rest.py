"""Bare requests to the playground's REST API, as a bot's library would make them."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Self

import aiohttp

from playground.server import Playground
from playground.simulation.interactions import Interaction, Kind
from playground.world import ids

GAMES = f"/channels/{ids.GAMES}"
COMMANDS = f"/applications/{ids.APPLICATION}/commands"


@dataclass(frozen=True)
class Answer:
    """Status, JSON body and headers."""

    status: int
    body: Any
    headers: Mapping[str, str]

    @property
    def error(self) -> tuple[int, int]:
        """HTTP status and Discord's error code."""
        return self.status, self.body["code"]


class Rest:
    """Asks with the bot's token, or with another."""

    def __init__(self, playground: Playground, session: aiohttp.ClientSession) -> None:
        self.playground = playground
        self._session = session

    @classmethod
    @asynccontextmanager
    async def to(cls, playground: Playground) -> AsyncIterator[Self]:
        """Connect to a running playground."""
        async with aiohttp.ClientSession() as session:
            yield cls(playground, session)

    async def ask(
        self,
        method: str,
        path: str,
        payload: Any = None,
        *,
        query: Mapping[str, str] | None = None,
        files: Sequence[tuple[str, bytes]] = (),
        token: str | None = None,
    ) -> Answer:
        """Make one request and read the answer."""
        headers = {"Authorization": f"Bot {token or self.playground.house.token}"}
        body: Any = None
        if files:
            body = aiohttp.FormData(quote_fields=False)
            body.add_field("payload_json", json.dumps(payload))
            for number, (name, data) in enumerate(files):
                body.add_field(f"files[{number}]", io.BytesIO(data), filename=name)
        elif payload is not None:
            body = json.dumps(payload)
            headers["Content-Type"] = "application/json"
        url = self.playground.api + path
        async with self._session.request(method, url, data=body, headers=headers, params=query) as answer:
            text = await answer.text()
            return Answer(answer.status, json.loads(text) if text else None, answer.headers)

    async def post(self, content: str = "Hello", channel: int = ids.GAMES) -> str:
        """Send a plain message; its id."""
        answer = await self.ask("POST", f"/channels/{channel}/messages", {"content": content})
        assert answer.status == 200, answer
        return str(answer.body["id"])

    def interaction(self, kind: Kind = Kind.COMMAND, person: int = ids.ADA) -> Interaction:
        """Somebody does something in #games; nobody but the test will answer."""
        house = self.playground.house
        channel = house.world.channels[ids.GAMES]
        return house.interactions.begin(kind, person, channel, {"name": "try"})

    async def respond(self, interaction: Interaction, kind: int, data: Any = None) -> Answer:
        """Make the first response to an interaction."""
        path = f"/interactions/{interaction.id}/{interaction.token}/callback"
        return await self.ask("POST", path, {"type": kind, "data": data}, query={"with_response": "1"})

    async def by_token(self, method: str, interaction: Interaction, tail: str = "", payload: Any = None) -> Answer:
        """A webhook request with an interaction's token."""
        return await self.ask(method, f"/webhooks/{ids.APPLICATION}/{interaction.token}{tail}", payload)
