"""Copies found from the types of a state's fields; a law copies the states of every game."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, make_dataclass
from enum import Enum
from typing import Annotated, Any, Literal, NamedTuple

import pytest
from pydantic import Field

from engines.kit.chance import Chance
from engines.kit.state_copy import make_copier


class Colour(Enum):
    RED = "red"


class Pair(NamedTuple):
    one: int
    other: tuple[int, ...] | None = None


PAIR = Pair(1, (2, 3))


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    words: str


@dataclass(slots=True)
class Mat:
    cards: list[int]


@dataclass(slots=True)
class State:
    """Everything that a state may hold."""

    chance: Chance
    number: int = 1
    phase: Literal["play", "over"] = "play"
    colour: Colour = Colour.RED
    some: Annotated[int | None, Field(ge=0)] = None
    pair: Pair = PAIR
    told: tuple[Note, ...] = (Note(words="so"),)
    seen: frozenset[int] = frozenset({1})
    row: list[int] = field(default_factory=lambda: [1, 2])
    pairs: list[Pair | None] = field(default_factory=lambda: [Pair(4), None])
    rows: list[list[int]] = field(default_factory=lambda: [[1], [2, 3]])
    deep: list[list[list[int]]] = field(default_factory=lambda: [[[1], [2]]])
    marks: set[int] = field(default_factory=lambda: {5})
    by_name: dict[str, int] = field(default_factory=lambda: {"a": 1})
    rows_by_name: dict[str, list[int]] = field(default_factory=lambda: {"a": [1]})
    mat: Mat = field(default_factory=lambda: Mat([7]))
    mats: list[Mat] = field(default_factory=lambda: [Mat([8])])
    perhaps: list[int] | None = None


COPY = make_copier(State)


def test_a_copy_is_equal_and_shares_what_cannot_change() -> None:
    state = State(Chance("0" * 32, 3), perhaps=[1])
    assert COPY(state) == state
    assert repr(COPY(state)) == repr(state)
    assert COPY(State(Chance("0" * 32))).perhaps is None
    assert all(getattr(COPY(state), name) is getattr(state, name) for name in ("pair", "told", "seen", "colour"))


def test_changes_in_a_copy_change_nothing_in_the_original() -> None:
    state = State(Chance("0" * 32, 3), perhaps=[1])
    before, copy = asdict(state), COPY(state)
    copy.chance.roll_die()
    copy.row.append(9)
    copy.pairs.clear()
    copy.rows[1].append(9)
    copy.deep[0][1].append(9)
    copy.marks.add(9)
    copy.by_name["b"] = 9
    copy.rows_by_name["a"].append(9)
    copy.mat.cards.append(9)
    copy.mats[0].cards.append(9)
    assert copy.perhaps is not None
    copy.perhaps.append(9)
    assert asdict(state) == before


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (object, "cannot copy <class 'object'>"),
        (tuple[list[int], ...], "list[int] is mutable, but it lies inside an immutable type"),
        (tuple, "cannot copy <class 'tuple'>"),
        (list[int] | set[int], "cannot tell which of (list[int], set[int]) to copy"),
        (list[int] | int | None, "cannot tell which of (list[int], <class 'int'>, <class 'NoneType'>) to copy"),
    ],
)
def test_a_state_of_which_a_part_might_be_shared_is_refused(kind: Any, sentence: str) -> None:
    with pytest.raises(TypeError) as refused:
        make_copier(make_dataclass("Foreign", [("what", kind)], slots=True))
    assert str(refused.value) == f"Foreign.what: {sentence}"


def test_a_state_that_is_made_from_keywords_is_refused() -> None:
    with pytest.raises(TypeError, match=r"^the constructor of Note does not take its fields in order$"):
        make_copier(Note)
