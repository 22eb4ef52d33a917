"""The stand-in for Discord that these tests share: what fails them, and when an operation is over."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import discord
import pytest

from playground.page.player_actions import ActRefused
from playground.simulation.interactions import RESPONSE_SECONDS
from tests.end_to_end.simulated_server import SimulatedServer, start_world
from tests.virtual_time import SHORT_SECONDS


async def post_too_much(server: SimulatedServer) -> None:
    channel = server.bot.get_partial_messageable(server.table.id)
    with pytest.raises(discord.HTTPException):
        await channel.send("x" * 2001)


async def fail_in_a_listener(server: SimulatedServer) -> None:
    async def fail() -> None:
        raise ValueError("a listener")

    server.bot.add_listener(fail, "on_weather")
    await server.dispatch_event("weather")


async def fail_in_a_task(server: SimulatedServer) -> None:
    async def fail() -> None:
        raise ValueError("a task")

    server.kept = asyncio.create_task(fail())  # type: ignore[attr-defined]
    await server.env.settle()


async def call_everybody(server: SimulatedServer) -> None:
    channel = server.bot.get_partial_messageable(server.table.id)
    await channel.send("Hello", allowed_mentions=discord.AllowedMentions.all())


@pytest.mark.mishap
@pytest.mark.parametrize(
    ("act", "error", "complaint"),
    [
        (post_too_much, AssertionError, "Must be between"),
        (fail_in_a_listener, ExceptionGroup, "1 errors"),
        (fail_in_a_task, ExceptionGroup, "1 errors"),
        (call_everybody, AssertionError, "may notify"),
    ],
)
async def test_what_goes_wrong_unseen_fails_the_test_at_its_end(
    tmp_path: Path,
    painter: None,
    act: Callable[[SimulatedServer], Awaitable[None]],
    error: type[Exception],
    complaint: str,
) -> None:
    with pytest.raises(error, match=complaint):
        async with start_world(tmp_path / "motley.db", ("Ada",)) as server:
            await act(server)


async def test_a_click_on_a_private_message_of_somebody_else_is_refused(server: SimulatedServer) -> None:
    match = await server.seat_and_start()
    await server.show_hand("Ada", match)
    with pytest.raises(ActRefused, match="Unknown Message"):
        await server.forge_click("Bela", server.newest_private("Ada"), f"t:{match}:hand")


async def test_a_slow_machine_does_not_move_the_clock(server: SimulatedServer) -> None:
    match, play = await server.seat_and_start(), server.bot.matches.moves.play_move
    rung: list[str] = []

    async def play_slowly(*args: Any, **rest: Any) -> Any:
        asyncio.get_running_loop().call_later(SHORT_SECONDS * 1.5, rung.append, "rung")
        await asyncio.to_thread(time.sleep, SHORT_SECONDS)
        return await play(*args, **rest)

    server.patch(server.bot.matches.moves, "play_move", play_slowly)
    start = server.env.time.seconds
    await server.make_move(match)
    assert rung == []
    assert server.env.time.seconds - start <= SHORT_SECONDS
    await server.env.advance_time(SHORT_SECONDS * 2)
    assert rung == ["rung"]


async def test_discord_waits_three_seconds_for_an_answer(server: SimulatedServer) -> None:
    silent = server.bot._connection.parsers | {"INTERACTION_CREATE": lambda event: None}
    server.patch(server.bot._connection, "parsers", silent)
    answer = await server["Ada"].slash(server.table, "motley help")
    await server.env.advance_time(RESPONSE_SECONDS - 1)
    assert answer.interaction.status == "pending"
    await server.env.advance_time(1)
    assert answer.interaction.status == "failed"
