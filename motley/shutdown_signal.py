"""The event that tells a process to shut down: Ctrl-C, or a signal from its supervisor."""

from __future__ import annotations

import asyncio
import signal
from types import FrameType

SIGNAL_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")  # not every system has all of them


def shutdown_signal() -> asyncio.Event:
    """Return an event that is set when the process must end."""
    shutdown, loop = asyncio.Event(), asyncio.get_running_loop()

    def on_signal(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(shutdown.set)

    for name in SIGNAL_NAMES:
        sign = getattr(signal, name, None)
        if sign is None or (name == "SIGHUP" and signal.getsignal(sign) is signal.SIG_IGN):  # nohup ignores it
            continue
        try:
            loop.add_signal_handler(sign, shutdown.set)
        except NotImplementedError:  # the loop on Windows does not support this
            signal.signal(sign, on_signal)
    return shutdown
