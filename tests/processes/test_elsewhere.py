"""What an owner runs needs nothing that Windows has not: here it is taken away from Python before anything is run.

What the system itself does otherwise there (its files, its processes) cannot be tried anywhere else.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
from asyncio.subprocess import PIPE
from contextlib import closing
from pathlib import Path

from playground.page.client import Visitor
from tests.processes.bot_process import ROOT
from tests.processes.script import hand_of, offered

BARE = """
import asyncio.unix_events, os, signal
import filelock  # it has a way of its own for every system

def none_here(*_):
    raise NotImplementedError

def no_folders(path, *rest, **more):
    if os.path.isdir(path):
        raise PermissionError(13, "Permission denied", path)
    return opened(path, *rest, **more)

opened, os.open = os.open, no_folders
asyncio.unix_events._UnixSelectorEventLoop.add_signal_handler = none_here
for module, names in ((os, "chown fork forkpty getuid geteuid getgid getpgid getpriority killpg mkfifo nice \
posix_spawn sched_getaffinity sched_setaffinity setpriority setsid statvfs sysconf wait4"),
    (signal, "SIGHUP SIGKILL SIGSTOP SIGCONT SIGUSR1 SIGUSR2 SIGALRM ITIMER_PROF setitimer pthread_kill")):
    for name in names.split():
        delattr(module, name)
"""


async def test_play_and_the_bot_run_without_what_windows_has_not(tmp_path: Path) -> None:
    """A match with computers is begun, then Ctrl-C ends all of it in good order."""
    (tmp_path / "sitecustomize.py").write_text(BARE)
    database = tmp_path / "data" / "motley.db"
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("DISCORD_", "MOTLEY_"))}
    environment |= {
        "MOTLEY_PLAYGROUND_PORT": "0",
        "MOTLEY_DATABASE": str(database),
        "MOTLEY_BACKUPS": str(tmp_path / "backups"),
        "PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT))),
    }
    command = (sys.executable, "-m", "playground.play")
    process = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, env=environment, stdout=PIPE, stderr=PIPE, start_new_session=True
    )
    assert process.stdout is not None
    async with asyncio.timeout(120):
        said = ""
        while "open at " not in said:
            said += (await process.stdout.readline()).decode()
        async with Visitor.to(said.partition("open at ")[2].strip()) as visitor:
            await visitor.bot_ready()
            ada = visitor.player("Ada")
            opened = (await ada.command("wizard new", "games", rounds=1)).shown
            menu = (await ada.click(opened, "Add computer")).shown
            (hard,) = [button for button in menu.buttons if button.custom_id.endswith("computer-hard")]
            await ada.click(menu, hard.custom_id)
            await ada.click(ada.look(opened) or opened, "Start")
            while set(seats(database)) < {0, 1, 2}:  # a worker has worked out what the computers do
                hand = hand_of(ada)
                if hand and 0 not in seats(database):
                    for custom_id, value in offered(hand)[:1]:  # a button, or a line of a select (what is trump)
                        await (ada.select(hand, custom_id, value) if value else ada.click(hand, custom_id))
                await asyncio.sleep(0.1)
        process.send_signal(signal.SIGINT)
        rest, complaints = (each.decode() for each in await process.communicate())
    assert process.returncode == 0, complaints
    assert "The playground is closed." in rest
    assert "Ending." in complaints
    assert "Traceback" not in complaints, complaints
    assert [*database.parent.glob("*-wal")] == [], "it was not closed in good order"


def seats(database: Path) -> list[int]:
    """Who has moved, so far."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as raw:
        return [seat for (seat,) in raw.execute("SELECT seat FROM moves")]
