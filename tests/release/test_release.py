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
from release import checking, making, preparing
from release.__main__ import ROOT, main
from release.audit import UNREACHABLE_TEXT, parse_audit
from release.changelog import NotReady, close_section, release_notes, split_sections, unreleased_text
from release.figures import DOCUMENTS, outdated_sections, undated_sections
from release.making import prepare_release, run_git
from tests.releases.make import DUMP_ENDING, FILE_ENDING

LOG = "# Changelog\n\n## Unreleased\n\n### Added\n- A door.\n\n## 1.1.0 (2026-01-01)\n\n### Added\n- A house.\n"
FIGURES = "# A page\n\n## Latest run\n\nMeasured on version 1.1.0.\n\n| a move | 3 ms |\n"
DAY = date(2026, 2, 3)
SAID = "### Added\n- A door."


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project at version 1.1.0, whose databases are made at once, and whose checks find nothing wrong."""
    root = tmp_path / "project"
    (root / "tests" / "releases").mkdir(parents=True)
    (root / "storage" / "sqlite" / "migrations").mkdir(parents=True)
    (root / "storage" / "sqlite" / "migrations" / "0001_matches.sql").write_text("")
    (root / "pyproject.toml").write_text('[project]\nname = "motley"\nversion = "1.1.0"\n')
    (root / "CHANGELOG.md").write_text(LOG)
    (root / "docs").mkdir()
    for document in DOCUMENTS:
        (root / document).write_text(FIGURES)
    (root / ".gitignore").write_text("dist/\n.env\n")
    (root / ".env").write_text("DISCORD_TOKEN=a-token\n")
    make_databases(root)
    run_git(root, "init", "--quiet")
    for name, value in (("name", "Somebody"), ("email", "somebody@example.invalid")):
        run_git(root, "config", f"user.{name}", value)
    commit_all(root)
    monkeypatch.setattr(preparing, "make_databases", make_databases)
    monkeypatch.setattr(making, "check_tree", lambda tree, names, wheel, image: [f"{image} was looked at."])
    monkeypatch.setattr(making, "_run_module", run_module)
    return root


def make_databases(root: Path) -> None:
    with closing(sqlite3.connect(":memory:")) as raw:
        raw.executescript("CREATE TABLE schema_migrations (number INTEGER); INSERT INTO schema_migrations VALUES (1)")
        for ending in (FILE_ENDING, DUMP_ENDING):
            path = root / "tests" / "releases" / f"{version(root / 'pyproject.toml')}{ending}"
            path.write_bytes(lzma.compress(raw.serialize()))


def run_module(module: str, *arguments: str, folder: Path, **environment: str) -> None:
    """In place of a tool of the release environment: writes an empty file if the tool would write one."""
    assert (folder / "pyproject.toml").is_file()
    assert not (folder / ".env").exists()
    if module == "pip":
        (Path(arguments[arguments.index("--wheel-dir") + 1]) / f"{folder.name}.whl").write_text("")
    else:
        Path(arguments[arguments.index("-o") + 1]).write_text("")


def commit_all(root: Path) -> None:
    run_git(root, "add", "--all")
    run_git(root, "commit", "--quiet", "--message", "more")


def test_unreleased_changes_become_the_section_of_a_version() -> None:
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


def begin(root: Path, wanted: str = "1.2.0") -> int:
    return main(["begin", wanted, "2026-02-03"], root)


def test_a_release_is_begun_with_one_commit_and_only_once(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = run_git(root, "rev-list", "--count", "HEAD")
    assert begin(root) == 0
    assert "begun and committed" in capsys.readouterr().out
    assert version(root / "pyproject.toml") == "1.2.0"
    assert release_notes((root / "CHANGELOG.md").read_text(), "1.2.0") == (SAID, DAY)
    assert run_git(root, "status", "--porcelain") == ""
    assert run_git(root, "show", "--name-only", "--format=", "HEAD").split() == [
        *("CHANGELOG.md", "pyproject.toml"),
        *("tests/releases/1.2.0.db.xz", "tests/releases/1.2.0.sql.xz"),
    ]
    assert begin(root) == 0
    assert "already begun" in capsys.readouterr().out
    assert int(run_git(root, "rev-list", "--count", "HEAD")) == int(before) + 1


def fail(root: Path) -> None:
    make_databases(root)
    raise NotReady("tests.releases.make failed: no")


STOPPED: dict[str, tuple[str, Callable[[Path, pytest.MonkeyPatch], object], str]] = {
    "no database": ("1.2.0", lambda root, patch: patch.setattr(preparing, "make_databases", fail), "make failed: no"),
    "nothing said": ("1.2.0", lambda root, patch: _replace_in_changelog(root, SAID, ""), "nothing under Unreleased"),
    "nobody": ("1.2.0", lambda root, patch: run_git(root, "config", "user.useConfigOnly", "true"), "git commit failed"),
    "older": ("1.0.9", lambda root, patch: None, "1.0.9 is older than 1.1.0"),
    "no version": ("1.2.0rc1", lambda root, patch: None, "is not three numbers"),
}


@pytest.mark.parametrize("stopped", STOPPED)
def test_a_beginning_that_fails_leaves_everything_as_it_was(
    root: Path, stopped: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted, stop, why = STOPPED[stopped]
    stop(root, monkeypatch)
    if run_git(root, "status", "--porcelain"):
        commit_all(root)
    if stopped == "nobody":
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
        run_git(root, "config", "--unset", "user.email")
    before = run_git(root, "rev-parse", "HEAD")
    assert begin(root, wanted) == 1
    assert why in capsys.readouterr().err
    assert run_git(root, "rev-parse", "HEAD") == before
    assert run_git(root, "status", "--porcelain") == ""
    assert version(root / "pyproject.toml") == "1.1.0"


BROKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "left over": (lambda root: (root / "new.py").write_text(""), "Not committed: new.py. Commit everything"),
    "no section": (lambda root: (root / "CHANGELOG.md").write_text(LOG), "no section for 1.2.0"),
    "no date": (lambda root: _replace_in_changelog(root, " (2026-02-03)", ""), "“1.2.0” is not a version with a date"),
    "nothing said": (lambda root: _replace_in_changelog(root, SAID, ""), "is not a version with a date and some text"),
    "more came": (
        lambda root: _replace_in_changelog(root, "Unreleased\n", "Unreleased\n\n- More.\n"),
        "still has text under Unreleased",
    ),
    "no database": (lambda root: (root / "tests/releases/1.2.0.db.xz").unlink(), "1.2.0.db.xz is missing"),
    "no dump": (lambda root: (root / "tests/releases/1.2.0.sql.xz").unlink(), "1.2.0.sql.xz is missing"),
    "old figures": (
        lambda root: (root / DOCUMENTS[1]).write_text(FIGURES.replace("1.1.0", "1.0.9")),
        "older than the last minor version: docs/reliability.md: Latest run",
    ),
    "figures without a version": (
        lambda root: (root / DOCUMENTS[2]).write_text(FIGURES.replace("on version 1.1.0", "lately")),
        "name no version on which they were measured: docs/players.md: Latest run",
    ),
    "another migration": (
        lambda root: (root / "storage/sqlite/migrations/0002_seals.sql").write_text(""),
        "1.2.0.db.xz lacks some migrations",
    ),
}


def _replace_in_changelog(root: Path, before: str, after: str) -> None:
    path = root / "CHANGELOG.md"
    assert before in path.read_text()
    path.write_text(path.read_text().replace(before, after))


@pytest.mark.parametrize("broken", BROKEN)
def test_a_missing_thing_is_named_in_a_sentence(root: Path, broken: str) -> None:
    begin(root)
    assert prepare_release(root, "1.2.0").tag == "v1.2.0"
    breaking, why = BROKEN[broken]
    breaking(root)
    if broken != "left over":
        commit_all(root)
    with pytest.raises(NotReady, match=why.replace("(", r"\(")):
        prepare_release(root, "1.2.0")


def test_a_version_is_three_numbers(root: Path) -> None:
    with pytest.raises(NotReady, match="three numbers"):
        prepare_release(root, "1.2.0rc1")
    assert making.VERSION_PATTERN.fullmatch(version())


def test_a_release_is_what_is_committed(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begin(root)
    assert main(["make"], root) == 0
    assert "git push origin HEAD v1.2.0" in capsys.readouterr().out
    dist = root / "dist"
    assert (dist / "NOTES.md").read_text() == f"Motley 1.2.0, 2026-02-03\n\n{SAID}\n"
    assert (dist / "CHECKS.txt").read_text() == "motley:1.2.0 was looked at.\n"
    assert SAID in run_git(root, "tag", "--list", "--format=%(contents)", "v1.2.0")
    assert len((dist / "SHA256SUMS").read_text().splitlines()) == 5
    with tarfile.open(dist / "motley-1.2.0.tar.gz") as archive:
        names = archive.getnames()
    assert "motley-1.2.0/pyproject.toml" in names
    assert not [name for name in names if name.endswith(".env")]


def test_a_release_is_made_once(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begin(root)
    main(["make"], root)
    before = run_git(root, "rev-parse", "v1.2.0")
    assert begin(root) == main(["make"], root) == 0
    assert "v1.2.0 was already made" in capsys.readouterr().out
    (root / "dist" / "NOTES.md").write_text("other")
    assert main(["make"], root) == 1
    assert "SHA256SUMS does not fit NOTES.md" in capsys.readouterr().err
    (root / "more.py").write_text("")
    commit_all(root)
    assert main(["make"], root) == 1
    assert "v1.2.0 already exists, on another commit" in capsys.readouterr().err
    assert run_git(root, "rev-parse", "v1.2.0") == before


@pytest.mark.parametrize("failing", ["_run_module", "check_tree", "require_sums"])
def test_a_release_that_fails_half_way_is_not_tagged_and_can_be_made_again(
    root: Path, failing: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    begin(root)
    (root / "dist").mkdir()
    (root / "dist" / "older").write_text("")
    with monkeypatch.context() as patched:

        def stop(*arguments: object, **named: object) -> None:
            raise NotReady("something failed")

        patched.setattr(making, failing, stop)
        assert main(["make"], root) == 1
        assert "something failed" in capsys.readouterr().err
        assert run_git(root, "tag") == ""
        assert [path.name for path in (root / "dist").iterdir()] == ["older"]
    assert main(["make"], root) == 0
    assert not (root / "dist" / "older").exists()
    assert run_git(root, "tag") == "v1.2.0\n"


def test_a_source_with_other_files_than_the_commit_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cogs").mkdir()
    (tmp_path / "cogs" / "one.py").write_text("")
    assert (
        checking.check_names(tmp_path, ["cogs/one.py"]) == "The source holds the files of the commit and no others: 1."
    )
    for names in ([], ["cogs/one.py", "two.py"]):
        with pytest.raises(NotReady, match="The source differs from the commit"):
            checking.check_names(tmp_path, names)


WELL = {"name": "one", "version": "1", "vulns": []}
WEAK = {"name": "two", "version": "2", "vulns": [{"id": "CVE-1", "fix_versions": ["2.1"]}]}
UNKNOWN = {"name": "three", "skip_reason": "Dependency not found"}


@pytest.mark.parametrize(
    ("dependencies", "line", "well"),
    [
        ([WELL], "1 dependencies were audited, no known weaknesses.", True),
        ([WELL, WEAK], "- two 2: CVE-1, fixed in 2.1", False),
        ([WELL, UNKNOWN], "The database has no entry for three: not audited.", True),
        ([UNKNOWN], UNREACHABLE_TEXT, True),
        (None, UNREACHABLE_TEXT, True),
    ],
)
def test_an_audit_says_what_is_weak_and_what_could_not_be_asked(dependencies: object, line: str, well: bool) -> None:
    lines, fine = parse_audit("" if dependencies is None else json.dumps({"dependencies": dependencies, "fixes": []}))
    assert line in lines
    assert fine is well


def test_every_table_of_figures_says_on_which_version_it_was_measured(root: Path) -> None:
    assert undated_sections(ROOT) == []
    (root / DOCUMENTS[0]).write_text("# A page\n\n## Latest run\n\n| a move | 3 ms |\n\n## A wish\n\nNo table.\n")
    assert undated_sections(root) == [f"{DOCUMENTS[0]}: Latest run"]


@pytest.mark.parametrize(("released", "first_old"), [("1.0.1", 3), ("1.1.1", 2), ("1.2.0", 1), ("2.0.0", 1)])
def test_figures_older_than_the_last_minor_version_are_measured_again_before_a_release(
    root: Path, released: str, first_old: int
) -> None:
    changelog = (root / "CHANGELOG.md").read_text()
    (root / "CHANGELOG.md").write_text(f"{changelog}\n## 1.0.0 (2025-01-01)\n\n## 0.9.0 (2024-01-01)\n")
    for document, measured in zip(DOCUMENTS, ("1.1.0", "1.0.0", "0.9.0"), strict=True):
        (root / document).write_text(FIGURES.replace("1.1.0", measured))
    assert outdated_sections(root, released) == [f"{document}: Latest run" for document in DOCUMENTS[first_old:]]
