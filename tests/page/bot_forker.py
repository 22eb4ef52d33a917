"""Runs bots, unmodified, in processes forked from one that has loaded all of the bot: loading is most of a start.

A line comes in for each: JSON, its environment. `born` and the number of its process goes out in the order in which
they were asked for; `ended`, the number and the exit status when one has ended. When nothing can come in any more all
are killed.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import sys
from asyncio import Future
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final, NoReturn, Self

import bot

ROOT: Final = Path(__file__).resolve().parents[2]
LOG_VARIABLE: Final = "BOT_LOG"  # names the file for a bot's log, for a test that reads it


class ForkedBot:
    """A bot, as `asyncio.subprocess.Process` would be."""

    def __init__(self, pid: int, ended: Future[int]) -> None:
        self.pid = pid
        self._exit_future = ended

    @property
    def returncode(self) -> int | None:
        return self._exit_future.result() if self._exit_future.done() else None

    def terminate(self) -> None:
        self._send(signal.SIGTERM)

    def kill(self) -> None:
        self._send(signal.SIGKILL)

    async def wait(self) -> int:
        return await asyncio.shield(self._exit_future)

    def _send(self, sign: signal.Signals) -> None:
        if self.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, sign)


class BotForker:
    def __init__(self, process: Process) -> None:
        self._process = process
        self._requested: deque[Future[ForkedBot]] = deque()
        self._ended: dict[int, Future[int]] = {}

    @classmethod
    @asynccontextmanager
    async def open(cls) -> AsyncIterator[Self]:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.page.bot_forker", cwd=ROOT, stdin=PIPE, stdout=PIPE
        )
        forker = cls(process)
        reading = asyncio.create_task(forker._read_events(), name="read the forker's events")
        try:
            yield forker
        finally:
            assert process.stdin is not None
            process.stdin.close()
            await process.wait()
            await reading

    async def fork_bot(self, script: Path, environment: Mapping[str, str]) -> ForkedBot:
        assert script == ROOT / "bot.py"
        assert self._process.stdin is not None
        fork: Future[ForkedBot] = asyncio.get_running_loop().create_future()
        self._requested.append(fork)
        self._process.stdin.write(f"{json.dumps(dict(environment))}\n".encode())
        return await fork

    async def _read_events(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            match line.decode().split():
                case "born", pid:
                    ended = self._ended[int(pid)] = asyncio.get_running_loop().create_future()
                    self._requested.popleft().set_result(ForkedBot(int(pid), ended))
                case "ended", pid, status:
                    self._ended.pop(int(pid)).set_result(int(status))
                case event:
                    raise AssertionError(event)


def main() -> None:
    gc.collect()
    gc.freeze()  # the pages of memory that they share are written to no more
    signal.signal(signal.SIGCHLD, _reap_children)
    alive: set[int] = set()
    for line in sys.stdin:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})  # a process that ends at once was started before
        child = os.fork()
        if not child:
            _run_bot(json.loads(line))
        alive.add(child)
        _write_line("born", child)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    for each in alive:
        with suppress(ProcessLookupError):
            os.kill(each, signal.SIGKILL)


def _run_bot(environment: Mapping[str, str]) -> NoReturn:
    """Be a bot, in a session of one's own; what it prints is not for the book."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    if log := environment.get(LOG_VARIABLE):
        os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND), 2)
    os.dup2(2, 1)
    os.environ.clear()
    os.environ.update(environment)
    sys.exit(bot.main())


def _reap_children(*_: object) -> None:
    with suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            _write_line("ended", found[0], os.waitstatus_to_exitcode(found[1]))


def _write_line(*words: object) -> None:
    os.write(1, f"{' '.join(map(str, words))}\n".encode())


if __name__ == "__main__":
    main()
