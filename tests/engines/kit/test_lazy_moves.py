"""Lists of moves that are not built: like tuples of the same moves, in everything that anybody does with a list."""

from __future__ import annotations

from random import Random

import pytest

from engines.kit.lazy_moves import Choices, built

BUILT = tuple(f"{one}{number}" for one in "ab" for number in range(3))


def choices(made: list[str] | None = None) -> Choices[str]:
    """BUILT in three parts: made one by one, there already, and none at all."""

    def make(place: int) -> str:
        if made is not None:
            made.append(f"a{place}")
        return f"a{place}"

    return Choices((make, 3), built(()), built(BUILT[3:]))


def test_all_moves_come_in_the_order_of_the_parts() -> None:
    assert tuple(choices()) == BUILT
    assert list(reversed(choices())) == list(reversed(BUILT))
    assert len(choices()) == 6
    assert len(Choices[str]()) == 0
    assert not Choices[str](built(()))


@pytest.mark.parametrize("index", range(-6, 6))
def test_a_place_is_that_of_the_tuple_also_counted_from_the_end(index: int) -> None:
    assert choices()[index] == BUILT[index]


@pytest.mark.parametrize("index", [6, -7, 99, -99])
def test_a_place_outside_is_refused_as_lists_do(index: int) -> None:
    with pytest.raises(IndexError):
        choices()[index]


@pytest.mark.parametrize("part", [slice(1, 5), slice(None, None, -1), slice(-2, None), slice(4, 99, 2), slice(9, 12)])
def test_a_slice_is_that_of_the_tuple(part: slice) -> None:
    assert choices()[part] == BUILT[part]


def test_lists_of_the_same_moves_are_equal_and_look_the_same() -> None:
    assert choices() == BUILT
    assert choices() == list(BUILT)
    assert choices() != BUILT[1:]
    assert choices() != {*BUILT}
    assert hash(choices()) == hash(BUILT)
    assert repr(choices()) == repr(BUILT)
    assert ("a1" in choices(), "c1" in choices()) == (True, False)


def test_only_what_is_looked_at_is_made() -> None:
    made: list[str] = []
    found = choices(made)
    assert len(found) == 6
    assert not made
    assert found[1] == "a1"
    assert Random(1).choice(found) in BUILT
    assert len(made) <= 2
