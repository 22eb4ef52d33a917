"""One worker from the bot's side: a process that runs one job at a time."""

from __future__ import annotations

import asyncio
import os
import pickle
import subprocess
import sys
import time
from typing import Any, cast

from worker_pool.protocol import HEADER_BYTES, JobResult, message_length

STALL_SECONDS = 30.0  # seconds without processor time after which a worker counts as lost
STALL_CHECKS = 20  # times as long if the system cannot measure another process
SECRET_PREFIXES = ("DISCORD_", "MOTLEY_")  # variables with these prefixes stay in the bot
COMMAND = (sys.executable, "-P", "-m", "worker_pool.worker_process")


class WorkerLost(Exception):
    """A worker gave no result; the message says why, for the log."""


class Worker(asyncio.SubprocessProtocol):
    """A process that shares only two pipes with the bot: no socket, file, token or log.

    It is a fresh interpreter instead of a fork. It has its own session, so that signals for the bot do not end it
    first, and so that Linux, if it balances sessions, does not charge the bot for the worker's processor time.
    """

    def __init__(self) -> None:
        self._process: asyncio.SubprocessTransport
        self._buffer = bytearray()
        self._result: asyncio.Future[JobResult | None] | None = None  # None: it has ended instead
        self.exit_future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when the process and its pipes are closed."""

    @classmethod
    async def start(cls) -> Worker:
        """Start a worker. Raises WorkerLost if the system cannot start a process."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith(SECRET_PREFIXES)}
        environment["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, sys.path))
        try:
            _, worker = await asyncio.get_running_loop().subprocess_exec(
                cls, *COMMAND, stderr=subprocess.DEVNULL, env=environment, **_process_options()
            )
        except OSError as error:
            raise WorkerLost(f"it cannot be started ({type(error).__name__})") from None
        return worker

    @property
    def is_alive(self) -> bool:
        """Return whether it has not ended, as far as we have noticed."""
        return self._process.get_returncode() is None

    async def run_job(self, job: bytes, stall_seconds: float = STALL_SECONDS) -> JobResult:
        """Return the result of a job. Raises WorkerLost if the process ends or stalls."""
        self._result = asyncio.get_running_loop().create_future()
        pipe = self._process.get_pipe_transport(0)
        if not self.is_alive or pipe is None:
            raise WorkerLost("it had ended")
        cast("asyncio.WriteTransport", pipe).write(job)
        await self._wait_for_result(self._result, stall_seconds)
        if (result := self._result.result()) is None:
            raise WorkerLost(f"it ended (status {self._process.get_returncode()})")
        return result

    async def _wait_for_result(self, result: asyncio.Future[JobResult | None], stall_seconds: float) -> None:
        """Wait as long as it works, that is, as long as its processor time grows."""
        used, looks = self._cpu_seconds(), 0
        while not (await asyncio.wait((result,), timeout=stall_seconds))[0]:
            before, used, looks = used, self._cpu_seconds(), looks + 1
            if used == before if used is not None else looks == STALL_CHECKS:
                raise WorkerLost("it stalled")

    def _cpu_seconds(self) -> float | None:
        """Return the processor seconds that it has used, if the system can tell."""
        if sys.platform != "linux":
            return None
        try:
            return time.clock_gettime(~self._process.get_pid() << 3 | 2)  # the same as clock_getcpuclockid(3)
        except OSError:  # it has just ended
            return None

    def terminate(self) -> None:
        """Kill it, whatever it is doing."""
        self._process.close()

    # Callbacks from asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the transport."""
        self._process = cast("asyncio.SubprocessTransport", transport)

    def pipe_data_received(self, fd: int, data: bytes | bytearray) -> None:
        """Receive a part of the result."""
        self._buffer += data
        if len(self._buffer) >= max(HEADER_BYTES, message_length(self._buffer)):
            body, self._buffer = bytes(self._buffer[HEADER_BYTES:]), bytearray()
            self._deliver_result(pickle.loads(body))

    def process_exited(self) -> None:
        """Handle the end of the process."""
        self._deliver_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """Finish: the process and its pipes are closed."""
        self._process.close()
        self.exit_future.set_result(None)

    def _deliver_result(self, result: JobResult | None) -> None:
        if self._result is not None and not self._result.done():
            self._result.set_result(result)


def _process_options() -> dict[str, Any]:
    """Return options that keep our group's signals away from the process and give it a low priority."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.BELOW_NORMAL_PRIORITY_CLASS}
    return {"start_new_session": True}
