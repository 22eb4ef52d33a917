"""The container's entry: it runs the bot, and waits longer each time after an end that only the owner can mend."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from motley import container
from motley.container import Supervisor

NOTE = """
import pathlib, sys
book = pathlib.Path(sys.argv[1])
runs = len(book.read_text()) if book.exists() else 0
book.write_text("x" * (runs + 1))
sys.exit(2 if runs < int(sys.argv[2]) else 7)
"""


def supervise(book: Path, refusals: int) -> Supervisor:
    return Supervisor([sys.executable, "-c", NOTE, str(book), str(refusals)], first_pause=0.01)


@pytest.mark.parametrize("refusals", [0, 1, 3])
def test_it_starts_again_after_growing_pauses_and_passes_on_any_other_status(
    tmp_path: Path, refusals: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(container, "LONGEST_PAUSE", 0.02)
    supervisor = supervise(tmp_path / "book", refusals)
    wait = supervisor._ending.wait

    def waited(seconds: float | None = None) -> bool:
        assert seconds is not None
        pauses.append(seconds)
        return wait(seconds)

    monkeypatch.setattr(supervisor._ending, "wait", waited)
    assert supervisor.run() == 7
    assert (tmp_path / "book").read_text() == "x" * (refusals + 1)
    assert pauses == [0.01, 0.02, 0.02][:refusals]
    assert capsys.readouterr().err.count("only you can fix") == refusals


def test_after_a_long_run_the_pauses_begin_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    times = iter((0.0, 1.0, 10.0, 11.0, 20.0, 20.0 + container.STEADY_SECONDS, 9000.0, 9001.0, 9999.0))
    supervisor = supervise(tmp_path / "book", 4)
    supervisor._monotonic = lambda: next(times)
    monkeypatch.setattr(supervisor._ending, "wait", lambda seconds: pauses.append(seconds))
    assert supervisor.run() == 7
    assert pauses == [0.01, 0.02, 0.01, 0.02], "the third run lasted an hour"


def test_a_signal_ends_the_wait(tmp_path: Path) -> None:
    supervisor = supervise(tmp_path / "book", 9)
    supervisor._pause = 3600
    threading.Timer(0.5, supervisor.end, (signal.SIGTERM, None)).start()
    assert supervisor.run() in (0, 2)
    assert (tmp_path / "book").read_text() == "x"


def test_a_signal_is_passed_on(tmp_path: Path) -> None:
    supervisor = Supervisor([sys.executable, "-c", "import time; time.sleep(60)"])
    threading.Timer(0.5, supervisor.end, (signal.SIGTERM, None)).start()
    assert supervisor.run() == 128 + signal.SIGTERM


def test_the_real_bot_is_what_it_runs(tmp_path: Path) -> None:
    """Without a token the bot says so and ends with the status that only the owner can mend."""
    assert container.BOT.is_file()
    ended = subprocess.run(
        [sys.executable, str(container.BOT)], cwd=tmp_path, env={"PATH": ""}, capture_output=True, text=True
    )
    assert ended.returncode == container.OWNER_STATUS
    assert "DISCORD_TOKEN" in ended.stderr
