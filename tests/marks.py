"""For all tests: marks that `make quick` and `make test` leave out; and what lets workers finish early.

What a test uses is marked by its fixtures and its folder, never by hand. Two marks are set by hand. `long` is for a
test that costs much and finds what quicker ones find, too, or what changes seldom. `sampled` is for a test with many
cases that are alike: without a number each value of its parameters comes once, with one so many cases do, and the
others are long. `make test` leaves out what is long, and soak-ci runs it.
"""

from __future__ import annotations

import gc
import os
from collections import defaultdict
from collections.abc import Generator, Iterable, Mapping, Sequence

import pytest

MARKS = {
    "whole_bot": "plays the whole bot in this process, on the playground's simulation",
    "browser": "looks at the playground's page in Chromium, with the bot behind it",
    "process": "starts the bot, or its workers, as processes of their own",
    "long": "costs much: soak-ci runs it, and `make test` does not",
    "sampled(cases)": "`make test` runs a sample of its cases, and soak-ci the others",
}
FIXTURES = {"server": "whole_bot", "browser": "browser"}  # these, and whatever asks for them
FOLDERS = {"end_to_end": "whole_bot", "processes": "process", "worker_pool": "process"}
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
    for item in long_cases(items):
        item.add_marker("long")
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


def long_cases(items: Iterable[pytest.Item]) -> Iterable[pytest.Item]:
    """The cases of sampled tests that are not in the sample."""
    cases: dict[object, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sampled"):
            cases[item.parent, getattr(item, "originalname", item.name)].append(item)
    for each in cases.values():
        mark = each[0].get_closest_marker("sampled")
        assert mark is not None
        sample = sampled_places([item.callspec.params for item in each], *mark.args)  # type: ignore[attr-defined]
        yield from (item for place, item in enumerate(each) if place not in sample)


def sampled_places(cases: Sequence[Mapping[str, object]], number: int | None = None) -> set[int]:
    """The places of the cases in a sample, by the values of their parameters.

    Without a number, no value of two parameters is left out, and they take turns.
    """
    if number is not None:
        return {place * len(cases) // number for place in range(number)}
    values: dict[str, list[object]] = {name: [] for name in cases[0]}
    for case in cases:
        for name, value in case.items():
            if value not in values[name]:
                values[name].append(value)
    varied = sorted((name for name in values if len(values[name]) > 1), key=lambda name: len(values[name]))
    if len(varied) != 2:  # as if only some cases were asked for
        return set(range(len(cases)))
    second, first = varied
    numbers = [(values[first].index(case[first]), values[second].index(case[second])) for case in cases]
    return {place for place, (one, other) in enumerate(numbers) if (one - other) % len(values[second]) == 0}


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
