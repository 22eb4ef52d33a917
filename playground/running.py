"""Runs a bot's process beside the server: starts it, restarts it when it ends or on demand, and ends it."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

from playground.server import Playground

GREETING: Final = """
  The playground is open at {base}

  Press Ctrl-C to close it.
"""
_READY_SECONDS: Final = 60.0
_STOP_SECONDS: Final = 10.0
_RESTART_PAUSE_SECONDS: Final = 2.0


def bot_environment(playground: Playground) -> Mapping[str, str]:
    """Return what a bot must know: its token, the root of the REST API, and the gateway's address."""
    return {
        "DISCORD_TOKEN": playground.simulation.token,
        "DISCORD_API": playground.api_url,
        "DISCORD_GATEWAY": playground.gateway_url,
    }


class BotProcess(Protocol):
    """A started process."""

    @property
    def returncode(self) -> int | None:
        """Its exit status; None while it runs."""

    async def wait(self) -> int:
        """Wait until it has ended; return its exit status."""

    def terminate(self) -> None:
        """Ask it to end."""

    def kill(self) -> None:
        """Kill it."""


StartBot = Callable[[], Awaitable[BotProcess]]


async def start_process(
    command: Sequence[str | Path], environment: Mapping[str, str], folder: Path | None = None
) -> BotProcess:
    """Start a command in a process group of its own, so that Ctrl-C in the terminal does not reach it."""
    return await asyncio.create_subprocess_exec(*map(str, command), cwd=folder, env=environment, start_new_session=True)


async def run_playground(
    playground: Playground,
    start: StartBot,
    *,
    prepare: Callable[[], Awaitable[None]] | None = None,
    greeting: str = GREETING,
) -> None:
    """Run the server and the bot until cancelled. `prepare` runs between the server's start and the bot's."""
    async with playground:
        try:
            if prepare is not None:
                playground.simulation.is_starting = True
                await prepare()
            await BotSupervisor(playground, start, greeting).keep_running()
        finally:
            print_line("The playground is closed.")


class BotSupervisor:
    """Runs the bot beside the server, and restarts it when it ends or when asked to."""

    def __init__(self, playground: Playground, start: StartBot, greeting: str = GREETING) -> None:
        """Create a supervisor; `start` starts the bot, and `greeting` is printed, with {base}, when it is ready."""
        self._playground = playground
        self._start = start
        self._greeting = greeting
        self._restart = asyncio.Event()
        self._has_greeted = False
        playground.simulation.restart_bot = self._restart.set

    async def keep_running(self) -> None:
        """Keep the bot running until cancelled."""
        while True:
            self._restart.clear()
            self._show_starting(True)
            process = await self._start()
            try:
                is_restart = await self._wait_for_end(process)
            finally:
                self._show_starting(False)
                await end_process(process)
            if not is_restart:
                print_line(f"The bot has ended by itself (status {process.returncode}). It will restart in a moment.")
                await asyncio.sleep(_RESTART_PAUSE_SECONDS)

    async def _wait_for_end(self, process: BotProcess) -> bool:
        """Wait until the bot ends or must restart; return True if it must restart."""
        ended = asyncio.create_task(process.wait(), name="bot ended")
        restart = asyncio.create_task(self._restart.wait(), name="bot restart requested")
        ready = asyncio.create_task(self._announce_ready(), name="bot ready")
        try:
            await asyncio.wait({ended, restart}, return_when=asyncio.FIRST_COMPLETED)
            return restart.done()
        finally:
            for task in (ended, restart, ready):
                task.cancel()
            await asyncio.gather(ended, restart, ready, return_exceptions=True)

    async def _announce_ready(self) -> None:
        try:
            async with asyncio.timeout(_READY_SECONDS):
                await self._playground.simulation.bot_ready.wait()
        except TimeoutError:
            print_line("The bot is slow to start. Its messages above may say why.")
            return
        self._show_starting(False)
        print_line("The bot is back." if self._has_greeted else self._greeting.format(base=self._playground.base_url))
        self._has_greeted = True

    def _show_starting(self, starting: bool) -> None:
        self._playground.simulation.is_starting = starting
        self._playground.page.send_bot_status()


async def end_process(process: BotProcess) -> None:
    """End a process: first politely, then by force."""
    for send in (process.terminate, process.kill):
        if process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            send()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), _STOP_SECONDS)


def print_line(text: str) -> None:
    """Print a line at once, also into a pipe."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
