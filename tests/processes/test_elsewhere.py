"""What an owner runs needs nothing that Windows has not: here it is taken away from Python before anything is run.

What the system itself does otherwise there (its files, its processes) cannot be tried anywhere else.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

from playground.page.client import PlaygroundClient
from tests.processes.alone import open_alone, play_until_all_have_moved
from tests.processes.bot_process import ROOT

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
        async with PlaygroundClient.connect(said.partition("open at ")[2].strip()) as visitor:
            await visitor.wait_bot_ready()
            ada = visitor.player("Ada")
            await open_alone(ada)
            await play_until_all_have_moved(ada, database)
        process.send_signal(signal.SIGINT)
        rest, complaints = (each.decode() for each in await process.communicate())
    assert process.returncode == 0, complaints
    assert "The playground is closed." in rest
    assert "Ending." in complaints
    assert "Traceback" not in complaints, complaints
    assert [*database.parent.glob("*-wal")] == [], "it was not closed in good order"
