"""What simcord was taught of Discord, tried by hand: the tests of the bot rely on it."""

from __future__ import annotations

import io
from collections.abc import Awaitable

import discord

from tests.end_to_end.taught import NONCE_SECONDS
from tests.end_to_end.world import SimulatedServer


def channel_at(inn: SimulatedServer, channel: int) -> discord.PartialMessageable:
    return inn.bot.get_partial_messageable(channel, guild_id=inn.guild.id)


async def test_a_nonce_sends_once_whatever_the_channel_and_not_again_what_was_deleted(inn: SimulatedServer) -> None:
    here, other = channel_at(inn, inn.table.id), inn.guild.create_text_channel("other")
    there = channel_at(inn, other.id)
    first = await here.send("Your turn", nonce="n")
    await first.edit(content="Your turn is over", allowed_mentions=discord.AllowedMentions.none())
    again = await there.send("Your turn", nonce="n")
    assert (again.id, again.content) == (first.id, "Your turn is over")
    assert inn.messages(other) == []
    await first.delete()
    assert await refusal_codes(here.send("Your turn", nonce="n")) == (404, 10008)
    await inn.env.advance_time(NONCE_SECONDS + 1)
    assert (await there.send("Your turn", nonce="n")).id != first.id


async def make_thread(inn: SimulatedServer) -> tuple[discord.Thread, discord.Message]:
    channel = inn.bot.get_channel(inn.table.id)
    assert isinstance(channel, discord.TextChannel)
    thread = await channel.create_thread(name="Match", type=discord.ChannelType.public_thread)
    return thread, await thread.send("The table")


async def refusal_codes(request: Awaitable[object]) -> tuple[int, int] | None:
    """Status and code of what Discord refuses; None where it does not."""
    try:
        await request
    except discord.HTTPException as error:
        return error.status, error.code
    return None


async def test_the_bot_may_do_in_a_server_what_its_invitation_asks_for(inn: SimulatedServer) -> None:
    may = inn.bot.guilds[0].me.guild_permissions
    assert may.send_messages_in_threads
    assert not may.manage_threads


async def test_a_locked_thread_refuses_writing_editing_and_opening(inn: SimulatedServer) -> None:
    thread, message = await make_thread(inn)
    inn.lock_thread(thread)
    assert await refusal_codes(thread.send("More")) == (403, 50083)
    assert await refusal_codes(message.edit(content="Better")) == (403, 50083)
    assert await refusal_codes(thread.edit(name="New")) == (403, 50013)
    inn.archive_thread(thread)
    assert await refusal_codes(message.delete()) == (403, 50083)
    assert await refusal_codes(thread.edit(archived=False)) == (403, 50013)
    inn.lock_thread(thread, locked=False)
    assert await refusal_codes(message.edit(content="Better")) == (400, 50083)
    assert await refusal_codes(thread.edit(archived=False)) is None
    inn.lock_thread(thread)
    assert await refusal_codes(message.delete()) is None


async def test_a_locked_thread_is_open_to_who_manages_threads(inn: SimulatedServer) -> None:
    thread, message = await make_thread(inn)
    inn.lock_thread(thread)
    inn.grant_permissions(inn.table, manage_threads=True)
    assert await refusal_codes(thread.send("More")) is None
    assert await refusal_codes(message.edit(content="Better")) is None
    assert await refusal_codes(thread.edit(locked=False)) is None
    assert not inn.env.backend.channels[thread.id].thread_metadata.locked  # type: ignore[union-attr]


async def test_writing_opens_an_archived_thread_and_deleting_does_not(inn: SimulatedServer) -> None:
    thread, message = await make_thread(inn)
    inn.archive_thread(thread)
    await message.delete()
    state = inn.env.backend.channels[thread.id].thread_metadata
    assert state is not None
    assert state.archived
    await thread.send("More")
    assert not state.archived


async def test_a_new_session_is_told_of_threads_that_are_not_in_the_archive(inn: SimulatedServer) -> None:
    thread, _ = await make_thread(inn)
    for archived in (False, True):
        if archived:
            inn.archive_thread(thread)
        await inn.restart()
        guild = inn.bot.get_guild(inn.guild.id)
        assert guild is not None
        assert (guild.get_thread(thread.id) is None) == archived


async def test_in_a_locked_thread_a_click_is_answered_to_the_asker_alone(inn: SimulatedServer) -> None:
    match = await inn.seat_and_start(rounds=1)
    inn.lock_thread(inn.thread)
    shown = await inn.press_button("Ada", await inn.find_table(match), "Show my hand")
    assert shown.ephemeral
    asked: list[tuple[int, int] | None] = []

    async def answer(interaction: discord.Interaction) -> None:
        asked.append(await refusal_codes(interaction.response.send_message("To all")))
        asked.append(await refusal_codes(interaction.response.edit_message(content="Changed", view=None)))
        asked.append(await refusal_codes(interaction.response.defer()))
        asked.append(await refusal_codes(interaction.edit_original_response(content="Changed", view=None)))
        asked.append(await refusal_codes(interaction.followup.send("To all")))
        asked.append(await refusal_codes(interaction.followup.send("Psst", ephemeral=True)))

    await inn.bot.remove_cog("ComponentRouter")
    inn.bot.add_listener(answer, "on_interaction")
    await inn.forge_click("Ada", await inn.find_table(match), "x")
    assert asked == [(403, 50083), (403, 50083), None, (403, 50083), (403, 50083), None]


async def test_a_follow_up_that_fills_a_waiting_answer_brings_no_gallery(inn: SimulatedServer) -> None:
    asked: list[tuple[int, int] | None] = []

    def picture() -> discord.File:
        return discord.File(io.BytesIO(b"x"), "a.png")

    view = discord.ui.LayoutView()
    view.add_item(discord.ui.MediaGallery(discord.MediaGalleryItem("attachment://a.png")))

    async def answer(interaction: discord.Interaction) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        asked.append(await refusal_codes(interaction.followup.send(view=view, file=picture(), ephemeral=True)))
        asked.append(await refusal_codes(interaction.edit_original_response(view=view, attachments=[picture()])))
        asked.append(await refusal_codes(interaction.followup.send(view=view, file=picture(), ephemeral=True)))

    await inn.open_lobby()
    await inn.bot.remove_cog("ComponentRouter")
    inn.bot.add_listener(answer, "on_interaction")
    await inn.forge_click("Ada", inn.messages(inn.table)[-1], "x")
    assert asked == [(400, 50035), None, None]


async def test_the_bot_is_not_told_of_files_that_a_component_shows(inn: SimulatedServer) -> None:
    view = discord.ui.LayoutView()
    view.add_item(discord.ui.MediaGallery(discord.MediaGalleryItem("attachment://a.png")))
    sent = await channel_at(inn, inn.table.id).send(view=view, file=discord.File(io.BytesIO(b"x"), "a.png"))
    letter = await channel_at(inn, inn.table.id).send("x", file=discord.File(io.BytesIO(b"x"), "b.png"))
    assert sent.attachments == []
    assert [file.filename for file in letter.attachments] == ["b.png"]
    assert [len(message["attachments"]) for message in inn.messages(inn.table)] == [1, 1]


async def test_history_is_empty_without_its_permission(inn: SimulatedServer) -> None:
    await inn.open_lobby()
    assert [message async for message in channel_at(inn, inn.table.id).history()]
    inn.grant_permissions(inn.table, read_message_history=False)
    assert [message async for message in channel_at(inn, inn.table.id).history()] == []
