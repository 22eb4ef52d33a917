"""Every game keeps every law."""

from __future__ import annotations

import pytest

from engines.kit.chance import Chance
from engines.kit.contract import AnyGame
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


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_number_of_seats_that_the_game_is_not_for_is_refused_in_a_sentence(game: AnyGame) -> None:
    for seats in (0, game.seats[0] - 1, game.seats[-1] + 1):
        with pytest.raises(ValueError, match=r"\.$"):
            game.start(seats, game.options(), Chance("0" * 32))
