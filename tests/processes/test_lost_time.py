"""A bot that was stopped for minutes, and one with a wrong clock: nobody loses a turn, and nothing is erased.

MOTLEY_FREEZE says for how many seconds it is stopped.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from playground.page.client import PlaygroundClient
from playground.server import Playground
from tests.processes.bot_process import BotProcess, query_file, running_bot, wrong_lines
from tests.processes.tables import SEATED_NAMES, GameTables

FREEZE_SECONDS = float(os.environ.get("MOTLEY_FREEZE", "75"))  # longer than a brief absence
SETTLE_SECONDS = 12  # seconds in which a bot that acts too soon would have acted
BEAT_SECONDS = 5  # seconds after which it has noted at least once that it runs
LOBBY_SECONDS = 60  # seconds until the lobby expires: enough for a start
DAY = 86_400
WRONG_SECONDS = 400 * DAY
BY_ITSELF_SQL = "SELECT match, seat, level FROM moves WHERE user = 0 OR level <> ''"
DUE_SQL = "SELECT match, kind, at FROM due WHERE kind IN ('clock', 'expiry') AND at IS NOT NULL"
STATUS_SQL = "SELECT match, status FROM matches ORDER BY match"


async def open_tables(playground: Playground, visitor: PlaygroundClient, clock: str) -> GameTables:
    """Open a table of each game with that clock, and make some moves at each."""
    tables = GameTables(playground, visitor, random.Random(7))
    for game, (host, *others) in SEATED_NAMES.items():
        outcome = await visitor.player(host).run_command(f"{game} new", "games", clock=clock, autoplay="false")
        for name in others:
            await visitor.player(name).click(outcome.reply, "Join")
        await visitor.player(host).click(outcome.reply, "Start")
        tables.matches[outcome.reply.buttons[0].custom_id.split(":")[1]] = (host, *others)
    await tables.play_tables(2)
    return tables


async def open_lobby(visitor: PlaygroundClient) -> str:
    outcome = await visitor.player("Greta").run_command("jest new", "games")
    return outcome.reply.buttons[0].custom_id.split(":")[1]


def let_lobby_expire(database: Path, lobby: str, at: int) -> None:
    """Have a lobby expire at that second. No bot runs."""
    created = at - DAY
    with closing(sqlite3.connect(database)) as raw, raw:
        raw.execute("UPDATE matches SET created = ?, revision = revision + 1 WHERE match = ?", (created, lobby))
        raw.execute("UPDATE due SET since = ?, at = ? WHERE match = ?", (created, created + DAY, lobby))


def date_wrongly(database: Path) -> None:
    """Date everything that goes on as a bot does that does not know that its clock is wrong. No bot runs."""
    with closing(sqlite3.connect(database)) as raw, raw:
        going = "match IN (SELECT match FROM matches WHERE status IN ('lobby', 'running'))"
        raw.execute(f"UPDATE due SET since = since + ?1, at = at + ?1 WHERE {going}", (WRONG_SECONDS,))
        moved = "created = created + ?1, changed = changed + ?1, revision = revision + 1"
        raw.execute(f"UPDATE matches SET {moved} WHERE {going}", (WRONG_SECONDS,))


def is_stopped(pid: int) -> bool:
    """Whether a process is stopped by a signal."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return state.startswith("T")


async def restart(
    bot: BotProcess, visitor: PlaygroundClient, meanwhile: Callable[[Path], None] = lambda database: None
) -> None:
    await asyncio.sleep(2)  # for the last replies
    await bot.kill(signal.SIGTERM)
    await visitor.wait_until(lambda: visitor.bot_status == "offline", "its end", 90)
    meanwhile(bot.database)
    await bot.start()
    await visitor.wait_until(lambda: visitor.bot_status == "online", "the bot", 90)


