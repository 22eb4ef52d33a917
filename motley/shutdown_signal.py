"""How a process of ours is told to end: by Ctrl-C, or by whatever looks after it."""

from __future__ import annotations

import asyncio
import signal
from types import FrameType

SIGNAL_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")  # not every system has all of them


def shutdown_signal() -> asyncio.Event:
    """Is set when the process is told to end."""
    shutdown, loop = asyncio.Event(), asyncio.get_running_loop()

    def on_signal(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(shutdown.set)

    for name in SIGNAL_NAMES:
        sign = getattr(signal, name, None)
        if sign is None or (name == "SIGHUP" and signal.getsignal(sign) is signal.SIG_IGN):  # as nohup has it
            continue
        try:
            loop.add_signal_handler(sign, shutdown.set)
        except NotImplementedError:  # the loop of Windows has none
            signal.signal(sign, on_signal)
    return shutdown
