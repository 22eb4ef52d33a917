"""What simcord was taught of Discord, and when its operations end, tried by hand: the tests of the bot rely on it."""

from __future__ import annotations

import asyncio
import io
import threading
import time
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import discord

from engines.store.match_store import Status
from playground.world.world import NONCE_SECONDS
from storage.sqlite.file.connection import Connection
from tests.end_to_end.settling import SHORT_SECONDS, RestWatcher, event_driven_settling
from tests.end_to_end.simulated_server import SimulatedServer


def channel_at(server: SimulatedServer, channel: int) -> discord.PartialMessageable:
    return server.bot.get_partial_messageable(channel, guild_id=server.guild.id)


async def test_a_nonce_sends_once_whatever_the_channel_and_not_again_what_was_deleted(server: SimulatedServer) -> None:
    here, other = channel_at(server, server.table.id), server.guild.create_text_channel("other")
    there = channel_at(server, other.id)
    first = await here.send("Your turn", nonce="n")
    await first.edit(content="Your turn is over", allowed_mentions=discord.AllowedMentions.none())
    again = await there.send("Your turn", nonce="n")
    assert (again.id, again.content) == (first.id, "Your turn is over")
    assert server.messages(other) == []
    await first.delete()
    assert await refusal_codes(here.send("Your turn", nonce="n")) == (404, 10008)
    await server.env.advance_time(NONCE_SECONDS + 1)
    assert (await there.send("Your turn", nonce="n")).id != first.id


async def make_thread(server: SimulatedServer) -> tuple[discord.Thread, discord.Message]:
    channel = server.bot.get_channel(server.table.id)
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


async def test_a_locked_thread_refuses_writing_editing_and_opening(server: SimulatedServer) -> None:
    thread, message = await make_thread(server)
    server.lock_thread(thread)
    assert await refusal_codes(thread.send("More")) == (403, 50083)
    assert await refusal_codes(message.edit(content="Better")) == (403, 50083)
    assert await refusal_codes(thread.edit(name="New")) == (403, 50013)
    server.archive_thread(thread)
    assert await refusal_codes(message.delete()) == (403, 50083)
    assert await refusal_codes(thread.edit(archived=False)) == (403, 50013)
    server.lock_thread(thread, locked=False)
    assert await refusal_codes(message.edit(content="Better")) == (400, 50083)
    assert await refusal_codes(thread.edit(archived=False)) is None
    server.lock_thread(thread)
    assert await refusal_codes(message.delete()) is None


async def test_a_locked_thread_is_open_to_somebody_who_manages_threads(server: SimulatedServer) -> None:
    thread, message = await make_thread(server)
    server.lock_thread(thread)
    server.grant_permissions(server.table, manage_threads=True)
    assert await refusal_codes(thread.send("More")) is None
    assert await refusal_codes(message.edit(content="Better")) is None
    assert await refusal_codes(thread.edit(locked=False)) is None
    assert not server.env.backend.channels[thread.id].thread_metadata.locked  # type: ignore[union-attr]


async def test_writing_opens_an_archived_thread_and_deleting_does_not(server: SimulatedServer) -> None:
    thread, message = await make_thread(server)
    server.archive_thread(thread)
    await message.delete()
    state = server.env.backend.channels[thread.id].thread_metadata
    assert state is not None
    assert state.archived
    await thread.send("More")
    assert not state.archived


async def test_in_a_locked_thread_a_click_is_answered_to_the_asker_alone(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=1)
    server.lock_thread(server.thread)
    shown = await server.press_button("Ada", await server.find_table(match), "Show my hand")
    assert shown.ephemeral
    asked: list[tuple[int, int] | None] = []

    async def answer(interaction: discord.Interaction) -> None:
        asked.append(await refusal_codes(interaction.response.send_message("To all")))
        asked.append(await refusal_codes(interaction.response.edit_message(content="Changed", view=None)))
        asked.append(await refusal_codes(interaction.response.defer()))
        asked.append(await refusal_codes(interaction.edit_original_response(content="Changed", view=None)))
        asked.append(await refusal_codes(interaction.followup.send("To all")))
        asked.append(await refusal_codes(interaction.followup.send("Psst", ephemeral=True)))

    await server.bot.remove_cog("ComponentRouter")
    server.bot.add_listener(answer, "on_interaction")
    await server.forge_click("Ada", await server.find_table(match), "x")
    assert asked == [(403, 50083), (403, 50083), None, (403, 50083), (403, 50083), None]


