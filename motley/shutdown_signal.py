"""How a process of ours is told to end: by Ctrl-C, or by whatever looks after it."""

from __future__ import annotations

import asyncio
import signal
from types import FrameType

NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")  # not every system has all of them


def told_to_end() -> asyncio.Event:
    """Is set when the process is told to end."""
    ending, loop = asyncio.Event(), asyncio.get_running_loop()

    def tell(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(ending.set)

    for name in NAMES:
        sign = getattr(signal, name, None)
        if sign is None or (name == "SIGHUP" and signal.getsignal(sign) is signal.SIG_IGN):  # as nohup has it
            continue
        try:
            loop.add_signal_handler(sign, ending.set)
        except NotImplementedError:  # the loop of Windows has none
            signal.signal(sign, tell)
    return ending
