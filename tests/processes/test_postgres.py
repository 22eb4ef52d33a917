"""The real `bot.py` on a real PostgreSQL: a match is played through a crash of either, and goes on."""

from __future__ import annotations

import signal
from pathlib import Path

import asyncpg

from playground.page.client import PlaygroundClient
from playground.server import Playground
from tests.cluster import Server
from tests.processes.bot_process import BotProcess
from tests.processes.playing import PlayedTable, StoredMatch
from tests.processes.test_bot import run_bot

EVERY = 4  # moves, after which something is killed


class PostgresMatch(PlayedTable):
    """A match whose moves are read from PostgreSQL."""

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


async def test_a_match_is_played_to_its_end_though_the_bot_and_the_server_crash(tmp_path: Path, own: Server) -> None:
    address = own.address()
    async with Playground(rate_limited=False) as playground, PlaygroundClient.connect(playground.base_url) as visitor:
        bot = BotProcess(playground, tmp_path / "unused.db")
        bot.environment["MOTLEY_DATABASE"] = address
        await bot.start()
        await visitor.wait_bot_ready()
        table = await PostgresMatch.start_match(visitor, tmp_path, "jest")
        table.address = address
        moves = 0
        while await table.make_move():
            moves += 1
            if moves == EVERY:
                own.stop()
                own.start()
            if moves == 2 * EVERY:
                await bot.kill(signal.SIGKILL)
                await bot.start()
                await visitor.wait_bot_ready()
        made = await _count_moves(address)
        await bot.kill(signal.SIGTERM)
    assert (await _match_status(address), made) == ("over", moves)
    assert moves > 2 * EVERY
    assert not any("Traceback" in line or address in line for line in bot.said), bot.said
    assert not bot.database.exists()


async def _count_moves(address: str) -> int:
    raw = await asyncpg.connect(address)
    try:
        return int(await raw.fetchval("SELECT COUNT(*) FROM moves"))
    finally:
        await raw.close()


async def _match_status(address: str) -> str:
    raw = await asyncpg.connect(address)
    try:
        return str(await raw.fetchval("SELECT status FROM matches"))
    finally:
        await raw.close()


def test_what_cannot_be_reached_is_told_in_a_sentence_without_the_address(tmp_path: Path) -> None:
    ended = run_bot(
        tmp_path, DISCORD_TOKEN="x", MOTLEY_DATABASE=f"postgresql://motley:hush-hush@/motley?host={tmp_path}"
    )
    assert ended.returncode == 1
    assert "PostgreSQL cannot be reached (the socket does not exist)" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert "hush-hush" not in ended.stderr + ended.stdout


def test_backups_by_a_plan_are_refused_with_what_to_do_instead(tmp_path: Path) -> None:
    ended = run_bot(
        tmp_path, DISCORD_TOKEN="x", MOTLEY_DATABASE="postgresql://motley:hush-hush@/motley", MOTLEY_BACKUPS="backups"
    )
    assert ended.returncode == 1
    assert "pg_dump" in ended.stderr
    assert "hush-hush" not in ended.stderr
