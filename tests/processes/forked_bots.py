"""The bot as a process that is started again and again, each time to die in a way of its own."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playground.server import Playground
from tests.processes.bot_process import ROOT, query_file
from tests.processes.killable_bot import COUNT_SIGNAL, COUNTED_TEXT, RunOrder, Step

CLOCK_SPEED = 30  # the bot's clock: a minute is two seconds


@dataclass
class ForkedBots:
    database: Path
    environment: dict[str, str]
    began: float = field(default_factory=time.time)
    log_lines: list[str] = field(default_factory=list)
    pid: int = 0
    _process: Process | None = None
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)
    _ended_event: asyncio.Event = field(default_factory=asyncio.Event)
    _counting_event: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    def create(cls, playground: Playground, folder: Path) -> ForkedBots:
        path = folder / "motley.db"
        token, api = playground.simulation.token, playground.api_url
        environment = {"DISCORD_TOKEN": token, "MOTLEY_API": api, "MOTLEY_DATABASE": str(path)}
        bots = cls(path, environment | {"MOTLEY_POSTS_PER_PERSON": "1000"})  # they begin a match every few seconds
        playground.simulation.tell_time = bots.now
        return bots

    def now(self) -> int:
        return RunOrder({}, since=self.began, speed=CLOCK_SPEED).now()

    @property
    def is_dead(self) -> bool:
        return self._ended_event.is_set()

    async def start_bot(self, step: Step = "", times: int = 1, moves: bool = False, counted: bool = False) -> None:
        """Start one, to die at that step, or when it is killed; `counted`: counted from `count` on."""
        if self._process is None:
            await self._open_forker()
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._ended_event.clear()
        order = RunOrder(self.environment, step, times, moves, counted, self.began, CLOCK_SPEED)
        self._process.stdin.write(order.to_line().encode())
        self.pid = int(await self._process.stdout.readline())
        self._tasks.append(asyncio.create_task(self._wait_for_end(self._process), name="the bot's end"))

    async def start_counting(self) -> None:
        self._counting_event.clear()
        os.kill(self.pid, COUNT_SIGNAL)
        await asyncio.wait_for(self._counting_event.wait(), 10)

    async def kill_bot(self) -> None:
        if self.pid and not self.is_dead:
            with suppress(ProcessLookupError):  # it has died just now
                os.kill(self.pid, signal.SIGKILL)
            await self._ended_event.wait()

    async def close(self) -> None:
        await self.kill_bot()
        if self._process is not None:
            self._process.kill()
            await self._process.wait()
        await asyncio.gather(*self._tasks)

    async def dies_within(self, seconds: float) -> bool:
        try:
            await asyncio.wait_for(self._ended_event.wait(), seconds)
        except TimeoutError:
            return False
        return True

    async def _open_forker(self) -> None:
        command = [sys.executable, "-m", "tests.processes.killable_bot"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "default"}
        folder = self.database.parent
        self._process = await asyncio.create_subprocess_exec(
            *command, cwd=folder, env=environment, stdin=PIPE, stdout=PIPE, stderr=PIPE
        )
        self._tasks.append(asyncio.create_task(self._read_log(self._process), name="read the bot's log"))

    async def _read_log(self, process: Process) -> None:
        assert process.stderr is not None
        async for line in process.stderr:
            self.log_lines.append(line.decode(errors="replace").rstrip())
            if self.log_lines[-1] == COUNTED_TEXT:
                self._counting_event.set()

    async def _wait_for_end(self, process: Process) -> None:
        assert process.stdout is not None
        await process.stdout.readline()
        self._ended_event.set()

    def query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        return query_file(self.database, sql, *values) if self.database.exists() else []
