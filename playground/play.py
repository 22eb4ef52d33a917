"""`python -m playground.play`: run Motley on Discord if there is a token, otherwise on the playground."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Final, Protocol

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from motley.settings import CheckedSettings, Settings, SettingsError, load_settings, read_env_file
from motley.shutdown_signal import shutdown_signal
from playground.server import PORT, Playground

_ROOT: Final = Path(__file__).resolve().parent.parent
_BOT: Final = _ROOT / "bot.py"
_ENV_FILE: Final = _ROOT / ".env"
_DATABASE: Final = "data/playground.db"
_READY_SECONDS: Final = 60.0
_STOP_SECONDS: Final = 10.0
_RESTART_PAUSE_SECONDS: Final = 2.0

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
        asked = load_settings(PlaygroundSettings, _ENV_FILE)
    except SettingsError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(2)
    sys.exit(asyncio.run(run_playground(prepare=upload_emoji, settings=asked)))


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


async def run_playground(
    bot: Path = _BOT,
    prepare: Callable[[Playground], Awaitable[None]] | None = None,
    settings: PlaygroundSettings | None = None,
) -> int:
    """Run the server and the bot until they are stopped; return the exit status. `prepare` comes before the bot."""
    stop = shutdown_signal()
    asked = settings or load_settings(PlaygroundSettings)
    playground = Playground(asked.port, guilds=asked.servers, shards=asked.shards, concurrency=asked.starts)
    if asked.activities:
        playground.simulation.commands.switch_activities_on()
    async with playground:
        supervisor = asyncio.create_task(_prepare_and_run(playground, bot, prepare), name="bot supervisor")
        stopping = asyncio.create_task(stop.wait(), name="stop")
        await asyncio.wait({supervisor, stopping}, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        supervisor.cancel()
        results = await asyncio.gather(supervisor, return_exceptions=True)
        _print_line("The playground is closed.")
    failure = results[0]
    if isinstance(failure, Exception):
        raise failure
    return 0


async def _prepare_and_run(
    playground: Playground, bot: Path, prepare: Callable[[Playground], Awaitable[None]] | None
) -> None:
    if prepare is not None:
        playground.simulation.is_starting = True
        await prepare(playground)
    await BotSupervisor(playground, bot).keep_running()


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
        said, _ = await process.communicate()
        if process.returncode:
            _print_line(said.decode().strip())
    finally:
        await _end_process(process)


def bot_environment(playground: Playground) -> Mapping[str, str]:
    """Return the environment in which the bot connects to the playground."""
    settings = {"DISCORD_TOKEN": playground.simulation.token, "MOTLEY_API": playground.api_url}
    return {**os.environ, **settings, "MOTLEY_DATABASE": os.environ.get("MOTLEY_DATABASE", _DATABASE)}


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


async def start_bot(bot: Path, environment: Mapping[str, str]) -> BotProcess:
    """Start the bot in a process of its own."""
    return await asyncio.create_subprocess_exec(
        sys.executable, str(bot), cwd=_ROOT, env=environment, start_new_session=True
    )


class BotSupervisor:
    """Runs the bot beside the server, and restarts it when it ends or when asked to."""

    def __init__(
        self,
        playground: Playground,
        bot: Path,
        start: Callable[[Path, Mapping[str, str]], Awaitable[BotProcess]] = start_bot,
    ) -> None:
        """Create a supervisor; tests pass another `start`, which starts the bot with an environment."""
        self._playground = playground
        self._bot = bot
        self._start = start
        self._restart = asyncio.Event()
        self._has_greeted = False
        playground.simulation.restart_bot = self._restart.set

    async def keep_running(self) -> None:
        """Keep the bot running until cancelled."""
        while True:
            self._restart.clear()
            self._show_starting(True)
            process = await self._spawn_bot()
            try:
                asked = await self._wait_for_end(process)
            finally:
                self._show_starting(False)
                await _end_process(process)
            if not asked:
                _print_line(f"The bot has ended by itself (status {process.returncode}). It will restart in a moment.")
                await asyncio.sleep(_RESTART_PAUSE_SECONDS)

    async def _spawn_bot(self) -> BotProcess:
        return await self._start(self._bot, bot_environment(self._playground))

    async def _wait_for_end(self, process: BotProcess) -> bool:
        """Wait until the bot ends or must restart; return True if it must restart."""
        ended = asyncio.create_task(process.wait(), name="bot ended")
        asked = asyncio.create_task(self._restart.wait(), name="bot restart requested")
        ready = asyncio.create_task(self._announce_ready(), name="bot ready")
        try:
            await asyncio.wait({ended, asked}, return_when=asyncio.FIRST_COMPLETED)
            return asked.done()
        finally:
            for task in (ended, asked, ready):
                task.cancel()
            await asyncio.gather(ended, asked, ready, return_exceptions=True)

    async def _announce_ready(self) -> None:
        try:
            async with asyncio.timeout(_READY_SECONDS):
                await self._playground.simulation.bot_ready.wait()
        except TimeoutError:
            _print_line("The bot is slow to start. Its messages above may say why.")
            return
        self._show_starting(False)
        if self._has_greeted:
            _print_line("The bot is back.")
        else:
            _print_line(_FIRST_STEPS.format(base=self._playground.base_url))
        self._has_greeted = True

    def _show_starting(self, starting: bool) -> None:
        self._playground.simulation.is_starting = starting
        self._playground.page.send_bot_status()


async def _end_process(process: BotProcess) -> None:
    """End the bot: first politely, then by force."""
    for send in (process.terminate, process.kill):
        if process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            send()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), _STOP_SECONDS)


def _print_line(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    main()
