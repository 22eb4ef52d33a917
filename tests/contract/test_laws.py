"""Every game keeps every law."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from math import ceil

import pytest
from _pytest.mark import ParameterSet

from tests.contract.helper import GameHelper, MatchStart
from tests.contract.helpers import HELPERS
from tests.contract.laws import LAWS
from tests.games import GAMES

ALL_STARTS = os.environ.get("MOTLEY_STARTS") == "all"
FEW_STARTS = 8  # starts of a game that each law takes; with more, laws take turns at them


def cases() -> Iterator[ParameterSet]:
    for helper in HELPERS.values():
        starts = helper.starts()
        step = 1 if ALL_STARTS else ceil(len(starts) / FEW_STARTS)
        for first, law in enumerate(LAWS):
            for number in range(first % step, len(starts), step):
                start = starts[number]
                yield pytest.param(helper, start, law, id=f"{helper.game.key}-{start.seats}_{number}-{law}")


def test_every_game_has_a_helper() -> None:
    assert set(HELPERS) == set(GAMES)
    for key, game in GAMES.items():
        assert HELPERS[key].game is game
        assert game.key == key


@cache
def never_ends(helper: GameHelper, start: MatchStart) -> str:
    """Why all laws fail at once, each of which would take long to notice: a match that does not end."""
    try:
        LAWS["matches_end"](helper, start)
    except AssertionError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(("helper", "start", "law"), [*cases()])
def test_law(helper: GameHelper, start: MatchStart, law: str) -> None:
    assert not (reason := never_ends(helper, start)), reason
    LAWS[law](helper, start)
