"""The unmodified bot as a process of its own, on the playground, to be killed at will."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
from asyncio.subprocess import PIPE, Process
from dataclasses import dataclass
from pathlib import Path

from playground.server import Playground

ROOT = Path(__file__).resolve().parents[2]
LONGEST_LINE = 2**20  # bytes of its log
TAIL_LINES = 30  # of its last lines that are told where it has failed


@dataclass(frozen=True)
class MoveRow:
    """A move as it stands in the database."""

    number: int
    seat: int
    decision: int
    notation: str


class BotProcess:
    """Starts `bot.py` against a playground, kills it, starts it again."""

    def __init__(self, playground: Playground, database: Path) -> None:
        self.database = database
        self.environment = {
            **os.environ,
            "DISCORD_TOKEN": playground.simulation.token,
            "MOTLEY_API": playground.api_url,
            "MOTLEY_DATABASE": str(database),
            "PYTHONWARNINGS": "default",
            "PYTHONFAULTHANDLER": "1",  # what brings the interpreter itself down is told, too
        }
        self.program = [str(ROOT / "bot.py")]
        self._process: Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self.said: list[str] = []

    async def start(self) -> None:
        """Start it; its log lines gather in `said`."""
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *self.program,
            cwd=self.database.parent,
            env=self.environment,
            stderr=PIPE,
            stdout=PIPE,
            limit=LONGEST_LINE,
        )
        self._reader = asyncio.create_task(self._read_log(self._process), name="read the bot's log")

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process is not None
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether its process is there."""
        return self._process is not None and self._process.returncode is None

    def state_text(self) -> str:
        """How it has ended, or that it runs, and what it said last."""
        status = None if self._process is None else self._process.returncode
        how = "runs" if self.is_running else "never ran" if status is None else f"has ended with {_exit_text(status)}"
        return "\n".join((f"It {how}, and said last:", *(self.said[-TAIL_LINES:] or ["nothing"])))

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

    async def _read_log(self, process: Process) -> None:
        assert process.stderr is not None
        async for line in process.stderr:
            self.said.append(line.decode(errors="replace").rstrip())

    def load_moves(self) -> list[MoveRow]:
        """All moves in the database, in order, read from the file itself."""
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True) as raw:
            rows = raw.execute("SELECT number, seat, decision, notation FROM moves ORDER BY match, number").fetchall()
        raw.close()
        return [MoveRow(*row) for row in rows]

    def match_status(self) -> str:
        """The status of the only match."""
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True) as raw:
            rows = raw.execute("SELECT status FROM matches").fetchall()
        raw.close()
        assert len(rows) == 1
        return str(rows[0][0])


def _exit_text(status: int) -> str:
    """An exit status; that of a process that was ended by a signal with its name."""
    return f"{status} ({signal.Signals(-status).name})" if status < 0 else str(status)
