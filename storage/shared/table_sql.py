"""Statements over all columns of a table, made from its declaration: `$1` is PostgreSQL's mark of a value."""

from __future__ import annotations

from storage.shared.tables import Table, quote_columns


def insert_sql(table: Table, *, otherwise: str = "") -> str:
    """Return the statement that inserts a row with these values; `otherwise` says what happens if it is there."""
    values = ", ".join(f"${place}" for place in range(1, len(table.columns) + 1))
    return f"INSERT INTO {table.name} ({quote_columns(table.columns)}) VALUES ({values}) {otherwise}"


def put_sql(table: Table) -> str:
    """Return the statement that inserts a row with these values, or replaces the one with the same key."""
    return insert_sql(table, otherwise=replace_row_sql(table))


def replace_row_sql(table: Table) -> str:
    """Return what follows an INSERT so that its row replaces one with the same key."""
    return f"ON CONFLICT ({quote_columns(table.key)}) DO UPDATE SET {set_sql(table.changing_columns, 'excluded')}"


def set_sql(columns: tuple[str, ...], source: str) -> str:
    """Return what follows SET to take these columns from a source of rows."""
    return ", ".join(f'"{column}" = {source}."{column}"' for column in columns)
