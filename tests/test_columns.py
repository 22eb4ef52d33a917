"""The columns of a table stand in its declaration alone, and nobody has to count the parameters of a statement."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import fields
from functools import cache

import pytest

from engines.store.match_store import MatchInfo, Seat
from storage.postgres.connection.row_parameters import RowParameters
from storage.shared.match_rows import match_values
from storage.shared.tables import MATCHES, SEATS, TABLES, Table
from tests.test_architecture import modules

DECLARATIONS = "storage.shared.tables"
PACKAGES = ("storage", "motley", "engines.store", "bench.storage")
LARGE = [table for table in TABLES if len(table.columns) > 8]
MOST_COLUMNS = 5  # columns of a large table that code may name one after another
MOST_PARAMETERS = 12  # parameters that a reader can count


@cache
def trees() -> dict[str, ast.Module]:
    return {
        name: ast.parse(path.read_text(encoding="utf-8"))
        for name, path in modules().items()
        if name.startswith(PACKAGES)
    }


def texts(tree: ast.AST) -> Iterator[str]:
    """The literal texts of a module without its docstrings; `{}` stands for what an f-string puts in."""
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = [each if isinstance(each, ast.Constant) else None for each in node.values]
            skipped |= {id(each) for each in parts}
            yield "".join("{}" if each is None else str(each.value) for each in parts)
        elif isinstance(node, ast.Expr):
            skipped.add(id(node.value))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.value


def words(text: str) -> list[str]:
    """The words of a text; "" for whatever ends a list of columns.

    `m."user"`, `user = $1` and `user bigint` are one word each.
    """
    text = re.sub(r'"|\b\w+\.(?=["\w])|::?(?=\w)|\s*=\s*[^\s,]+|\s+(?:text|bigint|boolean)\b', "", text)
    return [word if re.fullmatch(r"\w+", word) else "" for word in re.findall(r"\w+|[^\w\s,]+", text)]


def names(tree: ast.AST) -> Iterator[list[str]]:
    """The names in each tuple, list, set, dictionary and call."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            yield [*_names(node.elts)]
        elif isinstance(node, ast.Call):
            yield [*_names(node.args)]
        elif isinstance(node, ast.Dict):
            yield [*_names([key for key in node.keys if key is not None])]


def _names(nodes: Iterable[ast.expr]) -> Iterator[str]:
    for node in nodes:
        match node:
            case ast.Starred(value=ast.Tuple(elts=elts) | ast.List(elts=elts)):
                yield from _names(elts)
            case ast.Constant(value=str(name)) | ast.Name(id=name) | ast.Attribute(attr=name):
                yield name
            case _:
                yield ""


def longest_list(found: Sequence[str], columns: Collection[str]) -> list[str]:
    """The longest run of different columns."""
    longest: list[str] = []
    run: list[str] = []
    for word in found:
        run = [*run, word] if word in columns and word not in run else []
        longest = max(longest, run, key=len)
    return longest


def column_lists(tree: ast.AST, table: Table) -> list[str]:
    """The lists of a table's columns that a module writes out."""
    columns = frozenset(table.columns)
    found = [longest_list(each, columns) for each in candidates(tree) if len(columns.intersection(each)) > MOST_COLUMNS]
    return [", ".join(each) for each in found if len(each) > MOST_COLUMNS]


@cache
def candidates(tree: ast.AST) -> list[list[str]]:
    """What may be a list of columns."""
    return [found for found in (*map(words, texts(tree)), *names(tree)) if len(found) > MOST_COLUMNS]


def long_statements(tree: ast.AST) -> list[str]:
    """The statements with more parameters than anybody can count."""
    return [text for text in texts(tree) if len({*re.findall(r"[$?]\d+", text)}) + _bare_marks(text) > MOST_PARAMETERS]


def _bare_marks(text: str) -> int:
    return len(re.findall(r"\?(?![\d\w])", text)) if re.search(r"\b(SELECT|INSERT|UPDATE|DELETE)\b", text) else 0


@pytest.mark.parametrize("table", LARGE, ids=lambda table: table.name)
def test_the_columns_of_a_table_stand_in_its_declaration_alone(table: Table) -> None:
    found = {name: column_lists(tree, table) for name, tree in trees().items() if name != DECLARATIONS}
    assert not {name: lists for name, lists in found.items() if lists}


@pytest.mark.parametrize("table", [MATCHES, SEATS], ids=lambda table: table.name)
def test_the_law_finds_the_declaration_itself(table: Table) -> None:
    assert ", ".join(table.columns) in column_lists(trees()[DECLARATIONS], table)


