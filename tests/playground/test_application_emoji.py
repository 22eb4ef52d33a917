"""The application's emoji on the playground: Discord's limits, its errors, and what components may show."""

from __future__ import annotations

import base64
from typing import Any

import aiohttp
import pytest

from playground.page.client import PlaygroundClient
from playground.world import application_emoji, ids
from tests.playground.broken_limits import action_row, button, select_option, string_select
from tests.playground.discord_rest import EMOJI_PATH, MESSAGES_PATH, RestClient, RestResponse
from tests.playground.jester_bot import PIXEL_PNG

UNKNOWN = (404, 10014)


def data_uri(data: bytes = PIXEL_PNG, kind: str = "png") -> str:
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


async def create(rest: RestClient, name: Any = "club", image: Any = None) -> RestResponse:
    return await rest.send_request("POST", EMOJI_PATH, {"name": name, "image": image or data_uri()})


def reasons(answer: RestResponse) -> dict[str, str]:
    return {field: found["_errors"][0]["code"] for field, found in answer.body["errors"].items()}


async def test_emoji_are_made_listed_renamed_and_deleted(rest: RestClient, session: aiohttp.ClientSession) -> None:
    created = await create(rest)
    assert (created.status, created.body["name"], created.body["animated"]) == (201, "club", False)
    path = f"{EMOJI_PATH}/{created.body['id']}"
    assert (await rest.send_request("GET", EMOJI_PATH)).body == {"items": [created.body]}
    assert (await rest.send_request("GET", path)).body == created.body
    assert (await rest.send_request("PATCH", path, {"name": "clubs"})).body == created.body | {"name": "clubs"}
    async with session.get(f"/emojis/{created.body['id']}.png") as image:
        assert (image.content_type, await image.read()) == ("image/png", PIXEL_PNG)
    assert (await rest.send_request("DELETE", path)).status == 204
    for method in ("GET", "DELETE"):
        assert (await rest.send_request(method, path)).status_and_code == UNKNOWN
    assert (await rest.send_request("PATCH", path, {"name": "x_x"})).status_and_code == UNKNOWN
    async with session.get(f"/emojis/{created.body['id']}.png") as image:
        assert image.status == 404


@pytest.mark.parametrize("name", ["x", "x" * 33, "king-of-clubs", "clubs♣", None])
async def test_a_name_has_two_to_32_plain_characters(rest: RestClient, name: Any) -> None:
    response = await create(rest, name)
    assert (response.status_and_code, *reasons(response)) == ((400, 50035), "name")
    assert not rest.simulation.emoji.by_id


@pytest.mark.parametrize(
    ("image", "reason"),
    [
        ("no image", "IMAGE_INVALID"),
        (data_uri(b"GIF89a"), "IMAGE_INVALID"),
        (data_uri(PIXEL_PNG, "bmp"), "IMAGE_INVALID"),
        (data_uri(PIXEL_PNG + bytes(256 * 1024)), "BINARY_TYPE_MAX_SIZE"),
    ],
)
async def test_an_image_is_an_image_of_at_most_256_kib(rest: RestClient, image: str, reason: str) -> None:
    response = await create(rest, image=image)
    assert (response.status_and_code, reasons(response)) == ((400, 50035), {"image": reason})
    assert (await create(rest, image=data_uri(PIXEL_PNG.ljust(256 * 1024, b"\0")))).status == 201


async def test_a_name_is_taken_once(rest: RestClient) -> None:
    first, other = await create(rest), await create(rest, "other")
    taken = {"name": "APPLICATION_EMOJI_NAME_ALREADY_TAKEN"}
    assert reasons(await create(rest)) == taken
    assert reasons(await rest.send_request("PATCH", f"{EMOJI_PATH}/{other.body['id']}", {"name": "club"})) == taken
    assert (await rest.send_request("PATCH", f"{EMOJI_PATH}/{first.body['id']}", {"name": "club"})).status == 200


async def test_an_application_has_no_more_than_it_may(rest: RestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    assert application_emoji.MAX_EMOJI == 2000
    monkeypatch.setattr(application_emoji, "MAX_EMOJI", 2)
    assert [(await create(rest, name)).status for name in ("a1", "a2")] == [201, 201]
    assert (await create(rest, "a3")).status_and_code == (400, 30008)


async def test_another_applications_emoji_are_none_of_the_bots(rest: RestClient) -> None:
    assert (await rest.send_request("GET", f"/applications/{ids.ADA}/emojis")).status_and_code == (403, 50001)


async def test_a_component_shows_only_emoji_that_exist(rest: RestClient) -> None:
    created = (await create(rest)).body
    for number, status in ((created["id"], 200), ("123", 400)):
        emoji = {"id": number, "name": "club"}
        for part, steps in (
            (button(emoji=emoji), ("emoji",)),
            (string_select([select_option(1, emoji=emoji)]), ("options", "0", "emoji")),
        ):
            answer = await rest.send_request("POST", MESSAGES_PATH, {"content": "x", "components": [action_row(part)]})
            assert answer.status == status, part
            if status == 400:
                found = answer.body["errors"]["components"]["0"]["components"]["0"]
                for step in (*steps, "id"):
                    found = found[step]
                assert found == {"_errors": [{"code": "BUTTON_COMPONENT_INVALID_EMOJI", "message": "Invalid emoji"}]}


async def test_the_page_learns_which_emoji_there_are(rest: RestClient, session: aiohttp.ClientSession) -> None:
    emoji = (await create(rest)).body
    async with session.get("/play/snapshot") as answer:
        assert (await answer.json())["emoji"] == [emoji["id"]]
    async with session.ws_connect("/play/events") as events:
        assert (await events.receive_json())["emoji"] == [emoji["id"]]
        await rest.send_request("DELETE", f"{EMOJI_PATH}/{emoji['id']}")
        frames = [await events.receive_json() for _ in range(2)]
    assert {"type": "emoji", "emoji": []} in frames


async def test_a_button_with_an_emoji_alone_is_named_after_it(rest: RestClient, page: PlaygroundClient) -> None:
    emoji = (await create(rest)).body
    bare = {"type": 2, "style": 1, "custom_id": "b", "emoji": {"id": int(emoji["id"]), "name": emoji["name"]}}
    await rest.send_request("POST", MESSAGES_PATH, {"content": "x", "components": [action_row(bare)]})
    message = await page.player("Ada").wait_message("games", lambda message: message.buttons != [])
    assert message.buttons[0].label == "club"
    (row,) = message.data["components"]
    assert row["components"][0]["emoji"]["id"] == emoji["id"], "a string, as on Discord"
