"""What the tests add to the playground's simulation."""

from __future__ import annotations

import discord
import pytest
from discord.http import Route

from playground.world.errors import DiscordError
from tests.plain.fake_discord import FakeDiscord
from tests.plain.payloads import CHANNEL
from tests.plain.plain_bot import start_plain_bot

POST = Route("POST", "/channels/{channel_id}/messages", channel_id=CHANNEL)


async def test_a_request_that_breaks_a_limit_is_refused_and_fails_the_test() -> None:
    async def post_too_much() -> None:
        async with start_plain_bot("5e" * 16) as plain_bot:
            with pytest.raises(discord.HTTPException) as refused:
                await plain_bot.bot.http.request(POST, json={"content": "x" * 2001})
            assert (refused.value.status, refused.value.code) == (400, DiscordError.INVALID_FORM.code)
            assert plain_bot.wire.sent_requests == []

    with pytest.raises(AssertionError, match="Must be between"):
        await post_too_much()


async def test_an_id_tells_nothing_of_what_stands_elsewhere() -> None:
    posted = []
    for others in (0, 3):
        wire = FakeDiscord({"Ada": 1, "Bela": 2})
        for _ in range(others):
            await wire.request(Route("POST", "/channels/{id}/messages", id=wire.inbox_of(2)), json={"content": "x"})
        posted.append((await wire.request(POST, json={"content": "x"}))["id"])
    assert posted[0] == posted[1]


@pytest.mark.parametrize(("step", "code"), [("opening", 20026), ("first", 50001)])
async def test_first_contacts_are_refused_on_demand(step: str, code: int) -> None:
    wire = FakeDiscord({"Ada": 1})
    await wire.request(POST, json={"content": "x"})
    setattr(wire, f"{step}_refusal", lambda user: code)
    opening = Route("POST", "/users/@me/channels")
    sending = Route("POST", "/channels/{id}/messages", id=wire.inbox_of(1))
    payload = {"recipient_id": 1} if step == "opening" else {"content": "x"}
    with pytest.raises(discord.Forbidden) as refused:
        await wire.request(opening if step == "opening" else sending, json=payload)
    assert refused.value.code == code
