"""Tuning moves a policy's numbers along what wins."""

from __future__ import annotations

import tomllib
from pathlib import Path
from random import Random

import pytest

import players
from bench.players import tuning
from bench.players.tuning import NumberTable, points_ahead, tuning_step
from engines import GAMES
from players.wizard import tuned_model

TABLE = tomllib.loads((Path(players.__path__[0]) / "wizard" / "numbers.toml").read_text(encoding="utf-8"))
WIZARD = GAMES["wizard"]


def test_a_table_of_numbers_is_written_as_it_was_read() -> None:
    numbers = NumberTable(TABLE)
    assert numbers.to_table(numbers.row) == TABLE
    assert tomllib.loads(numbers.to_toml(numbers.row)) == TABLE


def test_equal_numbers_are_equally_good_and_wrong_ones_worse() -> None:
    assert points_ahead(WIZARD, tuned_model(TABLE), tuned_model(TABLE), 4, 7) == 0
    assert points_ahead(WIZARD, tuned_model(TABLE), tuned_model({**TABLE, "bid_base": 3.0}), 4, 7) > 50


def test_a_step_moves_along_the_shifts_that_won(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "PAIR_COUNT", 4)
    numbers, pace = NumberTable(TABLE), [0.0] * len(NumberTable(TABLE).row)
    bid = next(place for place, name in enumerate(numbers.paths) if name == ("bid_base",))

    def bids_higher(game: object, one: object, other: object, seats: int, seed: int) -> float:
        return float(one.policy.numbers.bid_base - other.policy.numbers.bid_base)  # type: ignore[attr-defined]

    monkeypatch.setattr(tuning, "points_ahead", bids_higher)
    assert tuning_step(WIZARD, numbers, numbers.row, pace, 4, Random(1))[bid] > numbers.row[bid]
