"""Packages import each other in one direction, top to bottom. `ORDER` is the only place that says which."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path

import pytest

from cogs.features.registry import FEATURE_UIS
from tests.games import ROOT

HERE = "."  # the modules of the folder itself, beside its packages
GAMES = "court jest jesters jokers wizard"
FEATURES = " ".join(sorted(ui.name for ui in FEATURE_UIS))
ORDER = {
    "": "play bot live motley cogs storage worker_pool players engines playground",
    "bench": f"{HERE} storage bot players kit",
    "bench/players": f"wizard {HERE}",
    "cogs": f"{HERE} {GAMES} features table screens pictures",
    "cogs/features": f"{HERE} {FEATURES}",
    "cogs/table": f"{HERE} commands actions scheduling surfaces channels transport state pages wording",
    "cogs/pictures": f"{HERE} raster",
    "engines": f"{HERE} {GAMES} features hosting store kit",
    "engines/features": f"{HERE} {FEATURES}",
    "engines/hosting": f"matches {HERE} timing records",
    "engines/jesters": f"{HERE} components requirements",
    "players": f"{GAMES} {HERE}",
    "playground": f"{HERE} page rest simulation limits world",
    "storage": f"{HERE} postgres sqlite shared",
    "storage/shared": f"stores {HERE}",
    "storage/postgres": f"{HERE} writing connection",
    "storage/sqlite": f"{HERE} file",
}
"""The packages of each folder, from top to bottom: one may import what stands behind it, never what stands before."""
MOST = 15  # modules in a folder, beside its `__init__`
TOOLS = ("bench", "release", "live")  # these may import anything, also from the tests
Graph = Mapping[str, Iterable[str]]


@cache
def modules() -> Mapping[str, Path]:
    folders = [path for path in ROOT.iterdir() if path.is_dir() and path.name != "tests" and path.name[0] != "."]
    paths = [*ROOT.glob("*.py"), *(path for folder in folders for path in folder.rglob("*.py"))]
    return {_name(path): path for path in paths}


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imports() -> Mapping[str, frozenset[str]]:
    """What each module imports of the others, anywhere in the file, also for types alone."""
    return {name: frozenset(_imported(path) & modules().keys() - {name}) for name, path in modules().items()}


def _imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                found.add(whole if whole in modules() else node.module or "")
    return found


def circle(graph: Graph) -> list[str]:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def folder_of(module: str) -> str:
    """The folder that a module stands in: `cogs/table` for `cogs.table.game_ui`."""
    path = modules()[module].relative_to(ROOT).parent.as_posix()
    return "" if path == "." else path


def room(module: str, folder: str) -> str | None:
    """Where in a folder a module stands: the name of a package, HERE for the folder's own modules, None if outside."""
    path = modules()[module].relative_to(ROOT).as_posix()
    if folder and not path.startswith(f"{folder}/"):
        return None
    rest = path.removeprefix(f"{folder}/" if folder else "").split("/")
    if len(rest) > 1:
        return rest[0]
    return HERE if folder else rest[0].removesuffix(".py")


def arrows(folder: str) -> dict[tuple[str, str], list[str]]:
    found = defaultdict(list)
    for module, others in imports().items():
        for other in others:
            ends = room(module, folder), room(other, folder)
            if ends[0] and ends[1] and ends[0] != ends[1]:
                found[ends[0], ends[1]].append(f"{module} imports {other}")
    return found


def backward_imports(folder: str, order: str) -> list[str]:
    """The imports of a folder that run against its order, or between packages that it does not name."""
    places = {name: place for place, name in enumerate(order.split())}
    found = {ends: lines for ends, lines in arrows(folder).items() if ends[0] not in TOOLS}
    wrong = [lines for (upper, lower), lines in found.items() if places.get(upper, -1) >= places.get(lower, -1)]
    return [line for lines in wrong for line in lines]


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert not circle(imports())


def test_no_packages_import_each_other_in_a_circle() -> None:
    for folder in {folder_of(module) for module in modules()}:
        graph: dict[str, set[str]] = defaultdict(set)
        for upper, lower in arrows(folder):
            graph[upper].add(lower)
        assert not circle(graph), folder


@pytest.mark.parametrize("folder", ORDER)
def test_imports_run_from_top_to_bottom(folder: str) -> None:
    assert not backward_imports(folder, ORDER[folder])


def test_every_folder_with_packages_has_its_order() -> None:
    parents = {folder_of(module) for module in modules()} - {""}
    games = {f"cogs/{game}" for game in GAMES.split()}  # whose one package is `drawing`
    assert {folder.rpartition("/")[0] for folder in parents if "/" in folder} - games <= ORDER.keys()


def test_no_folder_has_more_modules_than_one_can_look_through() -> None:
    count: dict[str, int] = defaultdict(int)
    for path in modules().values():
        count[path.parent.relative_to(ROOT).as_posix()] += path.name != "__init__.py"
    assert not {folder: number for folder, number in count.items() if number > MOST}


def test_every_package_says_what_lives_there() -> None:
    packages = [path for path in modules().values() if path.name == "__init__.py"]
    docstrings = {path: ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "" for path in packages}
    assert not [path for path, text in docstrings.items() if len(text) < 20]


def test_a_circle_and_an_import_that_runs_back_would_be_found() -> None:
    assert set(circle({"a": ["b"], "b": ["c"], "c": ["a"]})) == {"a", "b", "c"}
    rooms = ORDER["cogs/table"].split()
    for upper, lower in pairwise(name for name in rooms if name != HERE):
        reversed_rooms = " ".join(rooms).replace(upper, "!").replace(lower, upper).replace("!", lower)
        if (upper, lower) in arrows("cogs/table"):
            assert backward_imports("cogs/table", reversed_rooms), reversed_rooms
