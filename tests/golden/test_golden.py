"""Matches that were played once replay to the last event, under the rules version they were played with."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.hosting.records.record import Record, format_record, parse_record, replay
from tests.contract.helpers import HELPERS
from tests.contract.undo_mode import in_undo_mode
from tests.games import GAMES
from tests.golden.records import load_digests, random_record_paths, record_folders, records_in, replay_digest


def record_name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return "-".join(parts[-1 - parts[::-1].index("golden") - 1 :])


def random_records(key: str) -> list[Record]:
    return [parse_record(p.read_text(encoding="utf-8")) for p in random_record_paths() if p.parents[1].name == key]


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_records_with_every_number_of_seats_and_none_is_missing(key: str) -> None:
    records = random_records(key)
    assert {record.seats for record in records} >= set(GAMES[key].seats)
    assert GAMES[key].version in {record.rules for record in records}
    names = {path.stem for path in random_record_paths() if path.parents[1].name == key}
    assert names >= set(HELPERS[key].golden_plans())


@pytest.mark.parametrize("key", GAMES)
def test_options_that_become_others_get_a_new_version(key: str) -> None:
    """An older bot beside a newer one knows by the version alone that there is something which it does not know."""
    options = GAMES[key].options_adapter
    for record in random_records(key):
        if record.rules == GAMES[key].version:
            assert options.dump_json(options.validate_json(record.options)).decode() == record.options


@pytest.mark.parametrize("folder", record_folders(), ids=record_name)
def test_every_record_has_its_digest(folder: Path) -> None:
    assert {path.stem for path in records_in(folder)} == set(load_digests(folder))


ALL_RECORDS = [path for folder in record_folders() for path in records_in(folder)]


@pytest.mark.parametrize("path", ALL_RECORDS, ids=record_name)
def test_a_record_replays(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    record = parse_record(text)
    assert format_record(record) == text
    assert record.result is not None
    game = GAMES[record.game]
    rules = game if game.version == record.rules else game.past_versions[record.rules]
    assert replay_digest(rules, replay(record, GAMES)) == load_digests(path.parent)[path.stem]


@pytest.mark.parametrize("path", ALL_RECORDS, ids=record_name)
def test_a_record_replays_with_every_move_taken_back_first(path: Path) -> None:
    record = parse_record(path.read_text(encoding="utf-8"))
    game = in_undo_mode(GAMES[record.game])
    rules = game if game.version == record.rules else game.past_versions[record.rules]
    assert replay_digest(rules, replay(record, {record.game: game})) == load_digests(path.parent)[path.stem]
