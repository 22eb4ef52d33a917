"""The numbers of positions at small depth are what they were."""

from __future__ import annotations

from itertools import islice

import pytest

from engines.kit.contract import AnyGame
from tests.contract.perft import MOST, Count, counts, ways
from tests.games import GAMES

CASES = [(game, count) for game in GAMES.values() for count in counts(game)]


def test_every_game_has_counts() -> None:
    assert {game.key for game, _ in CASES} == set(GAMES)


@pytest.mark.parametrize(("game", "count"), CASES, ids=[f"{g.key}-{c.seats}" for g, c in CASES])
def test_the_positions_are_as_many_as_they_were(game: AnyGame, count: Count) -> None:
    assert len(count.ways) >= 3 or count.ways[-1] * count.ways[0] > MOST  # more would be too many
    assert tuple(islice(ways(game, count), len(count.ways))) == count.ways
