"""What processes on one store divide among each other, and what one that is alone does."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from engines.store import process_group
from engines.store.process_group import MIN_SHARE, TURN_SPACING, GroupStatus, ProcessStatus, divide_shares


@pytest.mark.parametrize(
    ("needs", "divided"),
    [
        ({"a": 0.0}, {"a": 1.0}),
        ({"a": 5.0}, {"a": 1.0}),
        ({"a": 0.0, "b": 0.0}, {"a": 0.5, "b": 0.5}),
        ({"a": 0.4, "b": 0.2}, {"a": 0.6, "b": 0.4}),
        ({"a": 0.0, "b": 9.0}, {"a": MIN_SHARE / 2, "b": 1 - MIN_SHARE / 2}),
        ({"a": 0.6, "b": 0.9}, {"a": MIN_SHARE / 2 + 0.3, "b": MIN_SHARE / 2 + 0.45}),
    ],
)
def test_all_is_divided_by_what_each_needs(needs: Mapping[str, float], divided: Mapping[str, float]) -> None:
    assert divide_shares(needs) == pytest.approx(divided)


def test_nobody_gets_all_while_another_needs_something() -> None:
    found = divide_shares({"a": 99.0, "b": 0.01, "c": 0.01})
    assert sum(found.values()) == pytest.approx(1)
    assert min(found.values()) > MIN_SHARE / 3


@pytest.mark.parametrize(
    ("own_version", "other_versions", "newer"),
    [
        ("1.2.0", (), ""),
        ("1.2.0", ("1.2.0", "1.1.9"), ""),
        ("1.2.0", ("1.10.0", "1.9.0"), "1.10.0"),
        ("", ("0.1",), "0.1"),
    ],
)
def test_versions_are_compared_by_their_numbers(own_version: str, other_versions: tuple[str, ...], newer: str) -> None:
    assert GroupStatus(versions=frozenset(other_versions)).newer_version(own_version) == newer


async def test_one_that_is_alone_takes_turns_with_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(round(seconds, 1))

    monkeypatch.setattr("engines.store.process_group.sleep", sleep)
    solo = process_group.SingleProcess(lambda: 100.0)
    for bucket in (0, 1, 0, 1, 0):
        await solo.wait_for_turn(bucket)
    assert slept == [0, 0, TURN_SPACING, TURN_SPACING, 2 * TURN_SPACING]
    await solo.wait_for_turn(2, 4.0)
    await solo.wait_for_turn(2)
    assert slept[-2:] == [4, 4 + TURN_SPACING]
    assert await solo.send_heartbeat(ProcessStatus("1", 3.0)) == GroupStatus()
