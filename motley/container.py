"""Runs the bot in a container, and waits if only the owner can mend what ended it.

Docker restarts a container whatever its exit status was. A bot whose token was reset would start every minute.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

BOT = Path(__file__).resolve().parents[1] / "bot.py"
OWNER_STATUS = 2  # bot.py's exit status if a restart does not help
FIRST_PAUSE, LONGEST_PAUSE = 60.0, 3600.0  # seconds
STEADY_SECONDS = 3600.0  # seconds that a run lasts if it ends the growth of the pauses
WAIT_TEXT = (
    "The bot ended because of the error above, which only you can fix. It starts again in {minutes} min. After a "
    "change of .env, do not wait: run `docker compose up -d`, or replace the container that `docker run` made."
)


class Supervisor:
    """Runs a command, and again after growing pauses as long as it ends with `OWNER_STATUS`.

    After a run of an hour, the pauses begin with the first one again.
    """

    def __init__(
        self,
        command: list[str],
        first_pause: float = FIRST_PAUSE,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._command = command
        self._first_pause = self._pause = first_pause
        self._monotonic = monotonic
        self._process: subprocess.Popen[bytes] | None = None
        self._ending = threading.Event()

    def run(self) -> int:
        """Return the exit status with which the container ends."""
        while True:
            start = self._monotonic()
            self._process = subprocess.Popen(self._command)
            if self._ending.is_set():  # the signal came before the process
                self._process.terminate()
            status = self._process.wait()
            if status != OWNER_STATUS or self._ending.is_set():
                return status if status >= 0 else 128 - status
            if self._monotonic() - start >= STEADY_SECONDS:
                self._pause = self._first_pause
            sys.stderr.write(WAIT_TEXT.format(minutes=max(1, round(self._pause / 60))) + "\n")
            if self._ending.wait(self._pause):
                return 0
            self._pause = min(2 * self._pause, LONGEST_PAUSE)

    def end(self, number: int, frame: FrameType | None) -> None:
        """Pass a signal on to the process, and start it no more."""
        self._ending.set()
        if self._process is not None:
            self._process.send_signal(number)


def main() -> int:
    """Run the bot."""
    supervisor = Supervisor([sys.executable, str(BOT)])
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, supervisor.end)
    return supervisor.run()


if __name__ == "__main__":
    sys.exit(main())
