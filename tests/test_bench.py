"""The benchmarks measure every game, over whole matches; what compares it with OpenSpiel runs in `make bench` alone."""

from __future__ import annotations

from random import Random

import pytest

from bench.entries import ENTRIES, Entry
from bench.figures import Figure
from bench.splits import hand, trick
from engines import GAMES
from engines.chance import Chance
from engines.jokers import deck


def test_every_game_has_a_row() -> None:
    assert set(ENTRIES) == set(GAMES)


@pytest.mark.parametrize("key", ENTRIES)
def test_a_rows_match_is_played_to_its_end_and_its_moves_are_counted(key: str) -> None:
    game, entry = GAMES[key], ENTRIES[key]
    state = game.start(entry.seats, _options(key, entry), Chance("be" * 16))
    seen: list[float] = []

    def draw() -> float:
        seen.append(0.37 * len(seen) % 1)
        return seen[-1]

    assert entry.drive(game, state, draw) == len(seen) > 20
    assert game.outcome(state) is not None


def _options(key: str, entry: Entry) -> object:
    return GAMES[key].settings.validate_python(dict(entry.options))


def test_a_figure_over_its_limit_is_missed() -> None:
    assert Figure("a", 0.34, "×", most=1 / 3).missed
    assert "at most 0.33" in str(Figure("a", 0.34, "×", most=1 / 3))
    assert not Figure("a", 0.33, "×", most=1 / 3).missed
    assert not Figure("a", 7, "×").missed


@pytest.mark.parametrize("jokers", [0, 1, 2])
def test_hands_that_are_searched_have_eight_cards_and_so_many_jokers(jokers: int) -> None:
    cards = deck.held(hand(jokers, Random(1)))
    assert (len(cards), cards.count(deck.JOKER)) == (8, jokers)


def test_a_trick_takes_time() -> None:
    assert trick(Random(2)) > 0
