"""Matches that were played once replay to the last event, under the rules version they were played with."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines import GAMES
from engines.record import parse, replay, write
from tests.golden.records import PLANS, digest, digests, paths


def test_every_game_has_records_with_every_number_of_seats() -> None:
    assert set(PLANS) == set(GAMES)
    for key, game in GAMES.items():
        kept = [parse(path.read_text(encoding="utf-8")) for path in paths() if path.parent.name == key]
        assert {record.seats for record in kept} == set(game.seats)
        assert game.version in {record.rules for record in kept}


def test_no_record_is_missing_or_without_its_digest() -> None:
    names = {f"{path.parent.name}/{path.stem}" for path in paths()}
    assert names == set(digests())
    assert names >= {f"{key}/{name}" for key, plans in PLANS.items() for name in plans}


@pytest.mark.parametrize("path", paths(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_record_replays(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    record = parse(text)
    assert write(record) == text
    assert record.result is not None
    game = GAMES[record.game]
    rules = game if game.version == record.rules else game.past[record.rules]
    assert digest(rules, replay(record)) == digests()[f"{path.parent.name}/{path.stem}"]
