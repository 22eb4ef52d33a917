"""A release is made of a committed and complete tree; the first problem is reported."""

from __future__ import annotations

import json
import lzma
import sqlite3
import tarfile
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from motley.version import version
from release import making
from release.__main__ import ROOT, main
from release.audit import UNREACHABLE_TEXT, parse_audit
from release.changelog import NotReady, close_section, release_notes, split_sections, unreleased_text
from release.making import Release, make_release, prepare_release, run_git
from tests.releases.make import kept_databases

LOG = "# Changelog\n\n## Unreleased\n\n### Added\n- A door.\n\n## 1.1.0 (2026-01-01)\n\n### Added\n- A house.\n"
DAY = date(2026, 2, 3)
SAID = "### Added\n- A door."


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "tests" / "releases").mkdir(parents=True)
    (root / "storage" / "sqlite" / "migrations").mkdir(parents=True)
    (root / "storage" / "sqlite" / "migrations" / "0001_matches.sql").write_text("")
    with closing(sqlite3.connect(":memory:")) as raw:
        raw.executescript("CREATE TABLE schema_migrations (number INTEGER); INSERT INTO schema_migrations VALUES (1)")
        (root / "tests" / "releases" / "1.2.0.db.xz").write_bytes(lzma.compress(raw.serialize()))
    (root / "pyproject.toml").write_text('[project]\nname = "motley"\nversion = "1.2.0"\n')
    (root / "CHANGELOG.md").write_text(LOG)
    (root / ".gitignore").write_text("dist/\n.env\n")
    (root / ".env").write_text("DISCORD_TOKEN=a-token\n")
    run_git(root, "init", "--quiet")
    for name, value in (("name", "Somebody"), ("email", "somebody@example.invalid")):
        run_git(root, "config", f"user.{name}", value)
    commit_all(root)
    return root


def commit_all(root: Path) -> None:
    run_git(root, "add", "--all")
    run_git(root, "commit", "--quiet", "--message", "more")


def test_what_is_not_released_yet_becomes_a_versions_section() -> None:
    text = close_section(LOG, "1.2.0", DAY)
    assert list(split_sections(text)) == ["Unreleased", "1.2.0 (2026-02-03)", "1.1.0 (2026-01-01)"]
    assert unreleased_text(text) == ""
    assert release_notes(text, "1.2.0") == (SAID, DAY)
    with pytest.raises(NotReady, match="nothing under Unreleased"):
        close_section(text, "1.3.0", DAY)
    with pytest.raises(NotReady, match=r"already has 1\.1\.0"):
        close_section(LOG, "1.1.0", DAY)


def test_our_own_changelog_has_room_for_what_comes_next() -> None:
    found = split_sections((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    assert next(iter(found)) == "Unreleased"
    for title in [*found][1:]:
        release_notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), title.partition(" ")[0])
    released = {title.partition(" ")[0] for title in [*found][1:]}
    assert released <= set(kept_databases()), "a release without its database"


BROKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "left over": (lambda root: (root / "new.py").write_text(""), "Not committed: new.py. Commit everything"),
    "no section": (lambda root: (root / "CHANGELOG.md").write_text(LOG), "no sections for 1.2.0"),
    "no date": (lambda root: _replace_in_changelog(root, " (2026-02-03)", ""), "“1.2.0” is not a version with a date"),
    "nothing said": (lambda root: _replace_in_changelog(root, SAID, ""), "is not a version with a date and some text"),
    "more came": (
        lambda root: _replace_in_changelog(root, "Unreleased\n", "Unreleased\n\n- More.\n"),
        "still has text under Unreleased",
    ),
    "no database": (lambda root: (root / "tests/releases/1.2.0.db.xz").unlink(), "tests.releases.make"),
    "another migration": (lambda root: (root / "storage/sqlite/migrations/0002_seals.sql").write_text(""), "--replace"),
    "tagged": (lambda root: run_git(root, "tag", "v1.2.0"), "v1.2.0 already exists"),
}


def _replace_in_changelog(root: Path, before: str, after: str) -> None:
    path = root / "CHANGELOG.md"
    assert before in path.read_text()
    path.write_text(path.read_text().replace(before, after))


@pytest.mark.parametrize("broken", BROKEN)
def test_what_is_missing_is_said_in_a_sentence(root: Path, broken: str) -> None:
    assert main(["close", "2026-02-03"], root) == 0
    commit_all(root)
    assert prepare_release(root, "1.2.0").tag == "v1.2.0"
    breaking, why = BROKEN[broken]
    breaking(root)
    if broken not in ("left over", "tagged"):
        commit_all(root)
    with pytest.raises(NotReady, match=why.replace("(", r"\(")):
        prepare_release(root, "1.2.0")


def test_a_version_is_three_numbers(root: Path) -> None:
    with pytest.raises(NotReady, match="three numbers"):
        prepare_release(root, "1.2.0rc1")
    assert making.VERSION_PATTERN.fullmatch(version())


def test_a_release_is_what_is_committed(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tools of the release environment are replaced: they write an empty file."""

    def run(module: str, *arguments: str, folder: Path, **environment: str) -> None:
        assert (folder / "pyproject.toml").is_file()
        assert not (folder / ".env").exists()
        made = {"cyclonedx_py": f"{folder.name}.cdx.json", "pip": f"{folder.name}.whl"}[module]
        (root / "dist" / made).write_text("")

    monkeypatch.setattr(making, "_run_module", run)
    main(["close", "2026-02-03"], root)
    commit_all(root)
    assert main(["make"], root) == 0
    assert "git push origin v1.2.0" in capsys.readouterr().out
    assert (root / "dist" / "NOTES.md").read_text() == f"Motley 1.2.0, 2026-02-03\n\n{SAID}\n"
    assert SAID in run_git(root, "tag", "--list", "--format=%(contents)", "v1.2.0")
    assert len((root / "dist" / "SHA256SUMS").read_text().splitlines()) == 4
    with tarfile.open(root / "dist" / "motley-1.2.0.tar.gz") as archive:
        names = archive.getnames()
    assert "motley-1.2.0/pyproject.toml" in names
    assert not [name for name in names if name.endswith(".env")]
    assert main(["make"], root) == 1
    assert "already exists" in capsys.readouterr().err


def test_a_release_that_fails_is_not_tagged(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(module: str, *arguments: str, folder: Path, **environment: str) -> None:
        raise NotReady("cyclonedx_py fails: no")

    monkeypatch.setattr(making, "_run_module", run)
    with pytest.raises(NotReady, match="cyclonedx_py fails"):
        make_release(Release(root, "1.2.0", "notes\n"), root / "dist")
    assert run_git(root, "tag") == ""


WELL = {"name": "one", "version": "1", "vulns": []}
WEAK = {"name": "two", "version": "2", "vulns": [{"id": "CVE-1", "fix_versions": ["2.1"]}]}
UNKNOWN = {"name": "three", "skip_reason": "Dependency not found"}


@pytest.mark.parametrize(
    ("said", "line", "well"),
    [
        ([WELL], "1 dependencies were audited, no known weaknesses.", True),
        ([WELL, WEAK], "- two 2: CVE-1, fixed in 2.1", False),
        ([WELL, UNKNOWN], "The database has no entry for three: not audited.", True),
        ([UNKNOWN], UNREACHABLE_TEXT, True),
        (None, UNREACHABLE_TEXT, True),
    ],
)
def test_an_audit_says_what_is_weak_and_what_could_not_be_asked(said: object, line: str, well: bool) -> None:
    lines, fine = parse_audit("" if said is None else json.dumps({"dependencies": said, "fixes": []}))
    assert line in lines
    assert fine is well
