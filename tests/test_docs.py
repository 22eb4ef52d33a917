"""The sessions in README and docs happen as they are told."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from engines.__main__ import main

ROOT = Path(__file__).resolve().parents[1]
TOLD = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SEVERAL = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def sessions(path: Path, kind: str) -> list[str]:
    """The fenced sessions of a page."""
    return [body for fence, body in FENCED.findall(path.read_text(encoding="utf-8")) if fence == kind]


def told(path: Path) -> list[str]:
    return [body for kind in ("pycon", "console") for body in sessions(path, kind)]


@pytest.mark.parametrize("path", [path for path in TOLD if told(path)], ids=lambda path: path.name)
def test_sessions_happen_as_they_are_told(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """First those in Python, which go on from one to the next, then those on the command line, in one folder."""
    text = "\n".join(sessions(path, "pycon"))
    if text:
        session = doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0)
        found: list[str] = []
        failed = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(session, out=found.append).failed
        assert not failed, "".join(found)
    monkeypatch.chdir(tmp_path)
    for body in sessions(path, "console"):
        for command, wanted in commands(body):
            main(command)
            said = capsys.readouterr().out
            assert doctest.OutputChecker().check_output(wanted, said, SEVERAL), f"{command} says:\n{said}"


def commands(body: str) -> list[tuple[list[str], str]]:
    """The commands of a session, each with what it says."""
    found = re.findall(r"^\$ python -m engines (.*)\n((?:(?!\$ ).*\n)*)", body, re.MULTILINE)
    assert len(found) == body.count("$ "), f"not only our commands: {body}"
    return [(shlex.split(command), wanted) for command, wanted in found]


def test_the_library_is_told_by_sessions() -> None:
    assert sessions(ROOT / "README.md", "pycon")
    assert len(sessions(ROOT / "docs" / "engines.md", "pycon")) >= 4
    assert sessions(ROOT / "docs" / "engines.md", "console")
