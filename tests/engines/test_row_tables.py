"""Declarations of tables that contradict themselves are refused when they are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from engines.store.rows import DropRow, PutRow, ReplaceRow, Rows, RowTable, Second, rows_after


@dataclass(frozen=True, slots=True)
class Owned:
    """A row about a match."""

    match: str
    number: int


@dataclass(frozen=True, slots=True)
class Lost:
    """A row that belongs to nobody."""

    number: int
    at: Second


@dataclass(frozen=True, slots=True)
class Undated:
    """A row with a time that cannot be put right."""

    match: str
    due: Second


@dataclass(frozen=True, slots=True)
class Strange:
    """A row with a value that no database has."""

    match: str
    value: float


@dataclass
class Loose:
    """A row that changes."""

    match: str


@pytest.mark.parametrize(
    ("row", "options", "why"),
    [
        (Owned, {"name": "No Name"}, "no name"),
        (Owned, {"key": 0}, "key"),
        (Owned, {"key": 3}, "key"),
        (Owned, {"seen": "hand"}, "no hand"),
        (Owned, {"keep_days": 7}, "at: Second"),
        (Owned, {"searched": ("nothing",)}, "no column nothing"),
        (Lost, {}, "belong to nobody"),
        (Lost, {"keep_days": 7, "written": "made"}, "made: Second"),
        (Lost, {"keep_days": 0}, "at: Second"),
        (Undated, {}, "put right"),
        (Strange, {}, "store value"),
        (Loose, {}, "frozen"),
    ],
)
def test_a_table_that_contradicts_itself_is_refused(row: Any, options: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        RowTable(**{"name": "rows", "row": row, "key": 1, **options})


TABLE = RowTable("rows", Owned, key=2)


def test_rows_after_writes_are_in_order_of_their_key() -> None:
    rows = rows_after((Owned("a", 2),), PutRow(TABLE, Owned("a", 1)))
    assert rows == (Owned("a", 1), Owned("a", 2))
    assert rows_after(rows, ReplaceRow(TABLE, Owned("a", 2))) == rows
    assert rows_after(rows, ReplaceRow(TABLE, Owned("a", 3))) == rows, "there is none with its key"
    assert rows_after(rows, DropRow(TABLE, ("a", 1))) == (Owned("a", 2),)
    assert rows_after(rows, DropRow(TABLE, ("a",))) == ()


def test_rows_that_were_not_loaded_are_no_empty_rows() -> None:
    with pytest.raises(KeyError):
        Rows().of(TABLE)
