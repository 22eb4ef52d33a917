"""Parameters of statements that get many rows: a list for each column, numbered here and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from storage.postgres.connection.text import to_columns
from storage.shared.tables import SqlType, Table, quote_columns


class RowParameters:
    """The parameters of a statement that gets rows, by name: `RowParameters(moves={"match": "text", …}, …)`.

    The values of a row stand in the order in which its columns are named here.
    """

    def __init__(self, **rows: Mapping[str, SqlType]) -> None:
        self._columns = {name: tuple(types) for name, types in rows.items()}
        named = [(name, column, kind) for name, types in rows.items() for column, kind in types.items()]
        self._arrays = {
            (name, column): f"${place}::{kind}[]" for place, (name, column, kind) in enumerate(named, start=1)
        }

    def array(self, rows: str, column: str) -> str:
        """Return one column of these rows, as an array."""
        return self._arrays[rows, column]

    def unnest(self, rows: str, *columns: str) -> str:
        """Return these rows as a source `n` for FROM, with some of their columns or with all."""
        names = columns or self._columns[rows]
        return f"unnest({', '.join(self._arrays[rows, name] for name in names)}) AS n ({quote_columns(names)})"

    def values(self, **rows: Iterable[Sequence[object]]) -> list[list[object]]:
        """Return the values of all parameters, in order. Raises ValueError if rows are missing or unknown."""
        if rows.keys() != self._columns.keys():
            raise ValueError(f"these are not the rows of the statement: {', '.join(rows)}")
        return [each for name, columns in self._columns.items() for each in to_columns(rows[name], len(columns))]


class InsertRows:
    """The statement that inserts whole rows of a table."""

    def __init__(self, table: Table) -> None:
        self._parameters = RowParameters(rows=table.types_of())
        columns = quote_columns(table.columns)
        self.sql = f"INSERT INTO {table.name} ({columns}) SELECT * FROM {self._parameters.unnest('rows')}"

    def values(self, rows: Iterable[Sequence[object]]) -> list[list[object]]:
        """Return the values of its parameters."""
        return self._parameters.values(rows=rows)
