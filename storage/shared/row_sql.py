"""SQL for the rows of features, written once: `$1` is PostgreSQL's mark of a value, and `?1` SQLite's."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from engines.features.registry import TABLES
from engines.store.match_store import FORGOTTEN_NAME
from engines.store.partition import Partition
from engines.store.rows import AddRow, ColumnKind, DropRow, PutRow, ReplaceRow, RowTable, RowWrite
from storage.shared.match_rows import UNUSED_USER_BASE
from storage.shared.partition_queries import match_partition_condition
from storage.shared.tables import quote_columns

MATCH_TABLES = tuple(table for table in TABLES if "match" in table.columns)
MATCH_AND_PERSON_TABLES = tuple(table for table in MATCH_TABLES if table.people)
MATCH_AND_USER_TABLES = tuple(table for table in MATCH_TABLES if "user" in table.columns)
PERSON_TABLES = tuple(table for table in TABLES if table.people)
SERVER_TABLES = tuple(table for table in TABLES if "guild" in table.columns)
TIMED_TABLES = tuple(table for table in TABLES if table.times)
OLD_TABLES = tuple(table for table in TABLES if table.keep_days is not None)
MATCHES_OF_PERSON = "".join(
    f'UNION SELECT match FROM {table.name} WHERE "{column}" = {{user}}\n'
    for table in MATCH_AND_PERSON_TABLES
    for column in table.people
)
SERVERS = "".join(f"UNION SELECT guild FROM {table.name} WHERE guild > 0\n" for table in SERVER_TABLES)
DAY_SECONDS = 24 * 60 * 60
_TYPES: dict[ColumnKind, str] = {"text": "text", "bigint": "bigint", "boolean": "boolean", "json": "text"}


@cache
def put_sql(table: RowTable[Any], *, is_guarded: bool, replaces: bool) -> str:
    """Return the statement that puts a row; if `is_guarded`, only while its match has the revision that comes last.

    Without `replaces`, a row with the same key stays.
    """
    columns, width = quote_columns(table.columns), len(table.columns)
    values = ", ".join(f"CAST(${place} AS {_TYPES[kind]})" for place, kind in enumerate(table.kinds, 1))
    key, rest = table.columns[: table.key], table.columns[table.key :]
    sets = ", ".join(f'"{column}" = excluded."{column}"' for column in rest)
    source = f"SELECT {values} FROM matches WHERE match = ${width + 1} AND revision = ${width + 2}"
    return (
        f"INSERT INTO {table.name} ({columns}) {source if is_guarded else f'VALUES ({values})'} "
        f"ON CONFLICT ({quote_columns(key)}) DO {f'UPDATE SET {sets}' if sets and replaces else 'NOTHING'}"
    )


@cache
def replace_sql(table: RowTable[Any], *, is_guarded: bool) -> str:
    """Return the statement that puts a row instead of the one with its key, with the same values as `put_sql`."""
    width, marked = len(table.columns), [*enumerate(zip(table.columns, table.kinds, strict=True), 1)]
    sets = ", ".join(f'"{column}" = CAST(${place} AS {_TYPES[kind]})' for place, (column, kind) in marked)
    guard = f" AND EXISTS (SELECT 1 FROM matches WHERE match = ${width + 1} AND revision = ${width + 2})"
    return f"UPDATE {table.name} SET {sets} WHERE {_condition(table.columns[: table.key])}{guard if is_guarded else ''}"


@cache
def load_sql(table: RowTable[Any], width: int) -> str:
    """Return the statement that reads the rows of a key, or of its first columns."""
    return _load(table, _condition(table.columns[:width]))


@cache
def find_sql(table: RowTable[Any], *columns: str) -> str:
    """Return the statement that reads the rows with these values in these columns."""
    return _load(table, _condition(columns))


@cache
def find_any_sql(table: RowTable[Any], column: str, count: int) -> str:
    """Return the statement that reads the rows with one of so many values in an indexed column."""
    _require_index(table, column)
    return _load(table, f'"{column}" IN ({", ".join(f"${place}" for place in range(1, count + 1))})')


@cache
def due_sql(table: RowTable[Any], column: str) -> str:
    """Return the statement that reads up to `$2` rows whose time in an indexed column is set and not after `$1`."""
    _require_index(table, column)
    columns = quote_columns((column, *table.columns[: table.key]))
    return (
        f'SELECT {quote_columns(table.columns)} FROM {table.name} WHERE "{column}" > 0 '
        f'AND "{column}" <= CAST($1 AS bigint) '
        f"ORDER BY {columns} LIMIT $2"
    )


def matches_sql(table: RowTable[Any], partition: Partition) -> str:
    """Return the statement that reads the ids of the matches of these servers with rows in a table."""
    condition = match_partition_condition(partition, f"{table.name}.match")
    return f"SELECT DISTINCT match FROM {table.name} WHERE TRUE{condition} ORDER BY match"


@cache
def drop_sql(table: RowTable[Any], *columns: str) -> str:
    """Return the statement that deletes the rows with these values in these columns."""
    return f"DELETE FROM {table.name} WHERE {_condition(columns)}"


@cache
def forget_person_sql(table: RowTable[Any], column: str, *, in_match: bool) -> str:
    """Return the statement that forgets the person `$1` in a column, who becomes `$2`.

    If `in_match`, this is about the match `$3` alone. `$2` is a negative number. For rows outside of matches,
    `unused_user` finds one.
    """
    condition = f'"{column}" = $1' + (" AND match = $3" if in_match else "")
    if table.forgotten_people == "delete":
        return f"DELETE FROM {table.name} WHERE {condition} AND CAST($2 AS bigint) < 0"
    name = f", name = '{FORGOTTEN_NAME}'" if "name" in table.columns and column == "user" else ""
    return f'UPDATE {table.name} SET "{column}" = $2{name} WHERE {condition}'


def unused_user(least: int | None) -> int:
    """Return a number of nobody, below the least number of a person in a table."""
    return min(least or 0, UNUSED_USER_BASE) - 1


@cache
def forget_servers_sql(table: RowTable[Any]) -> str:
    """Return the statement that forgets the servers that the bot left before the second `$1`."""
    condition = "guild IN (SELECT guild FROM departed WHERE at < $1)"
    if table.forgotten_servers == "delete":
        return f"DELETE FROM {table.name} WHERE {condition}"
    return f"UPDATE {table.name} SET guild = 0 WHERE {condition}"


@cache
def erase_old_sql(table: RowTable[Any]) -> str:
    """Return the statement that deletes rows written before their time ran out, at the second `$1`."""
    assert table.keep_days is not None
    return f'DELETE FROM {table.name} WHERE "{table.written}" < CAST($1 AS bigint) - {table.keep_days * DAY_SECONDS}'


@cache
def put_right_sql(table: RowTable[Any]) -> str:
    """Return the statement that puts the times of rows right that lie after `$2`. `$1` is now."""
    sets = ", ".join(
        f'"{column}" = CASE WHEN "{column}" = 0 THEN 0 ELSE "{column}" - "{table.written}" + CAST($1 AS bigint) END'
        for column in table.times
    )
    return f'UPDATE {table.name} SET {sets} WHERE "{table.written}" > CAST($2 AS bigint)'


def write_sql(write: RowWrite, match: str, revision: int | None) -> tuple[str, tuple[Any, ...]]:
    """Return the statement of a write, and its values."""
    if isinstance(write, DropRow):
        return drop_sql(write.table, *write.table.columns[: len(write.key)]), write.key
    is_guarded = revision is not None
    if isinstance(write, ReplaceRow):
        sql = replace_sql(write.table, is_guarded=is_guarded)
    else:
        sql = put_sql(write.table, is_guarded=is_guarded, replaces=isinstance(write, PutRow))
    return sql, (*to_stored(write), *((match, revision) if is_guarded else ()))


def to_stored(write: PutRow | AddRow | ReplaceRow) -> tuple[Any, ...]:
    """Return the values of a row as they are stored."""
    values = write.table.values(write.row)
    return tuple(
        json.dumps(each) if kind == "json" else each for each, kind in zip(values, write.table.kinds, strict=True)
    )


@cache
def row_reader(table: RowTable[Any]) -> Callable[[Any], Any]:
    """Return the function that makes a row of its stored values."""
    parsers = [(place, _PARSERS[kind]) for place, kind in enumerate(table.kinds) if kind in _PARSERS]

    def read(values: Sequence[Any]) -> Any:
        found = list(values)
        for place, parse in parsers:
            found[place] = parse(found[place])
        return table.row(*found)

    return read


def _parse_json(text: str) -> Any:
    return _to_tuple(json.loads(text))


def _to_tuple(value: Any) -> Any:
    return tuple(map(_to_tuple, value)) if isinstance(value, list) else value


_PARSERS: dict[ColumnKind, Callable[[Any], Any]] = {"json": _parse_json, "boolean": bool}


def _require_index(table: RowTable[Any], column: str) -> None:
    assert column == table.columns[0] or column in table.indexes, f"{table.name}.{column} has no index"


def _load(table: RowTable[Any], condition: str) -> str:
    key = quote_columns(table.columns[: table.key])
    return f"SELECT {quote_columns(table.columns)} FROM {table.name} WHERE {condition} ORDER BY {key}"


def _condition(columns: Sequence[str]) -> str:
    return " AND ".join(f'"{column}" = ${place}' for place, column in enumerate(columns, 1)) or "TRUE"


def create_sql(table: RowTable[Any], *, is_postgres: bool) -> str:
    """Return the statements of a migration that creates the table, for one kind of storage."""
    collate = ' COLLATE "C"' if is_postgres else ""
    types = {
        "text": f"text{collate}", "json": f"text{collate}", "bigint": "bigint", "boolean": "boolean",
    } if is_postgres else {"text": "TEXT", "json": "TEXT", "bigint": "INTEGER", "boolean": "INTEGER"}  # fmt: skip
    lines = [f'"{name}" {types[kind]} NOT NULL' for name, kind in zip(table.columns, table.kinds, strict=True)]
    if "match" in table.columns:
        place = table.columns.index("match")
        lines[place] += f" REFERENCES matches (match){' ON DELETE CASCADE' if is_postgres else ''}"
    lines.append(f"PRIMARY KEY ({quote_columns(table.columns[: table.key])})")
    ending = "\n)" if is_postgres else "\n) STRICT, WITHOUT ROWID"
    statements = [f"CREATE TABLE {table.name} (\n    " + ",\n    ".join(lines) + ending]
    statements += [f'CREATE INDEX {table.name}_by_{column} ON {table.name} ("{column}")' for column in table.indexes]
    if is_postgres and table.people:
        named = " OR ".join(f'"{column}" = OLD."user"' for column in table.people)
        in_match = " AND (OLD.match = '' OR match = OLD.match)" if "match" in table.columns else " AND OLD.match = ''"
        statements.append(_FORGOTTEN.format(table=table.name, condition=f"({named}){in_match}"))
    return ";\n".join((*statements, ""))


# An older version may run beside this one. It forgets people and erases matches, and does not know this table.
_FORGOTTEN = """CREATE FUNCTION forget_{table}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM {table} WHERE {condition};
    RETURN NULL;
END $$;
CREATE TRIGGER {table}_forgotten AFTER DELETE ON forgetting FOR EACH ROW EXECUTE FUNCTION forget_{table}()"""
