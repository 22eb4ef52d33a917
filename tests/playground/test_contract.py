"""The playground's contract says what is there."""

from __future__ import annotations

import re
from pathlib import Path

import playground
from playground.rest.routes import ROUTES
from tests.playground.description import COMMIT

FOLDER = Path(playground.__file__).parent
CONTRACT = (FOLDER / "CONTRACT.md").read_text(encoding="utf-8")
README = (FOLDER / "README.md").read_text(encoding="utf-8")


def test_the_contract_lists_every_route_and_no_other() -> None:
    rows = re.findall(r"^\| `(/.*?)` \| ([A-Z, ]+) \|$", CONTRACT, re.MULTILINE)
    listed = {(method, path) for path, methods in rows for method in methods.split(", ")}
    assert listed == {(route.method, route.path) for route in ROUTES}


def test_the_contract_names_the_version_of_the_description() -> None:
    assert CONTRACT.count(f"`{COMMIT}`") == 1


def test_the_readme_fits_a_screen_and_shows_every_package() -> None:
    assert len(README.splitlines()) <= 60
    folders = {path.name for path in FOLDER.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert not [name for name in folders if f"`{name}/`" not in README]
