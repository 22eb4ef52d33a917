"""`python -m playground [options] [command of a bot]`: open a playground, and run a bot on it."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import signal
import sys
from typing import Final

from playground.running import bot_environment, print_line, run_playground, start_process
from playground.server import PORT, Playground

_MOST: Final = 1000  # servers, shards, and shards that start at once
_WITHOUT_BOT: Final = """
  The playground is open at {base}

  Start a bot with this in its environment:

    {environment}

  Press Ctrl-C to close it.
"""


def main() -> None:
    """Open a playground until Ctrl-C or SIGTERM."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    with contextlib.suppress(KeyboardInterrupt, asyncio.CancelledError):
        try:
            asyncio.run(_run(_parse_arguments()))
        except FileNotFoundError as error:
            sys.exit(f"There is no command {error.filename}.")


def _count(text: str) -> int:
    number = int(text)
    if not 1 <= number <= _MOST:
        raise argparse.ArgumentTypeError(f"{text} is not between 1 and {_MOST}")
    return number


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m playground", description="A local stand-in for Discord.")
    parser.add_argument("--port", type=int, default=PORT, help=f"{PORT}, or the next free one; 0: any")
    parser.add_argument("--servers", type=_count, default=1, help="how many servers there are")
    parser.add_argument("--shards", type=_count, default=1, help="how many shards /gateway/bot recommends")
    parser.add_argument("--starts", type=_count, default=1, help="how many of them may start at once")
    parser.add_argument("--activities", action="store_true", help="have Activities switched on")
    parser.add_argument("--name", default="Bot", help="the bot's name")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="what starts the bot, such as: python my_bot.py")
    return parser.parse_args()


async def _run(arguments: argparse.Namespace) -> None:
    task = asyncio.current_task()
    assert task is not None
    with contextlib.suppress(NotImplementedError):  # the loop on Windows does not support this
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    playground = Playground(
        arguments.port,
        guilds=arguments.servers,
        shards=arguments.shards,
        concurrency=arguments.starts,
        bot_name=arguments.name,
    )
    if arguments.activities:
        playground.simulation.commands.switch_activities_on()
    environment = bot_environment(playground)
    if arguments.command:
        await run_playground(playground, lambda: start_process(arguments.command, {**os.environ, **environment}))
        return
    async with playground:
        lines = "\n    ".join(f"{name}={value}" for name, value in environment.items())
        print_line(_WITHOUT_BOT.format(base=playground.base_url, environment=lines))
        await asyncio.Event().wait()


if __name__ == "__main__":
    main()
