"""A game is added by its packages and two lines; nothing shared names one; `tests.new_game` says what one lacks."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engines import GAMES
from tests.example.engines import GAMES as EXAMPLE_GAMES
from tests.games import GAMES as ALL_GAMES
from tests.games import ROOT, game_root
from tests.new_game import RequiredPlace, main, missing_places, required_places

REGISTRIES = {Path("engines/__init__.py"), Path("cogs/games.py")}
ROOMS = ("engines", "players", "cogs", "storage", "playground", "bench")
NO_CACHE = shutil.ignore_patterns("__pycache__")
PLAYED = """
import sys
from random import Random
from cogs.games import GAME_UIS
from cogs.pictures.studio import Studio
from cogs.screens.screen import Context
from engines import GAMES, Chance

front, rng = GAME_UIS[sys.argv[1]], Random(7)
game, studio = GAMES[sys.argv[1]], Studio([front.layouts])
assert front.game is game
names = ("Ana", "Ben", "Cleo")
state, context = game.start(3, game.options(), Chance("07")), Context(names, game.options(), (), names, names)
while decisions := game.decisions(state):
    seat, moves = next((seat, game.moves(state, seat)) for seat in decisions)
    hand = front.screen.hand(game.view(state, seat), decisions[seat], moves, context)
    assert studio.render(hand.picture.spec)
    game.play(state, seat, rng.choice(moves))
