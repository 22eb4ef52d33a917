"""The sessions in README and docs happen as they are told."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import discord
import pytest

from cogs.table.channels.channel_access import FOR_THREADS, NEEDED
from engines.__main__ import main
from motley.__main__ import parser

ROOT = Path(__file__).resolve().parents[1]
TOLD = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SEVERAL = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [*TOLD, ROOT / "CONTRIBUTING.md", ROOT / "tests" / "README.md", *sorted((ROOT / "docs" / "rules").glob("*.md"))]
LINK = re.compile(r"(?<!\!)\[[^\]\n]*\]\((?!https?:|#)([^)#\s]+)[^)]*\)")
HELD = re.compile(r"\[✓\]\((\S+) \"(\w+)\"\)")
MARK = "✓"
PROMISED = "What can be relied on"


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


def part(title: str) -> str:
    """A part of the README."""
    return README.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def unheld(text: str) -> list[str]:
    """The sentences of a list that promise something, but lead to no test."""
    marked = HELD.sub(MARK, " ".join(text.split()))
    sentences = re.split(rf"(?<=[.!?{MARK}]) (?!{MARK})", marked)
    return [sentence for sentence in sentences if not sentence.endswith(f". {MARK}")]


def test_the_readme_promises_nothing_that_no_test_holds() -> None:
    """Each sentence of what can be relied on ends with a link to a test, its file and its name; all of them exist."""
    items = re.split(r"^- ", part(PROMISED), flags=re.MULTILINE)[1:]
    assert len(items) > 15
    assert not [sentence for item in items for sentence in unheld(item.partition("\n\n")[0])]
    assert README.count(MARK) == len(HELD.findall(README)) + 1, "a ✓ that leads nowhere"
    for path, name in HELD.findall(README):
        assert path.startswith("tests/"), path
        assert re.search(rf"^(async )?def {name}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE), name


def test_a_promise_that_no_test_holds_would_be_found() -> None:
    held = '[✓](tests/a.py "test_b")'
    assert unheld(f"This is so. {held} And that,\n  too. {held}") == []
    assert unheld(f"This is so. {held} That is not.") == ["That is not."]
    assert unheld(f"This is not. That is so. {held}") == ["This is not."]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    assert not [to for to in LINK.findall(path.read_text(encoding="utf-8")) if not (path.parent / to).exists()]


def test_the_invitation_asks_for_what_the_bot_needs_and_no_more() -> None:
    (asked,) = re.findall(r"scope=bot\+applications\.commands&permissions=(\d+)", README)
    assert discord.Permissions(int(asked)) == discord.Permissions(**dict.fromkeys([*NEEDED, *FOR_THREADS], True))
    for name in (*NEEDED.values(), *FOR_THREADS.values()):
        assert f"*{name}*" in part("On your server")


def test_what_an_owner_is_told_to_type_is_there() -> None:
    made = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for path in PAGES:
        assert set(re.findall(r"`make ([a-z-]+)", path.read_text(encoding="utf-8"))) <= made, path.name
    settings = (ROOT / ".env.example").read_text(encoding="utf-8")
    for name in set(
        re.findall(r"`(MOTLEY_[A-Z_]+)\b(?!…)", README + (ROOT / "docs" / "operating.md").read_text(encoding="utf-8"))
    ):
        assert f"{name}=" in settings, name
    for name in re.findall(r"-m motley ([a-z]+)", README):
        assert name in parser().format_help(), name
