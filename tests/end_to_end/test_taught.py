"""What simcord was taught of Discord, tried by hand: the tests of the bot rely on it."""

from __future__ import annotations

import discord
import pytest

from tests.end_to_end.taught import NONCE_SECONDS
from tests.end_to_end.world import World


def at(inn: World, channel: int) -> discord.PartialMessageable:
    """A channel as the bot writes to it."""
    return inn.bot.get_partial_messageable(channel, guild_id=inn.guild.id)


async def test_a_nonce_sends_once_whatever_the_channel(inn: World) -> None:
    other = inn.guild.create_text_channel("other")
    first = await at(inn, inn.table.id).send("Your turn", nonce="n")
    await first.edit(content="Your turn is over", allowed_mentions=discord.AllowedMentions.none())
    again = await at(inn, other.id).send("Your turn", nonce="n")
    assert (again.id, again.content) == (first.id, "Your turn is over")
    assert inn.messages(other) == []
    await inn.env.advance_time(NONCE_SECONDS + 1)
    assert (await at(inn, other.id).send("Your turn", nonce="n")).id != first.id


async def test_what_was_deleted_is_not_posted_again_under_its_nonce(inn: World) -> None:
    first = await at(inn, inn.table.id).send("Your turn", nonce="n")
    await first.delete()
    with pytest.raises(discord.NotFound) as refused:
        await at(inn, inn.table.id).send("Your turn", nonce="n")
    assert refused.value.code == 10008
    await inn.env.advance_time(NONCE_SECONDS + 1)
    await at(inn, inn.table.id).send("Your turn", nonce="n")
