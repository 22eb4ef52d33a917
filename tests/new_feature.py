"""`python -m tests.new_feature <name>` says what is missing for a feature of that name.

`python -m tests.new_feature <name> --sql` prints the migrations that create its tables, for both kinds of storage. The
list looks at files alone, so that a feature can be half made and broken.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

from engines.store.rows import RowTable

ROOT = Path(__file__).resolve().parents[1]
NAME = re.compile(r"[a-z]{2,20}")


@dataclass(frozen=True, slots=True)
class RequiredPart:
    """What every feature has: where, what it is, and whether it is there."""

    path: str
    purpose: str
    exists: Callable[[Path], bool]


def required_parts(name: str) -> Iterator[RequiredPart]:
    """Return what a feature of that name has."""
    low, high = f"engines/features/{name}", f"cogs/features/{name}"
    yield RequiredPart(
        f"{low}/__init__.py",
        "what it stores and does without Discord, if anything",
        lambda root: _is_file(root, f"{low}/__init__.py") or _needs_no_rules(root, name),
    )
    registered = _registry_part("engines/features/registry.py", f"engines.features.{name}", "FEATURES")
    yield replace(registered, exists=lambda root: registered.exists(root) or _needs_no_line(root, name))
    for kind in ("sqlite", "postgres"):
        folder = f"storage/{kind}/migrations"
        yield RequiredPart(
            f"{folder}/*.sql",
            f"a migration that creates its tables: python -m tests.new_feature {name} --sql",
            lambda root, folder=folder: {*stored_tables(root, name)} <= created_tables(root / folder),  # type: ignore[misc]
        )
    yield RequiredPart(
        "tests/features/samples.py",
        "the largest rows of each of its tables, with nasty texts",
        lambda root: all(
            f'"{table}"' in _text(root, "tests/features/samples.py") for table in stored_tables(root, name)
        ),
    )
    yield RequiredPart(
        f"{high}/feature_ui.py", "its part on Discord", lambda root: _is_file(root, f"{high}/feature_ui.py")
    )
    yield _registry_part("cogs/features/registry.py", f"cogs.features.{name}", "FEATURE_UIS")
    for path, table_name in (("test_every_control", "SAMPLES"), ("access", "PRESSES")):
        yield RequiredPart(
            f"tests/plain/{path}.py",
            f"its controls, in the table {table_name}",
            lambda root, path=path: (  # type: ignore[misc]
                f'"{name}:' in _text(root, f"tests/plain/{path}.py") or not _has_controls(root / high)
            ),
        )
    for tree in ("engines", "cogs"):
        yield RequiredPart(
            f"tests/**/test_*.py ({tree})",
            f"a test of {tree}/features/{name}",
            lambda root, tree=tree: (  # type: ignore[misc]
                _is_tested(root, f"{tree}.features.{name}") or (tree == "engines" and _needs_no_rules(root, name))
            ),
        )


def stored_tables(root: Path, name: str) -> list[str]:
    """Return the names of a feature's tables, as its source declares them."""
    names = []
    for path in sorted((root / "engines/features" / name).glob("**/*.py")):
        calls = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
        tables = [node for node in calls if isinstance(node.func, ast.Name) and node.func.id == RowTable.__name__]
        names += [each.args[0].value for each in tables if each.args and isinstance(each.args[0], ast.Constant)]
    return [str(each) for each in names]


def created_tables(folder: Path) -> set[str]:
    """Return the names of the tables that migrations create."""
    found = [re.findall(r"CREATE TABLE (\w+)", path.read_text(encoding="utf-8")) for path in folder.glob("*.sql")]
    return {name for names in found for name in names}


def missing_parts(name: str, root: Path = ROOT) -> list[RequiredPart]:
    """Return what a feature lacks."""
    return [part for part in required_parts(name) if not part.exists(root)]


def migrations(name: str) -> str:
    """Return the text of both migrations that create the tables of a feature. Raises ImportError."""
    from storage.shared.row_sql import create_sql  # reads the registry, which a half-made feature may break

    package = import_module(f"engines.features.{name}")
    modules = [package, *(import_module(each.name) for each in walk_packages(package.__path__, f"{package.__name__}."))]
    found = [each for module in modules for each in vars(module).values() if isinstance(each, RowTable)]
    tables: list[RowTable[Any]] = [*{each.name: each for each in found}.values()]
    sentences = []
    for kind in ("sqlite", "postgres"):
        numbers = [int(path.name[:4]) for path in (ROOT / "storage" / kind / "migrations").glob("[0-9]*.sql")]
        head = "-- beside: 3\n" if kind == "postgres" else ""
        sql = "\n".join(create_sql(table, is_postgres=kind == "postgres") for table in tables)
        sentences.append(
            f"storage/{kind}/migrations/{max(numbers) + 1:04d}_{name}.sql:\n\n{head}-- What this stores.\n\n{sql}"
        )
    return "\n".join(sentences)


def main(words: Sequence[str]) -> int:
    """Say what is missing. Return 0 if nothing is, 1 if something is, and 2 if that is no name."""
    name, *rest = words or [""]
    if not NAME.fullmatch(name) or rest not in ([], ["--sql"]):
        print("Name the feature: a word of small letters, such as guesses.")
        return 2
    if rest:
        print(migrations(name))
        return 0
    found = missing_parts(name)
    for part in found:
        print(f"{part.path}: {part.purpose}")
    print(f"{name}: {len(found)} missing. CONTRIBUTING.md says more." if found else f"{name}: nothing is missing.")
    return 1 if found else 0


def _text(root: Path, path: str) -> str:
    return (root / path).read_text(encoding="utf-8") if (root / path).is_file() else ""


def _is_file(root: Path, path: str) -> bool:
    return bool(_text(root, path).strip())


def _is_tested(root: Path, module: str) -> bool:
    imported = re.compile(rf"^(from|import) {re.escape(module)}\b", re.MULTILINE)
    return any(imported.search(path.read_text(encoding="utf-8")) for path in (root / "tests").glob("**/test_*.py"))


def _needs_no_rules(root: Path, name: str) -> bool:
    """Whether a feature has a part on Discord, and nothing there asks for a part without it."""
    texts = [path.read_text(encoding="utf-8") for path in (root / "cogs/features" / name).glob("**/*.py")]
    return bool(texts) and not any(f"engines.features.{name}" in text for text in texts)


def _needs_no_line(root: Path, name: str) -> bool:
    """Whether a feature is begun, and what it has without Discord takes no part in matches."""
    texts = [path.read_text(encoding="utf-8") for path in (root / "engines/features" / name).glob("**/*.py")]
    return (bool(texts) or _needs_no_rules(root, name)) and not any("(Feature):" in text for text in texts)


def _has_controls(package: Path) -> bool:
    return any("FeatureControl(" in path.read_text(encoding="utf-8") for path in package.glob("**/*.py"))


def _registry_part(path: str, module: str, registry: str) -> RequiredPart:
    def is_there(root: Path) -> bool:
        tree = ast.parse(_text(root, path))
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        from_module = [node for node in imports if f"{node.module}.".startswith(f"{module}.")]
        names = {each.asname or each.name for node in from_module for each in node.names}
        lists = [
            node.value for node in tree.body if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == registry
        ]
        return any(isinstance(node, ast.Name) and node.id in names for each in lists if each for node in ast.walk(each))

    return RequiredPart(path, f"its line in {registry}", is_there)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
