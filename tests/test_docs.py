"""The sessions in README and docs happen as they are told."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import discord
import pytest

from cogs.admin_commands import AdminCog
from cogs.features.registry import FEATURE_UIS
from cogs.motley_commands import MotleyCog
from cogs.table.channels.channel_access import REQUIRED_PERMISSIONS, THREAD_PERMISSIONS
from engines.__main__ import main
from motley.__main__ import build_parser
from tests.test_architecture import HERE, ORDER

ROOT = Path(__file__).resolve().parents[1]
PAGES_TOLD = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SEVERAL = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [
    *PAGES_TOLD,
    *(ROOT / name for name in ("CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "SECURITY.md")),
    *(ROOT / folder / "README.md" for folder in ("tests", "tests/example", "docs/pictures", "docs/listing")),
    *sorted((ROOT / "playground").glob("*.md")),
    *sorted((ROOT / "docs" / "rules").glob("*.md")),
]
LINK = re.compile(r"(?<!\!)\[[^\]\n]*\]\((?!https?:|#)([^)#\s]+)[^)]*\)")
IMAGE = re.compile(r'<img src="([^"]+)"')
PROMISE = re.compile(r"\[✓\]\((\S+) \"(\w+)\"\)")
MARK = "✓"
PATH = re.compile(r"`(?!data/)([a-z_]+(?:/[a-z_]+)+\.(?:py|md))`")
GUARANTEES = ROOT / "docs" / "guarantees.md"
CONTRACT = ROOT / "playground" / "CONTRACT.md"


def doc_sessions(path: Path, kind: str) -> list[str]:
    return [body for fence, body in FENCED.findall(path.read_text(encoding="utf-8")) if fence == kind]


SESSIONS = [path for path in PAGES_TOLD if doc_sessions(path, "pycon") + doc_sessions(path, "console")]


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.name)
def test_sessions_are_true(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """First those in Python, which go on from one to the next, then those on the command line, in one folder."""
    text = "\n".join(doc_sessions(path, "pycon"))
    if text:
        session = doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0)
        found: list[str] = []
        failed = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(session, out=found.append).failed
        assert not failed, "".join(found)
    monkeypatch.chdir(tmp_path)
    for body in doc_sessions(path, "console"):
        for command, wanted in session_commands(body):
            main(command)
            output = capsys.readouterr().out
            assert doctest.OutputChecker().check_output(wanted, output, SEVERAL), f"{command} says:\n{output}"


def session_commands(body: str) -> list[tuple[list[str], str]]:
    found = re.findall(r"^\$ python -m engines (.*)\n((?:(?!\$ ).*\n)*)", body, re.MULTILINE)
    assert len(found) == body.count("$ "), f"not only our commands: {body}"
    return [(shlex.split(command), wanted) for command, wanted in found]


def test_the_library_is_told_by_sessions() -> None:
    assert doc_sessions(ROOT / "README.md", "pycon")
    assert len(doc_sessions(ROOT / "docs" / "engines.md", "pycon")) >= 4
    assert doc_sessions(ROOT / "docs" / "engines.md", "console")


def untested_promises(text: str) -> list[str]:
    """The sentences of a list that promise something, but lead to no test."""
    marked = PROMISE.sub(MARK, " ".join(text.split()))
    sentences = re.split(rf"(?<=[.!?{MARK}]) (?!{MARK})", marked)
    return [sentence for sentence in sentences if not sentence.endswith(f". {MARK}")]


@pytest.mark.parametrize(("promises", "least"), [(GUARANTEES, 30), (CONTRACT, 7)], ids=["bot", "playground"])
def test_nothing_is_guaranteed_that_no_test_holds(promises: Path, least: int) -> None:
    """Each guarantee ends with a link to a test, with its file and its name. All of these exist."""
    page = promises.read_text(encoding="utf-8")
    items = re.split(r"^- ", page, flags=re.MULTILINE)[1:]
    assert len(items) > least
    assert not [sentence for item in items for sentence in untested_promises(item.partition("\n\n")[0])]
    assert page.count(MARK) == len(PROMISE.findall(page)) + 1, "a ✓ that leads nowhere"
    for to, name in PROMISE.findall(page):
        path = (promises.parent / to).resolve()
        assert path.is_relative_to(ROOT / "tests"), path
        assert re.search(rf"^(async )?def {name}\(", path.read_text(encoding="utf-8"), re.MULTILINE), name


def test_a_promise_that_no_test_holds_would_be_found() -> None:
    mark = '[✓](tests/a.py "test_b")'
    assert untested_promises(f"This is so. {mark} And that,\n  too. {mark}") == []
    assert untested_promises(f"This is so. {mark} That is not.") == ["That is not."]
    assert untested_promises(f"This is not. That is so. {mark}") == ["This is not."]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere_and_paths_that_are_named_exist(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    assert not [to for to in LINK.findall(page) + IMAGE.findall(page) if not (path.parent / to).exists()]
    roots = (ROOT, ROOT / "tests", path.parent)
    assert not [each for each in PATH.findall(page) if not any((root / each).exists() for root in roots)]


def test_the_invitation_asks_for_what_the_bot_needs_and_no_more() -> None:
    (permissions,) = re.findall(r"scope=bot\+applications\.commands&permissions=(\d+)", README)
    needed = {**REQUIRED_PERMISSIONS, **THREAD_PERMISSIONS}
    assert discord.Permissions(int(permissions)) == discord.Permissions(**dict.fromkeys(needed, True))
    part = README.partition("\n## On your server\n")[2].partition("\n## ")[0]
    assert not [name for name in needed.values() if f"*{name}*" not in part]


def test_readme_lists_every_command_and_no_other() -> None:
    listed = {"motley": set[str](), "admin": set[str]()}
    for row in re.findall(r"^\| (`/\w+ .*?) \|", README, re.MULTILINE):
        group, *names = re.findall(r"[\w-]+", " ".join(re.findall(r"`(.*?)`", row)))
        listed.get(group, set()).update(names)
    real = {cog.__cog_group_name__: {each.name for each in cog.__cog_app_commands__} for cog in (MotleyCog, AdminCog)}
    for cog in filter(None, (ui.motley_commands for ui in FEATURE_UIS)):
        real["motley"] |= {each.name for each in cog.__cog_app_commands__}
    written = {f"/{group} {name}" for group, names in listed.items() for name in names}
    assert written == {f"/{group} {name}" for group, names in real.items() for name in names}


def test_commands_that_an_owner_is_told_to_type_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for path in PAGES:
        assert set(re.findall(r"`make ([a-z-]+)", path.read_text(encoding="utf-8"))) <= targets, path.name
    settings = (ROOT / ".env.example").read_text(encoding="utf-8")
    documents = README + (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    for name in set(re.findall(r"`(MOTLEY_[A-Z_]+)\b(?!…)", documents)):
        assert f"{name}=" in settings, name
    for name in re.findall(r"-m motley ([a-z]+)", README):
        assert name in build_parser().format_help(), name


ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def test_architecture_is_short_has_one_diagram_and_shows_the_order_of_imports() -> None:
    assert len(ARCHITECTURE.splitlines()) <= 200
    assert ARCHITECTURE.count("```mermaid") == 1
    rooms = [room for room in ORDER["cogs/table"].split() if room != HERE]
    assert " → ".join(rooms) in ARCHITECTURE
    order = ORDER[""].split()
    assert re.findall(r"^\| `(\w+)(?:/|\.py)` \|", ARCHITECTURE, re.MULTILINE)[: len(order)] == order
