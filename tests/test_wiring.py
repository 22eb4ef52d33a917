"""What works together is connected where it is made: in constructors with few parameters, and never later."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.games import ROOT

MOST = 6  # parameters of a constructor; a value may group more
FOLDERS = ("cogs", "engines", "storage", "motley", "worker_pool", "players")


def product_trees() -> Iterator[tuple[str, ast.Module]]:
    paths = [ROOT / "bot.py", *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))]
    for path in paths:
        yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def constructors(tree: ast.AST) -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for child in node.body:
                if isinstance(child, ast.FunctionDef) and child.name == "__init__":
                    yield node.name, child


def count_parameters(function: ast.FunctionDef) -> int:
    arguments = function.args
    return (
        len([*arguments.posonlyargs, *arguments.args[1:], *arguments.kwonlyargs])
        + bool(arguments.vararg)
        + bool(arguments.kwarg)
    )


def crowded_classes(tree: ast.AST) -> list[str]:
    """The classes whose constructors have too many parameters."""
    return [name for name, function in constructors(tree) if count_parameters(function) > MOST]


def set_later(tree: ast.AST) -> list[str]:
    """Callbacks that begin as a function that does nothing, or that somebody else assigns."""
    found = []
    for target, value in assignments(tree):
        is_own = isinstance(target.value, ast.Name) and target.value.id == "self"
        is_event = target.attr.startswith("on_") or target.attr.endswith(("_handler", "_callback"))
        if isinstance(value, ast.Lambda) if is_own else is_event:
            found.append(ast.unparse(target))
    return found


def assignments(tree: ast.AST) -> Iterator[tuple[ast.Attribute, ast.expr | None]]:
    """The attributes that are assigned, each with what it gets."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                for each in target.elts if isinstance(target, ast.Tuple) else [target]:
                    if isinstance(each, ast.Attribute):
                        yield each, node.value


def test_constructors_have_few_parameters() -> None:
    assert not {path: names for path, tree in product_trees() if (names := crowded_classes(tree))}


def test_no_callback_is_set_later() -> None:
    assert not {path: names for path, tree in product_trees() if (names := set_later(tree))}


@pytest.mark.parametrize(
    "wrong",
    [
        "class Router:\n def __init__(self):\n  self.answer: Callable[[], None] = lambda: None",
        "router.admin_handler = self.confirm",
        "surfaces.on_unsaved = matches.activity.on_unsaved = self.save",
        "first.on_due, first.compute = schedule, draw",
    ],
)
def test_a_callback_that_is_set_later_would_be_found(wrong: str) -> None:
    assert set_later(ast.parse(wrong))


def test_a_constructor_with_many_parameters_would_be_found() -> None:
    assert crowded_classes(ast.parse("class Bot:\n def __init__(self, a, b, c, *, d, e, f, **g): pass"))
    assert not crowded_classes(ast.parse("class Bot:\n def __init__(self, a, b, c, *, d, e, f): pass"))
