"""No page shows an empty box: whatever is written in the sources, and sent by the bot, has a glyph."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.games import ROOT
from tests.glyphs import LETTERS, PACKAGES, SYMBOLS, missing_packages, unlisted, without_glyph

SHOWN = ("cogs", "engines", "players", "playground", "storage", "live", "motley")
NEVER_SHOWN = {
    "cogs/table/wording/player_names.py",
    "cogs/pictures/raster/typeface.py",
    "playground/limits/emoji.py",
    "playground/limits/commands.py",
}
"""Modules with tables of characters that occur in people's names."""


@pytest.fixture
def fonts() -> None:
    if missing := missing_packages():
        pytest.skip(f"Fonts of the screenshots are not installed (apt-get install {' '.join(missing)})")


def test_every_symbol_has_a_glyph_in_the_fonts_of_the_screenshots(fonts: None) -> None:
    assert without_glyph("".join(LETTERS | SYMBOLS)) == set()


def test_a_character_without_a_glyph_is_found(fonts: None) -> None:
    assert without_glyph("Ada ⏳ \U0010fffd 李") == {"\U0010fffd", "李"}
    assert unlisted("Ada ⏳ \U0010fffd 李") == {"\U0010fffd", "李"}


@pytest.mark.parametrize("folder", SHOWN)
def test_texts_in_the_sources_have_glyphs(folder: str) -> None:
    for path in sorted((ROOT / folder).rglob("*.py")):
        if str(path.relative_to(ROOT)) not in NEVER_SHOWN:
            assert unlisted("".join(_texts(path))) == set(), path


@pytest.mark.parametrize("folder", ["playground/static", "docs/rules"])
def test_texts_of_the_page_and_of_the_rules_have_glyphs(folder: str) -> None:
    for path in (ROOT / folder).rglob("*"):
        if path.suffix in {".js", ".css", ".html", ".md"}:
            assert unlisted(path.read_text(encoding="utf-8")) == set(), path


def test_ci_installs_the_fonts() -> None:
    installed = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert all(package in installed for package in ("fontconfig", *PACKAGES.values()))


def test_missing_fonts_are_named_by_their_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 0, "Other\n20-7e"))
    monkeypatch.setattr("shutil.which", lambda _: "/usr/bin/fc-match")
    assert missing_packages() == [*PACKAGES.values()]
    monkeypatch.setattr("shutil.which", lambda _: None)
    assert missing_packages() == ["fontconfig", *PACKAGES.values()]


def _texts(path: Path) -> Iterator[str]:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    alone = {node.value for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in alone:
            yield node.value
