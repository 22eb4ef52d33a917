"""The real `bot.py` on a real PostgreSQL: played through crashes, moved there from a file, and back."""

from __future__ import annotations

import asyncio
import signal
import sys
from asyncio.subprocess import PIPE
from contextlib import AsyncExitStack
from pathlib import Path

import asyncpg
import pytest

from engines import GAMES
from playground.page.client import PlaygroundClient
from tests.postgres_server import PostgresServer
from tests.processes.bot_process import ROOT, BotProcess, running_bot, visited_playground
from tests.processes.playing import NAMES, PlayedTable, StoredMatch, load_match
from tests.processes.test_bot import run_bot
from tests.processes.test_starting import wait_log_line

EVERY = 4  # moves, after which something is killed


class PostgresMatch(PlayedTable):
    address: str

    async def load_match(self) -> StoredMatch:
        raw = await asyncpg.connect(self.address)
        try:
            sql = "SELECT status, checkpoint FROM matches LEFT JOIN states USING (match) WHERE match = $1"
            row = await raw.fetchrow(sql, self.match)
            assert row is not None
            sql = 'SELECT "user" FROM seats WHERE match = $1 ORDER BY seat'
            return StoredMatch(row[0], [user for (user,) in await raw.fetch(sql, self.match)], row[1])
        finally:
            await raw.close()


async def test_a_match_is_played_to_its_end_though_the_bot_and_the_server_crash(
    tmp_path: Path, own_server: PostgresServer
) -> None:
    address = own_server.address()
    async with running_bot(tmp_path / "unused.db", MOTLEY_DATABASE=address) as (bot, visitor):
        table = await PostgresMatch.start_match(visitor, tmp_path, "jest")
        table.address = address
        moves = 0
        while await table.make_move():
            moves += 1
            if moves == EVERY:
                own_server.stop()
                own_server.start()
            if moves == 2 * EVERY:
                await bot.kill(signal.SIGKILL)
                await bot.start()
                await visitor.wait_bot_ready()
        raw = await asyncpg.connect(address)
        found = await raw.fetchrow("SELECT status, (SELECT COUNT(*) FROM moves) FROM matches")
        await raw.close()
        assert found is not None
        assert tuple(found) == ("over", moves)
        await bot.kill(signal.SIGTERM)
    assert moves > 2 * EVERY
    assert not any("Traceback" in line or address in line for line in bot.log_lines), bot.log_lines
    assert not bot.database.exists()


async def test_a_bot_that_starts_while_postgresql_is_away_waits_for_it(
    tmp_path: Path, own_server: PostgresServer
) -> None:
    own_server.stop()
    async with visited_playground() as (playground, visitor):
        bot = BotProcess(playground, tmp_path / "unused.db")
        bot.environment["MOTLEY_DATABASE"] = own_server.address().replace("motley@", "motley:hush-hush@")
        await bot.start()
        await wait_log_line(bot, "PostgreSQL cannot be reached (the socket does not exist). Check that it is running")
        await wait_log_line(bot, "Retrying in 2 s.")
        assert bot.is_running
        own_server.start()
        await visitor.wait_bot_ready()
        assert await bot.kill(signal.SIGTERM) == 0
    assert not any("Traceback" in line or "ERROR" in line or "hush-hush" in line for line in bot.log_lines), (
        bot.log_lines
    )


async def test_a_bot_that_waits_for_postgresql_ends_when_it_is_told_to(tmp_path: Path) -> None:
    async with visited_playground() as (playground, _):
        bot = BotProcess(playground, tmp_path / "unused.db")
        bot.environment["MOTLEY_DATABASE"] = f"postgresql://motley:hush-hush@/motley?host={tmp_path}"
        await bot.start()
        await wait_log_line(bot, "Retrying in")
        assert await bot.kill(signal.SIGTERM) == 0
    assert not any("Traceback" in line or "hush-hush" in line for line in bot.log_lines), bot.log_lines


def test_a_database_that_is_not_there_is_not_waited_for(tmp_path: Path, postgres: PostgresServer) -> None:
    ended = run_bot(tmp_path, DISCORD_TOKEN="x", MOTLEY_DATABASE=postgres.address("nowhere"))
    assert ended.returncode == 1
    assert "PostgreSQL has no database of that name" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_backups_by_a_plan_are_refused_with_what_to_do_instead(tmp_path: Path) -> None:
    address = "postgresql://motley:hush-hush@/motley"
    ended = run_bot(tmp_path, DISCORD_TOKEN="x", MOTLEY_DATABASE=address, MOTLEY_BACKUPS="backups")
    assert ended.returncode == 2
    assert "pg_dump" in ended.stderr
    assert "hush-hush" not in ended.stderr


UP = 60.0  # seconds for another process to be there on a busy machine
EPHEMERAL = 64  # among a message's flags