@pytest.mark.timeout(FREEZE_SECONDS + 300)
async def test_nobody_loses_a_turn_while_the_bot_is_stopped(tmp_path: Path) -> None:
    async with running_bot(tmp_path / "motley.db") as (bot, visitor):
        lobby = await open_lobby(visitor)
        tables = await open_tables(bot.playground, visitor, "30 seconds")
        assert len(tables.matches) == 5
        await asyncio.sleep(2)  # for the last replies
        await bot.kill(signal.SIGTERM)
        expires = int(time.time()) + LOBBY_SECONDS
        let_lobby_expire(bot.database, lobby, expires)
        bot.has_own_group = True
        await bot.start()
        await visitor.wait_until(
            lambda: sum("matches checked" in line for line in bot.log_lines) == 2, "its second start", 90
        )
        await asyncio.sleep(BEAT_SECONDS)
        os.kill(bot.pid, signal.SIGSTOP)
        assert time.time() < expires, "the machine is too busy for this test"
        late = query_file(bot.database, BY_ITSELF_SQL)  # before the stop, because the machine was busy
        going = {match for match, _, _ in query_file(bot.database, DUE_SQL)}
        assert len(going) > 1, "the machine is too busy for this test"
        assert lobby in going
        await asyncio.sleep(max(FREEZE_SECONDS, expires + 2 - time.time()))
        assert is_stopped(bot.pid), "somebody else woke the bot"
        os.kill(bot.pid, signal.SIGCONT)
        woken = time.time()
        await asyncio.sleep(SETTLE_SECONDS)
        assert query_file(bot.database, BY_ITSELF_SQL) == late
        due = {(match, kind): at for match, kind, at in query_file(bot.database, DUE_SQL)}
        assert {match for match, _ in due} == going
        assert all(woken + 10 <= at for at in due.values()), (woken, due)
        assert dict(query_file(bot.database, STATUS_SQL))[lobby] == "lobby"
        moves = len(bot.load_moves())
        await tables.play_tables(2)
        assert len(bot.load_moves()) > moves, "the matches go on"
        absences = [int(found[1]) for line in bot.log_lines if (found := re.search(r"Nothing ran for (\d+) s", line))]
        assert len([each for each in absences if each >= FREEZE_SECONDS - 1]) == 1, absences
        assert not (wrong := wrong_lines(bot.log_lines)), "\n".join(wrong)


@pytest.mark.timeout(300)
async def test_a_bot_with_a_wrong_clock_ends_and_erases_nothing(tmp_path: Path) -> None:
    async with running_bot(tmp_path / "motley.db", MOTLEY_KEEP_DAYS="30") as (bot, visitor):
        tables = await open_tables(bot.playground, visitor, "24 hours")
        lobby, finished = await open_lobby(visitor), await open_lobby(visitor)
        lobby_message = visitor.player("Greta").newest_message(
            "games", lambda message: finished in str(message.buttons)
        )
        assert lobby_message is not None
        menu = await visitor.player("Greta").click(lobby_message, "More")
        await visitor.player("Greta").click(menu.reply, "Leave the match")
        before, due = query_file(bot.database, STATUS_SQL), query_file(bot.database, DUE_SQL)
        assert dict(before)[finished] not in ("lobby", "running")
        right = bot.program
        bot.program = ["-m", "tests.processes.skewed_clock", str(WRONG_SECONDS)]
        bot.environment["PYTHONPATH"] = str(Path(right[0]).parent)
        await restart(bot, visitor)
        await asyncio.sleep(SETTLE_SECONDS)
        assert query_file(bot.database, STATUS_SQL) == before
        assert query_file(bot.database, DUE_SQL) == due
        assert query_file(bot.database, BY_ITSELF_SQL) == []
        assert sum("This machine's clock is 400 days ahead of Discord's" in line for line in bot.log_lines) == 1
        check = await visitor.player("Greta").run_command("motley check", "games")
        assert "clock is 400 days ahead" in check.reply.text
        await tables.play_tables(2)  # people play on, and may finish a match
        await open_lobby(visitor)
        played = dict(query_file(bot.database, STATUS_SQL))
        due_times = [at for _, _, at in query_file(bot.database, DUE_SQL)]
        assert all(at < time.time() + DAY + 60 for at in due_times), "what they begin counts by the right time"
        bot.program = right
        await restart(bot, visitor, date_wrongly)
        await visitor.wait_until(lambda: any("put right" in line for line in bot.log_lines), "the right times", 90)
        await asyncio.sleep(SETTLE_SECONDS)
        now = time.time()
        assert all(now < at <= now + DAY for _, _, at in query_file(bot.database, DUE_SQL))
        assert query_file(bot.database, BY_ITSELF_SQL) == []
        after = dict(query_file(bot.database, STATUS_SQL))
        assert {match: after.get(match) for match in played} == played
        assert sum("put right" in line for line in bot.log_lines) == 1
        moves = len(bot.load_moves())
        await tables.play_tables(2)
        assert len(bot.load_moves()) > moves
        assert not (wrong := wrong_lines(bot.log_lines)), "\n".join(wrong)
        assert lobby in after
