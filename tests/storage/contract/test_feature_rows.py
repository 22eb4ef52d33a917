"""What holds for the rows of every feature, on both kinds of storage, shown with the samples of each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from cogs.table.actions.personal_data_file import load_personal_data
from engines.features import registry
from engines.features.registry import FEATURES, TABLES
from engines.hosting.feature import Feature
from engines.store.forgetting import PersonalTrace
from engines.store.match_store import FORGOTTEN_NAME, Change, Status
from engines.store.partition import Partition
from engines.store.rows import PutRow, Rows, RowTable
from storage.shared.tables import TABLES as STORED_TABLES
from tests.features.samples import SAMPLES
from tests.storage.contract.kinds import Database, MatchStore, SqlAccess, SurfaceStore
from tests.storage.samples import start_running

DAY = 24 * 60 * 60
every_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)


def samples_of(table: RowTable[Any]) -> tuple[Any, ...]:
    assert table.name in SAMPLES, "tests/features/samples.py shows the largest rows of each table, and nasty texts"
    return SAMPLES[table.name]


@pytest.fixture(autouse=True)
async def _stored_samples(matches: MatchStore) -> None:
    """Two running matches, and the samples of every table."""
    for match in ("m1", "m2"):
        await start_running(matches, match)
    await matches.write_rows([PutRow(table, row) for table in TABLES for row in samples_of(table)])


@every_table
async def test_rows_come_back_as_they_were(matches: MatchStore, table: RowTable[Any]) -> None:
    rows = sorted(samples_of(table), key=table.key_of)
    assert await matches.load_rows(table) == rows
    for column in (*table.indexes, table.columns[0]):
        for row in rows:
            assert row in await matches.find_rows(table, column, [getattr(row, column)])


@every_table
async def test_due_rows_come_in_order_of_their_times(matches: MatchStore, table: RowTable[Any]) -> None:
    for column in [name for name in table.searched if name in table.times]:
        timed = [row for row in samples_of(table) if getattr(row, column)]  # 0 is never
        rows = sorted(timed, key=lambda row: (getattr(row, column), table.key_of(row)))
        first, last = (getattr(row, column) for row in (rows[0], rows[-1]))
        assert await matches.load_due_rows(table, column, first - 1, 9) == []
        assert await matches.load_due_rows(table, column, last, 9) == rows
        assert await matches.load_due_rows(table, column, last, 1) == rows[:1]


@every_table
async def test_matches_with_rows_are_found_by_their_server(matches: MatchStore, table: RowTable[Any]) -> None:
    if "match" in table.columns:
        expected = sorted({row.match for row in samples_of(table)})
        assert await matches.matches_with_rows(table) == expected
        assert await matches.matches_with_rows(table, Partition.all_of(4)) == expected
        assert await matches.matches_with_rows(table, Partition(frozenset(), 4)) == []


@every_table
async def test_nothing_about_an_erased_match_is_left(matches: MatchStore, table: RowTable[Any]) -> None:
    if "match" in table.columns:
        assert any(row.match == "m1" for row in samples_of(table)), "no sample is about m1"
        await matches.erase_match("m1")
        assert not [row for row in await matches.load_rows(table) if row.match == "m1"]
    else:
        await matches.erase_match("m1")
        assert len(await matches.load_rows(table)) == len(samples_of(table))


@every_table
async def test_no_row_names_a_forgotten_person(
    matches: MatchStore, surfaces: SurfaceStore, table: RowTable[Any]
) -> None:
    """The match goes on, so that its part of the person stays, but not the rows of features that may go."""
    naming = [row for row in samples_of(table) if any(getattr(row, column) == 5 for column in table.people)]
    assert bool(naming) == bool(table.people), "person 5 has no sample"
    info = await matches.load_info("m1")
    assert info is not None
    await matches.erase_match("m2")
    await matches.request_forgetting(5)
    await end_match(matches, "m1")
    for user, match in await matches.pending_forgetting():
        if match:
            await matches.scrub_user(match, user)
        else:
            await surfaces.forget_person(user)
            await matches.finish_forgetting(user)
    left = await matches.load_rows(table)
    assert not [row for row in left if any(getattr(row, column) == 5 for column in table.people)]
    other_rows = [row for row in samples_of(table) if getattr(row, "match", "m1") != "m2"]
    others = [row for row in other_rows if row not in naming]
    assert len(left) == (len(other_rows) if table.forgotten_people == "replace" else len(others))
    assert {*others} <= {*left}
    assert all(row.name == FORGOTTEN_NAME for row in left if row not in others and hasattr(row, "name"))


async def end_match(matches: MatchStore, match: str) -> None:
    info = await matches.load_info(match)
    assert info is not None
    ended = replace(info, status=Status.ENDED, revision=info.revision + 1)
    await matches.commit(Change(ended, "end"))


@every_table
async def test_rows_of_a_server_that_removed_the_bot_go(matches: MatchStore, table: RowTable[Any]) -> None:
    for match in ("m1", "m2"):
        await matches.erase_match(match)
    await matches.record_servers([], 100)
    assert await matches.deserted_matches(101, 10) == []
    left = await matches.load_rows(table)
    if "guild" in table.columns:
        assert any(row.guild for row in samples_of(table))
        assert not [row for row in left if row.guild]
    assert len(left) == (
        0
        if "match" in table.columns or ("guild" in table.columns and table.forgotten_servers == "delete")
        else len(samples_of(table))
    )


@every_table
async def test_rows_with_a_retention_are_erased_in_time(matches: MatchStore, table: RowTable[Any]) -> None:
    if table.keep_days is None:
        await matches.erase_old_rows(2**40)
        assert len(await matches.load_rows(table)) == len(samples_of(table))
        return
    ends = min(getattr(row, table.written) for row in samples_of(table)) + table.keep_days * DAY
    await matches.erase_old_rows(ends)
    assert len(await matches.load_rows(table)) == len(samples_of(table))
    await matches.erase_old_rows(2**40)
    assert await matches.load_rows(table) == []


@every_table
async def test_times_that_a_wrong_clock_wrote_are_put_right(matches: MatchStore, table: RowTable[Any]) -> None:
    now = min((getattr(row, table.written) for row in samples_of(table) if table.times), default=2_000) - 400 * DAY
    await matches.put_times_right(now)
    for old, new in zip(sorted(samples_of(table), key=table.key_of), await matches.load_rows(table), strict=True):
        set_times = [column for column in table.times if getattr(old, column)]
        moved = {column: getattr(old, column) - getattr(old, table.written) + now for column in set_times}
        assert new == replace(old, **moved)


@every_table
async def test_the_table_is_stored_as_it_is_declared(
    sql: SqlAccess, table: RowTable[Any], kind: str, database: Database
) -> None:
    """Migrations are written once from the declarations, and never again."""
    found = await sql.describe_table(table.name)
    types = {"text": "text", "json": "text", "bigint": "bigint", "boolean": "boolean"}
    if kind == "sqlite":
        types = {"text": "TEXT", "json": "TEXT", "bigint": "INTEGER", "boolean": "INTEGER"}
    declared = {name: types[each] for name, each in zip(table.columns, table.kinds, strict=True)}
    assert found.columns == declared
    assert found.key == table.columns[: table.key]
    assert {*table.indexes} <= found.indexed
    assert found.has_trigger == (kind == "postgres" and bool(table.people))
    assert table.name in {each.name for each in STORED_TABLES}, "databases are copied without it"


def data_text(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False)


def missing_in_data(feature: Feature, table: RowTable[Any]) -> list[tuple[str, Any]]:
    """The fields of samples that a person's data do not tell."""
    missing: list[tuple[str, Any]] = []
    for row in SAMPLES[table.name]:
        rows = Rows(tuple((each, (row,) if each.name == table.name else ()) for each in feature.tables))
        data = data_text(feature.personal_data(rows))
        without = data_text(feature.personal_data(Rows(tuple((each, ()) for each in feature.tables))))
        if data == without:
            missing.append((table.name, row))
        texts = [name for name, kind in zip(table.columns, table.kinds, strict=True) if kind == "text"]
        values = [(column, getattr(row, column)) for column in texts if column not in table.owners]
        missing += [each for each in values if json.dumps(each[1], ensure_ascii=False)[1:-1] not in data]
    return missing


