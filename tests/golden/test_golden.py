"""Matches that were played once replay to the last event, under the rules version they were played with."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.record import parse, replay, write
from tests.contract.helpers import HELPERS
from tests.games import GAMES
from tests.golden.records import digest, digests, paths


def game_of(path: Path) -> str:
    """The key of the game whose record that is."""
    return path.parents[1].name


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_records_with_every_number_of_seats(key: str) -> None:
    kept = [parse(path.read_text(encoding="utf-8")) for path in paths() if game_of(path) == key]
    assert {record.seats for record in kept} == set(GAMES[key].seats)
    assert GAMES[key].version in {record.rules for record in kept}


@pytest.mark.parametrize("key", GAMES)
def test_no_record_is_missing_or_without_its_digest(key: str) -> None:
    names = {path.stem for path in paths() if game_of(path) == key}
    assert names == set(digests(key))
    assert names >= set(HELPERS[key].plans())


@pytest.mark.parametrize("path", paths(), ids=lambda path: f"{game_of(path)}-{path.stem}")
def test_a_record_replays(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    record = parse(text)
    assert write(record) == text
    assert record.result is not None
    game = GAMES[record.game]
    rules = game if game.version == record.rules else game.past[record.rules]
    assert digest(rules, replay(record, GAMES)) == digests(game_of(path))[path.stem]
