"""The unmodified bot as a process of its own, on the playground, to be killed at will."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, NamedTuple

from playground.page.client import PlaygroundClient
from playground.server import Playground

ROOT = Path(__file__).resolve().parents[2]
LONGEST_LINE = 2**20  # bytes of its log
TAIL_LINES = 30  # of its last lines that are told if it has failed


class MoveRow(NamedTuple):
    number: int
    seat: int
    decision: int
    notation: str


class BotProcess:
    def __init__(self, playground: Playground, database: Path) -> None:
        self.playground, self.database = playground, database
        self.environment = {
            **os.environ,
            "DISCORD_TOKEN": playground.simulation.token,
            "MOTLEY_API": playground.api_url,
            "MOTLEY_DATABASE": str(database),
            "MOTLEY_POSTS_PER_PERSON": "1000",  # they begin a new match every few seconds
            "PYTHONWARNINGS": "default",
            "PYTHONFAULTHANDLER": "1",  # what brings the interpreter itself down is told, too
        }
        self.program = [str(ROOT / "bot.py")]
        self.has_own_group = False  # else the system wakes a stopped bot if the shell that started the tests ends
        self._process: Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self.log_lines: list[str] = []

    async def start(self) -> None:
        """Start it; its log lines gather in `log_lines`."""
        command, folder = [sys.executable, *self.program], self.database.parent
        self._process = await asyncio.create_subprocess_exec(
            *command,
            cwd=folder,
            env=self.environment,
            stderr=PIPE,
            stdout=PIPE,
            limit=LONGEST_LINE,
            process_group=0 if self.has_own_group else None,
        )
        self._reader = asyncio.create_task(self._read_log(self._process), name="read the bot's log")

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    def state_text(self) -> str:
        status = None if self._process is None else self._process.returncode
        state = "runs" if self.is_running else "never ran" if status is None else f"has ended with {_exit_text(status)}"
        return "\n".join((f"It {state}, and said last:", *(self.log_lines[-TAIL_LINES:] or ["nothing"])))

    async def kill(self, sign: signal.Signals = signal.SIGKILL) -> int:
        """End it by a signal, and wait for that; its exit status."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.send_signal(sign)
        return await self.wait_ended()

    async def wait_ended(self) -> int:
        """Wait until it has ended by itself; its exit status."""
        assert self._process is not None
        status = await self._process.wait()
        if self._reader is not None:
            await self._reader
        return status

    async def end(self) -> None:
        """End it, however it stands."""
        if self.is_running:
            os.kill(self.pid, signal.SIGCONT)
            await self.kill()

    async def _read_log(self, process: Process) -> None:
        assert process.stderr is not None
        async for line in process.stderr:
            self.log_lines.append(line.decode(errors="replace").rstrip())

    def load_moves(self) -> list[MoveRow]:
        sql = "SELECT number, seat, decision, notation FROM moves ORDER BY match, number"
        return [MoveRow(*row) for row in query_file(self.database, sql)]


@asynccontextmanager
async def visited_playground(**parameters: Any) -> AsyncIterator[tuple[Playground, PlaygroundClient]]:
    """A playground, without limits unless that is said, and somebody there."""
    served = Playground(**{"rate_limited": False, **parameters})
    async with served as playground, PlaygroundClient.connect(playground.base_url) as visitor:
        yield playground, visitor


@asynccontextmanager
async def running_bot(database: Path, **environment: str) -> AsyncIterator[tuple[BotProcess, PlaygroundClient]]:
    """The bot on a playground of its own, and somebody there; it is killed at the end."""
    async with visited_playground() as (playground, visitor):
        bot = BotProcess(playground, database)
        bot.environment |= environment
        await bot.start()
        try:
            await visitor.wait_bot_ready()
            yield bot, visitor
        finally:
            await bot.end()


def query_file(database: Path, sql: str, *values: Any) -> list[Any]:
    """What a database says, read from the file itself."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as raw:
        return raw.execute(sql, values).fetchall()


def wrong_lines(log_lines: Sequence[str]) -> list[str]:
    """Errors of ours, damaged records, and whatever Python complains of, each with the lines that follow."""
    wrong = ("cogs.table.transport.error_reports", "is set aside", "Traceback", "never retrieved")
    found = [number for number, line in enumerate(log_lines) if any(mark in line for mark in wrong)]
    return [line for number in found for line in log_lines[number : number + TAIL_LINES]]


def _exit_text(status: int) -> str:
    """An exit status; that of a process that was ended by a signal with its name."""
    return f"{status} ({signal.Signals(-status).name})" if status < 0 else str(status)
