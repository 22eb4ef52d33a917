"""For all tests: marks by what a test uses, which `make quick` leaves out; and what lets workers finish early.

A test is marked by its fixtures and its folder, never by hand.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Generator, Iterable, Sequence

import pytest

MARKS = {
    "simcord": "plays the whole bot in simcord's virtual Discord",
    "browser": "looks at the playground's page in Chromium, with the bot behind it",
    "process": "starts the bot, or its workers, as processes of their own",
}
FIXTURES = {"server": "simcord", "browser": "browser"}  # these, and whatever asks for them
FOLDERS = {"end_to_end": "simcord", "processes": "process", "worker_pool": "process"}
WAITING_KINDS = {"browser", "process"}


def pytest_configure(config: pytest.Config) -> None:
    for name, says in MARKS.items():
        config.addinivalue_line("markers", f"{name}: {says}")


@pytest.hookimpl(tryfirst=True, optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """With `-n auto` half as many workers again as there are cores: who starts a process or a browser mostly waits."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores if config.option.numprocesses == "logical" else max(2, cores * 3 // 2)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Generator[None, object, object]:
    for item in items:
        for name in marks_of_test(item.path.parts, getattr(item, "fixturenames", ())):
            item.add_marker(name)
    result = yield
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    waiting = [any(item.get_closest_marker(name) for name in WAITING_KINDS) for item in items]
    items[:] = [items[i] for i in deal_order(waiting, workers)]
    return result


def pytest_collection_finish() -> None:
    """What was collected stays to the end: the garbage collector need not go through it again and again."""
    gc.collect()
    gc.freeze()


def marks_of_test(folders: Sequence[str], fixtures: Iterable[str]) -> set[str]:
    marks = [FOLDERS.get(folder) for folder in folders] + [FIXTURES.get(fixture) for fixture in fixtures]
    return {name for name in marks if name is not None}


def deal_order(waiting: Sequence[bool], workers: int) -> list[int]:
    """The places of the tests in an order for so many workers, each of whom begins at the next equal part of it.

    What waits is dealt among them and comes first, so that nobody waits at the end while the others have nothing to
    do; everything else stays together, since neighbours share what they have worked out.
    """
    slow = [place for place, waits in enumerate(waiting) if waits]
    quick = [place for place, waits in enumerate(waiting) if not waits]
    order: list[int] = []
    for worker in range(workers):
        order += slow[worker::workers]
        share = max(0, len(waiting) * (worker + 1) // workers - len(order))
        order += quick[:share]
        del quick[:share]
    return order
