"""The script behind Court's numbers: what it writes can be read, and it learns what wins."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from players.court import tuning
from players.court.numbers import Weights
from tests.engines.court.positions import parse_position


def test_matches_become_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "numbers.toml"
    monkeypatch.setattr("sys.argv", ["tuning", "2", "3", str(file)])
    tuning.main()
    found = Weights.model_validate(tomllib.loads(file.read_text(encoding="utf-8"))["2"])
    assert found.left[0] > found.left[3]


def test_matches_that_more_banners_always_win_teach_it() -> None:
    ahead = parse_position("   K L\n9 A B\nhands: 2C 3C 4C 5C 6C 7C\nbanners: CDS / -")
    behind = parse_position("   K L\n9 A B\nhands: 2C 3C 4C 5C 6C 7C\nbanners: - / CDS")
    matches = [
        ([tuning.position_features(state, 0, state.hands[0])], [share, 1 - share])
        for state, share in ((ahead, 1.0), (behind, 0.0))
    ]
    weights = [0.0] * tuning.TOTAL_WEIGHTS
    for _ in range(3):
        weights = tuning.newton_step(matches * 50, weights)
    assert weights[tuning.WEIGHT_OFFSETS["left"]] > weights[tuning.WEIGHT_OFFSETS["left"] + 3]
    assert tuning.win_shares(matches[0][0][0], weights)[0] > 0.9


def test_equations_are_solved() -> None:
    assert tuning.solve_linear([[4.0, 1.0], [1.0, 3.0]], [1.0, 2.0]) == pytest.approx([1 / 11, 7 / 11])