@every_table
async def test_the_data_of_a_person_are_made_from_all_of_their_rows(
    matches: MatchStore, surfaces: SurfaceStore, table: RowTable[Any]
) -> None:
    async def load_hand(trace: PersonalTrace, user: int) -> list[str]:
        return []

    data = await load_personal_data(5, matches, surfaces, load_hand)
    loaded = [dict(rows).get(table, ()) for rows in (data.rows, *(trace.rows for trace in data.traces))]
    expected = [row for row in samples_of(table) if "user" in table.columns and row.user == 5]
    assert sorted((row for rows in loaded for row in rows), key=table.key_of) == sorted(expected, key=table.key_of)


OWNED = [(feature, table) for feature in FEATURES for table in feature.tables if "user" in table.columns]


@pytest.mark.parametrize(("feature", "table"), OWNED, ids=lambda each: each.name)
def test_every_row_of_a_person_is_in_their_data(feature: Feature, table: RowTable[Any]) -> None:
    assert missing_in_data(feature, table) == []


class Secretive(Feature):
    """Tells a person nothing of what it stores about them."""

    name = "secretive"

    def personal_data(self, rows: Rows) -> Mapping[str, Any]:
        return {}


def test_a_feature_that_hides_a_row_from_its_person_is_caught() -> None:
    for feature, table in OWNED:
        broken = Secretive()
        broken.tables = feature.tables  # type: ignore[misc]
        assert missing_in_data(broken, table)


def test_the_registry_of_sketches_is_used_if_asked_for() -> None:
    assert registry.TABLES is TABLES
