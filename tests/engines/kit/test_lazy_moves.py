"""Lists of moves that are not built: like tuples of the same moves, in everything that anybody does with a list."""

from __future__ import annotations

from random import Random

import pytest

from engines.kit.lazy_moves import LazyMoves, as_segment

BUILT = tuple(f"{one}{number}" for one in "ab" for number in range(3))


def make_choices(log: list[str] | None = None) -> LazyMoves[str]:
    """BUILT in three parts: made one by one, there already, and none at all."""

    def make(place: int) -> str:
        if log is not None:
            log.append(f"a{place}")
        return f"a{place}"

    return LazyMoves((make, 3), as_segment(()), as_segment(BUILT[3:]))


def test_all_moves_come_in_the_order_of_the_parts() -> None:
    assert tuple(make_choices()) == BUILT
    assert list(reversed(make_choices())) == list(reversed(BUILT))
    assert len(make_choices()) == 6
    assert len(LazyMoves[str]()) == 0
    assert not LazyMoves[str](as_segment(()))


def test_places_and_slices_are_those_of_the_tuple() -> None:
    assert [make_choices()[index] for index in range(-6, 6)] == [*BUILT, *BUILT]
    for part in (slice(1, 5), slice(None, None, -1), slice(-2, None), slice(4, 99, 2), slice(9, 12)):
        assert make_choices()[part] == BUILT[part]
    for index in (6, -7, 99, -99):
        with pytest.raises(IndexError):
            make_choices()[index]


def test_lists_of_the_same_moves_are_equal_and_look_the_same() -> None:
    assert make_choices() == BUILT
    assert make_choices() == list(BUILT)
    assert make_choices() != BUILT[1:]
    assert make_choices() != {*BUILT}
    assert hash(make_choices()) == hash(BUILT)
    assert repr(make_choices()) == repr(BUILT)
    assert ("a1" in make_choices(), "c1" in make_choices()) == (True, False)


def test_only_what_is_looked_at_is_made() -> None:
    log: list[str] = []
    found = make_choices(log)
    assert len(found) == 6
    assert not log
    assert found[1] == "a1"
    assert Random(1).choice(found) in BUILT
    assert len(log) <= 2
