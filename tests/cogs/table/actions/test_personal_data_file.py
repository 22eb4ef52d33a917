"""Tests the file of personal data: each feature tells a person its own rows, and no others."""

from __future__ import annotations

import json
from typing import Any

from cogs.table.actions.personal_data_file import PersonalData, personal_data_json
from engines.features.registry import FEATURES, TABLES
from engines.store.forgetting import PersonalTrace
from engines.store.match_store import Place, Status
from engines.store.rows import Rows
from engines.store.surface_storage import Preferences
from tests.features.samples import SAMPLES

ROWS = Rows(tuple((table, SAMPLES[table.name]) for table in TABLES if "user" in table.columns))
NO_ROWS = Rows(tuple((table, ()) for table, _ in ROWS))


def personal_data(rows: Rows) -> Any:
    """What the file says about a match of which these rows are stored."""
    trace = PersonalTrace(
        *("abcd2345", "wizard", Status.RUNNING, Place(1, 2), 0, 0, False, False),
        *((), (), (), ()),
        rows=rows,
    )
    (match,) = json.loads(personal_data_json(PersonalData(5, Preferences(), None, 0, 0, (trace,), {}), 0))["matches"]
    return match


def test_each_feature_tells_its_own_rows_and_no_others() -> None:
    expected = personal_data(NO_ROWS)
    for feature in FEATURES:
        own = Rows(tuple(part for part in ROWS if part[0] in feature.tables))
        expected |= json.loads(json.dumps(feature.personal_data(own)))
    assert personal_data(ROWS) == expected
    assert expected != personal_data(NO_ROWS)
