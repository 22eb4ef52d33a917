"""Makes a release: its checks, files and tag. The tag comes last, so a failed release has no tag."""

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
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from release.changelog import NotReady, release_notes, unreleased_text

VERSION_PATTERN = re.compile(r"\d+\.\d+\.\d+")
NOTES_FILE, SUMS_FILE = "NOTES.md", "SHA256SUMS"


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


def prepare_release(root: Path, version: str) -> Release:
    """Check the tree and return the release. Raises NotReady with the first problem."""
    if not VERSION_PATTERN.fullmatch(version):
        raise NotReady(f"pyproject.toml's version, {version}, is not three numbers.")
    if left := run_git(root, "status", "--porcelain").splitlines():
        more = f" and {len(left) - 1} more" if left[1:] else ""
        raise NotReady(f"Not committed: {left[0][3:]}{more}. Commit everything before the release.")
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    said, day = release_notes(text, version)
    if unreleased_text(text):
        raise NotReady("CHANGELOG.md still has text under Unreleased. Move it into the version's section.")
    kept = Path("tests", "releases", f"{version}.db.xz")
    if not (root / kept).is_file():
        raise NotReady(f"{kept} is missing. `python -m tests.releases.make` creates it.")
    if _layout_number(root / kept) != len([*(root / "storage" / "sqlite" / "migrations").glob("*.sql")]):
        raise NotReady(f"{kept} lacks some migrations. `python -m tests.releases.make --replace` creates a new one.")
    release = Release(root, version, f"Motley {version}, {day}\n\n{said}\n")
    if run_git(root, "tag", "--list", release.tag):
        raise NotReady(f"{release.tag} already exists. Set the next version in pyproject.toml.")
    return release


def _layout_number(database: Path) -> int:
    """Return the number of the last migration in a stored database."""
    with closing(sqlite3.connect(":memory:")) as raw:
        raw.deserialize(lzma.decompress(database.read_bytes()))
        (number,) = raw.execute("SELECT max(number) FROM schema_migrations").fetchone()
    return int(number)


def make_release(release: Release, folder: Path) -> list[Path]:
    """Build the release's files in a new folder, then create its tag; return the files."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    source = _archive_source(release, folder)
    with tempfile.TemporaryDirectory() as place:
        tree = _unpack_source(source, Path(place)) / release.name
        _write_components(tree, folder / f"{release.name}.cdx.json")
        _build_wheel(release, tree, folder)
    (folder / NOTES_FILE).write_text(release.notes, encoding="utf-8")
    files = sorted(path for path in folder.iterdir())
    sums = "".join(f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    (folder / SUMS_FILE).write_text(sums, encoding="utf-8")
    run_git(release.root, "tag", "--annotate", "--cleanup=verbatim", "--file", str(folder / NOTES_FILE), release.tag)
    return [*files, folder / SUMS_FILE]


def _archive_source(release: Release, folder: Path) -> Path:
    """Pack the committed tree into one file."""
    made = folder / f"{release.name}.tar.gz"
    run_git(release.root, "archive", f"--prefix={release.name}/", "--output", str(made), "HEAD")
    return made


def _unpack_source(source: Path, place: Path) -> Path:
    with tarfile.open(source) as archive:
        archive.extractall(place, filter="data")
    return place


def _write_components(tree: Path, made: Path) -> None:
    """Write the list of dependencies, each with the hashes used to install it (CycloneDX)."""
    listing = ("--pyproject", "pyproject.toml", "--output-reproducible", "--of", "JSON", "-o", str(made))
    _run_module("cyclonedx_py", "requirements", *listing, "requirements/postgres.txt", folder=tree)


def _build_wheel(release: Release, tree: Path, folder: Path) -> None:
    """Build the games as a library."""
    when = run_git(release.root, "log", "-1", "--format=%ct").strip()
    options = ("--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", str(folder))
    _run_module("pip", "--disable-pip-version-check", "wheel", *options, ".", folder=tree, SOURCE_DATE_EPOCH=when)


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
