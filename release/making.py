"""Makes a release: its files, their checks, and its tag. The tag comes last, so a failed release has no tag."""

from __future__ import annotations

import lzma
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from release.changelog import NotReady, release_notes, unreleased_text
from release.checking import check_tree
from release.figures import outdated_sections, undated_sections

VERSION_PATTERN = re.compile(r"\d+\.\d+\.\d+")
NOTES_FILE, CHECKS_FILE, SUMS_FILE = "NOTES.md", "CHECKS.txt", "SHA256SUMS"
BEGIN_TEXT = "`make release TO={version}` makes it."


@dataclass(frozen=True, slots=True)
class Release:
    """A release that is ready to be made: its tree is committed and complete."""

    root: Path
    version: str
    notes: str

    @property
    def name(self) -> str:
        """The prefix of its files' names."""
        return f"motley-{self.version}"

    @property
    def tag(self) -> str:
        """The git tag."""
        return f"v{self.version}"


def require_version(text: str) -> None:
    """Raise NotReady if a version is not three numbers."""
    if not VERSION_PATTERN.fullmatch(text):
        raise NotReady(f"The version {text} is not three numbers.")


def require_committed(root: Path) -> None:
    """Raise NotReady if the tree has a change that is not committed."""
    if left := run_git(root, "status", "--porcelain").splitlines():
        more = f" and {len(left) - 1} more" if left[1:] else ""
        raise NotReady(f"Not committed: {left[0][3:]}{more}. Commit everything before the release.")


def prepare_release(root: Path, version: str) -> Release:
    """Check the tree and return the release. Raises NotReady with the first problem."""
    require_version(version)
    require_committed(root)
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    notes, day = release_notes(text, version)
    if unreleased_text(text):
        raise NotReady("CHANGELOG.md still has text under Unreleased. Move it into the version's section.")
    if undated := undated_sections(root):
        raise NotReady(f"These figures name no version on which they were measured: {'; '.join(undated)}.")
    if outdated := outdated_sections(root, version):
        raise NotReady(
            f"These figures are older than the last minor version: {'; '.join(outdated)}. Measure them again."
        )
    if missing := missing_database(root, version):
        raise NotReady(f"{missing} {BEGIN_TEXT.format(version=version)}")
    return Release(root, version, f"Motley {version}, {day}\n\n{notes}\n")


def missing_database(root: Path, version: str) -> str:
    """Return what the version's databases lack, as a sentence; "" if they are there and up to date."""
    file, dump = (Path("tests", "releases", f"{version}.{ending}") for ending in ("db.xz", "sql.xz"))
    for path in (file, dump):
        if not (root / path).is_file():
            return f"{path} is missing."
    if _layout_number(root / file) != len([*(root / "storage" / "sqlite" / "migrations").glob("*.sql")]):
        return f"{file} lacks some migrations."
    return ""


def is_made(release: Release) -> bool:
    """Whether the release has its tag on this commit. Raises NotReady if that is on another one."""
    if not run_git(release.root, "tag", "--list", release.tag):
        return False
    head, tagged = (run_git(release.root, "rev-parse", each).strip() for each in ("HEAD", f"{release.tag}^{{commit}}"))
    if head != tagged:
        raise NotReady(f"{release.tag} already exists, on another commit. `make release TO=…` begins the next version.")
    return True


def _layout_number(database: Path) -> int:
    """Return the number of the last migration in a stored database."""
    with closing(sqlite3.connect(":memory:")) as raw:
        raw.deserialize(lzma.decompress(database.read_bytes()))
        (number,) = raw.execute("SELECT max(number) FROM schema_migrations").fetchone()
    return int(number)