class MovableMatch(PostgresMatch):
    async def wait_dealt(self) -> None:
        """Wait until everybody has a hand before them, once: the first is sent again, so that it is noticed."""
        seats = GAMES[self.game].seats[0]
        for name in NAMES[:seats]:
            player, move = self.client.player(name), f"m:{self.match}:"
            await player.wait_message("dm", lambda message, move=move: move in str(message.buttons))  # type: ignore[misc]
        wanted = seats + len(("lobby", "seal", "table", "cuts"))
        await self.client.wait_until(lambda: len(_posted_messages(self.client)) == wanted, "once each", UP)

    async def load_match(self) -> StoredMatch:
        return await super().load_match() if "://" in self.address else load_match(Path(self.address), self.match)


async def test_a_match_is_played_on_in_every_store(tmp_path: Path, address: str) -> None:
    databases = [str(tmp_path / "motley.db"), address, str(tmp_path / "back.db")]
    async with running_bot(Path(databases[0])) as (bot, visitor):
        table = await MovableMatch.start_match(visitor, tmp_path, "jest")
        await table.wait_dealt()
        table.address = databases.pop(0)
        moves = 0
        while await table.make_move():
            moves += 1
            if moves % EVERY == 0 and databases:
                before = _posted_messages(visitor)
                table.address = databases.pop(0)
                await bot.kill(signal.SIGTERM)  # as the docs say: stop the bot, move, name the other place, start it
                await _move_by_command(bot, "--to", table.address)
                bot.environment["MOTLEY_DATABASE"] = table.address
                await bot.start()
                await visitor.wait_bot_ready()
                assert await table.make_move()
                moves += 1
                assert _posted_messages(visitor) == before  # nothing is posted again
        assert (await table.load_match()).status == "over"
        await bot.kill(signal.SIGTERM)
    assert moves > 2 * EVERY
    assert not any("Traceback" in line or address in line for line in bot.log_lines), bot.log_lines


@pytest.mark.timeout(600)
async def test_a_bot_on_a_file_becomes_three_processes_of_which_any_may_die(tmp_path: Path, address: str) -> None:
    """As the docs lead a new owner there, whose bot is in one server: one process looks after it, two stand by."""
    file = tmp_path / "motley.db"
    async with running_bot(file) as (first, visitor), AsyncExitStack() as stack:
        bots = [first, *(BotProcess(first.playground, file) for _ in range(2))]
        for bot in bots:
            stack.push_async_callback(bot.end)
        table = await MovableMatch.start_match(visitor, tmp_path, "jest")
        await table.wait_dealt()
        table.address = str(file)
        move_count = await _play_some(table)
        await bots[0].kill(signal.SIGTERM)
        for bot in bots:
            bot.environment |= {"MOTLEY_DATABASE": address, "MOTLEY_SHARDS": "auto"}
        await _move_by_command(bots[0], "--from", str(file))
        table.address = address
        posted = _posted_messages(visitor)
        await asyncio.gather(*(bot.start() for bot in bots))
        await visitor.wait_bot_ready(UP)
        for bot in bots:
            move_count += await _play_some(table)
            await bot.kill(signal.SIGKILL)
            await asyncio.sleep(0.2)  # until Discord has seen it, too
            await visitor.wait_bot_ready(UP)  # another one has the session by then
            move_count += await _play_some(table)
            await bot.start()
        assert posted == _posted_messages(visitor)  # the next process goes on with what is there; the result is posted
        while await table.make_move():
            move_count += 1
        await visitor.wait_until(lambda: posted != _posted_messages(visitor), "the result", UP)
        assert (await table.load_match()).status == "over"
        for bot in bots:
            await bot.kill(signal.SIGTERM)
    assert move_count > 4 * EVERY
    assert not any("Traceback" in line or address in line for bot in bots for line in bot.log_lines), [
        b.log_lines for b in bots
    ]


async def _play_some(table: MovableMatch) -> int:
    return sum([await table.make_move() for _ in range(EVERY // 2)])


def _posted_messages(visitor: PlaygroundClient) -> set[str]:
    messages = (each for channel in visitor.messages.values() for each in channel.values())
    return {each["id"] for each in messages if not each.get("flags", 0) & EPHEMERAL}


async def _move_by_command(bot: BotProcess, which: str, target: str) -> None:
    """What the settings do not name is named to the command."""
    command = [sys.executable, "-m", "motley", "move", which, target]
    moving = await asyncio.create_subprocess_exec(*command, cwd=ROOT, env=bot.environment, stdout=PIPE, stderr=PIPE)
    output, complaint = await moving.communicate()
    assert moving.returncode == 0, complaint.decode()
    assert b"Live matches: 1. Replayed without damage: 1." in output
