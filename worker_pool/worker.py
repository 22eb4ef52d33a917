"""One worker, as the bot sees it: a process that takes a job at a time."""

from __future__ import annotations

import asyncio
import os
import pickle
import subprocess
import sys
import time
from typing import Any, cast

from worker_pool.protocol import HEADER_BYTES, JobResult, message_length

STALL_SECONDS = 30.0  # seconds on the wall after which a worker is lost that has used no processor time in them
STALL_CHECKS = 20  # times as long, where the system tells nothing of another process
SECRET_PREFIXES = ("DISCORD_", "MOTLEY_")  # what begins so is the bot's alone
COMMAND = (sys.executable, "-P", "-m", "worker_pool.worker_process")


class WorkerLost(Exception):
    """A worker did not answer; the message says why, for the log."""


class Worker(asyncio.SubprocessProtocol):
    """A process with nothing of the bot's but two pipes: no socket, no file, no token, no say in the log.

    It is a fresh interpreter rather than a fork, and in a session of its own, so that no signal for the bot ends it
    first, and Linux, where it weighs sessions, does not take from the bot what the worker has used.
    """

    def __init__(self) -> None:
        self._process: asyncio.SubprocessTransport
        self._buffer = bytearray()
        self._result: asyncio.Future[JobResult | None] | None = None  # None: it has ended instead
        self.exit_future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when nothing of it is left."""

    @classmethod
    async def start(cls) -> Worker:
        """A new one. Raises Lost where the system has none to give."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith(SECRET_PREFIXES)}
        environment["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, sys.path))
        try:
            _, worker = await asyncio.get_running_loop().subprocess_exec(
                cls, *COMMAND, stderr=subprocess.DEVNULL, env=environment, **_process_options()
            )
        except OSError as error:
            raise WorkerLost(f"none can be started ({type(error).__name__})") from None
        return worker

    @property
    def is_alive(self) -> bool:
        """Whether it has not ended, as far as is known."""
        return self._process.get_returncode() is None

    async def run_job(self, job: bytes, stall_seconds: float = STALL_SECONDS) -> JobResult:
        """What it says to a job. Raises Lost where it ends over it, or stands still."""
        self._result = asyncio.get_running_loop().create_future()
        pipe = self._process.get_pipe_transport(0)
        if not self.is_alive or pipe is None:
            raise WorkerLost("it had ended")
        cast("asyncio.WriteTransport", pipe).write(job)
        await self._wait_for_result(self._result, stall_seconds)
        if (told := self._result.result()) is None:
            raise WorkerLost(f"it ended (status {self._process.get_returncode()})")
        return told

    async def _wait_for_result(self, result: asyncio.Future[JobResult | None], stall_seconds: float) -> None:
        """Wait as long as it works: as long as its processor time grows, however little of that it is given."""
        used, looks = self._cpu_seconds(), 0
        while not (await asyncio.wait((result,), timeout=stall_seconds))[0]:
            before, used, looks = used, self._cpu_seconds(), looks + 1
            if used == before if used is not None else looks == STALL_CHECKS:
                raise WorkerLost("it stood still")

    def _cpu_seconds(self) -> float | None:
        """Seconds of the processor that it has used, where the system tells."""
        if sys.platform != "linux":
            return None
        try:
            return time.clock_gettime(~self._process.get_pid() << 3 | 2)  # as clock_getcpuclockid(3) makes it
        except OSError:  # it has ended just now
            return None

    def terminate(self) -> None:
        """End it, whatever it is doing."""
        self._process.close()

    # What asyncio tells

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It has started."""
        self._process = cast("asyncio.SubprocessTransport", transport)

    def pipe_data_received(self, fd: int, data: bytes | bytearray) -> None:
        """It says something."""
        self._buffer += data
        if len(self._buffer) >= max(HEADER_BYTES, message_length(self._buffer)):
            said, self._buffer = bytes(self._buffer[HEADER_BYTES:]), bytearray()
            self._deliver_result(pickle.loads(said))

    def process_exited(self) -> None:
        """It has ended."""
        self._deliver_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing of it is left."""
        self._process.close()
        self.exit_future.set_result(None)

    def _deliver_result(self, result: JobResult | None) -> None:
        if self._result is not None and not self._result.done():
            self._result.set_result(result)


def _process_options() -> dict[str, Any]:
    """How a process is started that signals for this one's group do not reach, and that has a low priority."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.BELOW_NORMAL_PRIORITY_CLASS}
    return {"start_new_session": True}
