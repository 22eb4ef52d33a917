"""One worker, as the bot sees it: a process that takes a job at a time."""

from __future__ import annotations

import asyncio
import os
import pickle
import subprocess
import sys
import time
from typing import Any, cast

from worker_pool.protocol import HEADER, Told, length

STILL = 30.0  # seconds on the wall after which a worker is lost that has used no processor time in them
UNTOLD = 20  # times as long, where the system tells nothing of another process
SECRET = ("DISCORD_", "MOTLEY_")  # what begins so is the bot's alone
COMMAND = (sys.executable, "-P", "-m", "worker_pool.worker_process")


class Lost(Exception):
    """A worker did not answer; the message says why, for the log."""


class Worker(asyncio.SubprocessProtocol):
    """A process with nothing of the bot's but two pipes: no socket, no file, no token, no say in the log.

    It is a fresh interpreter rather than a fork, and in a session of its own, so that no signal for the bot ends it
    first, and Linux, where it weighs sessions, does not take from the bot what the worker has used.
    """

    def __init__(self) -> None:
        self._process: asyncio.SubprocessTransport
        self._heard = bytearray()
        self._told: asyncio.Future[Told | None] | None = None  # None: it has ended instead
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when nothing of it is left."""

    @classmethod
    async def started(cls) -> Worker:
        """A new one. Raises Lost where the system has none to give."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith(SECRET)}
        environment["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, sys.path))
        try:
            _, worker = await asyncio.get_running_loop().subprocess_exec(
                cls, *COMMAND, stderr=subprocess.DEVNULL, env=environment, **_apart()
            )
        except OSError as error:
            raise Lost(f"none can be started ({type(error).__name__})") from None
        return worker

    @property
    def lives(self) -> bool:
        """Whether it has not ended, as far as is known."""
        return self._process.get_returncode() is None

    async def answer(self, job: bytes, still: float = STILL) -> Told:
        """What it says to a job. Raises Lost where it ends over it, or stands still."""
        self._told = asyncio.get_running_loop().create_future()
        pipe = self._process.get_pipe_transport(0)
        if not self.lives or pipe is None:
            raise Lost("it had ended")
        cast("asyncio.WriteTransport", pipe).write(job)
        await self._waited(self._told, still)
        if (told := self._told.result()) is None:
            raise Lost(f"it ended (status {self._process.get_returncode()})")
        return told

    async def _waited(self, told: asyncio.Future[Told | None], still: float) -> None:
        """Wait as long as it works: as long as its processor time grows, however little of that it is given."""
        used, looks = self._used(), 0
        while not (await asyncio.wait((told,), timeout=still))[0]:
            before, used, looks = used, self._used(), looks + 1
            if used == before if used is not None else looks == UNTOLD:
                raise Lost("it stood still")

    def _used(self) -> float | None:
        """Seconds of the processor that it has used, where the system tells."""
        if sys.platform != "linux":
            return None
        try:
            return time.clock_gettime(~self._process.get_pid() << 3 | 2)  # as clock_getcpuclockid(3) makes it
        except OSError:  # it has ended just now
            return None

    def end(self) -> None:
        """End it, whatever it is doing."""
        self._process.close()

    # What asyncio tells

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It has started."""
        self._process = cast("asyncio.SubprocessTransport", transport)

    def pipe_data_received(self, fd: int, data: bytes | bytearray) -> None:
        """It says something."""
        self._heard += data
        if len(self._heard) >= max(HEADER, length(self._heard)):
            said, self._heard = bytes(self._heard[HEADER:]), bytearray()
            self._tell(pickle.loads(said))

    def process_exited(self) -> None:
        """It has ended."""
        self._tell(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing of it is left."""
        self._process.close()
        self.gone.set_result(None)

    def _tell(self, told: Told | None) -> None:
        if self._told is not None and not self._told.done():
            self._told.set_result(told)


def _apart() -> dict[str, Any]:
    """How a process is started that signals for this one's group do not reach, and that has a low priority."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.BELOW_NORMAL_PRIORITY_CLASS}
    return {"start_new_session": True}