def test_no_statement_has_more_parameters_than_one_can_count() -> None:
    assert not {name: found for name, tree in trees().items() if (found := long_statements(tree))}


@pytest.mark.parametrize(
    "source",
    [
        'SQL = "SELECT match, game, rules, options, status, host FROM matches"',
        'SQL = f"SELECT {x}, m.match, m.game, m.rules, m.options, m.\\"status\\", m.host FROM matches AS m"',
        'SQL = "UPDATE matches SET rules = ?, options = n.options, status = $1, host = ?, channel = ?, thread = ?"',
        'SQL = "INSERT INTO matches VALUES (:match, :game, :rules, :options, :status, :host)"',
        'row = {"match": 1, "game": 2, "rules": 3, "options": 4, "status": 5, "host": 6}',
        "match, game, rules, options, status, host, *rest = row",
        "row = (info.rules, info.options, *(info.status, info.host), info.votes, info.reason)",
        'COLUMNS = "match game rules options status host".split()',
        'read = attrgetter("rules", "options", "status", "host", "votes", "reason")',
    ],
)
def test_a_list_written_elsewhere_is_found(source: str) -> None:
    assert column_lists(ast.parse(source), MATCHES)


@pytest.mark.parametrize(
    "source",
    [
        '"""Has match, game, rules, options, status, host."""',
        'SQL = "SELECT match, game FROM matches WHERE status = 1 AND host = 2 AND guild = 3 AND practice"',
    ],
)
def test_other_texts_may_name_columns(source: str) -> None:
    assert not column_lists(ast.parse(source), MATCHES)


@pytest.mark.parametrize(
    ("mark", "joined"), [("$1", False), ("?", False), ("?", True)], ids=["postgres", "sqlite", "f-string"]
)
def test_a_long_statement_is_found(mark: str, joined: bool) -> None:
    def statement(count: int) -> ast.Module:
        values = ", ".join(mark.replace("1", str(place)) for place in range(1, count + 1))
        return ast.parse(f'SQL = {"f" * joined}"INSERT INTO x VALUES ({values}) {"{y}" * joined}"')

    assert long_statements(statement(MOST_PARAMETERS + 1))
    assert not long_statements(statement(MOST_PARAMETERS))


# What is made of the declarations


def test_the_stored_fields_of_a_match_and_of_a_seat_are_columns() -> None:
    unstored = {"seats", "damage", "is_newer"}  # in a table of its own, and found out while reading
    parts = {"id": {"match"}, "place": {"guild", "channel", "thread"}}
    parts |= {"table_options": {"house"}, "undoing": {"take_backs"}}  # columns that are older than these names
    stored = [parts.get(each.name, {each.name}) for each in fields(MatchInfo) if each.name not in unstored]
    assert set().union(*stored) == {*MATCHES.columns}
    assert [each.name for each in fields(Seat)] == [*SEATS.changing_columns, "rest_until"]


def test_a_row_needs_a_value_for_each_column() -> None:
    assert SEATS.columns[:3] == ("match", "seat", "user")
    values = dict.fromkeys(reversed(SEATS.columns), 0)
    assert SEATS.row(**values | {"match": "m", "seat": 1, "user": 2})[:4] == ("m", 1, 2, 0)
    for wrong in ({**values, "more": 0}, {"more": 0, **dict(list(values.items())[1:])}, {"match": "m"}):
        with pytest.raises(LookupError):
            SEATS.row(**wrong)


def test_an_unknown_column_of_a_match_is_refused() -> None:
    with pytest.raises(KeyError):
        MATCHES.types_of("match", "mood")
    with pytest.raises(AttributeError):
        match_values("mood")(MatchInfo.__new__(MatchInfo))


def test_parameters_are_numbered_in_the_order_of_the_rows() -> None:
    parameters = RowParameters(seats=SEATS.types_of("match", "seat"), states={"match": "text"})
    assert parameters.unnest("seats") == 'unnest($1::text[], $2::bigint[]) AS n ("match", "seat")'
    assert parameters.unnest("seats", "seat") == 'unnest($2::bigint[]) AS n ("seat")'
    assert parameters.array("states", "match") == "$3::text[]"
    assert parameters.values(states=[("c",)], seats=[("a", 1), ("b\x00", 2)]) == [["a", "b\x01\x01"], [1, 2], ["c"]]
    with pytest.raises(ValueError, match="not the rows"):
        parameters.values(seats=[])
