"""`python -m tests.new_game <key>` says what is missing for a game of that key, and how each thing comes about.

It looks at files alone, so that a game can be half made and broken. It ends with 0 when nothing is missing.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROOTS = (ROOT, ROOT / "tests" / "example")
"""The trees in which games lie."""
KEY = re.compile(r"[a-z]{3,20}")
OPENING_TITLE = "The rules in one minute"
"""The first part of every rules page."""
ENGINE_MODULES = {
    "__init__": "what it is, and in which order to read it",
    "model": "options, state, view, moves and events, as values",
    "moves": "which moves are legal, and how they are written",
    "check": "what the rules refuse, and in which words",
    "turn": "what moves do, and how the match ends",
    "view": "what a seat sees, and the same as a text board",
    "sample": "a state that could lie behind a view",
    "game": "all of it put together",
}
METHODS = {
    "reveals": "which seats learn something hidden by a move, so that it cannot simply be taken back",
    "reveal_text": "a sentence on what a move has revealed",
    "count_luck": "what chance gave in a finished match, which a law wants",
}
"""What the game defines, in whichever of its modules."""
UI_MODULES = {
    "cog": "its commands",
    "intro": "what newcomers read of it, and the moment of a match that its rules show first",
    "screen": "what a person gets to see: words, a picture, controls",
    "words": "its table and hands in words",
    "pictures": "views as pictures, with the same in words",
    "drawing/spec": "what its pictures show, as values",
    "drawing/layout": "how its pictures are laid out",
    "game_ui": "GAME_UI, which puts these together",
}


@dataclass(frozen=True, slots=True)
class RequiredPlace:
    """What every game has: where, what it is, how to see whether it is there, and the command that makes it, if any."""

    path: str
    purpose: str
    exists: Callable[[Path], bool]
    command: str = ""


def required_places(key: str) -> Iterator[RequiredPlace]:
    page = f"docs/rules/{key}.md"
    rules = f"its rules in our own words, each with its id, after “{OPENING_TITLE}”"
    yield RequiredPlace(page, rules, lambda root: _has_opening(root / page))
    yield from (_file_place(f"engines/{key}/{name}.py", description) for name, description in ENGINE_MODULES.items())
    yield from (_method_place(key, name, description) for name, description in METHODS.items())
    yield _registry_place("engines/__init__.py", f"engines.{key}", "GAMES")
    yield _file_place(f"tests/engines/{key}/helper.py", "HELPER: its part in the laws, such as `constant_answers`")
    yield _tests_place(f"tests/engines/{key}", "its rules by the book, a test or more for each id")
    yield _file_place(f"tests/engines/{key}/perft.txt", "positions counted", "python -m tests.contract.perft")
    yield _file_place(f"tests/engines/{key}/golden/digests.txt", "golden records", "python -m tests.golden.records")
    bench = "what its row plays and how fast, see"
    yield _file_place(f"tests/engines/{key}/bench.toml", bench, f"python -m bench {key}")
    yield from (_file_place(f"cogs/{key}/{name}.py", description) for name, description in UI_MODULES.items())
    yield _registry_place("cogs/games.py", f"cogs.{key}.game_ui", "GAME_UIS")
    yield _tests_place(f"tests/cogs/{key}", "what its screen says, beyond the laws")
    lesson = "an annotated record in which newcomers learn it, see tests/lesson_tools.py"
    yield _file_place(f"docs/lessons/{key}.txt", lesson)
    yield _file_place(f"docs/puzzles/{key}/01.txt", "decisions of real matches", f"python -m tests.puzzle_tools {key}")
    row = "its row in the table of the games"
    yield RequiredPlace("README.md", row, lambda root: _has_readme_row(root / "README.md", key))


def missing_places(key: str, root: Path) -> list[RequiredPlace]:
    return [place for place in required_places(key) if not place.exists(root)]


def main(words: Sequence[str]) -> int:
    """Say what is missing; 0 if nothing is, 2 if that is no key."""
    if len(words) != 1 or not KEY.fullmatch(words[0]):
        print("Name the game's key: a word of small letters, such as wizard.")
        return 2
    (key,) = words
    root = next((root for root in ROOTS if (root / "engines" / key).is_dir()), ROOT)
    found = missing_places(key, root)
    for place in found:
        print(f"{place.path}: {place.purpose}" + (f": {place.command}" if place.command else ""))
    print(f"{key}: {len(found)} missing. CONTRIBUTING.md says more." if found else f"{key}: nothing is missing.")
    return 1 if found else 0


def _file_place(path: str, description: str, command: str = "") -> RequiredPlace:
    """A file that is not empty; in place of a module there may be a package."""
    package = path.removesuffix(".py") + "/__init__.py"
    return RequiredPlace(
        path, description, lambda root: any(_has_content(root / each) for each in (path, package)), command
    )


def _has_content(path: Path) -> bool:
    return path.is_file() and bool(path.read_text(encoding="utf-8").strip())


def _has_opening(path: Path) -> bool:
    first = path.read_text(encoding="utf-8").partition("\n## ")[2] if _has_content(path) else ""
    return first.startswith(f"{OPENING_TITLE}\n")


def _tests_place(path: str, description: str) -> RequiredPlace:
    return RequiredPlace(f"{path}/test_*.py", description, lambda root: any((root / path).glob("test_*.py")))


def _method_place(key: str, name: str, description: str) -> RequiredPlace:
    def is_there(root: Path) -> bool:
        texts = (path.read_text(encoding="utf-8") for path in (root / "engines" / key).glob("**/*.py"))
        return any(name in _defined_names(ast.parse(text)) for text in texts)

    return RequiredPlace(f"engines/{key}/*.py ({name})", description, is_there)


def _defined_names(tree: ast.Module) -> Iterator[str]:
    """The names of functions, and those that are given a value."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def _registry_place(path: str, module: str, registry: str) -> RequiredPlace:
    def is_there(root: Path) -> bool:
        if not (root / path).is_file():
            return False
        tree = ast.parse((root / path).read_text(encoding="utf-8"))
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        from_module = [node for node in imports if f".{node.module}".endswith(f".{module}")]
        names = {each.asname or each.name for node in from_module for each in node.names}
        lists = [x.value for x in tree.body if isinstance(x, ast.AnnAssign) and ast.unparse(x.target) == registry]
        return any(isinstance(node, ast.Name) and node.id in names for each in lists if each for node in ast.walk(each))

    return RequiredPlace(path, f"its line in {registry}", is_there)


def _has_readme_row(path: Path, key: str) -> bool:
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return any(line.startswith("| [") and f"(docs/rules/{key}.md)" in line for line in text.splitlines())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
