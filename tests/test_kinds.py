"""Tests are marked by what they use, and dealt to workers so that none is lost and what waits comes first."""

from __future__ import annotations

import gc

import pytest

from tests.kinds import deal_order, marks_of_test


@pytest.mark.parametrize(
    ("folders", "fixtures", "marks"),
    [
        (("tests", "cogs", "jest"), ("inn", "request"), {"simcord"}),
        (("tests", "cogs", "jest"), ("desk", "browser"), {"browser"}),
        (("tests", "end_to_end"), (), {"simcord"}),
        (("tests", "processes"), ("tmp_path",), {"process"}),
        (("tests", "contract"), ("tmp_path",), set()),
    ],
)
def test_a_test_is_marked_by_its_folder_and_its_fixtures(
    folders: tuple[str, ...], fixtures: tuple[str, ...], marks: set[str]
) -> None:
    assert marks_of_test(folders, fixtures) == marks


def test_one_that_uses_none_of_it_is_quick(request: pytest.FixtureRequest) -> None:
    assert not {"simcord", "browser", "process"} & {mark.name for mark in request.node.iter_markers()}


@pytest.mark.parametrize("workers", [1, 2, 3, 7])
@pytest.mark.parametrize("slow", [(), (3,), (0, 1, 2), (5, 8, 9), tuple(range(10))])
def test_every_test_is_dealt_once_and_what_waits_begins_a_part(workers: int, slow: tuple[int, ...]) -> None:
    order = deal_order([place in slow for place in range(10)], workers)
    assert sorted(order) == list(range(10))
    assert [place for place in order if place not in slow] == [place for place in range(10) if place not in slow]
    if len(slow) >= workers:
        parts = [order[10 * worker // workers :] for worker in range(workers)]
        assert all(part[0] in slow for part in parts)


def test_the_collector_leaves_alone_what_was_collected() -> None:
    assert gc.get_freeze_count() > 10_000
