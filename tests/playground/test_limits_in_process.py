"""The limits, checked against what an in-process bot has sent in simcord."""

from __future__ import annotations

import io
from types import SimpleNamespace
from typing import Any

import discord
import pytest
import simcord
from discord import ui

from tests.limits_check import OutsideLimits, assert_nobody_is_called, assert_within_limits, to_limits_request
from tests.playground.jester_bot import PIXEL_PNG, JesterBot, count_view


async def test_a_well_behaved_bot_passes() -> None:
    async with simcord.run(JesterBot()) as env:
        guild = env.create_guild()
        channel = guild.create_text_channel("games")
        ada = guild.add_member(env.create_user("ada"))
        reply = await ada.slash(channel, "plain new", rounds=2)
        assert reply.response is not None
        await ada.slash(channel, "plain letter")
        assert_within_limits(env)
        letter = next(r for r in env.http_requests if r.json and "A letter" in str(r.json))
        assert [file.name for file in to_limits_request(letter).files] == ["pixel.png"]


async def test_a_request_that_simcord_lets_pass_is_found() -> None:
    async with simcord.run(JesterBot()) as env:
        channel = open_channel(env)
        view = count_view(0)
        view.add_item(ui.ActionRow(ui.Button(label="Go", url="nowhere")))
        request_count = len(env.http_requests)
        await channel.send(view=view)
        await channel.send("x", file=discord.File(io.BytesIO(PIXEL_PNG), "pixel.png", description="x" * 1025))
        await channel.send(file=discord.File(io.BytesIO(bytes(10 * 1024 * 1024 + 1)), "large.bin"))
        with pytest.raises(OutsideLimits) as broken:
            assert_within_limits(env, since=request_count)
    text = str(broken.value)
    assert text.startswith("Discord would refuse:\n")
    assert "button.url at components.1.components.0.url" in text
    assert "attachment.description at attachments.0.description" in text
    assert "file.size at files[0]" in text
    assert text.count("\n") == 3


def open_channel(env: Any) -> discord.TextChannel:
    channel = env.bot.get_channel(env.create_guild().create_text_channel("games").id)
    assert isinstance(channel, discord.TextChannel)
    return channel


async def test_a_message_that_may_notify_somebody_is_found() -> None:
    async with simcord.run(JesterBot()) as env:
        nobody, somebody = discord.AllowedMentions.none(), discord.AllowedMentions(users=[discord.Object(1)])
        message = await open_channel(env).send("x", allowed_mentions=nobody)
        await message.edit(content="y", allowed_mentions=nobody)
        assert_nobody_is_called(env)
        await message.edit(view=None, content="z")
        with pytest.raises(AssertionError, match="does not say"):
            assert_nobody_is_called(env)
        env.http_requests.clear()
        await message.edit(content="z", allowed_mentions=somebody)
        with pytest.raises(AssertionError, match="may notify"):
            assert_nobody_is_called(env)


async def test_a_request_is_judged_as_it_is_however_often_one_like_it_was() -> None:
    request = {"method": "POST", "path": "/channels/1/messages", "params": {}}
    sent, long = (SimpleNamespace(**request, json={"content": "x" * length}) for length in (2000, 2001))
    for _ in range(2):
        assert_within_limits(SimpleNamespace(http_requests=[sent, sent]))
        with pytest.raises(OutsideLimits) as broken:
            assert_within_limits(SimpleNamespace(http_requests=[sent, long, sent, long]))
        assert str(broken.value).count("\n") == 2
