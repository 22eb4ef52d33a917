"""The numbers of positions at small depth are what they were."""

from __future__ import annotations

from itertools import islice

import pytest

from engines.kit.contract import AnyGame
from tests.contract.perft import MAX_POSITIONS, PerftLine, count_positions, load_counts
from tests.games import GAMES

CASES = [(game, count) for game in GAMES.values() for count in load_counts(game)]


def test_every_game_has_counts() -> None:
    assert {game.key for game, _ in CASES} == set(GAMES)


@pytest.mark.parametrize(("game", "count"), CASES, ids=[f"{g.key}-{c.seats}" for g, c in CASES])
def test_the_positions_are_as_many_as_they_were(game: AnyGame, count: PerftLine) -> None:
    assert len(count.counts) >= 3 or count.counts[-1] * count.counts[0] > MAX_POSITIONS  # more would be too many
    assert tuple(islice(count_positions(game, count), len(count.counts))) == count.counts
