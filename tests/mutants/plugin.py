"""A plugin of pytest for `tests.mutants`: notes failing tests and reached functions, and ends hanging tests.

Processor time counts, because the machine may be busy with other things.
"""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
NOTES = "mutants-{}.json"  # `RunNotes` of the process with that number


class RunNotes(NamedTuple):
    """Of each test its processor seconds, and the numbers of the places that it reached; the tests that failed."""

    reached: dict[str, tuple[float, list[int]]]
    failed: list[str]


SECONDS = "MUTANTS_SECONDS"  # the variable with the processor seconds that one test may take
notes = RunNotes({}, [])
current: set[int] = set()
began = [0.0]


def hit(number: int) -> None:
    """Note that the running test reached a place of this number."""
    current.add(number)


def used_seconds() -> float:
    """The processor time of this process and of those that it started and awaited."""
    return sum(os.times()[:4])


def end_test(*_: object) -> None:
    raise pytest.fail.Exception("the test took too much processor time")


def pytest_configure() -> None:
    signal.signal(signal.SIGPROF, end_test)


def pytest_runtest_logstart() -> None:
    current.clear()
    began[0] = used_seconds()
    signal.setitimer(signal.ITIMER_PROF, float(os.environ.get(SECONDS, "0")))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        notes.failed.append(report.nodeid)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.failed:
        notes.failed.append(report.nodeid)


def pytest_runtest_logfinish(nodeid: str) -> None:
    signal.setitimer(signal.ITIMER_PROF, 0)
    notes.reached[nodeid] = used_seconds() - began[0], sorted(current)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """The process that deals tests to others ran none."""
    if hasattr(session.config, "workerinput") or not session.config.getoption("numprocesses", None):
        (ROOT / NOTES.format(os.getpid())).write_text(json.dumps(notes), encoding="utf-8")
