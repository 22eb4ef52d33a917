"""The bot as a process that is started again and again, each time to die in a way of its own."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
import time
from asyncio.subprocess import PIPE, Process
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playground.server import Playground
from tests.processes.bot_process import ROOT
from tests.processes.killable import COUNT_SIGNAL, COUNTED_TEXT, RunOrder, Step

CLOCK_SPEED = 30  # the bot's clock: a minute is two seconds


@dataclass
class ForkedBots:
    """A bot that is started again and again, each time to die in a way of its own."""

    database: Path
    environment: dict[str, str]
    began: float = field(default_factory=time.time)
    said: list[str] = field(default_factory=list)
    pid: int = 0
    _process: Process | None = None
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)
    _ended_event: asyncio.Event = field(default_factory=asyncio.Event)
    _counting_event: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    def create(cls, playground: Playground, folder: Path) -> ForkedBots:
        """On that playground, with its database in that folder."""
        path = folder / "motley.db"
        token, api = playground.simulation.token, playground.api_url
        return cls(path, {"DISCORD_TOKEN": token, "MOTLEY_API": api, "MOTLEY_DATABASE": str(path)})

    def now(self) -> int:
        """The bot's clock."""
        return RunOrder({}, since=self.began, speed=CLOCK_SPEED).now()

    @property
    def is_dead(self) -> bool:
        """Whether it runs no longer."""
        return self._ended_event.is_set()

    async def start_bot(self, step: Step = "", times: int = 1, moves: bool = False, told: bool = False) -> None:
        """Start one, to die at that step, or when it is killed; `told`: counted from `count` on."""
        if self._process is None:
            await self._open_forker()
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._ended_event.clear()
        order = RunOrder(self.environment, step, times, moves, told, self.began, CLOCK_SPEED)
        self._process.stdin.write(order.to_line().encode())
        self.pid = int(await self._process.stdout.readline())
        self._tasks.append(asyncio.create_task(self._wait_for_end(self._process), name="the bot's end"))

    async def start_counting(self) -> None:
        """From now on its steps count."""
        self._counting_event.clear()
        os.kill(self.pid, COUNT_SIGNAL)
        await asyncio.wait_for(self._counting_event.wait(), 10)

    async def kill_bot(self) -> None:
        """`kill -9`, and wait for its end."""
        if self.pid and not self.is_dead:
            with suppress(ProcessLookupError):  # it has died just now
                os.kill(self.pid, signal.SIGKILL)
            await self._ended_event.wait()

    async def close(self) -> None:
        """End it, and what has started it."""
        await self.kill_bot()
        if self._process is not None:
            self._process.kill()
            await self._process.wait()
        await asyncio.gather(*self._tasks)

    async def dies_within(self, seconds: float) -> bool:
        """Whether it dies within that time."""
        try:
            await asyncio.wait_for(self._ended_event.wait(), seconds)
        except TimeoutError:
            return False
        return True

    async def _open_forker(self) -> None:
        command = [sys.executable, "-m", "tests.processes.killable"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "default"}
        folder = self.database.parent
        self._process = await asyncio.create_subprocess_exec(
            *command, cwd=folder, env=environment, stdin=PIPE, stdout=PIPE, stderr=PIPE
        )
        self._tasks.append(asyncio.create_task(self._read_log(self._process), name="read the bot's log"))

    async def _read_log(self, process: Process) -> None:
        assert process.stderr is not None
        async for line in process.stderr:
            self.said.append(line.decode(errors="replace").rstrip())
            if self.said[-1] == COUNTED_TEXT:
                self._counting_event.set()

    async def _wait_for_end(self, process: Process) -> None:
        assert process.stdout is not None
        await process.stdout.readline()
        self._ended_event.set()

    def query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """What the file says, from the file itself."""
        if not self.database.exists():
            return []
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as raw:
            return raw.execute(sql, values).fetchall()
