"""The real `bot.py` and the real command: a match is moved to PostgreSQL in the midst of play, and back to a file."""

from __future__ import annotations

import asyncio
import signal
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

from playground.client import Visitor
from playground.server import Playground
from tests.processes.bot_process import ROOT, BotProcess
from tests.processes.playing import Kept, kept
from tests.processes.test_postgres import Played

EVERY = 4  # moves, after which it is moved
EPHEMERAL = 64  # among a message's flags


class Moved(Played):
    """A match that is wherever the bot is told to look."""

    def stand(self, where: str) -> None:
        """Where it is now."""
        self.address = where

    async def kept(self) -> Kept:
        return await super().kept() if "://" in self.address else kept(Path(self.address), self.match)


async def test_a_match_is_played_on_wherever_it_is_moved(tmp_path: Path, address: str) -> None:
    ways = [str(tmp_path / "motley.db"), address, str(tmp_path / "back.db")]
    async with Playground(paced=False) as playground, Visitor.to(playground.base) as visitor:
        bot = BotProcess(playground, Path(ways[0]))
        await bot.start()
        await visitor.bot_ready()
        table = await Moved.started(visitor, tmp_path, "jest")
        table.stand(ways.pop(0))
        moves = 0
        while await table.move():
            moves += 1
            if moves % EVERY == 0 and ways:
                before = _posted(visitor)
                await _move(bot, ways[0])
                table.stand(ways.pop(0))
                await visitor.bot_ready()
                assert await table.move()
                moves += 1
                assert _posted(visitor) == before  # nothing is posted anew
        assert (await table.kept()).status == "over"
        await bot.kill(signal.SIGTERM)
    assert moves > 2 * EVERY
    assert not any("Traceback" in line or address in line for line in bot.said), bot.said


def _posted(visitor: Visitor) -> set[str]:
    """Every message that is not for somebody's eyes alone."""
    there = (each for channel in visitor.messages.values() for each in channel.values())
    return {each["id"] for each in there if not each.get("flags", 0) & EPHEMERAL}


async def _move(bot: BotProcess, where: str) -> None:
    """As the docs say: stop the bot, move, name the other place, start the bot."""
    await bot.kill(signal.SIGTERM)
    command = [sys.executable, "-m", "motley", "--database", bot.environment["MOTLEY_DATABASE"], "move", "--to", where]
    moving = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=PIPE, stderr=PIPE)
    said, complaint = await moving.communicate()
    assert moving.returncode == 0, complaint.decode()
    assert b"Matches that go on: 1, of which 1 replay to where they stand." in said
    bot.environment["MOTLEY_DATABASE"] = where
    await bot.start()