def make_release(release: Release, folder: Path, say: Callable[[str], None] = print) -> list[Path]:
    """Build the release's files and check them, put them into that folder, then create the tag; return the files.

    Raises NotReady; then there is no tag, and the folder is as it was.
    """
    with tempfile.TemporaryDirectory() as place:
        built = Path(place) / "dist"
        built.mkdir()
        _build_files(release, built, say)
        require_sums(built)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(built, folder)
    run_git(release.root, "tag", "--annotate", "--cleanup=verbatim", "--file", str(folder / NOTES_FILE), release.tag)
    return sorted(folder.iterdir())


def _build_files(release: Release, folder: Path, say: Callable[[str], None]) -> None:
    """Build the files in an empty folder, check them, and add their checksums."""
    source, checks = _archive_source(release, folder), list[str]()
    with tempfile.TemporaryDirectory() as place:
        tree = _unpack_source(source, Path(place)) / release.name
        names = run_git(release.root, "ls-files", "-z").split("\0")[:-1]
        _write_components(tree, folder / f"{release.name}.cdx.json")
        wheel = _build_wheel(release, folder)
        for check in check_tree(tree, names, wheel, f"motley:{release.version}"):
            checks.append(check)
            say(check)
    (folder / NOTES_FILE).write_text(release.notes, encoding="utf-8")
    (folder / CHECKS_FILE).write_text("".join(f"{check}\n" for check in checks), encoding="utf-8")
    sums = [f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(folder.iterdir())]
    (folder / SUMS_FILE).write_text("".join(sums), encoding="utf-8")


def require_sums(folder: Path) -> None:
    """Raise NotReady unless the files in a folder are exactly those that its checksums name."""
    named = dict(line.split("  ")[::-1] for line in (folder / SUMS_FILE).read_text(encoding="utf-8").splitlines())
    found = {path.name: sha256(path.read_bytes()).hexdigest() for path in folder.iterdir() if path.name != SUMS_FILE}
    if differing := sorted(name for name in named.keys() | found.keys() if named.get(name) != found.get(name)):
        raise NotReady(f"{SUMS_FILE} does not fit {', '.join(differing)}.")


def _archive_source(release: Release, folder: Path) -> Path:
    """Pack the committed tree into one file."""
    archive = folder / f"{release.name}.tar.gz"
    run_git(release.root, "archive", f"--prefix={release.name}/", "--output", str(archive), "HEAD")
    return archive


def _unpack_source(source: Path, place: Path) -> Path:
    with tarfile.open(source) as archive:
        archive.extractall(place, filter="data")
    return place


def _write_components(tree: Path, target: Path) -> None:
    """Write the list of dependencies, each with the hashes used to install it (CycloneDX)."""
    listing = ("--pyproject", "pyproject.toml", "--output-reproducible", "--of", "JSON", "-o", str(target))
    _run_module("cyclonedx_py", "requirements", *listing, "requirements/postgres.txt", folder=tree)


def _build_wheel(release: Release, folder: Path) -> Path:
    """Build the games as a library, from a copy of the source, because that leaves files behind."""
    when = run_git(release.root, "log", "-1", "--format=%ct").strip()
    options = ("--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", str(folder))
    with tempfile.TemporaryDirectory() as place:
        tree = _unpack_source(folder / f"{release.name}.tar.gz", Path(place)) / release.name
        _run_module("pip", "--disable-pip-version-check", "wheel", *options, ".", folder=tree, SOURCE_DATE_EPOCH=when)
    (wheel,) = folder.glob("*.whl")
    return wheel


def _run_module(module: str, *arguments: str, folder: Path, **environment: str) -> None:
    """Run a tool of the release environment. Raises NotReady with its output if it fails."""
    command = [sys.executable, "-W", "ignore", "-m", module, *arguments]
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise NotReady(f"{module} failed: {done.stderr.strip() or done.stdout.strip()}")


def run_git(root: Path, *arguments: str) -> str:
    """Return git's output. Raises NotReady if it fails."""
    done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotReady(f"git {arguments[0]} failed: {done.stderr.strip()}")
    return done.stdout
