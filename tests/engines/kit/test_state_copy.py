"""Copies found from the types of a state's fields: equal, independent, and refused where nobody could tell how."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import Enum
from random import Random
from typing import Annotated, Any, Literal, NamedTuple

import pytest
from pydantic import Field

from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
from engines.kit.state_copy import make_copier
from tests.games import GAMES


class Colour(Enum):
    """A value that cannot change."""

    RED = "red"


class Pair(NamedTuple):
    """A tuple with names."""

    one: int
    other: tuple[int, ...] | None = None


PAIR = Pair(1, (2, 3))


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A frozen value."""

    words: str


@dataclass(slots=True)
class Mat:
    """A part of a state that changes."""

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
    told: tuple[Told, ...] = (Told(words="so"),)
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


def test_a_copy_is_equal_and_has_the_same_types() -> None:
    state = State(Chance("0" * 32, 3), perhaps=[1])
    assert COPY(state) == state
    assert repr(COPY(state)) == repr(state)
    assert COPY(State(Chance("0" * 32))).perhaps is None


def test_whatever_changes_in_a_copy_changes_nothing_in_the_original() -> None:
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


def test_what_cannot_change_is_shared() -> None:
    state = State(Chance("0" * 32))
    assert all(getattr(COPY(state), name) is getattr(state, name) for name in ("pair", "told", "seen", "colour"))


@dataclass(slots=True)
class Foreign:
    """A state with a thing of which nothing is known."""

    what: object


@dataclass(slots=True)
class Hidden:
    """A state with a list in a tuple, which would be shared."""

    what: tuple[list[int], ...]


@dataclass(slots=True)
class Bare:
    """A state with a tuple of which it is not known what it holds."""

    what: tuple  # type: ignore[type-arg]


@dataclass(slots=True)
class Either:
    """A state with one of two things that are copied differently."""

    what: list[int] | set[int]


@dataclass(slots=True)
class Neither:
    """A state with one of two things, or none."""

    what: list[int] | int | None


@dataclass(slots=True, kw_only=True)
class Named:
    """A state that is made from keywords."""

    what: int


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (Foreign, "Foreign.what: cannot copy <class 'object'>"),
        (Hidden, "Hidden.what: list[int] is mutable, but it lies inside an immutable type"),
        (Bare, "Bare.what: cannot copy <class 'tuple'>"),
        (Either, "Either.what: cannot tell which of (list[int], set[int]) to copy"),
        (Neither, "Neither.what: cannot tell which of (list[int], <class 'int'>, <class 'NoneType'>) to copy"),
        (Named, "the constructor of Named does not take its fields in order"),
    ],
)
def test_a_state_of_which_a_part_might_be_shared_is_refused(kind: type[Any], said: str) -> None:
    with pytest.raises(TypeError) as refused:
        make_copier(kind)
    assert str(refused.value) == said


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_states_of_every_game_are_copied_so_also_where_a_game_has_its_own_copy(game: AnyGame) -> None:
    state, rng, copy = game.start(game.seats[-1], game.options(), Chance("1" * 32)), Random(1), make_copier(game.state)
    for _ in range(30):
        decisions = game.decisions(state)
        if not decisions:
            break
        seat = next(seat for seat, decision in decisions.items() if decision.due)
        before, made = game.checkpoint_adapter.dump_json(state), copy(state)
        assert made == state == game.copy(state)
        move = rng.choice(game.moves(state, seat))
        game.play(made, seat, move)
        assert game.checkpoint_adapter.dump_json(state) == before
        game.play(state, seat, move)
