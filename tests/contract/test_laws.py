"""Every game keeps every law."""

from __future__ import annotations

import pytest

from tests.contract.helper import GameHelper, MatchStart
from tests.contract.helpers import HELPERS
from tests.contract.laws import LAWS
from tests.games import GAMES

CASES = [(helper, start) for helper in HELPERS.values() for start in helper.starts()]


def test_every_game_has_a_helper() -> None:
    assert set(HELPERS) == set(GAMES)
    for key, game in GAMES.items():
        assert HELPERS[key].game is game
        assert game.key == key


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(("helper", "start"), CASES, ids=[f"{h.game.key}-{s.seats}" for h, s in CASES])
def test_law(helper: GameHelper, start: MatchStart, law: str) -> None:
    LAWS[law](helper, start)
