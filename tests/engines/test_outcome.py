"""Places of a finished game: by whatever a seat has to show, and shared where it is as much."""

from __future__ import annotations

from typing import Any

import pytest

from engines.kit.contract import Outcome, rank_places


@pytest.mark.parametrize(
    ("worth", "expected"),
    [
        ((3, 1, 2), (1, 3, 2)),
        ((5, 5, 2), (1, 1, 3)),
        ((2, 5, 5, 1), (3, 1, 1, 4)),
        ((0, 0), (1, 1)),
        ((-4,), (1,)),
        (((3, 1), (3, 2), (4, 0)), (3, 2, 1)),
        ((), ()),
    ],
)
def test_the_greatest_is_first_and_equal_ones_share_a_place(worth: tuple[Any, ...], expected: tuple[int, ...]) -> None:
    assert rank_places(worth) == expected


def test_the_winners_are_all_seats_in_first_place() -> None:
    assert Outcome.from_points([7, 9, 9]) == Outcome((3, 1, 1), (7, 9, 9))
    assert Outcome.from_points([7, 9, 9]).winners == (1, 2)
