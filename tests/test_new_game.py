"""`python -m tests.new_game` names what a game lacks: nothing of those that are registered, all of one that is not."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.example.engines import GAMES as EXAMPLE
from tests.games import GAMES, ROOT, game_root
from tests.new_game import RequiredPlace, main, missing_places, required_places

(KEY,) = EXAMPLE
GENERATED = {"perft.txt", "digests.txt"}


@pytest.mark.parametrize("key", GAMES)
def test_nothing_is_missing_of_a_game_that_is_registered(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([key]) == 0
    assert capsys.readouterr().out == f"{key}: nothing is missing.\n"


def test_of_a_game_that_nobody_has_begun_everything_is_missing() -> None:
    asked = [sys.executable, "-m", "tests.new_game", "whist"]
    done = subprocess.run(asked, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 1
    *lines, end = done.stdout.splitlines()
    assert [line.partition(": ")[0] for line in lines] == [place.path for place in required_places("whist")]
    assert end == f"whist: {len(lines)} missing. CONTRIBUTING.md says more."


@pytest.mark.parametrize("words", [(), ("Whist",), ("../whist",), ("whist", "bridge")])
def test_what_is_no_key_is_refused(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert "Name the game's key" in capsys.readouterr().out


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The tree of the example, to take things out of."""
    return Path(shutil.copytree(game_root(KEY), tmp_path / "copy", ignore=shutil.ignore_patterns("__pycache__")))


@pytest.mark.parametrize("place", list(required_places(KEY)), ids=lambda place: place.path)
def test_what_is_taken_out_is_what_is_missing(copy: Path, place: RequiredPlace) -> None:
    assert missing_places(KEY, copy) == []
    if "*" in place.path:
        for path in copy.glob(place.path):
            path.unlink()
    elif place.path.count("/") < 2 and place.path.endswith((".py", ".md")):  # shared: a line of it is the game's
        path = copy / place.path
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("(GLIMPSE,)", "()").replace(f"docs/rules/{KEY}.md", ""), encoding="utf-8")
    else:
        (copy / place.path).unlink()
    assert [lacking.path for lacking in missing_places(KEY, copy)] == [place.path]


def test_an_empty_file_is_missing(copy: Path) -> None:
    rules = copy / "docs" / "rules" / f"{KEY}.md"
    rules.write_text("\n", encoding="utf-8")
    assert [place.path for place in missing_places(KEY, copy)] == [f"docs/rules/{KEY}.md"]


def test_rules_that_begin_with_anything_but_the_minute_are_missing(copy: Path) -> None:
    rules = copy / "docs" / "rules" / f"{KEY}.md"
    page = rules.read_text(encoding="utf-8")
    rules.write_text(page.replace("## In a minute", "## Aim"), encoding="utf-8")
    (place,) = missing_places(KEY, copy)
    assert place.path == f"docs/rules/{KEY}.md"
    assert "In a minute" in place.purpose


def test_what_is_generated_comes_with_its_command() -> None:
    commands = {Path(place.path).name: place.command for place in required_places(KEY) if place.command}
    assert set(commands) >= GENERATED
    assert all(command.startswith("python -m ") for command in commands.values())


def test_contributing_names_every_place_and_every_command() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Adding a game")[2]
    for place in required_places("<key>"):
        folder, _, name = place.path.rpartition("/")
        assert f"`{place.path}`" in page or (f"`{folder}/`" in page and f"`{name}`" in page), place.path
        assert place.command in page


def test_contributing_walks_through_the_example() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for path in [*game_root(KEY).glob(f"engines/{KEY}/*.py"), *game_root(KEY).glob(f"cogs/{KEY}/*.py")]:
        assert f"`{path.name}`" in page, path
