"""Every game keeps every law."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from math import ceil
from typing import cast

import pytest
from _pytest.mark import ParameterSet

from engines.kit.contract import Game
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.helpers import HELPERS
from tests.contract.laws import LAWS
from tests.contract.laws.answers import given_answers
from tests.example.engines import GAMES as EXAMPLE_GAMES
from tests.game_uis import GAME_UIS, RULES, SCREENS, UnregisteredUI
from tests.games import GAMES

ALL_STARTS = os.environ.get("MOTLEY_STARTS") == "all"
FEW_STARTS = 1  # starts of a game that each law takes here; laws take turns at them, and soak-ci takes all


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


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_a_ui(key: str) -> None:
    if key not in GAME_UIS:
        pytest.fail(f"{UnregisteredUI(key)}", pytrace=False)


@pytest.mark.parametrize("helper", HELPERS.values(), ids=HELPERS)
def test_every_yes_or_no_method_of_a_game_and_its_helper_is_asked(helper: GameHelper) -> None:
    methods = {**vars(Game), **vars(GameHelper)}
    yes_or_no = {name for name, each in methods.items() if getattr(each, "__annotations__", {}).get("return") == "bool"}
    assert yes_or_no <= given_answers(helper).keys()


def test_laws_about_screens_wait_for_the_ui(monkeypatch: pytest.MonkeyPatch) -> None:
    (key,) = EXAMPLE_GAMES
    for registry in (GAME_UIS, SCREENS, RULES):
        monkeypatch.delitem(cast("dict[str, object]", registry), key)
    helper = type(HELPERS[key])()  # which has looked up no screen
    start = helper.starts()[0]
    with pytest.raises(pytest.skip.Exception, match=f"Register the UI of {key} in cogs/games.py."):
        test_law(helper, start, "words_fit_a_message")
    with pytest.raises(pytest.fail.Exception, match=f"Register the UI of {key} in cogs/games.py."):
        test_every_game_has_a_ui(key)
    test_law(helper, start, "matches_end")


@pytest.mark.parametrize(("helper", "start", "law"), [*cases()])
def test_law(helper: GameHelper, start: MatchStart, law: str) -> None:
    assert not (reason := never_ends(helper, start)), reason
    try:
        LAWS[law](helper, start)
    except UnregisteredUI as missing:  # test_every_game_has_a_ui fails for all of them
        pytest.skip(str(missing))
