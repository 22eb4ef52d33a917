"""The real `bot.py` and the real command: a match is moved to PostgreSQL in the midst of play, and back to a file."""

from __future__ import annotations

import asyncio
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from engines import GAMES
from playground.page.client import PlaygroundClient
from playground.server import Playground
from tests.processes.bot_process import ROOT, BotProcess
from tests.processes.playing import NAMES, StoredMatch, load_match
from tests.processes.test_postgres import PostgresMatch

EVERY = 4  # moves, after which it is moved
UP = 60.0  # seconds for another process to be there on a busy machine
EPHEMERAL = 64  # among a message's flags


class MovableMatch(PostgresMatch):
    """A match that is wherever the bot is told to look."""

    def move_to(self, where: str) -> None:
        """Where it is now."""
        self.address = where

    async def wait_dealt(self) -> None:
        """Wait until everybody has a hand before them, once: the first is sent anew, so that it is noticed."""
        seats = GAMES[self.game].seats[0]
        for name in NAMES[:seats]:
            player, move = self.client.player(name), f"m:{self.match}:"
            await player.wait_message("dm", lambda message, move=move: move in str(message.buttons))  # type: ignore[misc]
        await self.client.wait_until(
            lambda: len(_posted_messages(self.client)) == seats + len(("lobby", "table")), "once each", UP
        )

    async def load_match(self) -> StoredMatch:
        return await super().load_match() if "://" in self.address else load_match(Path(self.address), self.match)


@asynccontextmanager
async def stopping(*bots: BotProcess) -> AsyncIterator[None]:
    """They end with the test, however that ends."""
    try:
        yield
    finally:
        for bot in bots:
            if bot.is_running:
                await bot.kill()


async def test_a_match_is_played_on_wherever_it_is_moved(tmp_path: Path, address: str) -> None:
    ways = [str(tmp_path / "motley.db"), address, str(tmp_path / "back.db")]
    async with AsyncExitStack() as stack:
        playground = await stack.enter_async_context(Playground(rate_limited=False))
        visitor = await stack.enter_async_context(PlaygroundClient.connect(playground.base_url))
        bot = BotProcess(playground, Path(ways[0]))
        await stack.enter_async_context(stopping(bot))
        await bot.start()
        await visitor.wait_bot_ready()
        table = await MovableMatch.start_match(visitor, tmp_path, "jest")
        await table.wait_dealt()
        table.move_to(ways.pop(0))
        moves = 0
        while await table.make_move():
            moves += 1
            if moves % EVERY == 0 and ways:
                before = _posted_messages(visitor)
                await _move_store(bot, ways[0])
                table.move_to(ways.pop(0))
                await visitor.wait_bot_ready()
                assert await table.make_move()
                moves += 1
                assert _posted_messages(visitor) == before  # nothing is posted anew
        assert (await table.load_match()).status == "over"
        await bot.kill(signal.SIGTERM)
    assert moves > 2 * EVERY
    assert not any("Traceback" in line or address in line for line in bot.said), bot.said


@pytest.mark.timeout(600)
async def test_a_bot_on_a_file_becomes_three_processes_of_which_any_may_die(tmp_path: Path, address: str) -> None:
    """As the docs lead a new owner there, whose bot is in one server: one process looks after it, two stand by."""
    file = tmp_path / "motley.db"
    async with AsyncExitStack() as stack:
        playground = await stack.enter_async_context(Playground(rate_limited=False))
        visitor = await stack.enter_async_context(PlaygroundClient.connect(playground.base_url))
        bots = [BotProcess(playground, file) for _ in range(3)]
        await stack.enter_async_context(stopping(*bots))
        await bots[0].start()
        await visitor.wait_bot_ready()
        table = await MovableMatch.start_match(visitor, tmp_path, "jest")
        await table.wait_dealt()
        table.move_to(str(file))
        made = await _play_some(table)
        await bots[0].kill(signal.SIGTERM)
        for bot in bots:
            bot.environment |= {"MOTLEY_DATABASE": address, "MOTLEY_SHARDS": "auto"}
        await _move_by_command(bots[0], "--from", str(file))
        table.move_to(address)
        posted = _posted_messages(visitor)
        await asyncio.gather(*(bot.start() for bot in bots))
        await visitor.wait_bot_ready(UP)
        for bot in bots:
            made += await _play_some(table)
            await bot.kill(signal.SIGKILL)
            await asyncio.sleep(0.2)  # until Discord has seen it, too
            await visitor.wait_bot_ready(UP)  # another one has the session by then
            made += await _play_some(table)
            await bot.start()
        assert posted == _posted_messages(visitor)  # whoever follows goes on with what is there; the result is posted
        while await table.make_move():
            made += 1
        await visitor.wait_until(lambda: posted != _posted_messages(visitor), "the result", UP)
        assert (await table.load_match()).status == "over"
        for bot in bots:
            await bot.kill(signal.SIGTERM)
    assert made > 4 * EVERY
    assert not any("Traceback" in line or address in line for bot in bots for line in bot.said), [b.said for b in bots]


async def _play_some(table: MovableMatch) -> int:
    """Make some moves; how many there were to be made."""
    return sum([await table.make_move() for _ in range(EVERY // 2)])


def _posted_messages(visitor: PlaygroundClient) -> set[str]:
    """Every message that is not for somebody's eyes alone."""
    there = (each for channel in visitor.messages.values() for each in channel.values())
    return {each["id"] for each in there if not each.get("flags", 0) & EPHEMERAL}


async def _move_store(bot: BotProcess, where: str) -> None:
    """As the docs say: stop the bot, move, name the other place, start the bot."""
    await bot.kill(signal.SIGTERM)
    await _move_by_command(bot, "--to", where)
    bot.environment["MOTLEY_DATABASE"] = where
    await bot.start()


async def _move_by_command(bot: BotProcess, which: str, where: str) -> None:
    """What the settings do not name is named to the command."""
    command = [sys.executable, "-m", "motley", "move", which, where]
    moving = await asyncio.create_subprocess_exec(*command, cwd=ROOT, env=bot.environment, stdout=PIPE, stderr=PIPE)
    said, complaint = await moving.communicate()
    assert moving.returncode == 0, complaint.decode()
    assert b"Live matches: 1. Replayed without damage: 1." in said
