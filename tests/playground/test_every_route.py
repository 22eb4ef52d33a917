"""Requests that use every route of the playground, with messages that have every kind of part."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest_asyncio

from playground.rest.routes import ROUTES, find_route
from playground.world import ids
from playground.world.world import COMPONENTS_V2
from tests.playground.against_description import COMPARED_FIELDS, response_fields, watch_exchanges
from tests.playground.broken_limits import gallery_item, media_gallery, text_display
from tests.playground.description import Exchange
from tests.playground.discord_rest import COMMANDS_PATH, EMOJI_PATH, GAMES_PATH, MESSAGES_PATH, RestClient
from tests.playground.jester_bot import PIXEL_PNG

GUILD_PATH = f"/guilds/{ids.GUILD}"
GUILD_COMMANDS_PATH = f"/applications/{ids.APPLICATION}/guilds/{ids.GUILD}/commands"
PICTURE = {"media": {"url": "attachment://a.png"}}
SELECTS = (
    {"type": 3, "custom_id": "string", "options": [{"label": "Red", "value": "red", "description": "Warm"}]},
    {"type": 5, "custom_id": "people", "placeholder": "Choose", "max_values": 2},
    {"type": 6, "custom_id": "roles"},
    {"type": 7, "custom_id": "both", "default_values": [{"id": ids.BELA, "type": "user"}]},
    {"type": 8, "custom_id": "channels", "channel_types": [0]},
)
BUTTONS = (
    {"type": 2, "style": 1, "label": "Yes", "custom_id": "yes", "emoji": {"name": "👍"}},
    {"type": 2, "style": 5, "label": "Read", "url": "https://example.com/", "disabled": True},
)
PARTS = [
    text_display("# The table"),
    {"type": 9, "components": [text_display("Beside a picture")], "accessory": {"type": 11, **PICTURE}},
    {"type": 14, "spacing": 2},
    media_gallery(gallery_item("attachment://a.png", description="A pixel")),
    {"type": 13, "file": {"url": "attachment://b.txt"}},
    {"type": 17, "accent_color": 0xAA3300, "components": [{"type": 1, "components": [*BUTTONS]}]},
    {"type": 17, "components": [text_display("Without a colour")]},
    *({"type": 1, "components": [select]} for select in SELECTS),
]
EMBED = {
    "title": "T",
    "description": "D",
    "color": 1,
    "author": {"name": "Ada"},
    "footer": {"text": "F"},
    "fields": [{"name": "N", "value": "V", "inline": True}],
    "image": {"url": "attachment://a.png"},
}
FILES = [("a.png", PIXEL_PNG), ("b.txt", b"The record")]
LISTED = [{"id": number, "filename": name, "description": name} for number, (name, _) in enumerate(FILES)]
COMMAND = {
    "name": "play",
    "description": "Plays",
    "contexts": [0, 1],
    "default_member_permissions": "0",
    "options": [{"type": 3, "name": "mood", "description": "How", "choices": [{"name": "Merry", "value": "merry"}]}],
}


class RouteCaller:
    """Sends requests and expects each to be accepted."""

    def __init__(self, rest: RestClient) -> None:
        self._rest = rest

    async def send(self, method: str, path: str, payload: Any = None, **more: Any) -> Any:
        answer = await self._rest.send_request(method, path, payload, **more)
        assert 200 <= answer.status < 300, (method, path, answer)
        return answer.body

    async def look_up(self) -> None:
        for path in (
            "/users/@me",
            "/oauth2/applications/@me",
            "/applications/@me",
            "/gateway/bot",
            "/users/@me/guilds",
        ):
            await self.send("GET", path)
        for path in ("", "/channels", "/roles", f"/members/{ids.BELA}", "/threads/active"):
            await self.send("GET", GUILD_PATH + path)
        await self.send("GET", f"/users/{ids.BELA}")
        for channel in (ids.GAMES_CHANNEL, ids.NEWS_CHANNEL):
            await self.send("GET", f"/channels/{channel}")

    async def talk(self) -> None:
        direct = await self.send("POST", "/users/@me/channels", {"recipient_id": str(ids.BELA)})
        await self.send("POST", f"/channels/{direct['id']}/messages", {"content": f"Hello <@{ids.BELA}>"})
        await self.send("POST", f"{GAMES_PATH}/typing")
        payload = {"flags": COMPONENTS_V2, "components": PARTS, "attachments": LISTED}
        table = await self.send("POST", MESSAGES_PATH, payload, files=FILES)
        await self.send("PATCH", f"{MESSAGES_PATH}/{table['id']}", {"components": PARTS[:1], "attachments": []})
        plain = {"content": "x", "embeds": [EMBED], "attachments": LISTED, "nonce": "1", "enforce_nonce": True}
        message = await self.send("POST", MESSAGES_PATH, plain, files=FILES)
        reference = {"message_id": message["id"], "fail_if_not_exists": False}
        await self.send("POST", MESSAGES_PATH, {"content": "y", "message_reference": reference})
        await self.send("GET", f"{MESSAGES_PATH}/{message['id']}")
        assert len(await self.send("GET", MESSAGES_PATH, query={"limit": "2"})) == 2
        await self.send("DELETE", f"{MESSAGES_PATH}/{message['id']}")

    async def use_threads(self) -> None:
        started = await self.send("POST", f"{GAMES_PATH}/threads", {"name": "Match", "type": 11})
        table = await self.send("POST", MESSAGES_PATH, {"content": "The table"})
        other = await self.send("POST", f"{MESSAGES_PATH}/{table['id']}/threads", {"name": "Match two"})
        await self.send("GET", f"{MESSAGES_PATH}/{table['id']}")
        members = f"/channels/{started['id']}/thread-members"
        await self.send("PUT", f"{members}/{ids.BELA}")
        await self.send("GET", members)
        await self.send("GET", f"/channels/{started['id']}/messages")
        await self.send("DELETE", f"{members}/@me")
        await self.send("PUT", f"{members}/@me")
        self._rest.simulation.world.home_guild.roles[ids.BOT_ROLE].permissions = 1 << 3  # Administrator
        await self.send("DELETE", f"{members}/{ids.BELA}")
        await self.send("PATCH", f"/channels/{other['id']}", {"name": "Over", "archived": True, "locked": True})
        await self.send("DELETE", f"/channels/{started['id']}")

    async def answer_interactions(self) -> None:
        for kind, data in ((4, {"content": "Psst", "flags": 64}), (5, None), (9, FORM)):
            interaction = self._rest.start_interaction()
            answer = await self._rest.respond_first(interaction, kind, data)
            assert answer.status == 200
            token = f"/webhooks/{ids.APPLICATION}/{interaction.token}"
            if kind == 9:
                continue
            await self.send("GET", f"{token}/messages/@original")
            await self.send("PATCH", f"{token}/messages/@original", {"content": "Told"})
            more = await self.send("POST", token, {"components": PARTS[:1], "flags": COMPONENTS_V2})
            for method, body in (("GET", None), ("PATCH", {"components": PARTS[2:3]}), ("DELETE", None)):
                await self.send(method, f"{token}/messages/{more['id']}", body)
            await self.send("DELETE", f"{token}/messages/@original")

    async def upload_emoji(self) -> None:
        image = "data:image/png;base64," + base64.b64encode(PIXEL_PNG).decode()
        emoji = await self.send("POST", EMOJI_PATH, {"name": "crown", "image": image})
        own = f"{EMOJI_PATH}/{emoji['id']}"
        await self.send("GET", EMOJI_PATH)
        for method, body in (("GET", None), ("PATCH", {"name": "hat"}), ("DELETE", None)):
            await self.send(method, own, body)

    async def register_commands(self) -> None:
        for path in (COMMANDS_PATH, GUILD_COMMANDS_PATH):
            await self.send("PUT", path, [COMMAND])
            command = await self.send("POST", path, {"name": "rules", "description": "Rules"})
            await self.send("GET", path)
            for method, body in (("GET", None), ("PATCH", {"description": "The rules"}), ("DELETE", None)):
                await self.send(method, f"{path}/{command['id']}", body)


FORM = {
    "custom_id": "form",
    "title": "A form",
    "components": [
        {"type": 18, "label": "Word", "component": {"type": 4, "custom_id": "word", "style": 1, "max_length": 20}},
        {"type": 18, "label": "Which", "component": {**SELECTS[0], "required": False}},
    ],
}


@pytest_asyncio.fixture
async def exchanges(rest: RestClient) -> list[Exchange]:
    """All requests and responses."""
    found: list[Exchange] = []
    caller = RouteCaller(rest)
    with watch_exchanges(found.append):
        await caller.look_up()
        await caller.talk()
        await caller.use_threads()
        await caller.answer_interactions()
        await caller.upload_emoji()
        await caller.register_commands()
        await caller.send("DELETE", f"/users/@me/guilds/{ids.GUILD}")
    return found


def test_every_route_is_used(exchanges: list[Exchange]) -> None:
    used = [find_route(exchange.method, exchange.path) for exchange in exchanges]
    missing = {*ROUTES} - {found[0] for found in used if found}
    assert not [f"{route.method} {route.path}" for route in missing]


def test_its_fields_were_compared(exchanges: list[Exchange]) -> None:
    """If a response has other fields now, `tests.playground.against_description` must compare them again."""
    compared = json.loads(COMPARED_FIELDS.read_text(encoding="utf-8"))
    assert response_fields(exchanges) == compared, "compare them with python -m tests.playground.against_description"
