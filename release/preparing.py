"""Begins a release: sets the version, keeps its databases, closes the changelog, and commits that."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import date
from pathlib import Path

from motley.version import version
from release.changelog import NotReady, close_section, split_sections
from release.making import missing_database, require_committed, require_version, run_git

DATABASES = "tests/releases"
TOUCHED = ("pyproject.toml", "CHANGELOG.md", DATABASES)
VERSION_LINE = re.compile(r'^version = ".*"$', re.MULTILINE)


def begin_release(root: Path, wanted: str, day: date) -> bool:
    """Begin the release of that version, and return whether there was anything left to do.

    Raises NotReady, and then leaves everything as it was.
    """
    require_version(wanted)
    require_committed(root)
    _require_newer(root, wanted)
    if run_git(root, "tag", "--list", f"v{wanted}"):
        return False
    is_done = False
    try:
        _set_version(root / "pyproject.toml", wanted)
        if missing_database(root, wanted):
            make_databases(root)
        if not is_closed(root, wanted):
            changelog = root / "CHANGELOG.md"
            changelog.write_text(close_section(changelog.read_text(encoding="utf-8"), wanted, day), encoding="utf-8")
        run_git(root, "add", "--", *TOUCHED)
        changed = bool(run_git(root, "status", "--porcelain"))
        if changed:
            run_git(root, "commit", "--quiet", "--message", f"Version {wanted}")
        is_done = True
    finally:
        if not is_done:
            run_git(root, "reset", "--quiet", "--", *TOUCHED)
            run_git(root, "checkout", "--quiet", "--", *TOUCHED)
            run_git(root, "clean", "--force", "--quiet", "--", DATABASES)
    return changed


def make_databases(root: Path) -> None:
    """Play small databases of the version in pyproject.toml. Raises NotReady."""
    command = [sys.executable, "-m", "tests.releases.make", "--replace"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotReady(f"tests.releases.make failed: {(done.stderr.strip() or done.stdout.strip())[-2000:]}")


def is_closed(root: Path, wanted: str) -> bool:
    """Whether the changelog has a section for that version."""
    titles = split_sections((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    return any(title.partition(" ")[0] == wanted for title in titles)


def _require_newer(root: Path, wanted: str) -> None:
    """Raise NotReady if an older version follows a newer one."""
    now = version(root / "pyproject.toml")
    if _numbers(wanted) < _numbers(now):
        raise NotReady(f"{wanted} is older than {now}, the version in pyproject.toml.")


def _numbers(text: str) -> tuple[int, ...]:
    require_version(text)
    return tuple(map(int, text.split(".")))


def _set_version(path: Path, wanted: str) -> None:
    text = path.read_text(encoding="utf-8")
    path.write_text(VERSION_LINE.sub(f'version = "{wanted}"', text, count=1), encoding="utf-8")
