"""What processes on one store divide among each other, and what one that is alone does."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from engines.store.process_group import APART, FLOOR, Crew, Sign, Solo, shares


@pytest.mark.parametrize(
    ("needs", "divided"),
    [
        ({"a": 0.0}, {"a": 1.0}),
        ({"a": 5.0}, {"a": 1.0}),
        ({"a": 0.0, "b": 0.0}, {"a": 0.5, "b": 0.5}),
        ({"a": 0.4, "b": 0.2}, {"a": 0.6, "b": 0.4}),
        ({"a": 0.0, "b": 9.0}, {"a": FLOOR / 2, "b": 1 - FLOOR / 2}),
        ({"a": 0.6, "b": 0.9}, {"a": FLOOR / 2 + 0.3, "b": FLOOR / 2 + 0.45}),
    ],
)
def test_all_is_divided_by_what_each_needs(needs: Mapping[str, float], divided: Mapping[str, float]) -> None:
    assert shares(needs) == pytest.approx(divided)


def test_nobody_gets_all_while_another_needs_something() -> None:
    found = shares({"a": 99.0, "b": 0.01, "c": 0.01})
    assert sum(found.values()) == pytest.approx(1)
    assert min(found.values()) > FLOOR / 3


@pytest.mark.parametrize(
    ("mine", "theirs", "newer"),
    [
        ("1.2.0", (), ""),
        ("1.2.0", ("1.2.0", "1.1.9"), ""),
        ("1.2.0", ("1.10.0", "1.9.0"), "1.10.0"),
        ("", ("0.1",), "0.1"),
    ],
)
def test_versions_are_compared_by_their_numbers(mine: str, theirs: tuple[str, ...], newer: str) -> None:
    assert Crew(versions=frozenset(theirs)).newer(mine) == newer


async def test_one_that_is_alone_takes_turns_with_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(round(seconds, 1))

    monkeypatch.setattr("engines.store.process_group.sleep", sleep)
    solo = Solo(lambda: 100.0)
    for bucket in (0, 1, 0, 1, 0):
        await solo.turn(bucket)
    assert slept == [0, 0, APART, APART, 2 * APART]
    await solo.turn(2, 4.0)
    await solo.turn(2)
    assert slept[-2:] == [4, 4 + APART]
    assert await solo.beat(Sign("1", 3.0)) == Crew()
