"""Starts the whole bot with one set of settings after the other, in a process of its own: each is a line of JSON.

For each a line goes out, JSON too: how `bot.main` ended, and what it logged. As soon as it is ready and has had a
moment for its messages, it is told to end. A start that hangs ends the process with every thread's stack.
"""

from __future__ import annotations

import asyncio
import faulthandler
import json
import logging
import os
import signal
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import bot
from cogs.client import MotleyBot
from playground.server import Playground
from tests.processes.bot_process import ROOT

MOMENT_SECONDS = 0.3  # seconds for bringing messages up to date
TIMEOUT_SECONDS = 60


class PromptMotley(MotleyBot):
    """Does not wait two seconds for more servers, as discord.py does after connecting."""

    def __init__(self, *rooms: Any, **settings: Any) -> None:
        super().__init__(*rooms, **settings)
        self._connection.guild_ready_timeout = 0.05


class LogListener(logging.Handler):
    """Keeps what is logged, and ends the bot when it has looked at every match."""

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[dict[str, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        entry = {"level": record.levelname, "text": record.getMessage(), "stack": record.exc_text or ""}
        self.entries.append(entry)
        if entry["text"].endswith("live matches checked"):
            asyncio.get_running_loop().call_later(MOMENT_SECONDS, os.kill, os.getpid(), signal.SIGTERM)


@asynccontextmanager
async def starting_process(
    playground: Playground, errors: int, folder: Path | None = None
) -> AsyncIterator[Callable[..., Any]]:
    """A process that starts the bot with settings and tells what came of it; its log goes to that file."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MOTLEY_")}
    environment |= {"DISCORD_TOKEN": playground.simulation.token, "MOTLEY_API": playground.api_url}
    environment["PYTHONPATH"] = str(ROOT)
    command = [sys.executable, "-m", "tests.processes.bot_starts"]
    process = await asyncio.create_subprocess_exec(
        *command, cwd=folder, env=environment, stdin=PIPE, stdout=PIPE, stderr=errors, limit=2**24
    )
    assert process.stdin is not None
    assert process.stdout is not None
    reader, writer = process.stdout, process.stdin

    async def start(**settings: str) -> Any:
        writer.write(f"{json.dumps(settings)}\n".encode())
        return json.loads(await reader.readline() or '{"status": "the process ended", "entries": []}')

    try:
        yield start
    finally:
        process.kill()
        await process.wait()


def start_with(settings: dict[str, str]) -> dict[str, object]:
    with patch.dict(os.environ, settings):
        return start_bot()


def start_bot() -> dict[str, object]:
    listener, root = LogListener(), logging.getLogger()
    root.handlers = [listener]
    faulthandler.dump_traceback_later(TIMEOUT_SECONDS, exit=True)
    start = time.monotonic()
    try:
        status: int | str = bot.main()
    except BaseException as error:  # noqa: BLE001  # nothing may come out of it
        status = f"{type(error).__name__}: {error}"
    faulthandler.cancel_dump_traceback_later()
    return {"status": status, "entries": listener.entries, "seconds": time.monotonic() - start}


if __name__ == "__main__":
    vars(bot)["MotleyBot"] = PromptMotley
    for line in sys.stdin:
        print(json.dumps(start_with(json.loads(line))), flush=True)
