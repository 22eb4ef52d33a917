"""The plan for partitions: every process computes the same, and the shares are even."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("asyncpg")
from storage.postgres.partition_shares import NO_PROCESS, SeenLeases, plan_partitions


def make_seen(alive: dict[int, set[int] | None], holders: dict[int, int]) -> SeenLeases:
    """Build it from the partitions that each process names, and the holder of each partition."""
    parts_by_process = {process: None if parts is None else frozenset(parts) for process, parts in alive.items()}
    return SeenLeases(parts_by_process, frozenset(), {part: (holder, 1) for part, holder in holders.items()})


@pytest.mark.parametrize(
    ("alive", "holders", "me", "back", "taken"),
    [
        ({1: None}, {0: NO_PROCESS, 1: NO_PROCESS, 2: 9}, 1, [], [0, 1, 2]),
        ({1: None, 2: None}, {0: 1, 1: 1, 2: 1, 3: 1}, 1, [3], []),
        ({1: None, 2: None}, {0: 1, 1: 1, 2: 1, 3: NO_PROCESS}, 2, [], [3]),
        ({1: None, 2: None, 3: None}, {0: 1, 1: 1, 2: 2, 3: 2}, 1, [], []),
        ({1: None, 2: None, 3: None}, {0: 1, 1: 1, 2: 2, 3: 2}, 2, [3], []),
        ({1: None, 2: None}, {0: NO_PROCESS}, 2, [], []),
        ({1: None, 2: {1}}, {0: 1, 1: 1, 2: 1}, 1, [1], []),
        ({1: None, 2: {1}}, {0: 1, 1: NO_PROCESS, 2: NO_PROCESS}, 1, [], [2]),
        ({1: None, 2: {1}}, {0: 9, 1: 9, 2: 9}, 2, [], [1]),
    ],
)
def test_partitions_are_given_back_and_taken(
    alive: dict[int, set[int] | None], holders: dict[int, int], me: int, back: list[int], taken: list[int]
) -> None:
    assert plan_partitions(make_seen(alive, holders), me) == (back, taken)


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 20), st.lists(st.integers(0, 6), min_size=1, max_size=6, unique=True), st.data())
def test_partitions_come_out_even_from_every_start(of: int, processes: list[int], data: st.DataObject) -> None:
    alive = dict.fromkeys(process + 1 for process in processes)
    holders = {part: data.draw(st.integers(0, 8), label=f"{part}") for part in range(of)}
    for _ in range(of + 1):
        for me in alive:
            back, taken = plan_partitions(make_seen(dict(alive), holders), me)
            assert not (back and taken)
            holders.update(dict.fromkeys(back, NO_PROCESS))
            holders.update(dict.fromkeys(taken, me))
    counts = [list(holders.values()).count(process) for process in sorted(alive)]
    assert sum(counts) == of
    assert max(counts) - min(counts) <= 1
    assert counts == sorted(counts, reverse=True), "those that have been there longest have one more"
