"""Docstrings name exceptions that exist."""

from __future__ import annotations

import argparse
import ast
import builtins
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import discord
import pytest

from tests.games import ROOT

FOLDERS = ("cogs", "engines", "live", "motley", "players", "playground", "release", "storage", "tests", "worker_pool")
PATHS = sorted(
    (ROOT / "bot.py", ROOT / "play.py", *(path for each in FOLDERS for path in (ROOT / each).glob("**/*.py")))
)
RAISES = re.compile(r"\b[Rr]aises? ([^.;:]*)")
NAME = re.compile(r"\b[A-Z][a-z]\w*\b")
ELSEWHERE = {*vars(builtins), *vars(discord), *vars(subprocess), *vars(argparse)}
NO_EXCEPTIONS = {"PostgreSQL", "Discord", "None"}


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def named_exceptions(tree: ast.Module) -> Iterator[str]:
    """Yield what docstrings say is raised."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            for paragraph in RAISES.findall(ast.get_docstring(node) or ""):
                yield from NAME.findall(paragraph)


@pytest.fixture(scope="module")
def known() -> set[str]:
    classes = [node.name for path in PATHS for node in ast.walk(parse(path)) if isinstance(node, ast.ClassDef)]
    return {*classes, *ELSEWHERE, *NO_EXCEPTIONS}


def test_docstrings_name_exceptions_that_exist(known: set[str]) -> None:
    named = {path.relative_to(ROOT).as_posix(): {*named_exceptions(parse(path))} - known for path in PATHS}
    assert {path: names for path, names in named.items() if names} == {}


def test_an_exception_that_nobody_has_is_found(known: set[str]) -> None:
    tree = ast.parse('def play() -> None:\n    """Play. Raises WriteConflict and NotHeld. It may raise ValueError."""')
    assert {*named_exceptions(tree)} - known == {"NotHeld"}
