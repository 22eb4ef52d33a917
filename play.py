"""`python play.py`: run Motley on Discord if there is a token, otherwise on the playground."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from motley.settings import CheckedSettings, Settings, SettingsError, load_settings, read_env_file
from motley.shutdown_signal import shutdown_signal
from playground.running import BotProcess, end_process, print_line, run_playground, start_process
from playground.server import PORT, Playground

_ROOT: Final = Path(__file__).resolve().parent
_BOT: Final = _ROOT / "bot.py"
_ENV_FILE: Final = _ROOT / ".env"
_SIGNS: Final = _ROOT / "docs" / "pictures" / "signs"
_DATABASE: Final = "data/playground.db"

_FIRST_STEPS: Final = """
  The playground is open at {base}

  1. You are Ada, in #games. Press a game's name there to open a table.
  2. Press the button below it that seats the others, then Start.
  3. Press “Follow the turn”, and play everybody's hand.

  Press Ctrl-C to close it.
"""


class PlaygroundSettings(CheckedSettings):
    """The settings of the playground alone."""

    model_config = SettingsConfigDict(env_prefix="MOTLEY_PLAYGROUND_")

    port: int = Field(PORT, ge=0, le=65535)  # 0: any free port
    servers: int = Field(1, ge=1, le=1000)
    shards: int = Field(1, ge=1, le=1000)
    starts: int = Field(1, ge=1, le=1000)  # sessions that may start at once
    activities: bool = False


def main() -> None:
    """Run Motley on Discord or on the playground."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    try:
        if has_token(_ENV_FILE):
            sys.exit(_replace_with_bot())
        load_settings(Settings, _ENV_FILE, DISCORD_TOKEN="any")  # the bot's own, before anything is created
        settings = load_settings(PlaygroundSettings, _ENV_FILE)
    except SettingsError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(2)
    sys.exit(asyncio.run(run_on_playground(settings)))


def _replace_with_bot() -> int:
    """Replace this process with the bot; if the system cannot do that, wait for it. Return its exit status."""
    command = [sys.executable, str(_BOT)]
    if sys.platform != "win32":  # on Windows the caller would not wait for the new process
        os.execv(command[0], command)
    with subprocess.Popen(command) as bot:
        while True:
            with contextlib.suppress(KeyboardInterrupt):  # the bot receives the signal too and ends by itself
                return bot.wait()


def has_token(env_file: Path) -> bool:
    """Return whether the environment or the .env file contains a Discord token. Raises SettingsError."""
    if os.environ.get("DISCORD_TOKEN"):
        return True
    return bool(read_env_file(env_file).get("DISCORD_TOKEN"))


async def run_on_playground(settings: PlaygroundSettings) -> int:
    """Run the playground and the bot on it until a signal says stop; return the exit status."""
    stop = shutdown_signal()
    playground = create_playground(
        settings.port, guilds=settings.servers, shards=settings.shards, concurrency=settings.starts
    )
    if settings.activities:
        playground.simulation.commands.switch_activities_on()
    running = asyncio.create_task(
        run_playground(
            playground,
            lambda: start_bot(playground),
            prepare=lambda: upload_emoji(playground),
            greeting=_FIRST_STEPS,
        ),
        name="playground",
    )
    stopping = asyncio.create_task(stop.wait(), name="stop")
    await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    running.cancel()
    results = await asyncio.gather(running, return_exceptions=True)
    if isinstance(results[0], Exception):
        raise results[0]
    return 0


def create_playground(port: int = 0, **how: Any) -> Playground:
    """Create a playground on which the bot is called Motley and the first screen shows the signs of its games."""
    return Playground(port, bot_name="Motley", signs=_SIGNS, **how)


async def start_bot(playground: Playground) -> BotProcess:
    """Start the bot on the playground."""
    return await start_process([sys.executable, _BOT], bot_environment(playground), _ROOT)


async def upload_emoji(playground: Playground) -> None:
    """Upload the application's emoji as an owner does. If that fails, the bot shows text instead."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "motley", "emoji"),
        cwd=_ROOT,
        env=bot_environment(playground),
        start_new_session=True,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        output, _ = await process.communicate()
        if process.returncode:
            print_line(output.decode().strip())
    finally:
        await end_process(process)


def bot_environment(playground: Playground) -> Mapping[str, str]:
    """Return the environment in which the bot connects to the playground."""
    settings = {"DISCORD_TOKEN": playground.simulation.token, "MOTLEY_API": playground.api_url}
    return {**os.environ, **settings, "MOTLEY_DATABASE": os.environ.get("MOTLEY_DATABASE", _DATABASE)}


if __name__ == "__main__":
    main()
