"""The small faults that can be planted, and their names, which stay the same when other code moves."""

from __future__ import annotations

import ast
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Break: ast.Continue,
    ast.Continue: ast.Break,
}
LONGEST_TEXT = 100  # characters of code in a name; longer code is cut, and its digest follows


class FaultName(NamedTuple):
    """Names a fault: its module, the function or class around it, what kind it is, and the code that it changes.

    `number` counts from 1 among faults that are otherwise named alike. Line numbers are left out.
    """

    path: str
    function: str
    kind: str
    text: str
    number: int

    def __str__(self) -> str:
        suffix = f" ({self.number})" if self.number > 1 else ""
        return f"{self.path} {self.function or 'module'}, {self.kind}: {self.text}{suffix}"


class Scope(NamedTuple):
    """The code around a node: its qualified name, and the line and column where the function begins to run.

    `start` is None in code that runs during the import.
    """

    name: str
    start: tuple[int, int] | None


OUTSIDE = Scope("", None)


@dataclass(frozen=True)
class Fault:
    """A change of one place: `start` and `end` are offsets in the bytes of the file, `text` is put there."""

    name: FaultName
    start: int
    end: int
    text: str
    function: tuple[int, int] | None

    def plant(self, content: bytes) -> bytes:
        return content[: self.start] + self.text.encode() + content[self.end :]


def faults_of(path: str, source: str) -> Iterator[Fault]:
    """Every fault that can be planted in a module, in the order of the syntax tree."""
    starts = [0]
    for line in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    numbers: Counter[tuple[str, str, str]] = Counter()
    around: dict[ast.AST, ast.AST] = {}
    for node, parent, scope in walk_code(ast.parse(source)):
        is_part = scope.start is None and not isinstance(parent, ast.stmt)
        around[node] = around.get(parent, parent) if is_part else parent
        if (found := change_of(node)) is not None:
            old, new, kind = found
            assert old.end_lineno is not None
            assert old.end_col_offset is not None
            start, end = starts[old.lineno - 1] + old.col_offset, starts[old.end_lineno - 1] + old.end_col_offset
            text = f"({ast.unparse(new)})" if isinstance(old, ast.expr) else ast.unparse(new)
            place = scope.name, kind, code_of(old, around[node])
            numbers[place] += 1
            yield Fault(FaultName(path, *place, numbers[place]), start, end, text, scope.start)


def change_of(node: ast.AST) -> tuple[ast.expr | ast.stmt, ast.AST, str] | None:
    """What to replace by what, and the kind of the fault; None if nothing is changed there."""
    match node:
        case ast.Compare(left, [operator, *others], values) if type(operator) in SWAPPED:
            return node, ast.Compare(left, [SWAPPED[type(operator)](), *others], values), "comparison"  # type: ignore[list-item]
        case ast.BoolOp(operator, values):
            return node, ast.BoolOp(SWAPPED[type(operator)](), values), "and/or"  # type: ignore[arg-type]
        case ast.UnaryOp(ast.Not(), operand):
            return node, operand, "not"
        case ast.BinOp(left, operator, right) if type(operator) in SWAPPED:
            return node, ast.BinOp(left, SWAPPED[type(operator)](), right), "sum"  # type: ignore[arg-type]
        case ast.Constant(bool(value)):
            return node, ast.Constant(not value), "truth"
        case ast.Constant(int(value)):
            return node, ast.Constant(value + 1), "number"
        case ast.If(test) | ast.IfExp(test):
            return test, ast.UnaryOp(ast.Not(), test), "condition"
        case ast.Expr(ast.Call() | ast.Await()):
            return node, ast.Pass(), "call"
        case ast.Break() | ast.Continue():
            return node, SWAPPED[type(node)](), "jump"
        case ast.Return(value) if value is not None and not isinstance(value, ast.Constant):
            return node, ast.Return(ast.Constant(None)), "return"
    return None


def code_of(node: ast.AST, around: ast.AST) -> str:
    """The code that a fault changes, on one line. A constant is named by what is around it, if that is short."""
    if isinstance(node, ast.Constant) and isinstance(around, ast.expr | ast.stmt | ast.keyword | ast.comprehension):
        whole = " ".join(ast.unparse(around).split())
        if len(whole) <= LONGEST_TEXT:
            return whole
    text = " ".join(ast.unparse(node).split())
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[:LONGEST_TEXT]}… {sha256(text.encode()).hexdigest()[:8]}"


def walk_code(tree: ast.AST, scope: Scope = OUTSIDE) -> Iterator[tuple[ast.AST, ast.AST, Scope]]:
    """The nodes below this one that run, each with its parent: no annotations, f-strings, decorators or docstrings."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "type_params", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr):
                continue
            if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
                continue
            inside = scope
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inside = Scope(f"{scope.name}.{child.name}".lstrip("."), scope.start)
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                first = child.body[1 if ast.get_docstring(child) is not None and child.body[1:] else 0]
                line = min([first.lineno, *(each.lineno for each in getattr(first, "decorator_list", []))])
                inside = inside._replace(start=(line, first.col_offset))
            yield child, tree, inside
            yield from walk_code(child, inside)


def functions_of(source: str) -> set[tuple[int, int]]:
    """The places where the functions of a module begin to run."""
    return {scope.start for *_, scope in walk_code(ast.parse(source)) if scope.start is not None}


def list_faults(root: Path, folders: Sequence[str]) -> dict[FaultName, Fault]:
    """Every fault that can be planted below these folders, by its name."""
    modules = sorted(path for folder in folders for path in (root / folder).rglob("*.py"))
    every = (fault for path in modules for fault in faults_of(str(path.relative_to(root)), path.read_text("utf-8")))
    return {fault.name: fault for fault in every}


def choose_faults(every: Mapping[FaultName, Fault], number: int, seed: int) -> list[Fault]:
    """So many of the faults, each module as likely as it is long."""
    return random.Random(seed).sample(list(every.values()), min(number, len(every)))


def find_again(name: FaultName, every: Mapping[FaultName, Fault]) -> Fault | None:
    """The fault with this name, also if its function was moved or renamed since; None if it is gone.

    A fault that is not where it was is looked for in a function of the same name in another module, then in another
    function of the same module, then in a method of the same name elsewhere. It counts if only one looks like it.
    """
    if name in every:
        return every[name]
    likenesses: tuple[Callable[[FaultName], FaultName], ...] = (
        lambda other: other._replace(path=""),
        lambda other: other._replace(function="", number=0),
        lambda other: other._replace(path="", function=other.function.rpartition(".")[2]),
    )
    for likeness in likenesses:
        found = [fault for other, fault in every.items() if likeness(other) == likeness(name)]
        if len(found) == 1:
            return found[0]
    return None