async def test_a_follow_up_that_fills_a_waiting_answer_brings_no_gallery(server: SimulatedServer) -> None:
    asked: list[tuple[int, int] | None] = []

    def picture() -> discord.File:
        return discord.File(io.BytesIO(b"x"), "a.png")

    gallery = discord.ui.MediaGallery[discord.ui.LayoutView](discord.MediaGalleryItem("attachment://a.png"))
    view = discord.ui.LayoutView().add_item(gallery)

    async def answer(interaction: discord.Interaction) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        asked.append(await refusal_codes(interaction.followup.send(view=view, file=picture(), ephemeral=True)))
        asked.append(await refusal_codes(interaction.edit_original_response(view=view, attachments=[picture()])))
        asked.append(await refusal_codes(interaction.followup.send(view=view, file=picture(), ephemeral=True)))

    await server.open_lobby()
    await server.bot.remove_cog("ComponentRouter")
    server.bot.add_listener(answer, "on_interaction")
    await server.forge_click("Ada", server.messages(server.table)[-1], "x")
    assert asked == [(400, 50035), None, None]


async def test_the_bot_is_not_told_of_files_that_a_component_shows(server: SimulatedServer) -> None:
    gallery = discord.ui.MediaGallery[discord.ui.LayoutView](discord.MediaGalleryItem("attachment://a.png"))
    view = discord.ui.LayoutView().add_item(gallery)
    sent = await channel_at(server, server.table.id).send(view=view, file=discord.File(io.BytesIO(b"x"), "a.png"))
    letter = await channel_at(server, server.table.id).send("x", file=discord.File(io.BytesIO(b"x"), "b.png"))
    assert sent.attachments == []
    assert [file.filename for file in letter.attachments] == ["b.png"]
    assert [len(message["attachments"]) for message in server.messages(server.table)] == [1, 1]


async def test_history_is_empty_without_its_permission(server: SimulatedServer) -> None:
    await server.open_lobby()
    assert [message async for message in channel_at(server, server.table.id).history()]
    server.grant_permissions(server.table, read_message_history=False)
    assert [message async for message in channel_at(server, server.table.id).history()] == []


AN_HOUR = 3600.0
A_LONG_NAP = 0.5


async def test_a_nap_ends_when_the_loop_has_come_to_rest() -> None:
    turns: list[int] = []

    async def busy() -> None:
        for turn in range(50):
            await asyncio.sleep(0)
            turns.append(turn)

    async with event_driven_settling() as rest, asyncio.timeout(60), asyncio.TaskGroup() as working:
        working.create_task(busy())
        await rest.nap_until_rest(AN_HOUR)
        assert len(turns) == 50


async def test_a_nap_lasts_while_the_database_owes_an_answer(tmp_path: Path) -> None:
    begun, may = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def work(_: object) -> str:
        loop.call_soon_threadsafe(begun.set)
        assert may.wait(60)
        return "done"

    opening = Connection.open(tmp_path / "a.db", lock_timeout=1)
    async with event_driven_settling() as rest, asyncio.timeout(60), opening as connection:
        reading = asyncio.create_task(connection.run(work))
        await begun.wait()
        napping = asyncio.create_task(rest.nap_until_rest(AN_HOUR))
        await asyncio.sleep(0.01)  # the loop has nothing to do
        assert not napping.done()
        may.set()
        await napping
        assert reading.result() == "done"


async def test_a_slow_machine_does_not_move_the_clock(server: SimulatedServer) -> None:
    match, play = await server.seat_and_start(), server.bot.matches.moves.play_move
    rung: list[str] = []

    async def play_slowly(*args: Any, **rest: Any) -> Any:
        asyncio.get_running_loop().call_later(SHORT_SECONDS * 1.5, rung.append, "rung")
        await asyncio.to_thread(time.sleep, SHORT_SECONDS * 2)
        return await play(*args, **rest)

    server.patch(server.bot.matches.moves, "play_move", play_slowly)
    begun = server.env.now()
    await server.make_move(match)
    assert rung == []
    assert (server.env.now() - begun).total_seconds() <= SHORT_SECONDS
    await server.env.advance_time(SHORT_SECONDS * 2)
    assert rung == ["rung"]


async def test_a_busy_machine_may_take_longer_than_simcord_would_wait(server: SimulatedServer) -> None:
    with server.env._bot_scope():
        working = asyncio.create_task(asyncio.to_thread(time.sleep, 0.3))
    await server.env.settle(timeout=0.01)
    assert working.done()


async def test_hardly_any_nap_has_to_end_by_itself(server: SimulatedServer) -> None:
    nap, by_itself = RestWatcher.nap_until_rest, list[bool]()

    async def timed(rest: RestWatcher, longest: float) -> None:
        begun = time.monotonic()
        await nap(rest, A_LONG_NAP)
        by_itself.append(time.monotonic() - begun >= A_LONG_NAP)

    server.patch(RestWatcher, "nap_until_rest", timed)
    match = await server.seat_and_start()
    await server.restart()
    await server.play_out(match)
    assert await server.status(match) is Status.OVER
    assert sum(by_itself) < len(by_itself) / 4