assert front.screen.result(game.view(state, None), game.outcome(state), context)
print(*GAME_UIS, front.rules.parts[0][0], sep="\\n")
"""
"""A match by itself, with the pictures of hands, in a process of its own; says which games there are."""
MOTTO = "games of jesters, jokers and wizards"
"""What the bot says of itself, of whatever games there are."""
KEY = re.compile(rf"(?<![a-z])(?:{'|'.join(GAMES)})(?![a-z])")
PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


def shared_code() -> list[Path]:
    own = {Path(room, key) for room in ("engines", "players", "cogs", "bench/players") for key in GAMES}
    found = [path.relative_to(ROOT) for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    found += [path.relative_to(ROOT) for path in sorted(ROOT.glob("*.py"))]
    return [path for path in found if path not in REGISTRIES and not own & set(path.parents)]


def shared_tests() -> list[Path]:
    found = [path.relative_to(ROOT) for path in sorted((ROOT / "tests").rglob("*.py"))]
    return [path for path in found if not {"example", *ALL_GAMES} & set(path.parts)]


def game_names(code: str) -> Iterator[str]:
    """Where a piece of code names a game: in a text, by the name of a thing, or by an import.

    What is only said to readers of the code is free to take a game as an example.
    """
    tree = ast.parse(code)
    expressions = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) and id(node) not in expressions else None
        if isinstance(text, str) and KEY.search(text.replace(MOTTO, "")):
            yield f"“{text[:40]}”"
        fields = (getattr(node, field, None) for field in ("name", "id", "attr", "arg", "asname", "module"))
        for name in (value for value in fields if isinstance(value, str)):
            if set(GAMES) & {part.lower() for part in PART.findall(name)}:
                yield name


def differences(code: str) -> list[str]:
    """Where a piece of code asks which game it is: compares something with a key, or looks for it among keys."""
    found = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Compare):
            one, among = [node.left, *node.comparators], isinstance(node.ops[0], ast.In | ast.NotIn)
            rows = [each.elts for each in one if among and isinstance(each, ast.Tuple | ast.List | ast.Set)]
            if any(isinstance(each, ast.Constant) and each.value in ALL_GAMES for row in (one, *rows) for each in row):
                found.append(ast.unparse(node))
        elif (
            isinstance(node, ast.MatchValue) and isinstance(node.value, ast.Constant) and node.value.value in ALL_GAMES
        ):
            found.append(ast.unparse(node))
    return found


@pytest.mark.parametrize("path", shared_code(), ids=str)
def test_code_that_games_share_names_no_game(path: Path) -> None:
    assert not list(game_names((ROOT / path).read_text(encoding="utf-8")))


NAMING = [
    *("from engines.wizard import WIZARD", "import cogs.jest.words", 'if key == "court": pass', "send('/wizard new')"),
    *("def jest_card(): pass", "faces.jest_card()", "class JokersTable: pass", "COURT = 3", "draw(wizard=1)"),
    'print(f"{a} of jesters")',
]
FREE = ['"""`play wizard` plays one."""', "# as in Jest", "joker, jester = suggest, courteous", f'a = "{MOTTO}"']


def test_names_of_games_are_found_and_examples_and_other_words_are_not() -> None:
    assert [code for code in (*NAMING, *FREE) if list(game_names(code))] == NAMING


@pytest.mark.parametrize("path", shared_tests(), ids=str)
def test_tests_that_games_share_make_no_difference_between_them(path: Path) -> None:
    assert not differences((ROOT / path).read_text(encoding="utf-8"))


def test_a_difference_would_be_found() -> None:
    snippets = ['key != "jest"', 'a if game.key in ("court", "glimpse") else b', "match a:\n case 'jest':\n  b"]
    assert all(differences(code) for code in snippets)


def test_the_registries_have_a_line_a_game() -> None:
    for path in REGISTRIES:
        lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
        for key in GAMES:
            assert len([line for line in lines if re.search(rf"from \w+\.{key}[. ]", line)]) == 1


def test_the_example_becomes_a_game_by_its_packages_and_two_lines(tmp_path: Path) -> None:
    """In a copy of the project, of which nothing but the registries is changed."""
    (key,) = EXAMPLE_GAMES
    for room in ("engines", "players", "worker_pool", "cogs", "docs"):
        shutil.copytree(ROOT / room, tmp_path / room, ignore=NO_CACHE)
    for part in (f"engines/{key}", f"cogs/{key}", "docs/rules", "docs/lessons", "docs/puzzles"):
        shutil.copytree(game_root(key) / part, tmp_path / part, ignore=NO_CACHE, dirs_exist_ok=True)
    for path in [*tmp_path.glob(f"*/{key}/**/*.py")]:
        path.write_text(path.read_text(encoding="utf-8").replace("tests.example.", ""), encoding="utf-8")
    name = key.upper()
    _register_game(tmp_path / "engines/__init__.py", f"from engines.{key} import {name}", name)
    _register_game(tmp_path / "cogs/games.py", f"from cogs.{key}.game_ui import GAME_UI as {name}", name)
    command = [sys.executable, "-c", PLAYED, key]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.stdout.splitlines() == [*GAMES, key, "The rules in one minute"], result.stderr


def _register_game(registry: Path, line: str, name: str) -> None:
    text = registry.read_text(encoding="utf-8")
    first = next(each for each in text.splitlines() if each.startswith(("from engines.", "from cogs.")))
    listed = re.sub(r"(for \w+ in \([A-Z, ]+)\)", rf"\1, {name})", text.replace(first, f"{line}\n{first}", 1))
    registry.write_text(listed, encoding="utf-8")


(EXAMPLE_KEY,) = EXAMPLE_GAMES
GENERATED = {"perft.txt", "digests.txt"}


@pytest.mark.parametrize("key", ALL_GAMES)
def test_nothing_is_missing_of_a_game_that_is_registered(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([key]) == 0
    assert capsys.readouterr().out == f"{key}: nothing is missing.\n"


def test_everything_is_missing_of_a_game_that_nobody_began() -> None:
    command = [sys.executable, "-m", "tests.new_game", "whist"]
    result = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert result.returncode == 1
    *lines, end = result.stdout.splitlines()
    assert [line.partition(": ")[0] for line in lines] == [place.path for place in required_places("whist")]
    assert end == f"whist: {len(lines)} missing. CONTRIBUTING.md says more."


@pytest.mark.parametrize("words", [(), ("Whist",), ("../whist",), ("whist", "bridge")])
def test_a_text_that_is_no_key_is_refused(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert "Name the game's key" in capsys.readouterr().out


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(game_root(EXAMPLE_KEY), tmp_path / "copy", ignore=NO_CACHE))


@pytest.mark.parametrize("place", list(required_places(EXAMPLE_KEY)), ids=lambda place: place.path)
def test_the_removed_parts_are_the_missing_ones(copy: Path, place: RequiredPlace) -> None:
    assert missing_places(EXAMPLE_KEY, copy) == []
    if place.path.endswith(")"):  # something that a module defines
        pattern, _, name = place.path.rstrip(")").partition(" (")
        for path in copy.glob(pattern):
            path.write_text(re.sub(rf"\b{name}\b", "others", path.read_text(encoding="utf-8")), encoding="utf-8")
    elif "*" in place.path:
        for path in copy.glob(place.path):
            path.unlink()
    elif place.path.count("/") < 2 and place.path.endswith((".py", ".md")):  # shared: a line of it is the game's
        path = copy / place.path
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("(GLIMPSE,)", "()").replace(f"docs/rules/{EXAMPLE_KEY}.md", ""), encoding="utf-8")
    else:
        (copy / place.path).unlink()
    found = [lacking.path for lacking in missing_places(EXAMPLE_KEY, copy)]
    assert [path for path in found if path == place.path or not path.endswith(")")] == [place.path]


def test_an_empty_file_is_missing(copy: Path) -> None:
    rules = copy / "docs" / "rules" / f"{EXAMPLE_KEY}.md"
    rules.write_text("\n", encoding="utf-8")
    assert [place.path for place in missing_places(EXAMPLE_KEY, copy)] == [f"docs/rules/{EXAMPLE_KEY}.md"]


def test_rules_that_begin_with_anything_but_the_minute_are_missing(copy: Path) -> None:
    rules = copy / "docs" / "rules" / f"{EXAMPLE_KEY}.md"
    page = rules.read_text(encoding="utf-8")
    rules.write_text(page.replace("## The rules in one minute", "## Aim"), encoding="utf-8")
    (place,) = missing_places(EXAMPLE_KEY, copy)
    assert place.path == f"docs/rules/{EXAMPLE_KEY}.md"
    assert "The rules in one minute" in place.purpose


def test_a_generated_file_comes_with_its_command() -> None:
    commands = {Path(place.path).name: place.command for place in required_places(EXAMPLE_KEY) if place.command}
    assert set(commands) >= GENERATED
    assert all(command.startswith("python -m ") for command in commands.values())


def test_contributing_names_every_place_and_every_command() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Adding a game")[2]
    for place in required_places("<key>"):
        folder, _, name = place.path.rpartition("/")
        name = name.rstrip(")").rpartition("(")[2]
        assert f"`{place.path}`" in page or (f"`{folder}/`" in page and f"`{name}`" in page), place.path
        assert place.command in page


def test_contributing_walks_through_the_example() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    found = [path for side in ("engines", "cogs") for path in game_root(EXAMPLE_KEY).glob(f"{side}/{EXAMPLE_KEY}/*.py")]
    assert found
    for path in found:
        assert f"`{path.name}`" in page, path
