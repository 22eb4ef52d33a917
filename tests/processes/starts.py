"""Starts the whole bot on one database file after the other, in a process of its own: for each path a line goes out.

It is JSON: how `bot.main` ended, and what it logged. As soon as it is ready and has had a moment for its
messages, it is told to end. A start that hangs ends the process with every thread's stack.
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
from typing import Any

import bot
from cogs.client import MotleyBot

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
        self.said: list[dict[str, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        said = {"level": record.levelname, "text": record.getMessage(), "stack": record.exc_text or ""}
        self.said.append(said)
        if said["text"].endswith("live matches checked"):
            asyncio.get_running_loop().call_later(MOMENT_SECONDS, os.kill, os.getpid(), signal.SIGTERM)


def start_on_file(path: str) -> dict[str, object]:
    os.environ["MOTLEY_DATABASE"] = path
    listener, root = LogListener(), logging.getLogger()
    root.handlers = [listener]
    faulthandler.dump_traceback_later(TIMEOUT_SECONDS, exit=True)
    began = time.monotonic()
    try:
        status: int | str = bot.main()
    except BaseException as error:  # noqa: BLE001  # nothing may come out of it
        status = f"{type(error).__name__}: {error}"
    faulthandler.cancel_dump_traceback_later()
    return {"status": status, "said": listener.said, "seconds": time.monotonic() - began}


if __name__ == "__main__":
    vars(bot)["MotleyBot"] = PromptMotley
    for line in sys.stdin:
        print(json.dumps(start_on_file(line.strip())), flush=True)
