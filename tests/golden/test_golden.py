"""Matches that were played once replay to the last event, under the rules version they were played with."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.hosting.record import format_record, parse_record, replay
from tests.contract.helpers import HELPERS
from tests.games import GAMES
from tests.golden.records import load_digests, random_record_paths, record_folders, records_in, replay_digest


def game_key_of(path: Path) -> str:
    """The key of the game whose record that is."""
    return path.parents[1].name


def record_name(path: Path) -> str:
    """Of a record, or a folder of them, for the one who reads what fails: its game, and where it lies there."""
    parts = path.with_suffix("").parts
    return "-".join(parts[-1 - parts[::-1].index("golden") - 1 :])


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_records_with_every_number_of_seats(key: str) -> None:
    kept = [
        parse_record(path.read_text(encoding="utf-8")) for path in random_record_paths() if game_key_of(path) == key
    ]
    assert {record.seats for record in kept} == set(GAMES[key].seats)
    assert GAMES[key].version in {record.rules for record in kept}


@pytest.mark.parametrize("key", GAMES)
def test_no_record_is_missing(key: str) -> None:
    assert {path.stem for path in random_record_paths() if game_key_of(path) == key} >= set(HELPERS[key].golden_plans())


@pytest.mark.parametrize("key", GAMES)
def test_options_that_become_others_get_a_new_version(key: str) -> None:
    """An older bot beside a newer one knows by the version alone that there is something which it does not know."""
    game = GAMES[key]
    for record in (
        parse_record(path.read_text(encoding="utf-8")) for path in random_record_paths() if game_key_of(path) == key
    ):
        if record.rules == game.version:
            assert (
                game.options_adapter.dump_json(game.options_adapter.validate_json(record.options)).decode()
                == record.options
            )


@pytest.mark.parametrize("folder", record_folders(), ids=record_name)
def test_every_record_has_its_digest(folder: Path) -> None:
    assert {path.stem for path in records_in(folder)} == set(load_digests(folder))


@pytest.mark.parametrize("path", [path for folder in record_folders() for path in records_in(folder)], ids=record_name)
def test_a_record_replays(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    record = parse_record(text)
    assert format_record(record) == text
    assert record.result is not None
    game = GAMES[record.game]
    rules = game if game.version == record.rules else game.past_versions[record.rules]
    assert replay_digest(rules, replay(record, GAMES)) == load_digests(path.parent)[path.stem]
